"""Android Lab's rules that need no installation of it, written from its released code.

Source: THUDM/Android-Lab at 373fc1d86617a5958a0ad768b1fc388e8722ba91 (2025-05-08). Its judges are
not written anew: a worker runs those of the user's clone.
"""

COMMIT = "373fc1d86617a5958a0ad768b1fc388e8722ba91"
TASKS = 138
"""Tasks of the released list; the result sheet divides by it."""
