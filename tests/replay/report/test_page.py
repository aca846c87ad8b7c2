"""The report page: complete, self-contained, and safe against hostile texts."""

import base64
import hashlib
from dataclasses import replace

import pytest

from episodes import actions as a
from episodes.geometry import Size
from episodes.runs import Prediction, Run, Unreadable
from episodes.verdicts import Outcome, Share
from episodes.visible_text import visible_text
from replay.report.cards import MOST_BYTES, WHOLE_BYTES
from replay.report.page import p_words
from scoring.protocol import Metric, Metrics, percent
from scoring.protocols import PROTOCOLS
from tests.replay.made import episode
from tests.replay.report.made import (
    SIZE,
    Page,
    hostile_report,
    png,
    report_of,
    step,
    tap,
)

HOSTILE = [
    "</style></title><script>alert(1)</script>",
    '"><img src=http://evil.example/x onerror=alert(1)>',
    "' onload='alert(1)' style='background:url(//evil.example)",
    "{{ 7 * 7 }}{% include 'x' %}",
    "]]><svg/onload=alert(1)><!--",
    "javascript:alert(1)",
    "a\u202ecba\u2066 \x00\x1b[31m \uffff b",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_stays_a_text(text):
    page = Page(hostile_report(text).page)
    plain = Page(hostile_report("plain").page)
    assert (page.open, page.astray) == ([], [])
    assert page.tags == plain.tags  # not one element more
    names = [(tag, name) for tag, name, _ in page.attributes]
    assert names == [(tag, name) for tag, name, _ in plain.attributes]
    shown = visible_text(text)
    assert page.text.count(" ".join(shown.split())) > 10


def test_nothing_on_the_page_is_from_outside():
    page = Page(hostile_report("plain").page)
    assert (page.open, page.astray) == ([], [])
    assert not {"script", "iframe", "object", "embed", "link", "form", "base"} & set(page.tags)
    assert not [n for _, n, _ in page.attributes if n.startswith("on") or n in ("style", "src")]
    links = {value for _, name, value in page.attributes if name in ("href", "xlink:href")}
    assert {link[:23] for link in links if not link.startswith("#")} == {"data:image/webp;base64,"}
    targets = {link[1:] for link in links if link.startswith("#")}
    assert targets <= {value for _, name, value in page.attributes if name == "id"}
    assert "url(" not in page.style
    assert "@import" not in page.style
    assert "http" not in page.style


def test_the_policy_lets_only_this_style_and_pictures_in_the_page():
    page = Page(hostile_report("plain").page)
    digest = base64.b64encode(hashlib.sha256(page.style.encode()).digest()).decode()
    assert page.of("meta", "content")[0] == (
        f"default-src 'none'; img-src data:; style-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'"
    )
    assert "prefers-color-scheme: dark" in page.style
    assert "@media print" in page.style


NAMES = ("e", "f")
EPISODES = [
    episode("e", [step(n, picture=f"e{n}") for n in range(3)], category="Tool"),
    episode("f", [step(n, picture=f"f{n}") for n in range(2)], category="Web"),
]
PICTURES = {f"{name}{n}": png((n * 60, 90, 160)) for name in NAMES for n in range(3)}


def run(name, **answers):
    """A run that taps right (+), far away (-) or not at all (.)."""
    where = {"+": (500, 500), "-": (100, 900)}
    return Run(name, "guiodyssey"), {
        e: [tap(e, n, *where[c]) for n, c in enumerate(told) if c != "."]
        for e, told in answers.items()
    }


A, B = run("heron", e="+-+", f="++"), run("plover", e="++-", f="+.")


def test_numbers_come_with_hits_of_total():
    made = report_of([A, B], EPISODES, PICTURES)
    text = Page(made.page).text
    assert "80.0 % 4 of 5" in text
    assert "75.0 % 3 of 4" in text
    assert "heron, plover under guiodyssey@2" in text
    assert "A run here has fewer than 20 episodes." in text
    rows = {row.name: [cell.share for cell in row.cells] for row in made.report.alike}
    assert [(s.hits, s.total) for s in rows["step accuracy"]] == [(4, 5), (3, 5)]


def test_steps_on_which_they_part_are_shown_with_verdict_reason_and_raw_text():
    made = report_of([A, B], EPISODES, PICTURES)
    page = Page(made.page)
    assert made.counted.cards == 3
    assert page.of("article", "id") == ["s1", "s2", "s3"]
    assert page.text.count("CLICK: (100, 900)") == 2
    assert "It is outside the region and" not in page.text  # the data set stores no box here
    assert page.text.count("of the screen from the gold point; the limit is 0.14.") == 5
    assert "There is no prediction; the original leaves such steps out." in page.text
    assert "step 2 of 3" in page.text


def test_a_picture_is_in_the_page_once_and_read_when_its_step_comes():
    made = report_of([A, B], EPISODES, PICTURES)
    page = Page(made.page)
    assert made.read == ["e1", "e2", "f1"]
    assert len(page.of("image", "href")) == 3
    assert page.of("use", "href") == ["#p1", "#p1", "#p2", "#p2", "#p3", "#p3"]


def test_marks_are_true_person_round_run_square_target_and_tolerance():
    made = report_of([A], EPISODES, PICTURES)
    page = Page(made.page)
    assert page.of("svg", "viewbox").count(f"0 0 {SIZE.width} {SIZE.height}") == 2
    ellipses = list(zip(page.of("ellipse", "rx"), page.of("ellipse", "ry"), strict=True))
    across, down = f"{0.14 * SIZE.width:.1f}", f"{0.14 * SIZE.height:.1f}"
    assert ellipses.count((across, down)) == 4  # dark and light, under gold and under the run
    assert ("circle", "cx", f"{SIZE.width / 2:g}") in page.attributes
    assert "Target: tree" in page.text


def test_one_run_under_two_protocols_is_listed_once_with_two_verdicts():
    strict = PROTOCOLS["taptrail-strict@1"]
    near = (Run("r", "guiodyssey"), {"e": [tap("e", 0, 620, 500), tap("e", 1, 500, 500)]})
    made = report_of([near], EPISODES[:1], PICTURES, protocols=(PROTOCOLS["guiodyssey@2"], strict))
    page = Page(made.page)
    assert page.of("article", "class") == ["panel card c2"] * 2
    assert page.text.count("guiodyssey@2, taptrail-strict@1") >= 2
    assert "There is no prediction for this step." in page.text
    assert "GUIOdyssey, evaluator of 2025" in page.text
    assert "Taptrail's strict reading" in page.text


def test_a_protocol_with_numbers_of_its_own_is_known_by_its_first():
    def aggregate(steps):
        right = [step.verdict.outcome is Outcome.MATCH for step in steps]
        share = Share(sum(right), len(right))
        mean = Metric(12.5, note="a mean of means")
        return Metrics({"Step Acc": Metric(percent(share), share), "Mean": mean})

    own = replace(PROTOCOLS["guiodyssey@2"], name="own", aggregate=aggregate)
    alone = Page(report_of([A], EPISODES, PICTURES, protocols=[own]).page)
    assert "80.0 % Step Acc 4 of 5 steps" in alone.text
    assert " SR " not in alone.text.partition("own@2 GUIOdyssey")[0]
    both = report_of(
        [A], EPISODES, PICTURES, protocols=[own, PROTOCOLS["guiodyssey@2"]], only="all"
    )
    text = Page(both.page).text
    assert (both.report.lead(0)[0], both.report.whole(0)) == ("Step Acc", None)
    assert (both.report.lead(1)[0], both.report.whole(1)[0]) == ("AMS", "SR")
    assert "Mean 12.5 % –" in text
    assert both.report.comparison.pairs[0].whole is None


def test_a_step_without_a_picture_is_shown_and_counted():
    damaged = episode("e", [step(0, picture="bad"), step(1), step(2, picture="ok")])
    made = report_of(
        [run("heron", e="---")], [damaged], {"bad": png()[:60], "ok": png()}, only="all"
    )
    text = Page(made.page).text
    assert (made.counted.cards, made.counted.without_picture) == (3, 2)
    assert "The picture cannot be shown: it is damaged: it is cut off." in text
    assert "This step has no picture." in text
    assert "2 steps are shown without their picture." in text


def test_an_unreadable_and_a_long_answer_are_shown_unchanged():
    long = "think " * 2000
    answers = {
        "e": [
            Prediction("e", 0, long, Unreadable("no action in it")),
            Prediction("e", 1, "ok", a.Tap(a.ElementRef(text="Save"))),
        ]
    }
    made = report_of([(Run("r", "taptrail"), answers)], EPISODES[:1], PICTURES, only="all")
    text = Page(made.page).text
    assert "No action could be read: no action in it." in text
    assert "11,000 more characters" in text
    assert "Tap element Save" in text


def test_the_number_of_shown_steps_is_given_with_the_total():
    made = report_of([A, B], EPISODES, PICTURES, limit=2)
    assert made.counted.cards == 2
    assert "2 of 3 steps · the outcomes differ · taken from each way to part in turn" in (
        Page(made.page).text
    )
    none = report_of([A, B], EPISODES, PICTURES, limit=0)
    assert (none.counted.cards, none.read) == (0, [])


def test_private_steps_are_nowhere_on_the_page():
    secret = "hunter2"
    hidden = replace(
        EPISODES[0].steps[1], private=True, action=a.TypeText(secret), texts=replace(
            EPISODES[0].steps[1].texts, instruction=secret
        ),
    )  # fmt: skip
    first = replace(EPISODES[0], steps=(EPISODES[0].steps[0], hidden, EPISODES[0].steps[2]))
    other = replace(EPISODES[1], private=True, task=replace(EPISODES[1].task, category=secret))
    made = report_of([A, B], [first, other], PICTURES, only="all", private=False)
    assert secret not in made.page
    assert made.read == ["e0", "e2"]
    assert "1 private episode, 1 private step" in Page(made.page).text
    assert made.report.sides[0].step_set.count == 2


def test_two_hundred_steps_of_the_worst_pictures_stay_under_twenty_megabytes():
    size = Size(36, 80)
    many = episode("e", [step(n, picture="p", size=size) for n in range(200)])
    answers = {"e": [tap("e", n, 100, 900, raw="<" * 5000, size=size) for n in range(200)]}
    runs = [(Run(name, "guiodyssey"), answers) for name in "abcd"]
    made = report_of(runs, [many], {"p": png(size=size)}, only="all", limit=200)
    pictures = "".join(Page(made.page).of("image", "href"))
    assert made.counted.cards == 200
    largest = 200 * MOST_BYTES * 4 / 3  # `data_uri` keeps to its limit; base64 adds a third
    assert len(made.page.encode()) - len(pictures) + largest < 20_000_000
    assert WHOLE_BYTES == 200 * MOST_BYTES  # more steps share the same


def test_a_text_loses_what_no_page_can_hold():
    shown = visible_text("a\ud800b\x07\u202ec\ufdd0\nd\te")
    assert shown == "a\\ud800b\\u0007\\u202ec\\ufdd0\nd\te"


def test_a_report_without_differences_says_so():
    text = Page(report_of([A, run("same", e="+-+", f="++")], EPISODES, PICTURES).page).text
    assert "They say the same on every step." in text
    assert "B and A have equal shares of the steps both scored." in text


@pytest.mark.parametrize(
    ("p", "words"), [(0.5, "p = 0.5"), (0.0312, "p = 0.031"), (0.0004, "p < 0.001"), (1.0, "p = 1")]
)
def test_a_probability_has_two_digits(p, words):
    assert p_words(p) == words
