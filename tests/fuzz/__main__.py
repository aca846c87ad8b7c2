"""Runs many cases and says what came of them: `python -m tests.fuzz --cases 10000`.

Ends with 1 where a case ended in anything but a result or a known error.
"""

from __future__ import annotations

import argparse
import sys
import time

from tests.fuzz.running import MIB, SECONDS, Summary, case_names, run


def main() -> int:
    """Runs what the command line asks for."""
    asked = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    asked.add_argument("--cases", type=int, default=1_000, help="how many, over all subjects")
    asked.add_argument(
        "--only", default="", help="SUBJECT:NUMBER, one case; or the begin of a subject"
    )
    asked.add_argument("--from", type=int, default=0, dest="first", help="the first number")
    asked.add_argument("--memory", type=int, default=MIB, help="MiB of private memory")
    asked.add_argument("--seconds", type=float, default=SECONDS, help="processor time a command")
    told = asked.parse_args()
    began = time.monotonic()
    summary = Summary()
    names = case_names(told.cases, told.only, told.first)
    for number, done in enumerate(run(names, told.memory, told.seconds)):
        summary.add(done)
        if (number + 1) % 500 == 0:
            print(f"{number + 1} cases, at {done.case}", file=sys.stderr, flush=True)
        if done.outcome == "violation" or ":" in told.only:
            print(f"{done.outcome}  python -m tests.fuzz --only {done.case}")
            print(f"    {done.said}\n    {done.wrong or done.known}", flush=True)
    print(summary.told(time.monotonic() - began))
    return 1 if summary.violations else 0


if __name__ == "__main__":
    sys.exit(main())
