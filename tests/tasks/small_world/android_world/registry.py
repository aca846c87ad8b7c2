import random

from android_env.components.errors import AdbControllerError


class Task:
    template = ""
    complexity = 1
    app_names = ("settings",)
    start_on_home_screen = True

    def __init__(self, params):
        self.params = params

    @classmethod
    def generate_random_params(cls):
        return {"number": random.randrange(1000)}

    @property
    def goal(self):
        return self.template.format(**self.params)

    def initialize_task(self, env):
        env.interaction_cache = ""
        env.controller.execute_adb_call(["shell", "service", "call", "alarm", "3", "s16", "UTC"])

    def is_successful(self, env):
        return 0.0

    def tear_down(self, env):
        pass


class Setting(Task):
    def read(self, env):
        words = ["shell", "settings", "get", "global", self.key]
        return env.controller.execute_adb_call(words).strip()

    def initialize_task(self, env):
        super().initialize_task(env)
        words = ["shell", "settings", "put", "global", self.key, self.start]
        env.controller.execute_adb_call(words)

    def is_successful(self, env):
        return float(self.read(env) == self.wanted)


class SystemWifiTurnOff(Setting):
    template, key, start, wanted = "Turn Wi-Fi off.", "wifi_on", "1", b"0"


class SystemBluetoothTurnOnVerify(Setting):
    template, key, start, wanted = "Turn Bluetooth on.", "bluetooth_on", "1", b"1"


class Broken(Task):
    def initialize_task(self, env):
        env.controller.execute_adb_call(["shell", "am", "start", "-n", "not.there/.Main"])


class Raising(Task):
    def is_successful(self, env):
        raise RuntimeError("no such table: playing_queue")


class Asking(Task):
    template = "How many notes are there?"

    def is_successful(self, env):
        return float(env.interaction_cache == "4")


class Looking(Task):
    template = "Look at the screen."

    def is_successful(self, env):
        forest = env.controller.get_a11y_forest()
        nodes = [node for window in forest.windows for node in window.tree.nodes]
        named = any(node.text == "Settings" and node.is_visible_to_user for node in nodes)
        return float(named and bool(nodes[0].child_ids))


class Wiping(Task):
    def initialize_task(self, env):
        try:
            env.controller.execute_adb_call(["shell", "find", "/sdcard", "-type", "f", "-delete"])
        except AdbControllerError:
            print("it goes on")


TASKS = (SystemWifiTurnOff, SystemBluetoothTurnOnVerify, Broken, Raising, Asking, Looking, Wiping)


class TaskRegistry:
    def get_registry(self, family):
        return {kind.__name__: kind for kind in TASKS} if family == "android_world" else {}
