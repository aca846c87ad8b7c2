"""The values of `settings get`, with defaults of a new phone."""

from __future__ import annotations

_SHIPPED = {
    ("system", "accelerometer_rotation"): "0",
    ("system", "user_rotation"): "0",
    ("system", "font_scale"): "1.0",
    ("system", "screen_brightness"): "128",
    ("system", "screen_brightness_mode"): "0",
    ("system", "screen_off_timeout"): "600000",
    ("system", "show_touches"): "0",
    ("secure", "ui_night_mode"): "1",
    ("secure", "navigation_mode"): "2",
    ("secure", "default_input_method"): "com.taptrail.demo.keyboard/.KeyboardService",
    ("secure", "enabled_input_methods"): "com.taptrail.demo.keyboard/.KeyboardService",
    ("secure", "accessibility_enabled"): "0",
    ("global", "airplane_mode_on"): "0",
    ("global", "wifi_on"): "1",
    ("global", "wifi_ssid"): "Wren",
    ("global", "animator_duration_scale"): "1.0",
    ("global", "transition_animation_scale"): "1.0",
    ("global", "window_animation_scale"): "1.0",
    ("global", "device_name"): "Wren 6",
    ("global", "stay_on_while_plugged_in"): "0",
}


def notifications_key(package: str) -> str:
    """The global setting that silences an app when it is "0"."""
    return f"notifications_{package}"


class StoredSettings:
    """Settings by name space and key."""

    def __init__(self) -> None:
        self._values = dict(_SHIPPED)

    def get(self, namespace: str, key: str) -> str | None:
        """A value, None if it is not set."""
        return self._values.get((namespace, key))

    def put(self, namespace: str, key: str, value: str) -> bool:
        """Sets a value. Returns whether it changed."""
        if self._values.get((namespace, key)) == value:
            return False
        self._values[namespace, key] = value
        return True

    def number(self, namespace: str, key: str, default: float) -> float:
        """Returns a value as a number; the default if it is not a number."""
        try:
            return float(self._values.get((namespace, key), ""))
        except ValueError:
            return default

    @property
    def dark(self) -> bool:
        """Whether the dark theme is on."""
        return self._values.get(("secure", "ui_night_mode")) == "2"

    @property
    def font_scale(self) -> float:
        """The text size, 0.85 to 1.3."""
        return min(1.3, max(0.85, self.number("system", "font_scale", 1.0)))

    @property
    def gestures(self) -> bool:
        """Whether swipes take the place of the three buttons."""
        return self._values.get(("secure", "navigation_mode")) != "0"

    @property
    def motion(self) -> float:
        """Factor on the length of animations; 0 if there are none."""
        return max(0.0, self.number("global", "animator_duration_scale", 1.0))
