import gzip
import os
import pickle


class IncrementalCheckpointer:
    def __init__(self, directory):
        self.directory = directory
        os.makedirs(directory, exist_ok=True)

    def save_episodes(self, task_episodes, task_name):
        with gzip.open(os.path.join(self.directory, f"{task_name}.pkl.gz"), "wb", 5) as file:
            pickle.dump(task_episodes, file, 4)
