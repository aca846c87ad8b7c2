import hashlib
import random


def create_suite(kinds, n_task_combinations=1, seed=None, tasks=None, use_identical_params=False):
    suite = {}
    for name, kind in kinds.items():
        suite[name] = []
        for number in range(n_task_combinations):
            digest = hashlib.sha256(f"{seed}_{name}_{number}".encode()).hexdigest()
            own = int(digest, 16) % 2**32
            random.seed(own)
            suite[name].append(kind(kind.generate_random_params() | {"seed": own}))
    return suite
