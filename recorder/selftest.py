"""Measures what recording needs of one phone: facts, rates and times.

The report holds no picture, text, app name, serial or address, so that it can be sent. Nothing is
tapped or typed, and nothing stays on the phone.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from episodes.errors import KnownError
from episodes.screens import TreeStatus
from recorder.device.interface import Device, TreeSource
from recorder.mirror import Mirror

ANSWERS = 9
TREES = 3
VIDEO_S = 2.0
FIRST_FRAME_S = 10.0
T = TypeVar("T")


def measure(device: Device, trees: TreeSource) -> dict[str, Any]:
    """Returns the report of a phone, as values that JSON can hold. Takes some seconds.

    A part that fails is reported with the reason, and the next one is measured.
    """
    parts: tuple[tuple[str, Callable[[], dict[str, Any]]], ...] = (
        ("phone", lambda: _facts(device)),
        ("commands", lambda: _commands(device)),
        ("video", lambda: _video(device)),
        ("tree", lambda: _trees(trees)),
    )
    report: dict[str, Any] = {}
    for name, part in parts:
        try:
            report[name] = part()
        except KnownError as error:
            report[name] = {"problem": error.found.replace(device.serial, "the phone")}
    return report


def lines(report: dict[str, Any]) -> Iterator[str]:
    """Yields the report as text."""
    for name, values in report.items():
        for key, value in values.items():
            text = ", ".join(map(str, value)) if isinstance(value, list) else value
            yield f"{name:9} {key.replace('_', ' ')}: {'unknown' if text is None else text}"


def _facts(device: Device) -> dict[str, Any]:
    facts, took = _timed(device.facts)
    return {
        "manufacturer": facts.manufacturer,
        "model": facts.model,
        "android": facts.android_release,
        "sdk": facts.sdk,
        "screen": None if facts.size is None else str(facts.size),
        "density": facts.density,
        "animation_scales": list(facts.animation_scales or ()),
        "locked": device.locked(),
        "rotation": device.rotation(),
        "facts_ms": took,
    }


def _commands(device: Device) -> dict[str, Any]:
    took = [_timed(lambda: device.run("true"))[1] for _ in range(ANSWERS)]
    return {
        "answer_ms": statistics.median(took),
        "slowest_answer_ms": max(took),
        "foreground_app_ms": _timed(device.front)[1],
    }


def _video(device: Device) -> dict[str, Any]:
    mirror = Mirror(device)
    began = time.monotonic()
    mirror.start()
    try:
        frame = mirror.latest.wait_beyond(0, FIRST_FRAME_S)
        first_ms = round((time.monotonic() - began) * 1000)
        before = mirror.health().packets
        time.sleep(VIDEO_S)
        health = mirror.health()
        bounds = mirror.clock.bounds(time.monotonic_ns())
        known = None not in bounds
        return {
            "server": device.stream_version,
            "first_frame_ms": None if frame is None else first_ms,
            "size": None if frame is None else str(frame.size),
            "packets_a_second": (health.packets - before) / VIDEO_S,
            "skipped": health.skipped,
            "delay_ms": None if health.delay_ms is None else round(health.delay_ms, 1),
            "clock_error_ms": round((bounds[1] - bounds[0]) / 2000, 1) if known else None,  # type: ignore[operator]
        }
    finally:
        mirror.stop()


def _trees(source: TreeSource) -> dict[str, Any]:
    began = time.monotonic()
    try:
        problem = source.prepare()
        ready_ms = round((time.monotonic() - began) * 1000)
        answers = [_timed(source.ask) for _ in range(TREES)]
        return {
            "source": source.name,
            "ready_ms": ready_ms,
            "fallback": "" if problem is None else type(problem).__name__,
            "answers": [tree.status.value for tree, _ in answers],
            "answer_ms": [took for _, took in answers],
            "bytes": [len(tree.data) for tree, _ in answers if tree.status is TreeStatus.OK],
        }
    finally:
        source.close()


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    began = time.monotonic()
    result = work()
    return result, round((time.monotonic() - began) * 1000, 1)
