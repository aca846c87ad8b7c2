"""What must hold of each step, held against the phone's truth log and the list of what was done.

Each check returns sentences that say what is wrong; none of them is what is hoped for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import av
import numpy as np
from numpy.typing import NDArray

from annotator.candidates import Candidate, Level, find_candidates
from episodes.actions import (
    Action,
    Contact,
    DoubleTap,
    Finish,
    LongPress,
    Phase,
    Pinch,
    PressKey,
    Scroll,
    Swipe,
    Tap,
    TypeText,
    kind,
)
from episodes.episodes import Episode
from episodes.geometry import Point, Size
from episodes.media import pictures
from episodes.media.packets import SegmentReader, rgb
from episodes.screens import AppFit, Basis, TreeFit, TreeStatus
from episodes.steps import Step
from episodes.store.library import Library
from episodes.trees.hits import target_at
from episodes.trees.readers import read_record, read_tree
from episodes.trees.values import Node
from tests.e2e.bench import SMALL, shrunk
from tests.e2e.truth import Element, Input, TruthLog
from tests.e2e.walk import Done, Pace, Sent

MAX_PIXELS = 1.0
HELD_US = 600_000  # for so long at least the hand holds a long press
LATE_US = 20_000  # so late Qt may deliver a press
DUMPED = {"uiautomator2": ("app", "dialog", "keyboard", "system")}
"""The windows of the truth log that a tree's source tells of; by default `ONE_WINDOW`."""
ONE_WINDOW = ("app", "dialog")


@dataclass(frozen=True, slots=True)
class Judged:
    """One step with what was done and what the phone received."""

    step: Step
    done: Done
    inputs: tuple[Input, ...]

    def received(self, number: int) -> Point:
        """Where the phone received an input, in pixels of the step's frame."""
        size = self.done.painted.size
        return Point(*self.inputs[number].at_in(size.width, size.height))


def same_inputs(done: list[Done], truth: TruthLog) -> list[str]:
    """Whether the phone received exactly what was done, in order, where it was done."""
    wrong: list[str] = []
    expected = [(one, sent) for one in done for sent in one.sent]
    for (one, sent), received in zip(expected, truth.inputs, strict=False):
        if not _same(sent, received, one.painted.size):
            wrong.append(f"{one.kind}: {sent} was received as {received.facts}")
    if len(expected) != len(truth.inputs):
        wrong.append(f"{len(expected)} inputs were made, {len(truth.inputs)} received")
    wrong += [f"the phone refused {one.facts}" for one in truth.inputs if not one.accepted]
    return wrong + [f"the phone ignored {line}" for line in truth.ignored]


def judged(steps: tuple[Step, ...], done: list[Done], truth: TruthLog) -> list[Judged]:
    """Steps, deeds and inputs side by side; the claim at the end has no input."""
    found: list[Judged] = []
    at = 0
    for step, one in zip(steps, done, strict=True):
        inputs = tuple(truth.inputs[at : at + len(one.sent)])
        at += len(one.sent)
        found.append(Judged(step, one, inputs))
    return found


def wrong_steps(judged: list[Judged], truth: TruthLog, episode: str) -> list[str]:
    """All that is wrong with the steps of an episode, one by one."""
    wrong: list[str] = []
    before: Step | None = None
    for one in judged:
        for found in (
            wrong_action(one),
            wrong_gesture(one),
            wrong_aim(one),
            wrong_frame(one, truth),
            wrong_app(one, truth),
            wrong_time(one, before),
            wrong_tree(one, truth),
            wrong_candidate(one, truth, episode),
        ):
            wrong += [f"step {one.step.index} ({one.done.kind}): {text}" for text in found]
        before = one.step
    return wrong


def wrong_action(judged: Judged) -> Iterator[str]:
    """Whether the action is what was done, with the points the phone received."""
    action, done, inputs = judged.step.action, judged.done, judged.inputs
    if kind(action) != done.kind:
        yield f"it was a {done.kind}, the step is {action}"
        return
    first = last = Point(0, 0)
    if done.sent and done.sent[0].at is not None:
        first, last = judged.received(0), judged.received(-1)
    match action:
        case Tap(at=at, lift=lift, path=path):
            yield from _apart(("at", at, first), ("lift", lift, last))
            yield from _path(path, judged)
        case DoubleTap(at=at, path=path):
            yield from _apart(("at", at, first))
            yield from _path(path, judged)
        case LongPress(at=at, duration_us=duration, path=path):
            yield from _apart(("at", at, first))
            yield from _path(path, judged)
            most = (done.ended_ns - done.painted.at_ns) / 1000
            if duration is None or not HELD_US - LATE_US <= duration <= most:
                yield f"it was held {HELD_US} to {most} us, the step says {duration}"
        case Swipe(start=start, end=end, path=path):
            yield from _apart(("start", start, first), ("end", end, last))
            yield from _path(path, judged)
            if action.direction is not done.detail:
                yield f"the finger went {done.detail}, the step says {action.direction}"
        case Pinch(centre=centre, scale=scale, path=path):
            yield from _path(path, judged)
            a, b, c, d = (judged.received(number) for number in (0, 1, -2, -1))
            grown = c.distance_to(d) / a.distance_to(b)
            middle = Point((a.x + b.x) / 2, (a.y + b.y) / 2)
            if centre.distance_to(middle) > MAX_PIXELS:
                yield f"its middle was {middle}, the step says {centre}"
            if abs(scale - grown) > 0.02 or (scale > 1) is not done.detail:
                yield f"the fingers' distance grew by {grown}, the step says {scale}"
        case Scroll(direction=direction, at=Point() as at):
            yield from _apart(("at", at, first))
            if direction is not done.detail:
                yield f"the wheel meant {done.detail}, the step says {direction}"
        case TypeText(text=text):
            if text != done.detail or text != "".join(one.facts["text"] for one in inputs):
                yield f"“{done.detail}” was typed, the step says “{text}”"
        case PressKey(key=key):
            if key is not done.detail:
                yield f"it was {done.detail}, the step says {key}"
        case Finish():
            if action != done.detail:
                yield f"it was {done.detail}, the step says {action}"
        case _:
            yield f"nobody did {action}"


def wrong_gesture(judged: Judged) -> Iterator[str]:
    """Whether the phone read the same gesture out of the touches."""
    if judged.inputs and judged.inputs[0].kind == "touch":
        kinds = [gesture for one in judged.inputs for gesture in one.gestures]
        hit = judged.inputs[0].element
        held = "long_press" if hit is not None and hit.long_clickable else "tap"
        allowed = {
            "tap": [["tap"]],
            # Only a text field and a bubble know double taps; others are tapped twice.
            "double_tap": [["tap", "tap"], ["tap", "double_tap"]],
            # As on any phone, what knows no long press takes a held finger for a tap.
            "long_press": [[held]],
            "swipe": [["swipe"]],
            "pinch": [["pinch"]],
        }[judged.done.kind]
        if kinds not in allowed:
            yield f"the phone read {kinds} out of a {judged.done.kind}"


def wrong_aim(judged: Judged) -> Iterator[str]:
    """Whether what was aimed at is what the phone says was hit (nothing moved meanwhile)."""
    done = judged.done
    if done.pace is Pace.NOW or done.target is None or not done.target.touchable:
        return
    if judged.inputs[0].kind != "touch" or done.kind == "pinch":
        return
    hit = judged.inputs[0].element
    if hit is None or not _within(hit.id, done.target.id):
        yield f"aimed at {done.target.id}, the phone says {None if hit is None else hit.id}"


def wrong_frame(judged: Judged, truth: TruthLog) -> Iterator[str]:
    """Whether the frame is the one that was painted under the press, as the phone sent it."""
    frame, done = judged.step.frame, judged.done
    if frame is None or frame.pts_us is None:
        yield "it has no frame"
        return
    if frame.pts_us not in truth.frames:
        yield f"the phone sent no frame at {frame.pts_us}"
        return
    if done.kind == "finish":  # the newest one, which may be a repetition of what is painted
        if truth.screen_of(frame.pts_us) is not truth.screen_of(done.painted.pts_us):
            yield f"it is not what was painted ({frame.pts_us})"
    elif frame.pts_us != done.painted.pts_us:
        shown = truth.frames[done.painted.pts_us].screen
        kept = truth.frames[frame.pts_us].screen
        yield f"screen {shown} was painted, screen {kept} is kept ({frame.pts_us})"
    sent = truth.frames[frame.pts_us]
    if (frame.size.width, frame.size.height) != sent.size:
        yield f"its size is {frame.size}, it was sent as {sent.size}"
    mouse = done.kind not in ("type_text", "press_key", "finish")
    basis = Basis.PAINTED if mouse else Basis.BEFORE_ACTION
    if done.kind == "finish":
        basis = Basis.FINAL
    if frame.basis is not basis:
        yield f"its basis is {frame.basis}"
    if mouse and not (frame.painted_ns and frame.painted_ns <= done.painted.at_ns):
        yield f"it was painted at {frame.painted_ns}, and pressed at {done.painted.at_ns}"


def wrong_app(judged: Judged, truth: TruthLog) -> Iterator[str]:
    """Whether the app in front is the one that was in front at the first touch or key.

    What is done faster than a phone can say which app is in front may have got another one, if the
    step says that it is not sure; where the hand was calm, not.
    """
    app = judged.step.foreground
    at_us = judged.done.painted.at_ns // 1000
    package, activity = judged.inputs[0].foreground if judged.inputs else truth.foreground_at(at_us)
    right = (package, _whole(package, activity))
    if app is None:
        yield f"{right} was in front, the step names none"
        return
    sure = app.fit is AppFit.FRESH or judged.done.pace is Pace.CALM
    if (app.package, app.activity) != right and sure:
        yield f"{right} was in front, the step says {app}"
    if app.fit is AppFit.UNKNOWN:
        yield "it does not say when the app was asked for"
    if app.label != truth.labels[app.package]:
        yield f"it is called {truth.labels[app.package]}, the step says “{app.label}”"
    asked, answered = app.requested.host_ns, app.answered.host_ns
    if asked is None or answered is None or asked > answered:
        yield f"it was asked at {asked} and answered at {answered}"


def wrong_time(judged: Judged, before: Step | None) -> Iterator[str]:
    """Whether its times are those of the deed, in order, and right on the phone's clock."""
    step, done = judged.step, judged.done
    began, ended = step.began.host_ns, step.ended.host_ns
    if began is None or ended is None:
        yield "it has no times"
        return
    if not done.painted.at_ns <= began <= ended <= max(done.ended_ns, began):
        yield f"done {done.painted.at_ns}..{done.ended_ns}, the step says {began}..{ended}"
    if before is not None and (before.began.host_ns or 0) >= began:
        yield "it began before the step before it"
    # Phone and computer share one clock here, so the mapping can be held against it.
    for moment in (step.began, step.ended):
        if moment.device_us is None or moment.error_us is None or moment.host_ns is None:
            yield f"{moment} is not mapped to the phone's clock"
        elif abs(moment.device_us - moment.host_ns / 1000) > moment.error_us:
            yield f"{moment} is farther off than it says"
    if judged.inputs and began / 1000 > judged.inputs[0].t_us:
        yield f"it began after the phone had received it ({judged.inputs[0].t_us})"


def wrong_tree(judged: Judged, truth: TruthLog) -> Iterator[str]:
    """Whether a tree that is called fresh names the element that was hit."""
    step = judged.step
    if step.tree is None:
        yield "it has no tree, nor a word on why"
        return
    if step.tree.fit is not TreeFit.FRESH:
        return
    record = step.tree.record
    if record.status is not TreeStatus.OK:
        yield f"a tree with status {record.status} is called fresh"
        return
    point = _place(step.action)
    if point is None or not judged.inputs:
        return
    if record.size is None or (record.size.width, record.size.height) != judged.inputs[0].size:
        yield f"its tree is of {judged.inputs[0].size} pixels, and said to be of {record.size}"
        return
    tree = read_tree(record.format, record.data)
    size = judged.done.painted.size
    x, y = point.x * record.size.width / size.width, point.y * record.size.height / size.height
    found = target_at(tree, Point(x, y))
    node = None if found is None else found[1]
    scaled = target_at(read_record(record, size), point)
    if (found and found[1].path) != (scaled and scaled[1].path):
        yield "its tree names another node in pixels of the frame"
    dumped = DUMPED.get(record.source, ONE_WINDOW)
    hit = judged.inputs[0].element
    if hit is not None and not _contains(hit.box, judged.inputs[0].at):
        return  # on its very edge, where half a pixel of rounding decides
    if hit is not None and hit.touchable and hit.window in dumped:
        # A link inside a text is no node of its own; then it is the text that holds it, and what
        # is inside a page is the page.
        shown = truth.screens[judged.inputs[0].screen].elements
        holders = [one for one in shown if _within(hit.id, one.id) and one.window == hit.window]
        told = [
            one
            for one in holders
            if (one.touchable or not hit.node) and any(_is(n, one) for n in tree.walk())
        ]
        if node is None or not told or not _is(node, max(told, key=lambda one: len(one.id))):
            yield f"{hit.id} {hit.box} was hit, the tree says {_told(node)}"
    elif node is not None and node.interactive:
        yield f"{None if hit is None else hit.id} was hit, the tree says {_told(node)}"
    elif hit is not None and hit.window in dumped and not any(_is(n, hit) for n in tree.walk()):
        yield f"{hit.id} {hit.box} was hit, and is not in the tree"


def candidate_is_hit(judged: Judged, episode: str) -> bool | None:
    """Whether the proposed target is the element that was hit.

    None if that cannot be asked: the action needs no target, its tree is not fresh, what was hit
    takes no touch, or the tree knows no node for it.
    """
    step, hit = judged.step, _hit(judged)
    found = find_candidates(step, episode)
    fresh = step.tree is not None and step.tree.fit is TreeFit.FRESH
    if found is None or hit is None or not fresh or not hit.touchable or not hit.node:
        return None
    return found.proposed is not None and _lies_on(found.found[found.proposed], hit, judged)


def wrong_candidate(judged: Judged, truth: TruthLog, episode: str) -> Iterator[str]:
    """Whether a target that is proposed as sure is the element that was hit.

    What is inside a node of which the tree tells nothing is the node itself, which holds it.
    """
    step, hit = judged.step, _hit(judged)
    found = find_candidates(step, episode)
    if found is None or found.level is not Level.HIGH:
        return
    assert found.proposed is not None
    proposed = found.found[found.proposed]
    if step.tree is None or step.tree.fit is not TreeFit.FRESH:
        yield f"{proposed.name} is proposed as sure, and the tree is not fresh"
        return
    if isinstance(step.action, TypeText):
        shown = truth.screens[judged.inputs[0].screen].elements
        fields = [one for one in shown if one.editable]
        if not any(_lies_on(proposed, one, judged) for one in fields):
            yield f"text is said to go into {proposed.name}, which is no field"
        return
    if hit is None:
        yield f"nothing was hit, {proposed.name} is proposed as sure"
        return
    shown = truth.screens[judged.inputs[0].screen].elements
    holders = [one for one in shown if one.node and _within(hit.id, one.id) and one.touchable]
    if not holders or not _lies_on(proposed, max(holders, key=lambda one: len(one.id)), judged):
        yield f"{hit.id} {hit.box} was hit, {proposed.name} {proposed.region.box} is proposed"


def wrong_protection(episode: Episode, truth: TruthLog) -> list[str]:
    """Whether exactly those frames are marked as protected that the phone kept black."""
    frames = [(f"step {s.index}", s.frame) for s in episode.steps]
    frames += [(f"after step {s.index}", s.after) for s in episode.steps]
    frames.append(("the end", episode.final))
    return [
        f"{place}: protected is {truth.screen_of(frame.pts_us).secure}, said to be "
        f"{frame.protected}"
        for place, frame in frames
        if frame is not None
        and frame.pts_us is not None
        and truth.screen_of(frame.pts_us).secure is not frame.protected
    ]


def wrong_pictures(episode: Episode, library: Library, done: list[Done]) -> list[str]:
    """Whether each still is its packet's picture, exactly, and what was on the window."""
    wrong: list[str] = []
    readers: dict[int, SegmentReader] = {}
    for segment in episode.segments:
        path = library.episode_folder(episode.uuid) / segment.file
        packets = library.packets(episode.uuid, segment.number)
        readers[segment.number] = SegmentReader(path, packets, segment.codec)
        with av.open(str(path)) as video:
            opened = sum(1 for _ in video.decode(video=0))
        if opened != len(packets):
            wrong.append(f"{segment.file} opens with {opened} frames, not {len(packets)}")
    wanted = sorted(
        (
            (frame.segment, frame.packet, step, frame)
            for step in episode.steps
            for frame in (step.frame, step.after)
            if frame is not None
        ),
        key=lambda one: (one[0], one[1], one[2].index),
    )
    for segment_number, packet, step, frame in wanted:
        still = frame.still
        if still is None or segment_number is None or packet is None:
            wrong.append(f"step {step.index} has no picture, or none in the video: {frame}")
            continue
        reader = readers[segment_number]
        if library.packets(episode.uuid, segment_number)[packet].pts_us != frame.pts_us:
            wrong.append(f"step {step.index} points to a packet of another time")
        decoded = rgb(reader.frame(packet))
        kept = pictures.decode(library.stills.read(still.sha256, still.media_type))
        if not np.array_equal(decoded, kept):
            wrong.append(f"step {step.index}: the still is not the picture of its packet")
        if frame is step.frame and not _on_window(kept, done[step.index]):
            wrong.append(f"step {step.index}: the window showed something else")
    for reader in readers.values():
        reader.close()
    return wrong


def counts(done: list[Done]) -> Counter[str]:
    """How often each kind was done; swipes, scrolls and keys with which, and each orientation."""
    found: Counter[str] = Counter()
    for one in done:
        named = one.kind in ("swipe", "scroll", "press_key")
        found[f"{one.kind} {one.detail}" if named else one.kind] += 1
        found["landscape" if one.painted.size.width > one.painted.size.height else "portrait"] += 1
        found[one.pace.name.lower()] += 1
        if one.target is not None and one.target.window != "app":
            found[f"in the {one.target.window}"] += 1
    return found


# --- parts -------------------------------------------------------------------------------------
def _same(sent: Sent, received: Input, size: Size) -> bool:
    if (sent.kind, sent.action) != (received.kind, received.action):
        return False
    match sent.kind:
        case "key":
            return bool(received.facts["keycode"] == sent.detail)
        case "text":
            return bool(received.facts["text"] == sent.detail)
    at = Point(*received.at_in(size.width, size.height))
    if sent.at is None or not _near(sent.at, at):
        return False
    if sent.kind == "touch":
        return bool(received.facts["pointer"] == sent.pointer)
    return (received.facts["horizontal"], received.facts["vertical"]) == sent.detail


def _near(one: Point, other: Point) -> bool:
    return abs(one.x - other.x) <= MAX_PIXELS and abs(one.y - other.y) <= MAX_PIXELS


def _apart(*pairs: tuple[str, object, Point]) -> Iterator[str]:
    for name, at, received in pairs:
        if not (isinstance(at, Point) and _near(at, received)):
            yield f"its {name} is {at}, the phone received {received}"


def _path(path: tuple[Contact, ...], judged: Judged) -> Iterator[str]:
    phases = {"down": Phase.DOWN, "move": Phase.MOVE, "up": Phase.UP}
    kept = [(contact.phase, contact.pointer) for contact in path]
    told = [(phases[one.action], one.facts["pointer"]) for one in judged.inputs]
    if kept != told:
        yield f"its path is {kept}, the phone received {told}"
    elif not all(_near(contact.at, judged.received(n)) for n, contact in enumerate(path)):
        yield "its path lies elsewhere"


def _place(action: Action) -> Point | None:
    match action:
        case Tap(at=Point() as at) | DoubleTap(at=Point() as at) | LongPress(at=Point() as at):
            return at
        case Scroll(at=Point() as at):
            return at
        case Swipe(start=start):
            return start
        case _:
            return None


def _whole(package: str, activity: str) -> str:
    return package + activity if activity.startswith(".") else activity


def _is(node: Node, element: Element) -> bool:
    box = (node.box.left, node.box.top, node.box.right, node.box.bottom)
    return (
        box == element.box
        and node.resource_id == element.resource_id
        and node.class_name == element.class_name
        and node.text == (element.text or (element.description if element.editable else ""))
    )


def _hit(judged: Judged) -> Element | None:
    """What the first touch hit; None if there was none, or it met no window of the tree."""
    if not judged.inputs or judged.inputs[0].kind != "touch":
        return None
    hit, tree = judged.inputs[0].element, judged.step.tree
    dumped = DUMPED.get(tree.record.source if tree is not None else "", ONE_WINDOW)
    return hit if hit is not None and hit.window in dumped else None


def _lies_on(candidate: Candidate, element: Element, judged: Judged) -> bool:
    """Whether a candidate has the box of an element; those count in pixels of the screen."""
    box, size = candidate.region.box, judged.done.painted.size
    if box is None:
        return False
    width, height = judged.inputs[0].size
    x, y = size.width / width, size.height / height
    left, top, right, bottom = element.box
    edges = (left * x, top * y, right * x, bottom * y)
    own = (box.left, box.top, box.right, box.bottom)
    return all(abs(one - other) <= 1 for one, other in zip(own, edges, strict=True))


def _contains(box: tuple[int, int, int, int], at: tuple[float, float]) -> bool:
    left, top, right, bottom = box
    return left <= at[0] < right and top <= at[1] < bottom


def _within(element_id: str, holder_id: str) -> bool:
    return element_id == holder_id or element_id.startswith(holder_id + "/")


def _told(node: Node | None) -> str:
    return "nothing" if node is None else f"{node.resource_id} “{node.text}” {node.box}"


def _on_window(kept: NDArray[np.uint8], done: Done) -> bool:
    """Whether the window's pixels are those of the still, made small; the corners are round."""
    still = shrunk(kept, done.painted.size).astype(np.int16)
    window = done.painted.small.astype(np.int16)
    apart = np.abs(still - window).mean(axis=2)
    edge = 32 // SMALL
    return bool(apart[edge:-edge].max() < 48 and apart[edge:-edge].mean() < 3)
