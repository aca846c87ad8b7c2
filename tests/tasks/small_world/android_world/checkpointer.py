import gzip
import pickle
from pathlib import Path


class IncrementalCheckpointer:
    def __init__(self, directory):
        self.directory = Path(directory)
        self.directory.mkdir(parents=True, exist_ok=True)

    def save_episodes(self, task_episodes, task_name):
        with gzip.open(self.directory / f"{task_name}.pkl.gz", "wb", 5) as file:
            pickle.dump(task_episodes, file, 4)
