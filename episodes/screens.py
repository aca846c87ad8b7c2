"""What was on the screen: stills, the frame of a step, and the tree asked for beside it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from episodes.clocks import Moment
from episodes.geometry import Size


class StillSource(StrEnum):
    """Where a still's pixels came from."""

    STREAM = "stream"  # decoded from the recorded video
    SCREENCAP = "screencap"  # the phone's own screenshot
    IMPORT = "import"  # a data set's picture


@dataclass(frozen=True, slots=True)
class Still:
    """A picture of a screen, stored as a file named by its hash.

    Attributes:
        sha256: of the file's bytes, 64 hex digits; also its name.
        media_type: "image/png", "image/webp" or "image/jpeg".
        lossless: whether the file holds the source's pixels exactly.
        signature: luma of the picture made small, as `episodes.media.signature` writes it; None
            where the picture has not been decoded.
    """

    sha256: str
    media_type: str
    size: Size
    byte_count: int
    source: StillSource
    lossless: bool
    signature: bytes | None = None


class Basis(StrEnum):
    """Why this frame is the frame of the step."""

    PAINTED = "painted"  # it was painted under the mouse when it was pressed
    BEFORE_DOWN = "before_down"  # the last one before a finger met the glass, by the phone's clock
    BEFORE_ACTION = "before_action"  # the last one before a key or a command
    FINAL = "final"  # what was left when the episode ended
    AFTER = "after"  # the settled screen that followed
    IMPORTED = "imported"  # a data set says so


@dataclass(frozen=True, slots=True)
class Frame:
    """The screen of a step.

    Attributes:
        size: pixels of the coordinate system the step's points live in.
        still: the kept picture; None for a step without one.
        pts_us: the video's own time of the frame, on the phone's clock.
        segment: number of the stretch of capture it is from.
        packet: number of its packet in that stretch.
        received_ns: host clock when the packet came in.
        painted_ns: host clock when the window had painted it (mouse steps).
        native: file name or other reference of an imported picture, also when it is missing.
        protected: whether an app kept its screen out of pictures (Android's FLAG_SECURE), so that
            the picture is black although the person saw something.
    """

    size: Size
    basis: Basis
    still: Still | None = None
    pts_us: int | None = None
    segment: int | None = None
    packet: int | None = None
    received_ns: int | None = None
    painted_ns: int | None = None
    native: str | None = None
    protected: bool = False


class TreeStatus(StrEnum):
    """How the asking went. A failed dump is a fact, not an empty screen."""

    OK = "ok"
    EMPTY = "empty"
    NOT_IDLE = "not_idle"
    NO_ROOT = "no_root"
    KILLED = "killed"
    TIMEOUT = "timeout"
    FAILED = "failed"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class TreeRecord:
    """One answer, or refusal, of a source of trees.

    Attributes:
        format: what the bytes are: "uiautomator", "a11y-forest", "androidlab", "aitw-ocr", ...
        data: the bytes unchanged; b"" if none came.
        source: who was asked: "uiautomator dump", "uiautomator2", "import", ...
        requested, answered: both clocks where known.
        size, rotation: of the screen when it was asked for.
        detail: what the source said when it failed.
    """

    format: str
    data: bytes
    source: str
    status: TreeStatus
    requested: Moment = Moment()
    answered: Moment = Moment()
    size: Size | None = None
    rotation: int | None = None
    detail: str = ""


class TreeFit(StrEnum):
    """How well a step's tree belongs to the step's frame."""

    FRESH = "fresh"  # nothing on the screen changed between asking, answer and action
    LATE = "late"  # the answer came after the action had begun
    STALE = "stale"  # the screen changed after the tree was taken and before the action
    FAILED = "failed"  # the source was asked and gave none
    MISSING = "missing"  # nobody asked
    IMPORTED = "imported"  # a data set says so


@dataclass(frozen=True, slots=True)
class StepTree:
    """The tree joined to a step, by the time it was requested."""

    record: TreeRecord
    fit: TreeFit


class AppFit(StrEnum):
    """How sure it is that the app was in front when the action began."""

    FRESH = "fresh"  # nothing can have changed between the asking and the action's beginning
    LATE = "late"  # asked or answered after the action had begun, so it may be what came of it
    STALE = "stale"  # something changed, or may have, after it was asked and before the action
    UNKNOWN = "unknown"  # nobody says when it was asked, as in data sets


@dataclass(frozen=True, slots=True)
class Foreground:
    """The app in front: what makes a demonstration cross-app.

    Attributes:
        fit: how well it belongs to the step.
        requested, answered: when the phone was asked and said so; both clocks where known.
    """

    package: str
    activity: str = ""
    label: str = ""
    fit: AppFit = AppFit.UNKNOWN
    requested: Moment = Moment()
    answered: Moment = Moment()
