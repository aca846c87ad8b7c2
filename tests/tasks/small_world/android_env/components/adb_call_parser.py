class AdbCallParser:
    def __init__(self, controller):
        self._controller = controller

    def parse(self, words):
        return self._controller.execute_command(list(words), timeout=30)
