"""Two clocks held against each other."""

from hypothesis import given
from hypothesis import strategies as st

from episodes.clocks import ClockSample, Moment
from recorder.clock import ClockMap

# The phone's clock stands at 0 when the host's stands at 5 s.
OFFSET_US = 5_000_000
MS = 1_000_000


def test_nothing_is_mapped_while_only_packets_bound_the_offset() -> None:
    clock = ClockMap()
    clock.add_packet(received_ns=(OFFSET_US + 20_000) * 1000, pts_us=0)
    assert clock.to_device(7_000 * MS) == Moment(host_ns=7_000 * MS)


def test_an_answer_bounds_from_both_sides() -> None:
    clock = ClockMap()
    at = (OFFSET_US + 1_000_000) * 1000
    clock.add_asked(at - 2 * MS, at + 2 * MS, 1_000_000)
    moment = clock.to_device(at)
    assert moment.device_us is not None
    assert moment.error_us is not None
    assert abs(moment.device_us - 1_000_000) <= moment.error_us <= 12_001


@given(
    delays=st.lists(st.integers(5_000, 300_000), min_size=1, max_size=20),
    trips=st.lists(st.tuples(st.integers(0, 80_000), st.integers(0, 80_000)), min_size=1),
    asked_us=st.integers(0, 60_000_000),
)
def test_the_true_time_is_always_within_the_error(
    delays: list[int], trips: list[tuple[int, int]], asked_us: int
) -> None:
    clock = ClockMap()
    for number, delay in enumerate(delays):
        pts = number * 33_000
        clock.add_packet((pts + OFFSET_US + delay) * 1000, pts)
    for number, (there, back) in enumerate(trips):
        true = number * 100_000 + 1234
        told = true // 10_000 * 10_000
        clock.add_asked((true + OFFSET_US - there) * 1000, (true + OFFSET_US + back) * 1000, told)
    moment = clock.to_device((asked_us + OFFSET_US) * 1000)
    assert moment.device_us is not None
    assert moment.error_us is not None
    assert abs(moment.device_us - asked_us) <= moment.error_us


def test_a_frame_was_drawn_between_the_bounds_and_never_after_it_came() -> None:
    clock = ClockMap()
    at = (OFFSET_US + 1_000_000) * 1000
    assert clock.host_range(1_000_000, at) == (at - 500 * MS, at)
    clock.add_asked(at - MS, at + MS, 1_000_000)
    earliest, latest = clock.host_range(1_000_000, at + 30 * MS)
    assert earliest <= at <= latest <= at + 30 * MS


def test_samples_are_taken_for_the_library_once() -> None:
    clock = ClockMap()
    clock.add_packet(50 * MS, 10)
    clock.add_packet(60 * MS, 15_000)  # quicker: 45 ms after it was drawn
    clock.add_packet(20_000 * MS, 19_000_000)  # the next ten seconds
    clock.add_asked(1, 2, 3)
    assert clock.take_unsaved() == (
        ClockSample(60 * MS, 60 * MS, 15_000, "packet"),
        ClockSample(1, 2, 3, "uptime"),
    )
    assert clock.take_unsaved() == ()
