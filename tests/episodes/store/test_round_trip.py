import dataclasses
import uuid

import pytest
from hypothesis import HealthCheck, given, settings

from episodes.store.library import Library
from tests.episodes.store import strategies


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    with Library.open(tmp_path_factory.mktemp("library")) as library:
        yield library


@settings(max_examples=150, suppress_health_check=list(HealthCheck), deadline=None)
@given(drawn=strategies.episodes)
def test_every_episode_comes_back_equal(library, drawn):
    fresh = str(uuid.uuid4())  # names drawn twice are another test's
    episode = dataclasses.replace(drawn, uuid=fresh, name=f"{drawn.name} {fresh}")
    report = library.save_episodes([episode])
    assert (report.saved, report.refused) == (1, ())
    assert library.episode(fresh) == episode
