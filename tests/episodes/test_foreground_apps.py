"""The apps that were in front during an episode."""

import pytest

from episodes import actions as a
from episodes.foreground_apps import foreground_apps, is_app
from episodes.screens import Foreground
from episodes.steps import Step


@pytest.mark.parametrize(
    ("package", "app"),
    [
        ("com.google.android.apps.nexuslauncher", False),
        ("com.sec.android.app.launcher", False),
        ("com.miui.home", False),
        ("com.android.systemui", False),
        ("com.android.settings", True),
        ("com.example.home.shopping", True),
    ],
)
def test_a_home_screen_is_not_an_app(package: str, app: bool) -> None:
    assert is_app(package) is app


def test_each_app_is_named_once_in_the_order_they_came() -> None:
    front = [None, ("com.b", "B"), ("com.a", ""), ("com.b", "B")]
    steps = [
        Step(n, a.Wait(), foreground=Foreground(one[0], label=one[1]) if one else None)
        for n, one in enumerate(front)
    ]
    assert foreground_apps(steps) == ("B", "com.a")
