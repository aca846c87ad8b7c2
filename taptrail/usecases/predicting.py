"""Asks a model about a library's steps and imports its answers as a run."""

from __future__ import annotations

import ipaddress
import json
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.formats.private_boxes import PrivacyCover
from episodes.store.library import Library
from episodes.store.queries import EpisodeQuery
from episodes.verdicts import Outcome
from replay.asking import answers_file
from replay.asking.answers_file import AnswerFiles, StoredAnswer
from replay.asking.client import Endpoint, Received, RequestFailed, read_completion
from replay.asking.function_model import FunctionModel
from replay.asking.neutral import new_recipe
from replay.asking.probe import ProbeResult, probe
from replay.asking.recipe import Recipe, load_recipe, recipe_from_table, settings_of
from replay.asking.requests import Request, RequestBuilder
from replay.asking.runner import Again, AskingResult, Repeated, Runner, Spending, summary
from replay.asking.templates import TemplateRenderer
from replay.dialect import Row
from replay.dialects import DIALECTS
from replay.joining import prediction_of
from scoring.protocols import lookup
from taptrail.usecases.importing import OnProgress
from taptrail.usecases.predictions import ImportedRun, import_predictions
from taptrail.usecases.step_sets import check_part, dataset_of

RUNS = "asked"
# Characters of text and pixels of a picture for one token; for estimates only.
CHARACTERS_A_TOKEN = 3.5
PIXELS_A_TOKEN = 28 * 28
STRICT = "taptrail-strict"


@dataclass(frozen=True)
class Selection:
    """The steps to ask about.

    Attributes:
        episodes: names; none for all.
        split: (split, part).
        limit: the maximum number of steps, from the first on.
    """

    dataset: str = ""
    version: str = ""
    split: tuple[str, str] | None = None
    episodes: tuple[str, ...] = ()
    limit: int | None = None


@dataclass(frozen=True)
class ModelServer:
    """The model to ask: an endpoint, or a Python function "module:function".

    Attributes:
        send_to: the host that the person agreed to send pictures to.
    """

    endpoint: str = ""
    function: str = ""
    key: str = field(default="", repr=False)
    send_to: str = ""


@dataclass(frozen=True)
class Estimate:
    """What a run would send.

    Attributes:
        size: bytes of all requests, from a sample of them.
        tokens_in: estimated; the server may count differently.
        left_out: steps that are not asked about: private, protected, without a picture, skipped.
    """

    steps: int
    episodes: int
    left_out: int
    size: int
    tokens_in: int
    money: float | None


@dataclass(frozen=True)
class PredictionRun:
    """How a run ended.

    Attributes:
        imported: None if no step was answered.
    """

    outcome: AskingResult
    summary: dict[str, Any]
    folder: Path
    imported: ImportedRun | None


def predict(
    recipe: Recipe,
    library_folder: Path,
    name: str,
    server: ModelServer,
    selection: Selection,
    *,
    workers: int = 16,
    again: Again = Again.MISSING,
    spending: Spending | None = None,
    probe_first: bool = False,
    repeat: int = 0,
    cancelled: Callable[[], bool] = lambda: False,
    on_progress: OnProgress | None = None,
    on_answer: Callable[[StoredAnswer], None] = lambda answer: None,
) -> PredictionRun:
    """Asks about each selected step and imports the answers as the run `name`.

    Args:
        repeat: so many answered steps are asked a second time, to see how many answers change.

    The same call continues after any interruption: an answer is kept until its request changes.

    Raises:
        KnownError: the library, recipe, server or selection is wrong, or the disk is full. Answers
            so far are kept and count in the next call.
    """
    _check_name(library_folder, name)
    with _asking(recipe, library_folder, selection, name) as asking, ExitStack() as stack:
        ask, endpoint = open_server(server, recipe, workers, stack)
        about: dict[str, Any] = {}
        if probe_first and endpoint is not None:
            about = _probed(endpoint, recipe, asking).to_json()
        runner = Runner(
            recipe,
            asking.builder,
            ask,
            AnswerFiles(run_folder(library_folder, name)),
            workers if endpoint is not None else 1,
            again,
            recipe.failures.stop_after,
            spending or Spending(),
            _strict(asking.builder) if recipe.history.source == "own-if-right" else None,
            cancelled,
            on_progress or (lambda done, total: None),
            on_answer,
        )
        outcome = runner.go(asking.episodes, selection.limit)
        twice = None
        if repeat and outcome.answers and not outcome.stopped:
            twice = runner.repeat(asking.episodes, outcome, repeat)
    return _finish(runner, outcome, about, library_folder, name, selection, asking, twice)


def estimate(
    recipe: Recipe,
    library_folder: Path,
    selection: Selection,
    *,
    price_in: float = 0.0,
    sample: int = 20,
) -> Estimate:
    """Counts what a run would send, without asking anybody.

    Raises:
        KnownError: as `predict`.
    """
    with _asking(recipe, library_folder, selection, "") as asking:
        steps = episodes = left_out = size = tokens = measured = 0
        for episode in asking.episodes():
            asked = [at for at, step in enumerate(episode.steps) if asking.builder.asks_about(step)]
            left_out += len(episode.steps) - len(asked)
            if selection.limit is not None:
                asked = asked[: selection.limit - steps]
            episodes += bool(asked)
            steps += len(asked)
            for at in asked:
                if measured == sample:
                    break
                own = {n: asking.builder.answer(step) for n, step in enumerate(episode.steps)}
                gold = recipe.history.source == "gold"
                request = asking.builder.request(episode, at, None if gold else own)
                size += len(request.encode(request.sent()))
                tokens += estimated_tokens(request)
                measured += 1
            if steps == selection.limit:
                break
    if measured:
        size, tokens = size * steps // measured, tokens * steps // measured
    money = tokens * price_in / 1e6 if price_in else None
    return Estimate(steps, episodes, left_out, size, tokens, money)


def estimated_tokens(request: Request) -> int:
    """Returns an estimate of the tokens of a request."""
    pixels = sum(one.size.width * one.size.height for one in request.pictures)
    return round(len(request.readable()) / CHARACTERS_A_TOKEN + pixels / PIXELS_A_TOKEN)


def show_request(
    recipe: Recipe, library_folder: Path, episode: str, step: int, selection: Selection
) -> Request:
    """Returns the exact request about one step, with its pictures loaded.

    Raises:
        KnownError: there is no such step, or the recipe does not ask about it.
    """
    chosen = Selection(selection.dataset, selection.version, episodes=(episode,))
    with _asking(recipe, library_folder, chosen, "") as asking:
        for found in asking.episodes():
            for at, one in enumerate(found.steps):
                if one.index == step and asking.builder.asks_about(one):
                    gold = {n: asking.builder.answer(held) for n, held in enumerate(found.steps)}
                    own = None if recipe.history.source == "gold" else gold
                    request = asking.builder.request(found, at, own)
                    request.sent()  # covered pictures exist only inside this block
                    return request
    raise KnownError(
        f"show the request about {episode}/{step}",
        "there is no such step, or it is private, protected, skipped or without a picture",
        "Choose a step that the recipe asks about.",
    )


def request_of_run(library_folder: Path, run: str, episode: str, step: int) -> str:
    """Returns the request about a step as a run's recipe makes it, as readable JSON.

    If the recipe's history holds the model's own answers, recorded actions replace them.

    Raises:
        KnownError: as `show_request`; or the run was imported from a file.
    """
    with Library.read(library_folder) as library:
        manifest = library.run(run)
    recipe = recipe_from_table(
        json.loads(run_summary(library_folder, run)["recipe_text"]), f"read the recipe of “{run}”"
    )
    selection = Selection(manifest.dataset, manifest.dataset_version)
    return show_request(recipe, library_folder, episode, step, selection).readable()


def write_requests(
    recipe: Recipe,
    library_folder: Path,
    file: Path,
    selection: Selection,
    on_progress: OnProgress | None = None,
) -> int:
    """Writes all requests as a batch file (`vllm run-batch` reads it); returns how many.

    Raises:
        KnownError: as `predict`; or the history needs the model's own answers.
    """
    if recipe.history.source != "gold" and recipe.history.form != "none":
        raise KnownError(
            f"write the requests to {file}",
            "the recipe's history needs the model's own answers",
            'Use source = "gold" in [history].',
        )
    part = file.with_name(file.name + ".part")
    written = 0
    try:
        with _asking(recipe, library_folder, selection, "") as asking, part.open("wb") as stream:
            for request in asking.requests():
                stream.write(request.batch_line(request.sent()))
                written += 1
                if on_progress is not None:
                    on_progress(written, None)
        part.replace(file)
    except OSError as error:
        raise KnownError(
            f"write the requests to {file}", error.strerror or str(error), "Make room."
        ) from error
    finally:
        part.unlink(missing_ok=True)
    return written


def read_batch(
    recipe: Recipe, library_folder: Path, name: str, file: Path, selection: Selection
) -> PredictionRun:
    """Imports the answers of a batch file, as if an endpoint had given them.

    A line without an answer is a failed step.

    Raises:
        KnownError: as `predict`; or the file is none.
    """
    answers = dict(_batch_answers(file))

    def ask(body: bytes, key: str) -> Received:
        found = answers.get(key, "the batch file has no answer to it")
        if isinstance(found, str):
            raise RequestFailed(found, ("batch",), permanent=False)
        return found

    with _asking(recipe, library_folder, selection, name) as asking:
        files = AnswerFiles(run_folder(library_folder, name))
        runner = Runner(recipe, asking.builder, ask, files, 2, stop_after=sys.maxsize)
        outcome = runner.go(asking.episodes, selection.limit)
    return _finish(runner, outcome, {"batch": file.name}, library_folder, name, selection, asking)


def probe_server(
    recipe: Recipe, library_folder: Path, server: ModelServer, selection: Selection
) -> ProbeResult:
    """Probes an endpoint with three requests.

    Raises:
        KnownError: the endpoint cannot be asked.
    """
    with _asking(recipe, library_folder, selection, "") as asking, ExitStack() as stack:
        _, endpoint = open_server(server, recipe, 1, stack)
        if endpoint is None:
            raise KnownError("probe the server", "a function is no server", "Name an endpoint.")
        return _probed(endpoint, recipe, asking)


def recipe_of(name: str, library_folder: Path, model: str = "", text: bool = False) -> Recipe:
    """Returns the recipe in a file, the neutral one of a dialect, or the one a run was asked with.

    Args:
        name: a file, a dialect or a run.
        model: the model's name at the server; "" for the recipe's.
        text: whether a dialect's neutral recipe shows a list of elements and no picture.

    Raises:
        KnownError: there is none of the three.
    """
    recipe = _recipe_of(name, library_folder, text)
    if not model:
        return recipe
    return msgspec.structs.replace(recipe, model=msgspec.structs.replace(recipe.model, name=model))


def _recipe_of(name: str, library_folder: Path, text: bool) -> Recipe:
    file = Path(name)
    if file.is_file() or file.suffix == ".toml":
        return load_recipe(file)
    if name in DIALECTS:
        return recipe_from_table(
            tomllib.loads(new_recipe(name, text)), f"write a recipe for “{name}”"
        )
    said = run_summary(library_folder, name)
    return recipe_from_table(json.loads(said["recipe_text"]), f"read the recipe of “{name}”")


def run_summary(library_folder: Path, name: str) -> dict[str, Any]:
    """Returns the stored summary of how a run was asked.

    Raises:
        KnownError: it was imported from a file, or there is no such run.
    """
    with Library.read(library_folder) as library:
        asking = library.run(name).asking
    if not asking:
        raise KnownError(
            f"read how the run “{name}” was asked",
            "it was imported from a file",
            "Only runs made with `taptrail predict` have a recipe.",
        )
    found = json.loads(asking)
    if not isinstance(found, dict) or not isinstance(found.get("recipe_text"), str):
        raise KnownError(
            f"read how the run “{name}” was asked", "it holds no recipe", "Make the run again."
        )
    return found


@dataclass(frozen=True)
class RecipeComparison:
    """Differences of two recipes, or of the recipes of two runs.

    Attributes:
        settings: a line for each key that differs.
        fingerprints: for two runs, whether each of the four is equal.
        first: the first requests that differ; None if none does.
    """

    settings: tuple[str, ...]
    fingerprints: dict[str, bool]
    first: tuple[Request, Request] | None

    def to_json(self) -> dict[str, Any]:
        """Returns the comparison for `--json`."""
        return {
            "settings": list(self.settings),
            "fingerprints": self.fingerprints,
            "first": None
            if self.first is None
            else {
                "step": self.first[0].key,
                "requests": [json.loads(one.readable()) for one in self.first],
            },
        }


def compare_recipes(
    one: str, other: str, library_folder: Path, selection: Selection
) -> RecipeComparison:
    """Compares recipes, given by file or by run, and their requests about a library's steps.

    Raises:
        KnownError: as `predict`.
    """
    ours, theirs = recipe_of(one, library_folder), recipe_of(other, library_folder)
    flat = [settings_of(recipe.canonical) for recipe in (ours, theirs)]
    settings = tuple(
        f"{key}: {flat[0].get(key, 'not set')} | {flat[1].get(key, 'not set')}"
        for key in sorted({*flat[0], *flat[1]})
        if flat[0].get(key) != flat[1].get(key)
    )
    same: dict[str, bool] = {}
    if not Path(one).is_file() and not Path(other).is_file():
        prints = [run_summary(library_folder, name)["fingerprints"] for name in (one, other)]
        same = {name: prints[0][name] == prints[1].get(name) for name in prints[0]}
    first = None
    with (
        _asking(ours, library_folder, selection, "") as mine,
        _asking(theirs, library_folder, selection, "") as yours,
    ):
        for left, right in zip(mine.requests(), yours.requests(), strict=False):
            if (left.key, left.sha256) != (right.key, right.sha256):
                first = (left, right)
                break
    return RecipeComparison(settings, same, first)


def run_folder(library_folder: Path, name: str) -> Path:
    """Returns where a run's answers are kept, beside the library's database.

    Raises:
        KnownError: the name cannot be a folder's.
    """
    plain = name.strip()
    if not plain or plain in (".", "..") or any(sign in plain for sign in "/\\:\0"):
        raise KnownError(
            f"keep the answers of “{name}”",
            "the name cannot be a folder's",
            "Choose a name without / \\ and :.",
        )
    return library_folder / RUNS / plain


def _check_name(library_folder: Path, name: str) -> None:
    """Refuses the name of a run that came from a file: asking would replace it."""
    with Library.read(library_folder) as library:
        taken = any(run.name == name for run in library.runs())
    if taken and not run_folder(library_folder, name).is_dir():
        raise KnownError(
            f"ask for the run “{name}”",
            "the library has a run of that name that was imported from a file",
            "Choose another name.",
        )


def goes_out(server: ModelServer) -> str:
    """Returns the host outside this network that would receive pictures; "" if there is none."""
    if not server.endpoint:
        return ""
    endpoint = Endpoint(server.endpoint)
    if endpoint.is_local:
        return ""
    try:
        return "" if ipaddress.ip_address(endpoint.host).is_private else endpoint.host
    except ValueError:
        return endpoint.host


@dataclass
class _Asking:
    """An open library, the recipe's builder, and the selected episodes."""

    builder: RequestBuilder
    episodes: Callable[[], Iterable[Episode]]
    dataset: str
    version: str

    def requests(self) -> Iterator[Request]:
        """Yields the requests with a history of gold actions, in canonical order."""
        for episode in self.episodes():
            for at, step in enumerate(episode.steps):
                if not episode.private and self.builder.asks_about(step):
                    yield self.builder.request(episode, at)


@contextmanager
def _asking(
    recipe: Recipe, library_folder: Path, selection: Selection, name: str
) -> Iterator[_Asking]:
    doing = f"ask about the steps of {library_folder}"
    with ExitStack() as stack:
        library = stack.enter_context(Library.read(library_folder))
        names = selection.episodes
        dataset, version = dataset_of(library, names, selection.dataset, selection.version, doing)
        query = EpisodeQuery(dataset=dataset, version=version, split=selection.split)
        if selection.split is not None:
            check_part(library, selection.split, doing, dataset, version)
        found = sorted(summary.name for summary in library.episodes(query))
        for one in names:
            if one not in found:
                raise KnownError(doing, f"there is no episode “{one}”", "Check the name.")
        chosen = [one for one in found if not names or one in names]
        covered = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="taptrail-")))
        cover = PrivacyCover(library.stills, covered)
        renderer = TemplateRenderer()
        stack.callback(renderer.close)

        def episodes() -> Iterator[Episode]:
            for one in chosen:
                yield cover.episode(library.episode(one, dataset, version))

        yield _Asking(RequestBuilder(recipe, cover, renderer), episodes, dataset, version)


def open_server(
    server: ModelServer, recipe: Recipe, workers: int, stack: ExitStack
) -> tuple[Callable[[bytes, str], Received], Endpoint | None]:
    if bool(server.endpoint) == bool(server.function):
        raise KnownError(
            "ask a model", "neither or both of an endpoint and a function are named", "Name one."
        )
    if server.function:
        model = FunctionModel(server.function, recipe.failures.timeout_s)
        stack.callback(model.close)
        return model.ask, None
    host = goes_out(server)
    if host and server.send_to != host:
        raise KnownError(
            f"ask {server.endpoint}",
            f"screenshots would leave this network for {host}",
            f"Confirm it with --send-to {host}.",
        )
    limits = recipe.failures
    endpoint = Endpoint(server.endpoint, server.key, limits.timeout_s, limits.attempts, workers)
    return endpoint.ask, endpoint


def _probed(endpoint: Endpoint, recipe: Recipe, asking: _Asking) -> ProbeResult:
    first = next(iter(asking.requests()), None)
    if first is None:
        raise KnownError("probe the server", "no step is asked about", "Select other steps.")
    return probe(endpoint, recipe, first.pictures[0].size, estimated_tokens(first))


def _strict(builder: RequestBuilder) -> Callable[[Episode, int, str], bool]:
    """Returns a function that tells whether an answer matches under `taptrail-strict`."""
    protocol = lookup(STRICT)

    def is_right(episode: Episode, at: int, raw: str) -> bool:
        step = episode.steps[at]
        row = Row(episode.name, step.index, raw, raw)
        prediction = prediction_of(row, step, builder.recipe.dialect, builder.declared)
        return protocol.verdict(prediction, step, episode).outcome is Outcome.MATCH

    return is_right


def _finish(
    runner: Runner,
    outcome: AskingResult,
    about: dict[str, Any],
    library_folder: Path,
    name: str,
    selection: Selection,
    asking: _Asking,
    twice: Repeated | None = None,
) -> PredictionRun:
    recipe = runner.recipe
    said = summary(outcome, recipe, about)
    if twice is not None:
        said["repeated"] = twice.to_json()
    runner.files.close(outcome.answers, outcome.failures, said)
    folder = runner.files.folder
    if not outcome.answers:
        return PredictionRun(outcome, said, folder, None)
    imported = import_predictions(
        (folder / answers_file.ANSWERS,),
        name,
        library_folder,
        dialect="raw",
        dialect_of_text=recipe.answers.dialect,
        declared=asking.builder.declared,
        model=recipe.model.name,
        history=f"{recipe.history.source} {recipe.history.form}, last {recipe.history.last}",
        observation=f"screenshot {recipe.picture.rule}, tree {recipe.shows.tree}",
        dataset=asking.dataset,
        dataset_version=asking.version,
        split=selection.split,
        only_answered=bool(selection.episodes) or selection.limit is not None,
        replace=True,
        asking=json.dumps(said, ensure_ascii=False, sort_keys=True),
        answers={(one.episode, one.step): one.answered for one in outcome.answers},
    )
    return PredictionRun(outcome, said, folder, imported)


def _batch_answers(file: Path) -> Iterator[tuple[str, Received | str]]:
    """Yields each line's step with its answer, or with the reason why it has none."""
    doing = f"read the batch answers {file.name}"
    try:
        with file.open("rb") as stream:
            for number, line in enumerate(stream, 1):
                if not line.strip():
                    continue
                try:
                    told = json.loads(line)
                    key = told["custom_id"]
                    body = (told.get("response") or {}).get("body")
                except (ValueError, KeyError, TypeError, AttributeError) as error:
                    raise KnownError(
                        doing,
                        f"line {number} is no answer of a batch",
                        "Give the file that the batch wrote, with custom_id in each line.",
                    ) from error
                if body is None:
                    yield key, f"the batch says {json.dumps(told.get('error'))[:200]}"
                else:
                    yield key, read_completion(json.dumps(body).encode())
    except OSError as error:
        raise KnownError(doing, error.strerror or str(error), "Check the path.") from error
