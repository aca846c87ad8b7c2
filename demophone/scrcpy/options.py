"""The arguments of the scrcpy server, and the sizes that follow from them.

Source: Options.java and Size.java of scrcpy 2.7, 3.3.4 and 4.1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from demophone.scrcpy.wire import NEWEST_KNOWN, Version


class BadOption(Exception):
    """An argument the server refuses to start with."""


@dataclass(frozen=True)
class Options:
    """What a client may ask for. Names are those of the arguments.

    Attributes:
        version: of the client.
    """

    version: Version = NEWEST_KNOWN
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
    lock_video_orientation: int = -1
    min_size_alignment: int = 1
    flex_display: bool = False
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
        turned = self.capture_orientation != "0" or self.lock_video_orientation != -1
        return bool(self.crop) or self.angle % 360 != 0 or turned

    def size_of_video(self, width: int, height: int) -> tuple[int, int]:
        """Returns the size of the video of a screen."""
        if self.version < (4, 0):
            return video_size(width, height, self.max_size & ~7)
        return aligned_size(width, height, self.max_size, max(2, self.min_size_alignment))

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


# Arguments that change nothing on a phone without audio, cameras and further displays.
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
    "camera_torch",
    "camera_zoom",
    "display_ime_policy",
    "downsize_on_error",
    "ignore_video_encoder_constraints",
    "keep_active",
    "vd_destroy_content",
    "vd_system_decorations",
)


SINCE: Mapping[str, Version] = {
    "angle": (3, 0),
    "camera_torch": (4, 0),
    "camera_zoom": (4, 0),
    "capture_orientation": (3, 0),
    "flex_display": (4, 0),
    "ignore_video_encoder_constraints": (4, 1),
    "keep_active": (4, 0),
    "list_apps": (3, 0),
    "min_size_alignment": (4, 0),
    "new_display": (3, 0),
    "screen_off_timeout": (3, 0),
    "send_stream_meta": (4, 0),
    "video": (2, 1),
    "video_source": (2, 2),
}
UNTIL: Mapping[str, Version] = {"lock_video_orientation": (3, 0), "send_codec_meta": (4, 0)}
"""The versions that brought some arguments, and those that dropped some."""


def parse_options(arguments: Sequence[str], version: Version = NEWEST_KNOWN) -> Options:
    """The options of `key=value` arguments; unknown keys are kept as warnings.

    Raises:
        BadOption: an argument without `=`, or a value that is none.
    """
    kinds: Mapping[str, Any] = {
        one.name: type(one.default)
        for one in fields(Options)
        if one.name not in ("warnings", "version")
    }
    kinds = {**kinds, "new_display": str}  # "" asks for one of the phone's own size
    values: dict[str, Any] = {}
    warnings: list[str] = []
    for argument in arguments:
        key, equals, value = argument.partition("=")
        if not equals:
            raise BadOption(f'Invalid key=value pair: "{argument}"')
        if not SINCE.get(key, version) <= version < UNTIL.get(key, (version[0] + 1,)):
            warnings.append(f"Unknown server option: {key}")
        elif key == "send_stream_meta":
            values["send_codec_meta"] = value == "true"
        elif key == "raw_stream":
            if value == "true":
                for name in ("device_meta", "frame_meta", "dummy_byte", "codec_meta"):
                    values[f"send_{name}"] = False
        elif key in kinds:
            values[key] = _value(key, kinds[key], value)
        elif key not in INERT:
            warnings.append(f"Unknown server option: {key}")
    if values.get("video_codec", "h264") != "h264":
        raise BadOption(f"this phone encodes h264, not {values['video_codec']}")
    return Options(**values, version=version, warnings=tuple(warnings))


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
            return int(text)
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


def aligned_size(width: int, height: int, max_size: int, alignment: int) -> tuple[int, int]:
    """Returns the size of a video of 4.x: within `max_size`, a multiple of the alignment."""
    longest = max(width, height)
    if max_size and longest > max_size:
        width, height = width * max_size // longest, height * max_size // longest
    across, down = (max(side // alignment, 1) * alignment for side in (width, height))
    return across, down
