"""Asks about every step with several threads, keeps each answer, and continues after any stop.

Steps are independent where the history is gold's. Where it is the model's own, an episode is a
chain: a step that failed ends it, and the next go continues there.
"""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import cv2
import PIL

from episodes.episodes import Episode
from episodes.runs import Ended
from replay.asking import sentences
from replay.asking.answers_file import AnswerFiles, Failure, StoredAnswer
from replay.asking.client import Received, RequestFailed
from replay.asking.recipe import Recipe
from replay.asking.requests import Request, RequestBuilder

Ask = Callable[[bytes, str], Received]
IsRight = Callable[[Episode, int, str], bool]


class Again(StrEnum):
    """Which answers of an earlier go are asked for again."""

    MISSING = "missing"  # steps without an answer, unless the server refused the same request
    FAILED = "failed"  # those, too
    CUT = "cut"  # and answers cut at the limit of tokens
    ALL = "all"


@dataclass
class Spending:
    """What a run has cost so far, in money per million tokens. Thread-safe by the runner's lock."""

    price_in: float = 0.0
    price_out: float = 0.0
    budget: float | None = None
    tokens_in: int = 0
    tokens_out: int = 0

    def add(self, tokens: tuple[int, int] | None) -> None:
        """Counts an answer's tokens."""
        if tokens is not None:
            self.tokens_in += tokens[0]
            self.tokens_out += tokens[1]

    @property
    def money(self) -> float:
        """What the tokens so far cost."""
        return (self.tokens_in * self.price_in + self.tokens_out * self.price_out) / 1e6

    @property
    def spent(self) -> bool:
        """Whether the budget is used up."""
        return self.budget is not None and self.money >= self.budget


@dataclass
class AskingResult:
    """How a go ended.

    Attributes:
        answers, failures: of all goes, in canonical order.
        stopped: why it ended before its last step; "" if it did not.
        asked: how many requests this go answered or gave up.
    """

    answers: list[StoredAnswer]
    failures: list[Failure]
    total: int
    asked: int
    stopped: str
    spending: Spending
    ended: Counter[Ended] = field(default_factory=Counter)


@dataclass(frozen=True)
class Repeated:
    """How many answers changed when the same requests were sent a second time.

    Attributes:
        asked: steps that were answered twice.
        changed: those with another answer, as "episode/step".
        failed: steps without a second answer.
    """

    asked: int
    changed: tuple[str, ...]
    failed: int

    def to_json(self) -> dict[str, Any]:
        """Returns it for `run.json`."""
        return {"asked": self.asked, "changed": list(self.changed), "failed": self.failed}


@dataclass
class Runner:
    """One run's asking.

    Attributes:
        stop_after: this number of failed steps in a row ends the go.
        is_right: whether an answer matches the step; for histories "own-if-right".
        cancelled: asked between requests.
        on_progress: (done, total), from the thread that called `go`.
        on_answer: each new answer, from a worker thread.
    """

    recipe: Recipe
    builder: RequestBuilder
    ask: Ask
    files: AnswerFiles
    workers: int = 16
    again: Again = Again.MISSING
    stop_after: int = 20
    spending: Spending = field(default_factory=Spending)
    is_right: IsRight | None = None
    cancelled: Callable[[], bool] = lambda: False
    on_progress: Callable[[int, int], None] = lambda done, total: None
    on_answer: Callable[[StoredAnswer], None] = lambda answer: None

    def go(
        self, episodes: Callable[[], Iterable[Episode]], limit: int | None = None
    ) -> AskingResult:
        """Asks about all steps that have no answer to the same request yet.

        Args:
            episodes: yields them covered, in canonical order; called twice, so that a data set
                never has to fit into memory.
            limit: the maximum number of steps, from the first on.

        Raises:
            KnownError: nothing can be asked (address, key, model), a template or picture is wrong,
                or the disk is full. Answers so far are kept.
        """
        self._lock = threading.Lock()
        self._in_a_row = 0
        self._asked = 0
        self._stopped = ""
        self._answers, self._failures = self.files.read()
        order = [
            (episode.name, episode.steps[at].index)
            for episode, positions in self._jobs(episodes(), limit)
            for at in positions
        ]
        self.files.open()
        try:
            self._run(self._jobs(episodes(), limit), len(order))
        finally:
            self.files.abandon()
        answers = [self._answers[key] for key in order if key in self._answers]
        failures = [
            self._failures[key]
            for key in order
            if key in self._failures and key not in self._answers
        ]
        return AskingResult(
            answers,
            failures,
            len(order),
            self._asked,
            self._stopped,
            self.spending,
            Counter(one.ended for one in answers),
        )

    def repeat(
        self, episodes: Callable[[], Iterable[Episode]], outcome: AskingResult, count: int
    ) -> Repeated:
        """Sends the requests of at most `count` answered steps again, evenly spread over the run.

        A server may answer differently at temperature 0, too, when it is under load. The answers
        of the run stay.
        """
        answers = outcome.answers
        every = max(1, -(-len(answers) // count))
        sample = {(one.episode, one.step): one for one in answers[::every]}
        changed: list[str] = []
        failed = 0
        with ThreadPoolExecutor(self.workers, thread_name_prefix="asking") as pool:
            for request, text in pool.map(self._ask_again, self._requests_again(episodes, sample)):
                if text is None:
                    failed += 1
                elif text != sample[request.episode, request.step].raw:
                    changed.append(request.key)
        return Repeated(len(sample) - failed, tuple(changed), failed)

    def _requests_again(
        self,
        episodes: Callable[[], Iterable[Episode]],
        sample: Mapping[tuple[str, int], StoredAnswer],
    ) -> Iterator[Request]:
        """Yields the sample's requests as they were sent, in canonical order."""
        for episode in episodes():
            own = self._own(episode)
            for at, step in enumerate(episode.steps):
                answer = self._answers.get((episode.name, step.index))
                if answer is None:
                    continue
                if (episode.name, step.index) in sample:
                    yield self.builder.request(episode, at, own)
                self._remember(own, episode, at, answer)

    def _ask_again(self, request: Request) -> tuple[Request, str | None]:
        sent = request.sent()
        try:
            received = self.ask(request.encode(sent), request.key)
        except RequestFailed:
            return request, None
        with self._lock:
            self.spending.add(received.tokens)
        before = self.recipe.answers.reasoning == "before"
        return request, StoredAnswer.of(request, received, (), before).raw

    def _own(self, episode: Episode) -> dict[int, str] | None:
        """The answers that are in the history before any is the model's; None for gold's."""
        if self.recipe.history.source == "gold":
            return None
        # Steps that are not asked stand in it as they were recorded.
        return {at: self.builder.answer(step) for at, step in enumerate(episode.steps)}

    def _remember(
        self, own: dict[int, str] | None, episode: Episode, at: int, answer: StoredAnswer
    ) -> None:
        """Puts an answer into the history of the steps after it, if the recipe wants that."""
        if own is None:
            return
        right = self.is_right is not None and self.is_right(episode, at, answer.raw)
        if self.recipe.history.source == "own" or right:
            own[at] = answer.raw

    def _jobs(
        self, episodes: Iterable[Episode], limit: int | None
    ) -> Iterator[tuple[Episode, list[int]]]:
        """Yields an episode with the positions that must be asked one after the other."""
        left = limit
        history = self.recipe.history
        chained = history.source != "gold" and history.form != "none"
        for episode in episodes:
            if left == 0:
                return
            if episode.private:
                continue
            asked = [n for n, step in enumerate(episode.steps) if self.builder.asks_about(step)]
            if left is not None:
                asked = asked[:left]
                left -= len(asked)
            for positions in [asked] if chained else [[at] for at in asked]:
                if positions:
                    yield episode, positions

    def _run(self, jobs: Iterator[tuple[Episode, list[int]]], total: int) -> None:
        done = 0
        pending: set[Future[int]] = set()
        with ThreadPoolExecutor(self.workers, thread_name_prefix="asking") as pool:
            try:
                while True:
                    while len(pending) < 2 * self.workers and not self._stop():
                        job = next(jobs, None)
                        if job is None:
                            break
                        pending.add(pool.submit(self._chain, *job))
                    if not pending:
                        return
                    finished, pending = wait(pending, return_when=FIRST_COMPLETED)
                    for future in finished:
                        done += future.result()
                        self.on_progress(done, total)
            except BaseException:
                with self._lock:
                    self._stopped = self._stopped or "an error"
                for future in pending:
                    future.cancel()
                raise

    def _stop(self) -> bool:
        with self._lock:
            if not self._stopped and self.cancelled():
                self._stopped = "it was cancelled"
            if not self._stopped and self.spending.spent:
                self._stopped = "the budget is used up"
            return bool(self._stopped)

    def _chain(self, episode: Episode, positions: list[int]) -> int:
        """Asks about the steps of a chain; returns how many are done."""
        own = self._own(episode)
        done = 0
        for at in positions:
            if self._stop():
                return done
            request = self.builder.request(episode, at, own)
            answer = self._kept(request)
            if answer is None:
                answer = self._ask(request)
            done += 1
            if own is None:
                continue
            if answer is None:
                return len(positions)  # the rest waits for the next go
            self._remember(own, episode, at, answer)
        return done

    def _kept(self, request: Request) -> StoredAnswer | None:
        """An earlier answer to the same request, unless it is wanted again."""
        key = (request.episode, request.step)
        with self._lock:
            answer = self._answers.get(key)
        if answer is None or answer.request != request.sha256 or self.again is Again.ALL:
            return None
        if self.again is Again.CUT and answer.ended is Ended.CUT:
            return None
        return answer

    def _ask(self, request: Request) -> StoredAnswer | None:
        """Asks, and keeps what comes of it; None for a failure."""
        key = (request.episode, request.step)
        with self._lock:
            failed = self._failures.get(key)
            self._answers.pop(key, None)
        if (
            failed is not None
            and failed.permanent
            and failed.request == request.sha256
            and self.again is Again.MISSING
        ):
            return None
        sent = request.sent()
        try:
            received = self.ask(request.encode(sent), request.key)
        except RequestFailed as error:
            failure = Failure(
                request.episode,
                request.step,
                request.sha256,
                error.reason,
                error.faults,
                error.permanent,
            )
            self.files.append(failure)
            with self._lock:
                self._failures[key] = failure
                self._asked += 1
                self._in_a_row += 1
                limit = self.recipe.failures.stop_after
                if self._in_a_row >= limit and not self._stopped:
                    self._stopped = (
                        f"{limit} steps in a row failed, the last because {error.reason}"
                    )
            return None
        pixels = tuple(one.pixels_sha256 for one in sent)
        before = self.recipe.answers.reasoning == "before"
        answer = StoredAnswer.of(request, received, pixels, before)
        self.files.append(answer)
        with self._lock:
            self._answers[key] = answer
            self._failures.pop(key, None)
            self._asked += 1
            self._in_a_row = 0
            self.spending.add(received.tokens)
        self.on_answer(answer)
        return answer


def fingerprints(outcome: AskingResult, server: dict[str, Any]) -> dict[str, str]:
    """Returns the four hashes that two labs compare: steps, words, pictures, server.

    Args:
        server: what is known of the engine, see `probe`.
    """
    lines = [f"{one.episode}/{one.step}" for one in outcome.answers]
    tokens = [one.tokens[0] if one.tokens is not None else None for one in outcome.answers]
    return {
        "steps": _digest(lines),
        "words": _digest([one.words for one in outcome.answers]),
        "pictures": _digest([" ".join(one.pixels) for one in outcome.answers]),
        "server": _digest([repr(tokens), repr(sorted(server.items()))]),
    }


def summary(outcome: AskingResult, recipe: Recipe, server: dict[str, Any]) -> dict[str, Any]:
    """Returns what `run.json` says of a run."""
    answers = outcome.answers
    return {
        "recipe": recipe.name,
        "recipe_sha256": recipe.sha256,
        "recipe_text": recipe.canonical,
        "sentences": sentences.VERSION,
        "fingerprints": fingerprints(outcome, server),
        "server": server,
        "steps": outcome.total,
        "answers": len(answers),
        "failed": len(outcome.failures),
        "ended": {kind.value: outcome.ended[kind] for kind in Ended if outcome.ended[kind]},
        "tokens": [
            sum(one.tokens[0] for one in answers if one.tokens is not None),
            sum(one.tokens[1] for one in answers if one.tokens is not None),
        ],
        "attempts": sum(one.attempts for one in answers),
        "seconds": round(sum(one.seconds for one in answers), 3),
        "stopped": outcome.stopped,
        "versions": {"opencv": cv2.__version__, "pillow": PIL.__version__},
    }


def _digest(lines: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line.encode() + b"\n")
    return digest.hexdigest()
