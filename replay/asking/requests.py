"""Builds the request for one step: messages, pictures, history, and the hashes that prove them.

The builder is given episodes whose private parts are covered already (`PrivacyCover` of
`episodes.formats.private_boxes`). It never asks about private or protected screens, and in the
history of later steps their actions are replaced by `sentences.PRIVATE`.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import msgspec

from episodes import actions as a
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.formats.input_files import StillPaths
from episodes.geometry import Direction, Point, Size
from episodes.steps import Step
from episodes.trees.element_lists import LISTINGS, list_elements
from episodes.trees.readers import read_tree
from episodes.trees.step_trees import NoTree, TreeProblem, tree_of_step
from episodes.trees.values import Tree
from replay.asking.recipe import Message, Recipe
from replay.asking.sent_picture import Mark, SentPicture, check_fixed_point, picture_rule, prepare
from replay.asking.sentences import PRIVATE, sentence
from replay.asking.templates import TemplateRenderer
from replay.chat.answers import answer_of, own_answer
from replay.dialect import Declared

CACHED_PICTURES = 64
CACHED_ANSWERS = 1000


@dataclass(frozen=True, slots=True)
class EarlierStep:
    """What a prompt may say of an earlier step, and its picture's place in the library."""

    number: int
    answer: str
    sentence: str
    instruction: str
    intention: str
    step: Step | None


@dataclass(frozen=True, slots=True)
class PlannedPicture:
    """A picture of a request before it is prepared: a stored still, and the size it is sent in.

    Attributes:
        marks: number and box (left, top, right, bottom) of each element that is drawn on it, in
            pixels of the sent picture.
    """

    sha256: str
    media_type: str
    size: Size
    marks: tuple[Mark, ...] = ()

    @property
    def words(self) -> str:
        """Names it by size and hash, for a reader."""
        marks = f" with {len(self.marks)} marks" if self.marks else ""
        return f"<{self.size} from still {self.sha256[:12]}{marks}>"


@dataclass(frozen=True)
class Request:
    """One request, without the address it goes to.

    Attributes:
        episode, step: whom it asks about.
        body: the JSON body, in which pictures are `{"picture": n}`.
        pictures: by that number.
        picture_rule: the recipe's section about pictures, as JSON; with the stills' hashes it says
            what is sent, without preparing it.
        prepare: makes the picture that is sent.
    """

    episode: str
    step: int
    body: dict[str, Any]
    pictures: tuple[PlannedPicture, ...]
    picture_rule: str
    prepare: Callable[[PlannedPicture], SentPicture]

    @property
    def key(self) -> str:
        """Names the step: "episode/step"."""
        return f"{self.episode}/{self.step}"

    @cached_property
    def words_sha256(self) -> str:
        """The hash of everything but the pictures' pixels; their sizes are in it."""
        sizes = [[one.size.width, one.size.height] for one in self.pictures]
        return _sha256(_canonical([self.body, sizes]))

    @cached_property
    def sha256(self) -> str:
        """The hash of the whole request: an answer is reused only for an equal one."""
        stills: list[Any] = [one.sha256 for one in self.pictures]
        stills += [one.marks for one in self.pictures if one.marks]
        return _sha256(_canonical([self.words_sha256, stills, self.picture_rule]))

    @property
    def shows_pictures(self) -> bool:
        """Whether any message has a picture in it."""
        return any(isinstance(message["content"], list) for message in self.body["messages"])

    def sent(self) -> tuple[SentPicture, ...]:
        """Prepares the pictures.

        Raises:
            KnownError: a picture cannot be read.
        """
        return tuple(self.prepare(one) for one in self.pictures)

    def encode(self, sent: Sequence[SentPicture]) -> bytes:
        """Returns the JSON body as it is sent, with the pictures of `sent()`."""
        return msgspec.json.encode(self._filled([data_url(one) for one in sent]))

    def batch_line(self, sent: Sequence[SentPicture]) -> bytes:
        """Returns the request as a line of a batch file, with its line end."""
        line = {
            "custom_id": self.key,
            "method": "POST",
            "url": "/v1/chat/completions",
            "body": self._filled([data_url(one) for one in sent]),
        }
        return msgspec.json.encode(line) + b"\n"

    def readable(self, urls: Sequence[str] | None = None) -> str:
        """Returns the request as indented JSON; each picture by its size and hash, or by a URL."""
        told = urls or [one.words for one in self.pictures]
        return json.dumps(self._filled(told), ensure_ascii=False, indent=1)

    def _filled(self, urls: Sequence[str | msgspec.Raw]) -> dict[str, Any]:
        def part(one: Any) -> Any:
            if not isinstance(one, dict) or "picture" not in one:
                return one
            told = {"url": urls[one["picture"]]}
            if one.get("detail"):
                told["detail"] = one["detail"]
            return {"type": "image_url", "image_url": told}

        messages = [
            message | {"content": [part(one) for one in message["content"]]}
            if isinstance(message["content"], list)
            else message
            for message in self.body["messages"]
        ]
        return self.body | {"messages": messages}


class RequestBuilder:
    """Builds requests of one recipe. Thread-safe.

    Raises, from `__init__`:
        KnownError: the picture rule or the listing rule is not known, or the history needs a
            writer that the dialect has not.
    """

    def __init__(
        self, recipe: Recipe, stills: StillPaths, renderer: TemplateRenderer, model: str = ""
    ) -> None:
        """Prepares the recipe's rules.

        Args:
            model: the name to ask for, where the run names another than the recipe.
        """
        self.recipe = recipe
        self.rule = picture_rule(recipe.picture)
        self.declared = recipe.declared(self.rule.space)
        self._renderer = renderer
        self._stills = stills
        self._model = model or recipe.model.name
        if recipe.shows.elements not in LISTINGS:
            raise KnownError(
                "read the recipe",
                f"there is no rule “{recipe.shows.elements}” for lists of elements",
                f"Use one of: {', '.join(LISTINGS)}.",
            )
        self._picture_rule = json.dumps(msgspec.to_builtins(recipe.picture), sort_keys=True)
        self._prepare = lru_cache(maxsize=CACHED_PICTURES)(self._read_and_prepare)
        # By identity: equal steps are slow to hash, and an episode's requests share its steps.
        self._written: dict[int, tuple[Step, str]] = {}

    def asks_about(self, step: Step) -> bool:
        """Whether a step is asked at all: it has a picture, is not private, and is not skipped."""
        shows = self.recipe.shows
        if step.still is None or is_private(step):
            return False
        if isinstance(step.action, a.Finish) and not shows.ends:
            return False
        return _kind(step.action) not in shows.skip

    def request(
        self,
        episode: Episode,
        at: int,
        own: Mapping[int, str] | None = None,
        said: Mapping[int, str] | None = None,
    ) -> Request:
        """Returns the request for the step at this position of an episode.

        Args:
            own: for each earlier step's position, the text that represents it in the history; None
                for gold.
            said: sentences that replace those about earlier steps, by position.

        Raises:
            KnownError: a template or a picture is wrong.
        """
        step = episode.steps[at]
        recipe = self.recipe
        earlier = self._earlier(episode, at, own, said or {})
        picture = self._picture(step)
        elements = self._elements(step, picture.size) if recipe.shows.numbers else []
        if recipe.shows.marks != "none":
            marks = tuple((one["index"], tuple(one["box"])) for one in elements)
            picture = replace(picture, marks=marks)
        pictures = [picture]
        values = self._values(episode, step, earlier, picture.size, elements)
        spoken = [message for message in recipe.messages if message.role != "history"]
        texts = iter(self._renderer.render([message.text for message in spoken], values))
        messages: list[dict[str, Any]] = []
        for message in recipe.messages:
            if message.role == "history":
                messages += self._turns(earlier, pictures)
            else:
                messages.append(self._message(message, next(texts)))
        body: dict[str, Any] = {"model": self._model, "messages": messages}
        body |= recipe.sampling | recipe.server
        if recipe.answers.stop:
            body["stop"] = list(recipe.answers.stop)
        if recipe.messages[-1].open:
            body |= {"continue_final_message": True, "add_generation_prompt": False}
        return Request(
            episode.name, step.index, body, tuple(pictures), self._picture_rule, self._prepare
        )

    def pictures(self, steps: Sequence[Step]) -> tuple[SentPicture, ...]:
        """Returns the pictures of steps as they are sent.

        Raises:
            KnownError: a picture cannot be read.
        """
        return tuple(self._prepare(self._picture(step)) for step in steps)

    def answer(self, step: Step) -> str:
        """Returns the recorded action in the dialect's syntax; "" if it cannot write it."""
        kept = self._written.get(id(step))
        if kept is not None:
            return kept[1]
        text = self._write(step)
        if len(self._written) >= CACHED_ANSWERS:
            self._written.clear()
        self._written[id(step)] = (step, text)  # the step is kept, so no other gets its id
        return text

    def _write(self, step: Step) -> str:
        dialect = self.recipe.answers.dialect
        told = own_answer(step, dialect, self.declared)
        if told is None:
            size = step.frame.size if step.frame is not None else None
            shown = self.rule.resize(step.still.size) if step.still is not None else size
            told = answer_of(step.action, size, shown, dialect, self.declared)
        return told.text if told is not None else ""

    def _earlier(
        self,
        episode: Episode,
        at: int,
        own: Mapping[int, str] | None,
        sentences: Mapping[int, str],
    ) -> list[EarlierStep]:
        history = self.recipe.history
        if history.form == "none" or history.last == 0:
            return []
        first = 0 if history.last < 0 else max(0, at - history.last)
        found = []
        for position in range(first, at):
            step = episode.steps[position]
            number = position + history.first_number
            if is_private(step):
                found.append(EarlierStep(number, PRIVATE, PRIVATE, PRIVATE, PRIVATE, None))
                continue
            hidden = hides_words(step)
            answer = PRIVATE if hidden else self.answer(step) if own is None else own[position]
            said = PRIVATE if hidden else sentences.get(position) or sentence(step.action)
            words = (PRIVATE, PRIVATE) if hidden else (step.texts.instruction, step.texts.intention)
            found.append(EarlierStep(number, answer, said, *words, step))
        return found

    def _turns(
        self, earlier: Sequence[EarlierStep], pictures: list[PlannedPicture]
    ) -> list[dict[str, Any]]:
        """The history as messages; the last `pictures` of them with their screenshot."""
        turns: list[dict[str, Any]] = []
        shown = self.recipe.history.pictures
        for place, one in enumerate(earlier):
            with_picture = (
                place >= len(earlier) - shown
                and one.step is not None
                and one.step.still is not None
            )
            content: Any = f"Step {one.number}"
            if with_picture:
                assert one.step is not None
                pictures.append(self._picture(one.step))
                content = [self._part(len(pictures) - 1)]
            turns.append({"role": "user", "content": content})
            turns.append({"role": "assistant", "content": one.answer})
        return turns

    def _message(self, message: Message, text: str) -> dict[str, Any]:
        if message.role != "user" or "picture" not in message.order:
            return {"role": message.role, "content": text}
        parts = [
            self._part(0) if what == "picture" else {"type": "text", "text": text}
            for what in message.order
        ]
        return {"role": message.role, "content": parts}

    def _part(self, number: int) -> dict[str, Any]:
        detail = self.recipe.picture.detail
        return {"picture": number} | ({"detail": detail} if detail else {})

    def _values(
        self,
        episode: Episode,
        step: Step,
        earlier: Sequence[EarlierStep],
        sent: Size,
        elements: list[dict[str, Any]],
    ) -> dict[str, Any]:
        shows = self.recipe.shows
        return {
            "task": episode.task.instruction if shows.level != "low" else "",
            "step_instruction": _instruction(step) if shows.level != "high" else "",
            "level": shows.level,
            "number": len([one for one in episode.steps if one.index < step.index])
            + self.recipe.history.first_number,
            "width": sent.width,
            "height": sent.height,
            "history": [
                {
                    "number": one.number,
                    "answer": one.answer,
                    "sentence": one.sentence,
                    "instruction": one.instruction,
                    "intention": one.intention,
                }
                for one in earlier
            ],
            "actions": list(action_forms(self.recipe.answers.dialect, self.declared)),
            "app": step.foreground.label or step.foreground.package
            if shows.app and step.foreground is not None
            else "",
            "elements": elements if shows.tree == "list" else [],
            "tree": _xml(step) if shows.tree == "xml" else "",
        }

    def _elements(self, step: Step, sent: Size) -> list[dict[str, Any]]:
        tree = tree_of_step(step)
        if isinstance(tree, NoTree) or step.frame is None:
            return []
        size = step.frame.size
        across, down = sent.width / size.width, sent.height / size.height
        return [
            {
                "index": one.index,
                "text": one.text,
                "description": one.description,
                "class": one.class_name.rpartition(".")[2],
                "clickable": one.clickable,
                "editable": one.editable,
                "scrollable": one.scrollable,
                "box": [
                    round(one.box.left * across),
                    round(one.box.top * down),
                    round(one.box.right * across),
                    round(one.box.bottom * down),
                ],
            }
            for one in list_elements(tree, size, self.recipe.shows.elements)
        ]

    def _picture(self, step: Step) -> PlannedPicture:
        still = step.still
        assert still is not None
        size = self.rule.resize(still.size)
        check_fixed_point(self.recipe.picture, self.rule, size)
        return PlannedPicture(still.sha256, still.media_type, size)

    def _read_and_prepare(self, picture: PlannedPicture) -> SentPicture:
        file = self._stills.path(picture.sha256, picture.media_type)
        try:
            data = file.read_bytes()
        except OSError as error:
            raise KnownError(
                "send a picture",
                f"{file}: {error.strerror or error}",
                "Run `taptrail episodes check` on the library.",
            ) from error
        return prepare(data, picture.sha256, picture.media_type, self.recipe.picture, picture.marks)


@lru_cache(maxsize=64)
def action_forms(dialect: str, declared: Declared) -> tuple[dict[str, str], ...]:
    """Returns an example of each action the dialect can write and reads back exactly.

    Each is {"name", "form"}. Prompt and parser cannot differ, because the examples come from the
    dialect's own writer.
    """
    size = Size(1000, 1000)
    forms: dict[str, str] = {}
    for name, action in SAMPLES:
        written = answer_of(action, size, size, dialect, declared)
        if written is not None and written.exact:
            forms.setdefault(name, written.text)
    return tuple({"name": name, "form": form} for name, form in forms.items())


SAMPLES: tuple[tuple[str, a.Action], ...] = (
    ("tap", a.Tap(Point(300, 600))),
    ("double tap", a.DoubleTap(Point(300, 600))),
    ("long press", a.LongPress(Point(300, 600), 1_000_000)),
    ("swipe", a.Swipe(Point(500, 700), Point(500, 300))),
    ("scroll up", a.Scroll(Direction.UP)),
    ("scroll down", a.Scroll(Direction.DOWN)),
    ("scroll left", a.Scroll(Direction.LEFT)),
    ("scroll right", a.Scroll(Direction.RIGHT)),
    ("type", a.TypeText("some text")),
    ("type", a.TypeText("some text", submit=True)),
    ("type", a.TypeText("some text", clear=True)),
    ("type", a.TypeText("some text", clear=True, submit=True)),
    ("open app", a.OpenApp("Clock")),
    ("back", a.PressKey(a.Key.BACK)),
    ("home", a.PressKey(a.Key.HOME)),
    ("recent apps", a.PressKey(a.Key.RECENTS)),
    ("enter", a.PressKey(a.Key.ENTER)),
    ("wait", a.Wait(1_000_000)),
    ("answer", a.Answer("42")),
    ("finish", a.Finish(a.Ending.COMPLETE)),
    ("impossible", a.Finish(a.Ending.IMPOSSIBLE)),
)
"""Actions with the name a prompt gives them.

Of one name, the first that a dialect keeps whole is shown: some dialects end every text with Enter,
or empty the field before it.
"""


def is_private(step: Step) -> bool:
    """Whether nothing of a step may leave: a person marked it, or its app protects the screen."""
    return step.private or (step.frame is not None and step.frame.protected)


def hides_words(step: Step) -> bool:
    """Whether a step's words are private although its screen may be asked about.

    It types into a password field, as far as its tree says, or into a screen with a private box:
    the text may be what the box covers, and the tree that could tell is left out.
    """
    if not isinstance(step.action, a.TypeText):
        return False
    if step.private_boxes:
        return True
    tree = _tree_of_any_moment(step)
    if tree is None:
        return False
    fields = [node for node in tree.walk() if node.password]
    at = step.action.target
    inside = isinstance(at, Point) and any(at in node.box for node in fields)
    return inside or any(node.focused for node in fields)


def _instruction(step: Step) -> str:
    return PRIVATE if hides_words(step) else step.texts.instruction


def _tree_of_any_moment(step: Step) -> Tree | None:
    """Returns a step's tree, also one of another moment or shape; None if none can be read."""
    found = tree_of_step(step)
    if isinstance(found, Tree):
        return found
    if found.problem is TreeProblem.OTHER_SHAPE and step.tree is not None:
        return read_tree(step.tree.record.format, step.tree.record.data)
    return found.outdated


def _xml(step: Step) -> str:
    found = tree_of_step(step)
    if isinstance(found, NoTree) or step.tree is None:
        return ""
    if step.tree.record.format != "uiautomator":
        return ""
    return step.tree.record.data.decode("utf-8", "replace")


def _kind(action: a.Action) -> str:
    return type(action).__name__.lower()


def data_url(picture: SentPicture) -> msgspec.Raw:
    """Returns a picture's data URL as a JSON string that is encoded already."""
    data = base64.b64encode(picture.data)
    return msgspec.Raw(b'"data:%s;base64,%s"' % (picture.media_type.encode(), data))


def _canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, ensure_ascii=False).encode()


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
