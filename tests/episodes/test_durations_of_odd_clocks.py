from episodes.clocks import Moment
from episodes.durations import LONGEST_US, EpisodeTimes, measure_times


def test_moments_that_no_episode_can_contain_give_no_time():
    steps = [(Moment(device_us=-182), Moment(device_us=2**63 - 182))]
    assert measure_times(steps, [], []) == EpisodeTimes()


def test_the_longest_time_is_still_formatted():
    steps = [(Moment(device_us=5), Moment(device_us=5 + LONGEST_US))]
    assert measure_times(steps, [], []).wall == LONGEST_US
