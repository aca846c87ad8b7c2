import hashlib
import random


def create_suite(kinds, n_task_combinations=1, seed=None, tasks=None, use_identical_params=False):
    suite = {}
    for name, kind in kinds.items():
        suite[name] = []
        for number in range(n_task_combinations):
            number = 0 if use_identical_params else number
            digest = hashlib.sha256(f"{seed}_{name}_{number}".encode()).hexdigest()
            own = int(digest, 16) % 2**32
            random.seed(own)
            suite[name].append(kind(kind.generate_random_params() | {"seed": own}))
    return suite


class Table:
    def __init__(self, rows):
        self.rows = rows

    def reset_index(self):
        return self

    def to_dict(self, orient):
        return self.rows


def process_episodes(episodes):
    by_task = {}
    for one in episodes:
        by_task.setdefault(one["task_template"], []).append(one)
    rows = []
    for task, found in sorted(by_task.items()):
        scores = [one["is_successful"] for one in found if one["is_successful"] >= 0]
        rows.append(
            {
                "task_template": task,
                "num_complete_trials": len(scores),
                "mean_success_rate": sum(scores) / len(scores) if scores else float("nan"),
                "total_runtime_s": sum(one["run_time"] for one in found),
                "num_fail_trials": sum(one["exception_info"] is not None for one in found),
            }
        )
    return Table(rows)
