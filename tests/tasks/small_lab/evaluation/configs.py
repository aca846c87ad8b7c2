import importlib
from pathlib import Path

import yaml


class AppConfig:
    def __init__(self, path, output_dir=None):
        self.tasks = yaml.safe_load(Path(path).read_text())["tasks"]
        self.output_dir = output_dir
        self.judges = importlib.import_module("evaluation.tasks.demo").function_map
