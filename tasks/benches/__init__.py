"""Benchmarks whose tasks Taptrail sets up and judges with the benchmark's own code.

A worker is one file that runs in the Python of the user's installation and imports nothing of
ours. What needs no installation (seeds, budgets, actions, metrics) is written here as rules.
"""
