"""Lists the apps that were in the foreground of an episode's steps. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from episodes.steps import Step

_NO_APPS = frozenset(
    {
        "android",
        "com.android.systemui",
        "com.android.permissioncontroller",
        "com.google.android.permissioncontroller",
        "com.miui.home",
    }
)


def is_app(package: str) -> bool:
    """Returns whether people would call it an app: not the home screen, nor the system's own."""
    return package not in _NO_APPS and "launcher" not in package.lower()


def foreground_apps(steps: Iterable[Step]) -> tuple[str, ...]:
    """Returns the apps in front of the steps, each once, in the order they came.

    By their names as people read them, else by their packages.
    """
    front = (step.foreground for step in steps if step.foreground is not None)
    return tuple(dict.fromkeys(one.label or one.package for one in front if is_app(one.package)))
