"""Chat rows: actions in the words of a dialect, and steps as rows to train models on."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace

import pytest

from episodes import actions as a
from episodes.annotations import PrivateBox
from episodes.episodes import Episode, EpisodeState, Origin, Task
from episodes.errors import KnownError
from episodes.formats.input_files import ImportNote, MissingPicture, Refused
from episodes.formats.output_files import Loss
from episodes.formats.picture_store import LibraryPictureStore
from episodes.geometry import Box, Direction, Native, Point, Size
from episodes.screens import Basis, Frame
from episodes.steps import Step, StepTexts
from episodes.store.stills import StillFiles
from replay.chat import format as chat
from replay.chat.answers import answer_of, own_answer
from replay.chat.reading import count, read
from replay.chat.rows import ChatForm, write
from replay.dialect import Declared
from replay.dialects import DIALECTS
from tests.pages import read_pages
from tests.samples.drawn import png

PHONE = Size(1080, 2400)
SMALL = Size(36, 80)


def said_of(name: str) -> Declared:
    return DIALECTS[name].declared(Declared())


@pytest.mark.parametrize(
    ("name", "action", "text"),
    [
        ("guiodyssey", a.Tap(Point(404, 1490)), "CLICK: (374, 621)"),
        ("os-atlas", a.Tap(Point(404, 1490)), "actions:\nCLICK <point>[[374,621]]</point>"),
        ("os-atlas", a.Scroll(Direction.UP), "actions:\nSCROLL [DOWN]"),
        ("agentcpm", a.Scroll(Direction.UP), '{"POINT":[500,650],"to":"up"}'),
        (
            "ui-tars-1.0",
            a.LongPress(Point(404, 1490)),
            "Action: long_press(start_box='<|box_start|>(374,621)<|box_end|>')",
        ),
        ("ui-tars-1.5", a.Tap(Point(404, 1490)), "Action: click(start_box='(408,1495)')"),
        ("ui-tars-1.0", a.TypeText("it's\ntea"), "Action: type(content='it\\'s\\ntea')"),
        (
            "qwen25vl",
            a.Tap(Point(404, 1490)),
            '<tool_call>\n{"name": "mobile_use", "arguments": {"action": "click", "coordinate": '
            "[408, 1495]}}\n</tool_call>",
        ),
        ("aguvis", a.Tap(Point(404, 1490)), "pyautogui.click(x=0.3741, y=0.6208)"),
        ("aguvis", a.Scroll(Direction.UP), "pyautogui.scroll(page=-0.5)"),
        (
            "androidcontrol",
            a.Swipe(Point(5, 900), Point(5, 100)),
            '{"action_type": "scroll", "direction": "down"}',
        ),
    ],
)
def test_answers_are_written_in_the_family_s_words(name, action, text):
    made = answer_of(action, PHONE, PHONE, name, said_of(name))
    assert made is not None
    assert made.text == text


def test_a_dialect_without_words_or_a_place_without_a_screen_gives_no_answer():
    said = said_of("guiodyssey")
    assert answer_of(a.OpenApp("Clock"), PHONE, PHONE, "guiodyssey", said) is None
    assert answer_of(a.Tap(Point(1, 1)), None, None, "guiodyssey", said) is None
    named = a.Tap(a.ElementRef(text="Save"))
    assert answer_of(named, PHONE, PHONE, "guiodyssey", said) is None
    typed = answer_of(a.TypeText("tea"), None, None, "guiodyssey", said)
    assert typed is not None
    assert (typed.text, typed.exact) == ("TYPE: tea", True)


def test_an_answer_that_loses_something_is_not_exact():
    def exact(action: a.Action, name: str = "guiodyssey") -> bool:
        made = answer_of(action, PHONE, PHONE, name, said_of(name))
        assert made is not None
        return made.exact

    assert not exact(a.TypeText(" tea "))
    assert not exact(a.TypeText("tea", submit=True))
    assert exact(a.TypeText("tea", submit=True), "ui-tars-1.0")
    assert not exact(a.Finish(a.Ending.IMPOSSIBLE, "there is no such person"))
    assert not exact(a.Swipe(Point(1, 9), Point(1, 2)))
    assert exact(a.Swipe(Point(1, 9), Point(1, 2)), "qwen3vl")


def test_a_data_set_s_own_numbers_are_written_as_they_are():
    native = Native("guiodyssey", '{"action":"CLICK","info":[[374,621],[374,621]]}')
    step = Step(0, a.Tap(Point(1, 1)), native=native)
    made = own_answer(step, "guiodyssey", said_of("guiodyssey"))
    assert made is not None
    assert made.text == "CLICK: (374, 621)"
    assert own_answer(step, "os-atlas", said_of("os-atlas")) is None
    assert own_answer(step, "guiodyssey", Declared("0-1000", "content")) is None


@pytest.fixture
def stills(tmp_path):
    return StillFiles(tmp_path / "library")


@pytest.fixture
def picture_store(stills):
    return LibraryPictureStore(stills)


@pytest.fixture
def tea(picture_store):
    frame = Frame(SMALL, Basis.IMPORTED, picture_store.keep_bytes(png(SMALL), "p"))
    return Episode(
        uuid="7d2b3c1e-0000-4000-8000-000000000001",
        name="e-0001",
        origin=Origin("recorded"),
        task=Task("Set a timer"),
        state=EpisodeState.FINISHED,
        steps=(
            Step(0, a.Tap(Point(18, 40)), frame, texts=StepTexts("Tap the clock", "A list")),
            Step(1, a.TypeText("tea"), frame, texts=StepTexts("Type tea")),
            Step(2, a.Pinch(Point(1, 1), 2), frame),
            Step(3, a.PressKey(a.Key.BACK)),
            Step(4, a.Tap(Point(1, 1)), frame, private=True),
            Step(5, a.Finish(a.Ending.COMPLETE), frame),
        ),
    )


def rows_of(folder):
    return [json.loads(line) for line in (folder / "rows.jsonl").read_text().splitlines()]


def test_steps_become_conversations_with_the_gold_before_them(tmp_path, stills, tea):
    done = write([tea], tmp_path / "out", stills, ChatForm("guiodyssey", history=2))
    assert (done.episodes, done.steps, done.pictures) == (1, 3, 1)
    assert done.losses == (
        Loss("a step's texts other than its instruction", "e-0001 step 0", 1),
        Loss("a step that guiodyssey has no words for", "e-0001 step 2", 1),
        Loss("a step without a picture", "e-0001 step 3", 1),
        Loss("a private step", "e-0001 step 4", 1),
    )
    picture = f"images/{tea.steps[0].frame.still.sha256}.png"
    assert (tmp_path / "out" / picture).read_bytes() == png(SMALL)
    assert rows_of(tmp_path / "out")[2] == {
        "id": "e-0001_5",
        "episode": "e-0001",
        "step": 5,
        "instruction": "Set a timer",
        "step_instruction": "",
        "image": picture,
        "conversations": [
            {
                "from": "human",
                "value": "<image>\nTask: Set a timer\nActions so far:\n2. TYPE: tea\n3. PRESS_BACK",
            },
            {"from": "gpt", "value": "COMPLETE"},
        ],
    }
    assert json.loads((tmp_path / "out/chat.json").read_text()) == {
        "dialect": "guiodyssey",
        "coordinates": DIALECTS["guiodyssey"].coordinates[0],
        "scroll": "finger",
        "level": "high",
        "style": "conversations",
        "history": 2,
    }


@pytest.mark.parametrize(
    ("level", "asked"),
    [
        ("high", "<image>\nTask: Set a timer"),
        ("low", "<image>\nStep: Tap the clock"),
        ("both", "<image>\nTask: Set a timer\nStep: Tap the clock"),
    ],
)
def test_messages_show_the_instructions_that_are_declared(tmp_path, stills, tea, level, asked):
    form = ChatForm("agentcpm", level=level, style="messages", history=0)
    write([tea], tmp_path / "out", stills, form)
    first = rows_of(tmp_path / "out")[0]
    assert first["messages"] == [
        {"role": "user", "content": asked},
        {"role": "assistant", "content": '{"POINT":[500,500]}'},
    ]
    assert first["images"] == [f"images/{tea.steps[0].frame.still.sha256}.png"]


@pytest.mark.parametrize("name", DIALECTS)
@pytest.mark.parametrize("style", ["conversations", "messages"])
def test_rows_come_back_as_episodes_that_give_the_same_rows(
    tmp_path, stills, picture_store, tea, name, style
):
    form = ChatForm(name, style=style)
    write([tea], tmp_path / "out", stills, form)
    (episode,) = read(tmp_path / "out", picture_store)
    assert (episode.name, episode.task, episode.origin.version) == ("e-0001", tea.task, name)
    assert [step.texts.instruction for step in episode.steps][:2] == ["Tap the clock", "Type tea"]
    at = a.place(episode.steps[0].action)
    assert at is not None
    assert at.distance_to(Point(18, 40)) < 0.1
    assert count(tmp_path / "out") == 1
    kept = [step for step in episode.steps if step.index != 3]
    second = write([replace(episode, steps=tuple(kept))], tmp_path / "again", stills, form)
    assert second.losses == ()
    answers = [
        [(row["id"], row[style][1]) for row in rows_of(tmp_path / one)] for one in ("out", "again")
    ]
    assert answers[0] == answers[1]
    (twice,) = read(tmp_path / "again", picture_store)
    assert twice == episode


ROW = {
    "image": "/data/screenshots/9187_0.png",
    "conversations": [
        {"from": "human", "value": "Long words.\nTask: Post it.\nHistory: None"},
        {"from": "gpt", "value": "actions:\nCLICK <point>[[683,321]]</point>"},
    ],
}


def test_a_foreign_file_is_read_if_its_dialect_is_named(tmp_path, picture_store):
    path = tmp_path / "some.jsonl"
    path.write_text(json.dumps(ROW) + "\n")
    missing, note, episode = read(path, picture_store, "os-atlas")
    assert isinstance(missing, MissingPicture)
    assert note == ImportNote(
        "some.jsonl row 1", "no picture gives the screen's size; 1000x1000 is assumed"
    )
    assert (episode.name, episode.task.instruction) == ("9187", "Post it.")
    assert episode.steps[0].action == a.Tap(Point(683, 321))
    with pytest.raises(KnownError, match="their dialect is not given"):
        list(read(path, picture_store))
    (tmp_path / "chat.json").write_text("[]")
    with pytest.raises(KnownError, match=r"chat\.json does not declare how rows are written"):
        list(read(path, picture_store))


def test_rows_in_a_special_file_do_not_block(tmp_path, picture_store):
    os.mkfifo(tmp_path / "rows.jsonl")
    with pytest.raises(KnownError, match=r"rows\.jsonl is not a regular file"):
        list(read(tmp_path, picture_store, "os-atlas"))


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("{", "the line is not JSON"),
        (ROW | {"image": "x.png"}, "it names no episode"),
        (ROW | {"conversations": []}, "it holds no answer"),
        (
            ROW | {"step": 1, "episode": 9187, "conversations": [{"from": "gpt", "value": "x"}]},
            "its answer cannot be read: there is no command",
        ),
        (ROW, "episode 9187 has step 0 twice; the first is kept"),
        (ROW | {"episode": "a/b", "step": 1}, "the episode's name holds"),
    ],
)
def test_a_row_that_cannot_be_taken_is_refused_alone(tmp_path, picture_store, row, reason):
    path = tmp_path / "some.jsonl"
    text = row if isinstance(row, str) else json.dumps(row)
    path.write_text(f"{json.dumps(ROW)}\n{text}\n")
    found = list(read(path, picture_store, "os-atlas"))
    assert sum(isinstance(one, Episode) for one in found) == 1
    (refused,) = (one for one in found if isinstance(one, Refused))
    assert refused.where == "some.jsonl row 2"
    assert refused.reason.startswith(reason)


@pytest.mark.parametrize("image", [["a.png"], {"a": 1}, 7, None])
@pytest.mark.parametrize("name", ["image", "images"])
def test_a_picture_whose_name_is_not_text_is_missing(tmp_path, picture_store, name, image):
    path = tmp_path / "some.jsonl"
    row = {"episode": "9187", "step": 0, "conversations": ROW["conversations"]}
    path.write_text(json.dumps(row | {name: [image] if name == "images" else image}))
    missing, _, episode = read(path, picture_store, "os-atlas")
    assert missing == MissingPicture("some.jsonl row 1", "it names no picture")
    assert episode.steps[0].frame == Frame(Size(1000, 1000), Basis.IMPORTED)


def test_an_invalid_form_is_refused_before_anything_is_written(tmp_path, stills, tea):
    for form, found in (
        (ChatForm("klingon"), "cannot be written in the dialect “klingon”"),
        (ChatForm("os-atlas", style="x"), "there is no style “x”"),
        (ChatForm("os-atlas", coordinates="resized:1x1"), "read os-atlas predictions with"),
    ):
        with pytest.raises(KnownError, match=found):
            write([tea], tmp_path / "out", stills, form)
    assert not (tmp_path / "out").exists()


def test_private_boxes_are_drawn_over(tmp_path, stills, tea):
    first = replace(tea.steps[0], private_boxes=(PrivateBox(Box(0, 0, 9, 9)),))
    hidden = replace(tea, steps=(first,))
    chat.FORMAT.write([hidden], tmp_path / "out", stills, "os-atlas")
    (picture,) = (tmp_path / "out/images").iterdir()
    assert picture.read_bytes() != png(SMALL)
    still = tea.steps[0].frame.still
    stills.path(still.sha256, still.media_type).unlink()
    with pytest.raises(KnownError, match="episodes check"):
        chat.FORMAT.write([tea], tmp_path / "failed", stills, "os-atlas")
    assert not (tmp_path / "failed").exists()


def test_the_rows_on_the_page_are_read_and_every_dialect_is_listed(tmp_path, picture_store):
    page = read_pages("formats")
    section = page.partition("\n# chat\n")[2].partition("\n# ")[0]
    (tmp_path / "rows.jsonl").write_text(section.partition("```json\n")[2].partition("```")[0])
    found = list(read(tmp_path, picture_store, "os-atlas"))
    (episode,) = (one for one in found if isinstance(one, Episode))
    assert not any(isinstance(one, Refused) for one in found)
    assert [a.kind(step.action) for step in episode.steps] == ["tap", "finish"]
    listed = re.findall(r"`([^`]+)`", section.partition("| `--version` |")[2].partition("\n")[0])
    assert listed == list(DIALECTS)
