"""The seed of one instance of a task: AndroidWorld's rule, used for our own tasks as well.

Source: android_world/suite_utils.py, `create_suite`.
"""

from __future__ import annotations

import hashlib

FIXED_SEED = 123
"""The seed of every instance when identical instances are asked for without a suite seed."""


def instance_seed(
    suite_seed: int | None, task: str, instance: int, *, identical: bool = False
) -> int | None:
    """Returns the seed of an instance: SHA-256 of "seed_task_instance", modulo 2 to the 32.

    Returns None without a suite seed: such an instance cannot be drawn again.

    Args:
        suite_seed: the seed of the whole suite.
        task: the task's name.
        instance: its number, from 0.
        identical: every instance takes the seed of instance 0.
    """
    if identical:
        if suite_seed is None:
            return FIXED_SEED
        instance = 0
    if suite_seed is None:
        return None
    digest = hashlib.sha256(f"{suite_seed}_{task}_{instance}".encode()).hexdigest()
    return int(digest, 16) % 2**32
