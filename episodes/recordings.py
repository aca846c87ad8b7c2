"""How an episode was captured: stretches of video, gaps between them, and the phone."""

from __future__ import annotations

from dataclasses import dataclass

from episodes.clocks import Moment
from episodes.geometry import Size


@dataclass(frozen=True, slots=True)
class Packet:
    """A received video packet; its bytes are in the segment's file.

    Attributes:
        number: 0, 1, 2, ... within the segment.
        offset, length: bytes in the segment's file.
        received_ns: host clock.
    """

    number: int
    pts_us: int
    key: bool
    offset: int
    length: int
    received_ns: int


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of capture with one display, size, rotation and codec configuration.

    Attributes:
        number: 0, 1, 2, ... within the episode.
        file: name of the packets' file within the episode's folder: Annex-B, the codec
            configuration first.
        config: the codec configuration (SPS and PPS).
        rotation: quarter turns of the display; None if it could not be asked.
        server: version of the capture server.
    """

    number: int
    file: str
    codec: str
    size: Size
    config: bytes
    rotation: int | None
    display: int
    server: str
    started: Moment
    ended: Moment | None = None


@dataclass(frozen=True, slots=True)
class Gap:
    """Time in which nothing was captured, between or within segments.

    Attributes:
        reason: "paused", "unplugged", "rotated", "queue full", "server restarted", ... An
            "undelivered" gap has no length: it is in the step whose input the phone refused.
    """

    reason: str
    started: Moment
    ended: Moment | None = None


@dataclass(frozen=True, slots=True)
class DeviceFacts:
    """Facts about a phone, stored once for each episode; "" if unknown.

    Attributes:
        size: in natural rotation, as `wm size` says.
        density: dots per inch.
        animation_scales: window, transition, animator.
        app_versions: package and version name of each app touched.
        native: a data set's own device record, as JSON text.
    """

    serial: str = ""
    manufacturer: str = ""
    model: str = ""
    product: str = ""
    build: str = ""
    android_release: str = ""
    sdk: int | None = None
    size: Size | None = None
    density: int | None = None
    locale: str = ""
    input_method: str = ""
    animation_scales: tuple[float, float, float] | None = None
    app_versions: tuple[tuple[str, str], ...] = ()
    native: str = ""
