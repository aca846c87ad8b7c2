import types


class Many(list):
    def add(self, **members):
        made = Record(**members)
        self.append(made)
        return made


class Record(types.SimpleNamespace):
    def __getattr__(self, name):
        made = Many() if name in ("windows", "nodes", "child_ids") else Record()
        setattr(self, name, made)
        return made


AndroidAccessibilityForest = Record
