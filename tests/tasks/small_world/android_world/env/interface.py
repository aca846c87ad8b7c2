class AsyncAndroidEnv:
    def __init__(self, controller):
        self.controller = controller
        self.interaction_cache = ""
