class AsyncAndroidEnv:
    def __init__(self, controller):
        self.controller = controller
        self.interaction_cache = ""

    def execute_action(self, action):
        if action.action_type == "answer":
            self.interaction_cache = action.text
            return
        words = ["shell", "input", "tap", str(action.x), str(action.y)]
        self.controller.execute_adb_call(words)
