"""Each rule has an episode with the finding, and one without."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from annotator.lint import episode_view
from annotator.lint.episode_view import LibraryFacts
from annotator.lint.findings import Fix, LintFinding, LintSeverity
from annotator.lint.rules import RULES, lint
from episodes import actions as a
from episodes.annotations import Provenance, Region, RegionSource
from episodes.clocks import Moment
from episodes.episodes import Episode, EpisodeState, Origin, Task
from episodes.geometry import Box, Direction, Point, Size
from episodes.media.signature import signature
from episodes.recordings import DeviceFacts, Gap
from episodes.screens import (
    Basis,
    Foreground,
    Frame,
    StepTree,
    Still,
    StillSource,
    TreeFit,
    TreeRecord,
    TreeStatus,
)
from episodes.steps import Step, StepTexts

SIZE = Size(400, 800)
TREE = b"""<hierarchy rotation="0"><node class="android.widget.FrameLayout" bounds="[0,0][400,800]">
<node class="android.widget.Button" text="Send" clickable="true" bounds="[100,100][200,150]"/>
<node class="android.widget.EditText" text="" clickable="true" focused="%s"
 bounds="[0,700][400,760]"/></node></hierarchy>"""


def looks(shade):
    """A still that is told from those of other shades by its signature alone."""
    luma = np.full((SIZE.height, SIZE.width), 200, np.uint8)
    if shade is None:
        luma[:] = 3
    else:
        luma[100 : 100 + 8 * shade, 50:350] = 20
    name = f"{'dark' if shade is None else shade:0>64}"
    source = StillSource.STREAM
    return Still(name, "image/png", SIZE, 1, source, True, signature(luma))


def frame(shade=0, **fields):
    return Frame(SIZE, Basis.PAINTED, looks(shade), **fields)


def tree(focused=False, fit=TreeFit.FRESH, data=None, status=TreeStatus.OK):
    data = TREE % (b"true" if focused else b"false") if data is None else data
    return StepTree(TreeRecord("uiautomator", data, "uiautomator dump", status), fit)


def step(index, action=None, shade=None, after=None, **fields):
    """A step a second after the one before; its screen changes unless `after` is its own shade."""
    shade = index if shade is None else shade
    after = shade + 20 if after is None else after
    began = 1_000_000_000 * (index + 1)
    defaults = {
        "frame": frame(shade),
        "after": after if isinstance(after, Frame) else frame(after),
        "tree": tree(),
        "foreground": Foreground("com.example.mail", ".Main", "Mail"),
        "began": Moment(host_ns=began),
        "ended": Moment(host_ns=began + 80_000_000),
    }
    action = a.Tap(Point(150, 120)) if action is None else action
    return Step(index, action, **(defaults | fields))


END = step(9, a.Finish(a.Ending.COMPLETE))


def episode(*steps, instruction="Send a letter", end=True, **fields):
    defaults = {"state": EpisodeState.FINISHED, "origin": Origin("recorded")}
    task = Task(instruction, apps=fields.pop("apps", ()))
    steps = (*steps, END) if end else steps
    return Episode("uuid", "e-0001", task=task, steps=steps, **(defaults | fields))


def region(box):
    return (Region(box, Provenance(RegionSource.PERSON), chosen=True),)


NOWHERE = a.Tap(Point(300, 400))
TEXT = a.TypeText("hello")
UP = a.Swipe(Point(200, 600), Point(200, 200))

CASES = {
    "press-outside-elements": (
        episode(step(0, NOWHERE)),
        [(0, LintSeverity.LOOK, "No element of the tree is under the press at 300, 400.", None)],
        episode(step(0)),
    ),
    "press-outside-region": (
        episode(step(0, regions=region(Box(300, 300, 360, 360)))),
        [
            (
                0,
                LintSeverity.ERROR,
                "The press at 150, 120 is outside its region, 300, 300 to 360, 360.",
                Fix.PROPOSE_TARGET,
            )
        ],
        episode(step(0, regions=region(Box(100, 100, 200, 150)))),
    ),
    "press-without-effect": (
        episode(step(0, after=0)),
        [
            (
                0,
                LintSeverity.LOOK,
                "The screen looks the same after the press at 150, 120.",
                Fix.DELETE_STEP,
            )
        ],
        episode(step(0), step(1, a.PressKey(a.Key.BACK), after=1)),
    ),
    "text-without-focus": (
        episode(step(0, TEXT)),
        [
            (
                0,
                LintSeverity.LOOK,
                "5 characters were typed, but the one field on the screen does not have the focus.",
                None,
            )
        ],
        episode(
            step(0, TEXT, tree=tree(focused=True)),
            step(1, a.TypeText("x", target=Point(10, 710))),
        ),
    ),
    "swipe-against-instruction": (
        episode(
            step(0, UP, texts=StepTexts("Swipe down to see more")),
            step(1, a.Scroll(Direction.DOWN), texts=StepTexts("scroll down")),
        ),
        [
            (
                0,
                LintSeverity.LOOK,
                "The instruction says “swipe down”, but the finger moves up.",
                None,
            ),
            (
                1,
                LintSeverity.NOTE,
                "The instruction says “scroll down”, but the finger moves down: right only if they "
                "mean "
                "the finger and not the content.",
                None,
            ),
        ],
        episode(
            step(0, UP, texts=StepTexts("Swipe up")),
            step(1, UP, texts=StepTexts("Scroll down the list")),
            step(2, UP, texts=StepTexts("Swipe left, then right")),
        ),
    ),
    "swipe-without-effect": (
        episode(step(0, UP, after=0)),
        [(0, LintSeverity.LOOK, "The screen looks the same after the swipe.", Fix.DELETE_STEP)],
        episode(step(0, UP)),
    ),
    "duplicate-step": (
        episode(step(0, after=0), step(1, a.Tap(Point(152, 121)), shade=0)),
        [
            (
                1,
                LintSeverity.LOOK,
                "It does the same as step 0, on the same screen.",
                Fix.DELETE_STEP,
            )
        ],
        episode(step(0), step(1, shade=8), step(2, NOWHERE, shade=8)),
    ),
    "gap": (
        episode(
            step(0),
            step(1),
            gaps=(Gap("unplugged", Moment(host_ns=1_500_000_000), Moment(host_ns=1_900_000_000)),),
        ),
        [(1, LintSeverity.LOOK, "A gap of 0.4 s lies before this step: unplugged.", None)],
        episode(
            step(0),
            step(1),
            gaps=(Gap("paused", Moment(host_ns=1_500_000_000), Moment(host_ns=1_900_000_000)),),
        ),
    ),
    "undelivered": (
        episode(
            step(0),
            step(1),
            gaps=(
                Gap("undelivered", Moment(host_ns=1_000_000_000), Moment(host_ns=1_000_000_000)),
            ),
        ),
        [
            (
                0,
                LintSeverity.ERROR,
                "The phone refused this input, or a part of it: the step did not happen there.",
                None,
            )
        ],
        episode(
            step(0),
            step(1),
            gaps=(Gap("unplugged", Moment(host_ns=1_500_000_000), Moment(host_ns=1_900_000_000)),),
        ),
    ),
    "black-frame": (
        episode(
            step(0, frame=Frame(SIZE, Basis.PAINTED, looks(None))),
            step(1, frame=Frame(SIZE, Basis.PAINTED, looks(None), protected=True)),
        ),
        [
            (0, LintSeverity.ERROR, "The frame is black: its brightest part is 3 of 255.", None),
            (
                1,
                LintSeverity.NOTE,
                "The app protects its screen from screenshots; the frame is black.",
                None,
            ),
        ],
        episode(step(0)),
    ),
    "frozen-frame": (
        episode(step(0), step(1, NOWHERE, shade=0), step(2, UP, shade=0)),
        [
            (at, LintSeverity.LOOK, "Steps 0 to 2 have the very same picture of the video.", None)
            for at in (1, 2)
        ],
        episode(step(0), step(1, NOWHERE, shade=0), step(2, UP)),
    ),
    "changed-by-itself": (
        episode(step(0), step(1, NOWHERE), end=False),
        [
            (
                1,
                LintSeverity.NOTE,
                "The screen changed after step 0 had taken effect, without an action of this "
                "recording.",
                None,
            )
        ],
        episode(step(0, after=1), step(1, a.Wait(1_000_000))),
    ),
    "stale-tree": (
        episode(step(0, tree=tree(fit=TreeFit.STALE)), step(1, tree=tree(fit=TreeFit.LATE))),
        [
            (0, LintSeverity.LOOK, "The screen changed after the tree was taken.", None),
            (1, LintSeverity.LOOK, "The tree came after the press had begun.", None),
        ],
        episode(step(0)),
    ),
    "missing-tree": (
        episode(
            step(0, tree=None),
            step(1, tree=tree(fit=TreeFit.FAILED, data=b"", status=TreeStatus.NOT_IDLE)),
        ),
        [
            (0, LintSeverity.NOTE, "The phone was not asked for a tree.", None),
            (1, LintSeverity.LOOK, "The phone gave no tree (not idle).", None),
        ],
        episode(
            step(0, tree=None),
            step(1, tree=None),
            origin=Origin("guiodyssey", "2"),
            end=False,
        ),
    ),
    "large-region": (
        episode(step(0, regions=region(Box(0, 100, 400, 300)))),
        [(0, LintSeverity.LOOK, "The region covers 25 % of the screen.", None)],
        episode(step(0, regions=region(Box(100, 100, 200, 150)))),
    ),
    "small-region": (
        episode(
            step(0, regions=region(Box(145, 115, 155, 125))),
            device=DeviceFacts(size=SIZE, density=160),
        ),
        [(0, LintSeverity.LOOK, "The region's shorter side is 10 dp, less than 12 dp.", None)],
        episode(step(0, regions=region(Box(140, 110, 160, 130)))),
    ),
    "empty-instruction": (
        episode(step(0), instruction="  "),
        [(None, LintSeverity.ERROR, "The instruction is empty.", None)],
        episode(step(0)),
    ),
    "app-not-seen": (
        episode(step(0), instruction="Put the date into Calendar and open the clock app"),
        [
            (
                None,
                LintSeverity.LOOK,
                f"The instruction names {app}, and no step is in it or opens it.",
                None,
            )
            for app in ("Calendar", "Clock")
        ],
        episode(
            step(0),
            step(1, a.OpenApp("Calendar")),
            instruction="Put the date into Calendar, notes as well",
        ),
    ),
    "finish-missing": (
        episode(step(0), end=False),
        [(None, LintSeverity.LOOK, "No step says that the task is done.", None)],
        episode(step(0)),
    ),
    "odd-time": (
        episode(
            *(step(at) for at in range(6)),
            step(6, began=Moment(host_ns=99_000_000_000), ended=Moment(host_ns=98_500_000_000)),
            end=False,
        ),
        [
            (6, LintSeverity.ERROR, "It ended 0.500 s before it began.", None),
            (
                6,
                LintSeverity.NOTE,
                "92.9 s passed before it; the middle half of the episode's steps took 0.9 to "
                "0.9 s.",
                None,
            ),
        ],
        episode(
            *(step(at) for at in range(6)),
            step(6, began=Moment(host_ns=99_000_000_000), ended=Moment(host_ns=99_100_000_000)),
            gaps=(Gap("paused", Moment(host_ns=7_000_000_000), Moment(host_ns=98_900_000_000)),),
            end=False,
        ),
    ),
}
AROUND = LibraryFacts(frozenset({"Calendar", "Clock", "Mail", "Notes"}))


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_reports_its_fault_and_nothing_else(rule):
    wrong, told, right = CASES[rule]
    expected = [LintFinding(rule, severity, at, reason, fix) for at, severity, reason, fix in told]
    assert [one for one in lint(wrong, AROUND) if one.rule == rule] == expected
    assert lint(wrong, AROUND, {rule}) == expected
    assert lint(right, AROUND, {rule}) == []


def test_a_sound_episode_has_no_findings():
    typed = step(2, TEXT, after=9, tree=tree(focused=True))
    assert lint(episode(step(0, after=1), step(1, UP, after=2), typed)) == []


def test_the_screen_that_followed_is_the_next_steps_where_no_other_was_kept():
    same = episode(step(0, after=None), step(1, UP, shade=0))
    steps = (replace(same.steps[0], after=None), *same.steps[1:])
    found = lint(replace(same, steps=steps), rules={"press-without-effect"})
    assert [one.step for one in found] == [0]


def test_a_press_that_opens_another_app_has_an_effect_though_the_screen_looks_the_same():
    other = Foreground("com.example.vault", ".Main", "Vault")
    found = lint(
        episode(step(0, after=0), step(1, a.Wait(), shade=0, foreground=other)),
        rules={"press-without-effect"},
    )
    assert found == []


def test_a_press_before_a_text_has_an_effect_though_the_field_had_the_focus_already():
    found = lint(
        episode(step(0, after=0), step(1, TEXT, shade=0, tree=tree(focused=True))),
        rules={"press-without-effect"},
    )
    assert found == []


def test_pictures_without_a_signature_and_unreadable_trees_give_no_finding():
    blank = Frame(SIZE, Basis.IMPORTED, replace(looks(0), signature=None))
    torn = Frame(SIZE, Basis.IMPORTED, replace(looks(1), signature=b"\x89PNG\r\n\x1a\nrubbish"))
    made = episode(
        step(0, frame=blank, after=5, tree=tree(data=b"<no")),
        step(1, frame=torn, after=frame(0)),
    )
    screens = {"black-frame", "press-without-effect", "press-outside-elements"}
    assert lint(made, rules=screens) == []


def test_a_correction_is_checked_instead_of_the_recorded_action():
    from episodes.annotations import Gold, Status

    gold = Gold(1, a.Tap(Point(150, 120)), "correction", "slipped", Status.ACCEPTED)
    made = episode(step(0, NOWHERE, golds=(gold,)))
    assert lint(made, rules={"press-outside-elements"}) == []


def test_no_rule_opens_a_picture(monkeypatch):
    def opened(*_):
        raise AssertionError("a picture was opened")

    monkeypatch.setattr("builtins.open", opened)
    monkeypatch.setattr("pathlib.Path.read_bytes", opened)
    monkeypatch.setattr("pathlib.Path.open", opened)
    for wrong, told, _ in CASES.values():
        assert len(lint(wrong, AROUND)) >= len(told)


def test_a_signature_is_read_as_the_bounded_reader_reads_it():
    from episodes.media.pictures import decode

    data = looks(7).signature
    assert np.array_equal(episode_view._luma(data), decode(data)[..., 0])
    wide = cv2.imencode(".png", np.zeros((4, 4, 3), np.uint8))[1].tobytes()
    assert np.array_equal(episode_view._luma(wide), decode(wide)[..., 0])
