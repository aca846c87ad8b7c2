"""Error messages of a phone that cannot start."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("option", ["--data", "--truth"])
def test_a_place_that_cannot_be_is_one_sentence(option):
    done = subprocess.run(
        [sys.executable, "-m", "demophone", option, "/proc/x"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (
        1,
        "",
        "The phone cannot start: /proc/x: No such file or directory. Name other places with --data "
        "and --truth.\n",
    )
