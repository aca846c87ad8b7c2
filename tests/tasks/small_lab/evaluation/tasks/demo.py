from evaluation.task import SingleTask


def keys(tree):
    for key, value in tree.items():
        yield key
        if isinstance(value, dict):
            yield from keys(value)


class DarkTheme(SingleTask):
    def judge(self, xml_compressed_tree, line):
        found = list(keys(xml_compressed_tree))
        if not any("Dark theme" in key for key in found):
            return {"judge_page": False}
        on = any("Switch ;true;" in key for key in found)
        return {"judge_page": True, "1": True, "2": on, "complete": on}


class WhichCity(SingleTask):
    def judge(self, xml_compressed_tree, line):
        self.save_answer("Berlin")
        right = self.check_answer(line)
        return {"judge_page": True, "1": right, "complete": right}


class Airplane(SingleTask):
    def judge(self, xml_compressed_tree, line):
        on = line["command"]["adb shell settings get global airplane_mode_on"] != "0"
        return {"judge_page": True, "1": on, "complete": on}


class Forever(SingleTask):
    def judge(self, xml_compressed_tree, line):
        while True:
            pass


function_map = {"demo_1": DarkTheme, "demo_2": WhichCity, "demo_3": Airplane, "demo_4": Forever}
