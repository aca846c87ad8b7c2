"""The timeline of Record has its room from the start, and shows what a pause leaves out."""

from taptrail.gui.record.timeline import Track

S = 1_000_000_000


def test_the_video_has_a_gap_where_the_recording_paused() -> None:
    track = Track(began_ns=10 * S, now_ns=40 * S, running=True)
    assert track.videos() == [(10 * S, 40 * S)]
    track.pauses.append((15 * S, 20 * S, "Paused 5.0 s"))
    assert track.videos() == [(10 * S, 15 * S), (20 * S, 40 * S)]
    track.paused_since_ns = 30 * S
    assert track.videos() == [(10 * S, 15 * S), (20 * S, 30 * S)]
