"""The arguments of the scrcpy server, and the sizes that follow from them.

Source: Options.java and Size.java of scrcpy 3.3.4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any


class BadOption(Exception):
    """An argument the server refuses to start with."""


@dataclass(frozen=True)
class Options:
    """What a client may ask for. Names are those of the arguments."""

    scid: int = -1
    log_level: str = "debug"
    video: bool = True
    audio: bool = True
    control: bool = True
    video_codec: str = "h264"
    max_size: int = 0
    max_fps: float = 0.0
    video_bit_rate: int = 8_000_000
    video_codec_options: str = ""
    tunnel_forward: bool = False
    clipboard_autosync: bool = True
    power_on: bool = True
    power_off_on_close: bool = False
    cleanup: bool = True
    send_device_meta: bool = True
    send_frame_meta: bool = True
    send_dummy_byte: bool = True
    send_codec_meta: bool = True
    video_source: str = "display"
    video_encoder: str = ""
    display_id: int = 0
    new_display: str | None = None
    crop: str = ""
    angle: float = 0.0
    capture_orientation: str = "0"
    show_touches: bool = False
    stay_awake: bool = False
    screen_off_timeout: int = -1
    list_encoders: bool = False
    list_displays: bool = False
    list_cameras: bool = False
    list_camera_sizes: bool = False
    list_apps: bool = False
    warnings: tuple[str, ...] = field(default=())

    @property
    def socket(self) -> str:
        """The address the server listens at or connects to."""
        return "localabstract:scrcpy" + (f"_{self.scid:08x}" if self.scid >= 0 else "")

    @property
    def lists(self) -> bool:
        """Whether the server only prints lists and ends."""
        return any(
            (
                self.list_encoders,
                self.list_displays,
                self.list_cameras,
                self.list_camera_sizes,
                self.list_apps,
            )
        )

    @property
    def is_filtered(self) -> bool:
        """Whether the picture would have to be cropped or turned by OpenGL on its way."""
        orientation = self.capture_orientation
        return bool(self.crop) or self.angle % 360 != 0 or orientation != "0"

    def codec_option(self, name: str) -> float | None:
        """A number out of `video_codec_options`, `key[:type]=value,...`."""
        for entry in self.video_codec_options.split(","):
            key, _, value = entry.partition("=")
            if key.partition(":")[0] == name:
                try:
                    return float(value)
                except ValueError:
                    return None
        return None


# Arguments of 3.3.4 that change nothing on a phone without audio, cameras and further displays.
INERT = (
    "audio_bit_rate",
    "audio_codec",
    "audio_codec_options",
    "audio_dup",
    "audio_encoder",
    "audio_source",
    "camera_ar",
    "camera_facing",
    "camera_fps",
    "camera_high_speed",
    "camera_id",
    "camera_size",
    "display_ime_policy",
    "downsize_on_error",
    "vd_destroy_content",
    "vd_system_decorations",
)


def parse_options(arguments: Sequence[str]) -> Options:
    """The options of `key=value` arguments; unknown keys are kept as warnings.

    Raises:
        BadOption: an argument without `=`, or a value that is none.
    """
    kinds: Mapping[str, Any] = {
        one.name: type(one.default) for one in fields(Options) if one.name != "warnings"
    }
    kinds = {**kinds, "new_display": str}  # "" asks for one of the phone's own size
    values: dict[str, Any] = {}
    warnings: list[str] = []
    for argument in arguments:
        key, equals, value = argument.partition("=")
        if not equals:
            raise BadOption(f'Invalid key=value pair: "{argument}"')
        if key == "raw_stream":
            if value == "true":
                for name in ("device_meta", "frame_meta", "dummy_byte", "codec_meta"):
                    values[f"send_{name}"] = False
        elif key in kinds:
            values[key] = _value(key, kinds[key], value)
        elif key not in INERT:
            warnings.append(f"Unknown server option: {key}")
    if values.get("video_codec", "h264") != "h264":
        raise BadOption(f"this phone encodes h264, not {values['video_codec']}")
    return Options(**values, warnings=tuple(warnings))


def _value(key: str, kind: type, text: str) -> object:
    if kind is bool:
        return text.lower() == "true"
    if kind is str:
        return text
    try:
        if key == "scid":
            number = int(text, 16)
            if not -1 <= number <= 0x7FFFFFFF:
                raise BadOption(f"scid may not be negative (except -1 for 'none'): {number}")
            return number
        if key == "max_size":
            return int(text) & ~7
        if key == "max_fps":
            return max(0.0, float(text))
        if kind is float:
            return float(text)
        return int(text)
    except ValueError:
        raise BadOption(f'Invalid value for {key}: "{text}"') from None


def video_size(width: int, height: int, max_size: int) -> tuple[int, int]:
    """The size of the video of a screen: within `max_size`, both sides multiples of 8."""
    portrait = height > width
    major, minor = (height, width) if portrait else (width, height)
    if max_size and major > max_size:
        major, minor = max_size, max_size * minor // major
    if major % 8 or minor % 8:
        major &= ~7
        minor = min((minor + 4) & ~7, major)
    major, minor = max(major, 8), max(minor, 8)
    return (minor, major) if portrait else (major, minor)
