"""A segment's packets as a fragmented .mp4, for players and other programs. Nothing is re-encoded.

Fragmented MP4 keeps microseconds; Matroska rounds to milliseconds.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import av

from episodes.errors import KnownError
from episodes.recordings import Packet

_MICROSECOND = Fraction(1, 1_000_000)
_OPTIONS = {"movflags": "frag_keyframe+empty_moov+default_base_moof"}


def remux(path: Path, packets: Sequence[Packet], out: Path, codec: str = "h264") -> None:
    """Writes the packets of a segment's file into `out`, with their times from the first on.

    Packets before the first key frame show nothing and are left out. Times that do not grow are
    moved on by a microsecond, since MP4 has no place for two frames at once.

    Raises:
        KnownError: there is no key frame, or a file cannot be read or written.
    """
    if packets and packets[0].number != 0:
        raise ValueError("the packets do not begin with number 0")
    doing = f"write the video {out}"
    first = next((at for at, packet in enumerate(packets) if packet.key), None)
    if first is None:
        raise KnownError(doing, "there is no key frame", "Record for longer than a moment.")
    try:
        with path.open("rb") as file:
            config = file.read(packets[0].offset)
            file.seek(packets[first].offset)
            start = config + file.read(packets[first].length)
            with (
                av.open(io.BytesIO(start), format=codec) as probe,
                av.open(str(out), "w", format="mp4", options=_OPTIONS) as target,
            ):
                stream = target.add_stream_from_template(probe.streams.video[0])
                stream.time_base = _MICROSECOND
                last = -1
                for packet in packets[first:]:
                    file.seek(packet.offset)
                    data = file.read(packet.length)
                    if len(data) != packet.length:
                        raise KnownError(doing, f"packet {packet.number} is cut off", _REMEDY)
                    last = max(last + 1, packet.pts_us - packets[first].pts_us)
                    muxed = av.Packet(data)
                    muxed.stream = stream
                    muxed.time_base = _MICROSECOND
                    muxed.pts = muxed.dts = last
                    muxed.is_keyframe = packet.key
                    target.mux(muxed)
    except (OSError, av.FFmpegError) as error:
        raise KnownError(doing, str(error), _REMEDY) from error


_REMEDY = "See that the recording is whole and the disk has room."
