"""The fixtures and checks of conftest.py work."""

import os
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

CONFTEST = Path(__file__).with_name("conftest.py").read_text()


def outcomes(pytester: pytest.Pytester, test: str) -> dict[str, int]:
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test)
    return pytester.runpytest_subprocess("-p", "no:xdist").parseoutcomes()


def test_a_warning_nobody_declared_fails_the_test(pytester: pytest.Pytester) -> None:
    test = """
        import logging

        def test_it():
            logging.getLogger("recorder.session").warning("lost %d packets", 3)
    """
    assert outcomes(pytester, test) == {"passed": 1, "errors": 1}


def test_a_declared_warning_passes_and_one_that_never_came_fails(
    pytester: pytest.Pytester,
) -> None:
    test = """
        import logging

        def test_came(expected_log):
            expected_log("lost 3 packets")
            logging.getLogger("recorder.session").warning("lost %d packets", 3)

        def test_never_came(expected_log):
            expected_log("lost 3 packets")
    """
    assert outcomes(pytester, test) == {"passed": 2, "errors": 1}


def test_what_other_libraries_log_is_theirs(pytester: pytest.Pytester) -> None:
    test = """
        import logging

        def test_it():
            logging.getLogger("urllib3.pool").warning("retrying")
    """
    assert outcomes(pytester, test) == {"passed": 1}


def test_each_test_has_an_empty_home(home: Path) -> None:
    assert Path.home() == home
    assert os.environ["XDG_CONFIG_HOME"] == str(home / "config")
    assert [path.name for path in home.iterdir() if path.name != "runtime"] == []


def test_opencv_leaves_no_trace_in_the_next_test(pytester: pytest.Pytester) -> None:
    test = """
        import os

        def test_first():
            import cv2
            os.environ["QT_QPA_FONTDIR"] = "as opencv does where it brings fonts"

        def test_second():
            assert "QT_QPA_FONTDIR" not in os.environ
            assert "QT_QPA_PLATFORM_PLUGIN_PATH" not in os.environ
    """
    assert outcomes(pytester, test) == {"passed": 2}
