"""How many pixels of a frame one dp of the phone's screen covers."""

from __future__ import annotations

from episodes.geometry import Size
from episodes.recordings import DeviceFacts

DPI_OF_ONE_PIXEL_PER_DP = 160
"""Android's definition of the dp: one pixel at this density."""
USUAL_WIDTH_DP = 411
"""Width of a usual phone in its natural rotation."""


def pixels_per_dp(device: DeviceFacts, frame: Size) -> float | None:
    """Returns pixels of a frame per dp; None if the phone's density or screen size is not known.

    The frame may be smaller than the screen, and turned: the shorter sides are compared.
    """
    if not device.density or device.size is None:
        return None
    scale = min(frame.width, frame.height) / min(device.size.width, device.size.height)
    return device.density / DPI_OF_ONE_PIXEL_PER_DP * scale


def usual_pixels_per_dp(frame: Size) -> float:
    """Returns pixels per dp of a frame as if it came from a phone of the usual width."""
    return min(frame.width, frame.height) / USUAL_WIDTH_DP


def likely_pixels_per_dp(device: DeviceFacts, frame: Size) -> float:
    """Returns pixels of a frame per dp, a usual phone's if the phone's is not known."""
    return pixels_per_dp(device, frame) or usual_pixels_per_dp(frame)
