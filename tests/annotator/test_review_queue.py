"""Order of the annotation queue, and its sample of steps with high confidence."""

from annotator.candidates import Level
from annotator.review_queue import is_sampled, order_for_review

UUID = "0c8d3c1e-1111-4111-8111-000000000420"


def test_low_comes_first_then_medium_then_a_sample_of_the_high_ones() -> None:
    levels = [(n, Level.HIGH) for n in range(100)]
    levels[7], levels[3], levels[50] = (7, Level.LOW), (3, Level.MEDIUM), (50, Level.LOW)
    found = order_for_review(UUID, levels)
    assert found[:3] == [7, 50, 3]
    high = found[3:]
    assert high == [n for n in range(100) if is_sampled(UUID, n) and n not in (3, 7, 50)]


def test_one_in_ten_is_sampled_by_what_the_step_is_called() -> None:
    by_episode = [sum(is_sampled(f"episode-{e}", n) for n in range(1000)) for e in range(20)]
    assert 90 <= sum(by_episode) / 20 <= 110
    assert [n for n in range(40) if is_sampled(UUID, n)] == [
        n for n in range(40) if is_sampled(UUID, n)
    ]
    assert [n for n in range(200) if is_sampled(UUID, n)] != [
        n for n in range(200) if is_sampled("another", n)
    ]


def test_the_sample_is_the_same_on_every_machine() -> None:
    assert [n for n in range(60) if is_sampled(UUID, n)] == [5, 15, 16, 40, 52]
