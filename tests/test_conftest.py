"""The fixtures and checks of conftest.py work."""

import os
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

CONFTEST = Path(__file__).with_name("conftest.py").read_text()


def test_warnings_of_ours_must_be_declared_and_opencv_leaves_no_trace(
    pytester: pytest.Pytester,
) -> None:
    test = """
        import logging
        import os

        def test_not_declared():
            logging.getLogger("recorder.session").warning("lost %d packets", 3)

        def test_declared(expected_log):
            expected_log("lost 3 packets")
            logging.getLogger("recorder.session").warning("lost %d packets", 3)

        def test_never_came(expected_log):
            expected_log("lost 3 packets")

        def test_of_another_library():
            logging.getLogger("urllib3.pool").warning("retrying")

        def test_opencv():
            import cv2
            os.environ["QT_QPA_FONTDIR"] = "as opencv does where it brings fonts"

        def test_after_opencv():
            assert "QT_QPA_FONTDIR" not in os.environ
            assert "QT_QPA_PLATFORM_PLUGIN_PATH" not in os.environ
    """
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test)
    done = pytester.runpytest_subprocess("-p", "no:xdist", "-rE")
    done.assert_outcomes(passed=6, errors=2)
    done.stdout.fnmatch_lines(["ERROR *::test_not_declared*", "ERROR *::test_never_came*"])


def test_each_test_has_an_empty_home(home: Path) -> None:
    assert Path.home() == home
    assert os.environ["XDG_CONFIG_HOME"] == str(home / "config")
    assert [path.name for path in home.iterdir() if path.name != "runtime"] == []
