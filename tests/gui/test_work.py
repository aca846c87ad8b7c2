"""Jobs run elsewhere, results come back here, and every stop returns."""

import threading

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from episodes.errors import KnownError
from taptrail.gui.work import NewestValue, Progress, Relay, WorkThread

ERROR = KnownError("read it", "nothing is there", "Look elsewhere.")


def never(value: object) -> None:
    raise AssertionError(f"called with {value!r}")


def test_a_job_runs_there_and_its_result_comes_back_here(qtbot: QtBot) -> None:
    owner, found = QObject(), []
    made: list[str] = []

    def opens() -> str:
        made.append(threading.current_thread().name)
        return "the library"

    closed: list[tuple[str, str]] = []
    thread = WorkThread(
        "reader", opens, lambda owned: closed.append((owned, threading.current_thread().name))
    )
    here = threading.current_thread()
    for number in range(3):
        thread.run(
            lambda owned, n=number: (owned, n, threading.current_thread().name),
            owner=owner,
            done=lambda value: found.append((*value, threading.current_thread() is here)),
            failed=never,
        )
    qtbot.waitUntil(lambda: len(found) == 3)
    thread.stop()
    assert found == [("the library", n, "reader", True) for n in range(3)]
    assert (made, closed) == (["reader"], [("the library", "reader")])


def test_a_known_error_is_told_and_the_next_job_tries_again(qtbot: QtBot) -> None:
    owner, told, found = QObject(), [], []
    tries = iter((ERROR, None))

    def opens() -> int:
        error = next(tries)
        if error is not None:
            raise error
        return 7

    thread = WorkThread("reader", opens)
    for _ in range(2):
        thread.run(lambda owned: owned, owner=owner, done=found.append, failed=told.append)
    qtbot.waitUntil(lambda: bool(found))
    thread.stop()
    assert (told, found) == ([ERROR], [7])


def test_a_bug_is_raised_here(qtbot: QtBot) -> None:
    owner = QObject()
    thread = WorkThread("reader", lambda: None)
    with qtbot.captureExceptions() as caught:
        thread.run(lambda _: 1 // 0, owner=owner, done=never, failed=never)
        qtbot.waitUntil(lambda: bool(caught))
    thread.stop()
    assert [kind for kind, _, _ in caught] == [ZeroDivisionError]


def test_nothing_is_told_to_one_that_is_closed(qtbot: QtBot) -> None:
    gone, here, found = QObject(), QObject(), []
    thread = WorkThread("reader", lambda: None)
    hold = threading.Event()
    thread.run(lambda _: hold.wait(5), owner=gone, done=never, failed=never)
    import shiboken6

    shiboken6.delete(gone)
    hold.set()
    thread.run(lambda _: "here", owner=here, done=found.append, failed=never)
    qtbot.waitUntil(lambda: bool(found))
    thread.stop()
    assert found == ["here"]


def test_what_one_looks_at_now_goes_first(qtbot: QtBot) -> None:
    owner, order = QObject(), []
    thread = WorkThread("reader", lambda: None)
    hold = threading.Event()
    thread.run(lambda _: hold.wait(5), owner=owner, done=lambda _: None, failed=never)
    thread.run(lambda _: "later", owner=owner, done=order.append, failed=never)
    thread.run(lambda _: "now", owner=owner, done=order.append, failed=never, next_up=True)
    hold.set()
    qtbot.waitUntil(lambda: len(order) == 2)
    thread.stop()
    assert order == ["now", "later"]


def test_stop_drops_what_waits_and_cancels_what_runs() -> None:
    owner = QObject()
    thread = WorkThread("importer", lambda: None)
    progress, began, ended = Progress(), threading.Event(), threading.Event()

    def job(_: None) -> None:
        began.set()
        try:
            while True:
                progress(1, 2)
        finally:
            ended.set()

    thread.run(job, owner=owner, done=never, failed=never, progress=progress)
    thread.run(lambda _: never("waited"), owner=owner, done=never, failed=never)
    assert began.wait(5)
    thread.stop()
    assert ended.is_set()


def test_a_cancelled_job_says_so_and_only_so(qtbot: QtBot) -> None:
    owner, said = QObject(), []
    thread = WorkThread("importer", lambda: None)
    progress = Progress()
    progress.cancel()
    thread.run(
        lambda _: progress(1, None),
        owner=owner,
        done=never,
        failed=never,
        cancelled=lambda: said.append("cancelled"),
        progress=progress,
    )
    qtbot.waitUntil(lambda: bool(said))
    thread.stop()
    assert said == ["cancelled"]


def test_of_many_frames_only_the_newest_is_heard(qtbot: QtBot) -> None:
    relay, heard = Relay(), []
    relay.newest.connect(heard.append)
    giver = threading.Thread(target=lambda: [relay.put(number) for number in range(100)])
    giver.start()
    giver.join()
    qtbot.waitUntil(lambda: bool(heard))
    relay.put("next")
    qtbot.waitUntil(lambda: len(heard) == 2)
    assert heard == [99, "next"]


def test_of_events_each_is_heard_in_order(qtbot: QtBot) -> None:
    relay, heard = Relay(), []
    relay.came.connect(heard.append)
    giver = threading.Thread(target=lambda: [relay.send(number) for number in range(100)])
    giver.start()
    giver.join()
    qtbot.waitUntil(lambda: len(heard) == 100)
    assert heard == list(range(100))


def test_a_place_tells_that_it_was_empty() -> None:
    place: NewestValue[int] = NewestValue()
    assert [place.put(1), place.put(2), place.take(), place.take(), place.put(3)] == [
        True,
        False,
        2,
        None,
        True,
    ]


@pytest.mark.parametrize("total", [None, 0, 10])
def test_progress_is_heard_here(qtbot: QtBot, total: int | None) -> None:
    progress = Progress()
    with qtbot.waitSignal(progress.moved) as heard:
        progress(4, total)
    assert heard.args == [4, total or 0]
