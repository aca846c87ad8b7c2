"""Writes steps as rows to train models on: a question with a picture, and the model's answer.

A folder holds `rows.jsonl`, `images/` and `chat.json`, which declares how the answers are written.
A row is one of

    {"id": "e-0001_3", "episode": "e-0001", "step": 3, "image": "images/ab.png",
     "conversations": [{"from": "human", "value": "<image>\nTask: ..."},
                       {"from": "gpt", "value": "actions:\nCLICK <point>[[374,621]]</point>"}]}
    {"id": ..., "images": ["images/ab.png"],
     "messages": [{"role": "user", "content": "<image>\nTask: ..."},
                  {"role": "assistant", "content": "..."}]}

The history is the gold's, as in the benchmarks: the answers of earlier steps.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.formats.input_files import StillPaths
from episodes.formats.output_files import (
    SUFFIXES,
    EpisodeWriter,
    WriteReport,
    copy_still,
    new_folder,
    steps_to_write,
    write_all,
    write_whole,
)
from episodes.geometry import Size
from episodes.screens import Frame
from episodes.steps import Step
from replay.chat.answers import FormattedAnswer, answer_of, own_answer
from replay.dialect import Declared
from replay.dialects import DIALECTS

ROWS, IMAGES, ABOUT = "rows.jsonl", "images", "chat.json"
CONVERSATIONS, MESSAGES = "conversations", "messages"
TASK, STEP, BEFORE = "Task: ", "Step: ", "Actions so far:"


@dataclass(frozen=True, slots=True)
class ChatForm:
    """How rows are written. "" means the dialect's own.

    Attributes:
        dialect: of the answers, one of `DIALECTS`.
        coordinates, scroll: as `Declared` has them.
        level: "high" shows the task, "low" the step's instruction, "both" both.
        style: "conversations" or "messages".
        history: how many earlier answers are shown.
    """

    dialect: str
    coordinates: str = ""
    scroll: str = ""
    level: str = "high"
    style: str = CONVERSATIONS
    history: int = 4

    def whole(self) -> ChatForm:
        """Returns the form with every value filled in.

        Raises:
            KnownError: there is no such dialect, or the declaration contradicts it.
        """
        doing = "write chat rows"
        if self.dialect not in DIALECTS:
            raise KnownError(
                doing,
                f"answers cannot be written in the dialect “{self.dialect}”",
                f"Use one of: {', '.join(DIALECTS)}.",
            )
        if self.style not in (CONVERSATIONS, MESSAGES):
            raise KnownError(
                doing, f"there is no style “{self.style}”", "Use conversations or messages."
            )
        given = Declared(self.coordinates, self.scroll, self.level or "high")
        full = DIALECTS[self.dialect].declared(given)
        return ChatForm(
            self.dialect, full.coordinates, full.scroll, full.level, self.style, self.history
        )

    @property
    def declared(self) -> Declared:
        """The declaration of the answers."""
        return Declared(self.coordinates, self.scroll, self.level)


def write(
    episodes: Iterable[Episode], folder: Path, stills: StillPaths, form: ChatForm
) -> WriteReport:
    """Writes the rows of episodes, their pictures, and the declaration.

    Raises:
        KnownError: the form is invalid, the folder is not empty, a picture is missing, or the disk
            is full.
    """
    doing = f"export chat rows to {folder}"
    whole = form.whole()
    with new_folder(folder, (ROWS, f"{ROWS}.part", IMAGES, ABOUT), doing):
        try:
            return write_all(_Writer(folder, stills, whole, doing), episodes)
        except OSError as error:
            found = f"{folder / ROWS}: {error.strerror or error}"
            raise KnownError(doing, found, "Make room or choose another folder.") from error


class _Writer(EpisodeWriter):
    """Writes rows as they come."""

    def __init__(self, folder: Path, stills: StillPaths, form: ChatForm, doing: str) -> None:
        super().__init__(folder, stills, doing)
        self._form = form
        self._pictures: set[str] = set()
        self._part = folder / f"{ROWS}.part"
        self._stream = self._part.open("w", encoding="utf-8", errors="replace")

    def episode(self, episode: Episode) -> None:
        """Writes the rows of an episode."""
        if not self._names.may_write(episode):
            return
        self._names.add(episode.name)
        if episode.segments:
            self.written.count_loss("the recorded video", episode.name)
        before: list[str] = []
        for where, step in steps_to_write(episode, self.written):
            answer = self._answer(step)
            if answer is None:
                self.written.count_loss(f"a step that {self._form.dialect} has no words for", where)
                continue
            if not answer.exact:
                self.written.count_loss("a part of an action that the answer does not hold", where)
            for lost in _lost(step):
                self.written.count_loss(lost, where)
            if step.frame is None or step.frame.still is None:
                self.written.count_loss("a step without a picture", where)
            else:
                picture = self._picture(step.frame)
                question = self._question(step, episode, before)
                row = self._row(step, episode, picture, question, answer.text)
                self._stream.write(json.dumps(row, ensure_ascii=False) + "\n")
                self.written.steps += 1
            before.append(answer.text)
        self.written.episodes += 1

    def close(self) -> None:
        """Closes the rows and writes their declaration."""
        self._stream.close()
        about = json.dumps(asdict(self._form), indent=1).encode()
        write_whole(self._folder / ABOUT, about, self._doing)
        self._part.replace(self._folder / ROWS)

    def abandon(self) -> None:
        """Closes the file, which is removed with its folder."""
        self._stream.close()

    def _answer(self, step: Step) -> FormattedAnswer | None:
        form = self._form
        own = own_answer(step, form.dialect, form.declared)
        if own is not None:
            return own
        frame = step.frame
        size = frame.size if frame is not None else None
        return answer_of(step.action, size, _picture_size(frame), form.dialect, form.declared)

    def _question(self, step: Step, episode: Episode, before: list[str]) -> str:
        form = self._form
        lines = ["<image>"]
        if form.level != "low":
            lines.append(TASK + episode.task.instruction)
        if form.level != "high":
            lines.append(STEP + step.texts.instruction)
        shown = before[-form.history :] if form.history > 0 else []
        if shown:
            lines.append(BEFORE)
            first = len(before) - len(shown)
            lines += [f"{first + n}. {' '.join(one.split())}" for n, one in enumerate(shown, 1)]
        return "\n".join(lines)

    def _row(
        self, step: Step, episode: Episode, picture: str, question: str, answer: str
    ) -> dict[str, Any]:
        row: dict[str, Any] = {
            "id": f"{episode.name}_{step.index}",
            "episode": episode.name,
            "step": step.index,
            "instruction": episode.task.instruction,
            "step_instruction": step.texts.instruction,
        }
        if self._form.style == MESSAGES:
            turns = (("user", question), ("assistant", answer))
            messages = [{"role": role, "content": text} for role, text in turns]
            return row | {"images": [picture], MESSAGES: messages}
        turns = (("human", question), ("gpt", answer))
        conversation = [{"from": speaker, "value": text} for speaker, text in turns]
        return row | {"image": picture, CONVERSATIONS: conversation}

    def _picture(self, frame: Frame) -> str:
        still = frame.still
        assert still is not None
        name = f"{IMAGES}/{still.sha256}{SUFFIXES[still.media_type]}"
        if name not in self._pictures:
            self._pictures.add(name)
            copy_still(still, self._stills, self._folder / name, self._doing)
            self.written.pictures += 1
        return name


def _picture_size(frame: Frame | None) -> Size | None:
    if frame is None:
        return None
    return frame.still.size if frame.still is not None else frame.size


def _lost(step: Step) -> list[str]:
    """Returns what a step holds and rows do not."""
    texts = step.texts
    words = (texts.description, texts.intention, texts.context, texts.note)
    there = {
        "a step's tree": step.tree is not None,
        "a step's regions": bool(step.regions),
        "further gold actions": bool(step.golds),
        "the screen after a step": step.after is not None,
        "the app in front": step.foreground is not None,
        "a step's texts other than its instruction": any(words),
    }
    return [what for what, lost in there.items() if lost]
