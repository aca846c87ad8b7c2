import json
from pathlib import Path

import cv2

from evaluation.definition import *
from utils_mobile.xml_tool import UIXMLTree


def dump_xml(path):
    try:
        return json.loads(UIXMLTree().process(Path(path).read_text()))
    except SyntaxError:
        return None


class SingleTask:
    def __init__(self, args):
        self.args = args
        self.final_ground_truth = None

    def save_answer(self, answer):
        self.final_ground_truth = answer

    def check_answer(self, line):
        action = line["parsed_action"]
        if action.get("action") != "finish":
            return False
        message = action["kwargs"]["message"]
        return bool(detect_answer(line["target"], message, self.final_ground_truth, self.args))


class Evaluation_Task:
    """Judges each line of a trace; the last page that is the judge's own decides."""

    def __init__(self, config, traces, args, detail=False):
        self.config, self.traces, self.args = config, traces, args
        self.length_gt = {}

    def evaluate(self, max_workers=4):
        rows = []
        for task in self.config.tasks:
            trace = self.traces.get(task["task_id"])
            if trace is None:
                continue
            judge, final = self.config.judges[task["task_id"]](self.args), {"complete": False}
            for text in Path(trace, "traces", "trace.jsonl").read_text().splitlines():
                line = json.loads(text)
                page = Path(trace, "xml", Path(line["xml"]).name)
                if not page.exists():
                    continue
                result = judge.judge(dump_xml(page), line)
                if result.get("judge_page", True):
                    final = result
            rows.append({"task_id": task["task_id"], "result": final})
        Path(self.config.output_dir, "results.jsonl").write_text(
            "".join(json.dumps(row) + "\n" for row in rows)
        )
