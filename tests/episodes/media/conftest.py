import pytest

from episodes.media.packets import SegmentWriter
from tests.episodes.media.clips import make_clip


@pytest.fixture(scope="session")
def clip():
    return make_clip()


@pytest.fixture
def segment(clip, tmp_path):
    """A written segment: its path and the index of its packets."""
    path = tmp_path / "segment-000.h264"
    with SegmentWriter(path, clip.config) as writer:
        packets = [
            writer.write(data, pts, key, received_ns=1000 + number)
            for number, (data, pts, key) in enumerate(clip.packets)
        ]
    return path, packets
