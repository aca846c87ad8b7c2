"""Tasks that a phone itself can judge: task files, parameters, set-up, checks, and benchmarks.

`benches` holds what belongs to a benchmark: its rules, and the client of the worker that runs its
own code.
"""
