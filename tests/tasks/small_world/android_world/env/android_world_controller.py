import enum


class A11yMethod(enum.Enum):
    A11Y_FORWARDER_APP = 1


class AndroidWorldController:
    def execute_adb_call(self, words):
        return self._env.execute_adb_call(words)

    def get_a11y_forest(self):
        return self._get_a11y_forest()
