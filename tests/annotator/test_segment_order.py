from annotator.segment_order import Pace, StepPlace, order_steps


def places(episode, *steps):
    return [StepPlace(episode, step) for step in steps]


def test_the_open_step_comes_first_then_seven_after_it_then_two_before_it_then_the_rest():
    waiting = places("a", 0, 1) + places("b", *range(14)) + places("c", 3)
    assert order_steps(waiting, StepPlace("b", 4)) == (
        places("b", 4, 5, 6, 7, 8, 9, 10, 11, 3, 2)
        + places("a", 0, 1)
        + places("b", 0, 1, 12, 13)
        + places("c", 3)
    )


def test_an_open_step_that_is_done_still_brings_its_neighbours_forward():
    waiting = places("a", 0) + places("b", 1, 9)
    assert order_steps(waiting, StepPlace("b", 5)) == places("b", 9, 1) + places("a", 0)


def test_without_an_open_step_or_with_one_of_a_finished_episode_the_order_stays():
    waiting = places("a", 3, 4) + places("b", 0)
    assert order_steps(waiting, None) == waiting
    assert order_steps(waiting, StepPlace("z", 0)) == waiting


def test_the_time_left_is_that_of_the_newest_eight_steps():
    pace = Pace()
    assert (pace.seconds, pace.left(3)) == (None, None)
    for seconds in (100.0, *[2.0] * 7):
        pace.add(seconds)
    assert pace.seconds == (100 + 14) / 8
    pace.add(2.0)
    assert (pace.seconds, pace.left(30)) == (2.0, 60.0)
