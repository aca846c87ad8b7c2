"""Damaged and hostile files of every format and dialect, each read as the commands read them.

`python -m tests.fuzz --cases 10000` runs them in a process with little memory and little time a
case: what comes out must be a result or a known error. `--only FORMAT:INDEX` runs one case again.
"""
