"""Tests of the rules; `TAPTRAIL_CASES=10000` compares so many random cases a rule."""

import os

COUNT = int(os.environ.get("TAPTRAIL_CASES", "1000"))
