"""`taptrail predict` and `taptrail recipes`."""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from taptrail.cli.output import (
    ListedOption,
    json_option,
    known_protocols,
    library_option,
    print_json,
    progress,
    say,
    table,
)
from taptrail.cli.scoring import metrics_table, say_beside
from taptrail.settings import API_KEY
from taptrail.words import tr

if TYPE_CHECKING:
    from replay.asking.probe import ProbeResult
    from taptrail.usecases.predicting import PredictionRun, Selection


def _selecting(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options that choose steps."""
    options = (
        click.option("--dataset", default="", help=tr("The data set of the steps.")),
        click.option("--dataset-version", default="", help=tr("The data set's version.")),
        click.option("--split", default="", help=tr("Only the episodes of SPLIT or SPLIT/PART.")),
        click.option("--episode", "episodes", multiple=True, help=tr("Only this episode.")),
        click.option("--limit", type=click.IntRange(1), help=tr("The maximum number of steps.")),
    )
    for option in reversed(options):
        command = option(command)
    return command


def _selection(
    dataset: str, dataset_version: str, split: str, episodes: tuple[str, ...], limit: int | None
) -> Selection:
    from taptrail.usecases.predicting import Selection
    from taptrail.usecases.step_sets import split_of

    part = split_of(split) if split else None
    return Selection(dataset, dataset_version, part, episodes, limit)


@click.command(help=tr("Ask a model about recorded steps, and make a run of its answers."))
@click.argument("recipe_name", metavar="RECIPE")
@click.option("--model", default="", help=tr("The model's name at the server."))
@click.option("--name", default="", help=tr("The run's name."))
@click.option("--endpoint", default="", help=tr("Address of an OpenAI-compatible server, to /v1."))
@click.option("--model-function", default="", help=tr("MODULE:FUNCTION instead of a server."))
@click.option(
    "--key-from",
    type=click.Path(dir_okay=False, path_type=Path),
    help=tr("A file with the key; without it, the variable {name}.", name=API_KEY),
)
@click.option("--send-to", default="", help=tr("The host that may receive screenshots."))
@_selecting
@click.option("--workers", type=click.IntRange(1, 512), default=16, show_default=True)
@click.option(
    "--again",
    type=click.Choice(["failed", "cut", "all"]),
    help=tr("Ask again about steps that failed, were cut off, or all."),
)
@click.option(
    "--repeat",
    type=click.IntRange(1),
    metavar="N",
    help=tr("Ask N of the steps a second time, and tell how many answers change."),
)
@click.option(
    "--score",
    "protocol",
    cls=ListedOption,
    known=known_protocols,
    help=tr("Score the run under NAME or NAME@VERSION when it is complete."),
)
@click.option("--price", nargs=2, type=float, default=(0.0, 0.0), help=tr("Per million tokens."))
@click.option("--budget", type=float, help=tr("Stop when this much money is spent."))
@click.option("--dry-run", is_flag=True, help=tr("Only count steps, bytes, tokens and money."))
@click.option("--probe", "probe_only", is_flag=True, help=tr("Only probe the server."))
@click.option("--show", metavar="EPISODE/STEP", help=tr("Only print the exact request."))
@click.option(
    "--write-requests",
    type=click.Path(dir_okay=False, path_type=Path),
    help=tr("Write a batch file instead of asking."),
)
@click.option(
    "--read-answers",
    type=click.Path(dir_okay=False, path_type=Path),
    help=tr("Read the answers from a batch file."),
)
@library_option
@json_option
def predict(
    recipe_name: str,
    model: str,
    name: str,
    endpoint: str,
    model_function: str,
    key_from: Path | None,
    send_to: str,
    dataset: str,
    dataset_version: str,
    split: str,
    episodes: tuple[str, ...],
    limit: int | None,
    workers: int,
    again: str | None,
    repeat: int | None,
    protocol: str | None,
    price: tuple[float, float],
    budget: float | None,
    dry_run: bool,
    probe_only: bool,
    show: str | None,
    write_requests: Path | None,
    read_answers: Path | None,
    library: Path,
    as_json: bool,
) -> int:
    """`taptrail predict RECIPE`"""
    from replay.asking.runner import Again, Spending
    from taptrail.usecases import predicting

    recipe = predicting.recipe_of(recipe_name, library, model)
    selection = _selection(dataset, dataset_version, split, episodes, limit)
    if dry_run:
        return _say_estimate(
            predicting.estimate(recipe, library, selection, price_in=price[0]), as_json
        )
    if show is not None:
        return _show(recipe, library, show, selection)
    if write_requests is not None:
        with progress(tr("Writing")) as on_progress:
            count = predicting.write_requests(
                recipe, library, write_requests, selection, on_progress
            )
        if as_json:
            print_json({"requests": count, "file": str(write_requests)})
        else:
            say(tr("{n} request written.", "{n} requests written.", n=count))
        return 0
    server = predicting.ModelServer(endpoint, model_function, read_key(key_from), send_to)
    host = predicting.goes_out(server)
    if host and not send_to and sys.stdin.isatty():
        click.confirm(tr("Send screenshots to {host}?", host=host), abort=True)
        server = predicting.ModelServer(endpoint, model_function, read_key(key_from), host)
    if probe_only:
        return _say_probe(predicting.probe_server(recipe, library, server, selection), as_json)
    if not name.strip():
        raise click.UsageError(tr("Missing option “--name”."))
    if read_answers is not None:
        done = predicting.read_batch(recipe, library, name, read_answers, selection)
    else:
        with progress(tr("Asking")) as on_progress:
            done = predicting.predict(
                recipe,
                library,
                name,
                server,
                selection,
                workers=workers,
                again=Again(again) if again else Again.MISSING,
                spending=Spending(*price, budget),
                probe_first=bool(endpoint),
                repeat=repeat or 0,
                on_progress=on_progress,
            )
    return _say_run(done, name, library, protocol, as_json)


def read_key(file: Path | None) -> str:
    """Returns the key in a file, or the one in the environment; "" for none."""
    if file is None:
        return os.environ.get(API_KEY, "")
    from episodes.errors import KnownError

    try:
        return file.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise KnownError(f"read the key from {file}", str(error), "Check the file.") from error


def _show(recipe: Any, library: Path, show: str, selection: Selection) -> int:
    from taptrail.usecases.predicting import show_request

    episode, _, number = show.rpartition("/")
    if not episode or not number.isdigit():
        raise click.UsageError(tr("--show takes EPISODE/STEP, for example e-0001/3."))
    request = show_request(recipe, library, episode, int(number), selection)
    say(request.readable())
    return 0


def _say_estimate(found: Any, as_json: bool) -> int:
    if as_json:
        from dataclasses import asdict

        print_json(asdict(found))
    else:
        say(
            tr(
                "{n} step of {episodes} episodes; {size:.1f} MB; about {tokens:,} tokens in; "
                "{left_out} not asked.",
                "{n} steps of {episodes} episodes; {size:.1f} MB; about {tokens:,} tokens in; "
                "{left_out} not asked.",
                n=found.steps,
                episodes=found.episodes,
                size=found.size / 1e6,
                tokens=found.tokens_in,
                left_out=found.left_out,
            )
        )
        if found.money is not None:
            say(tr("About {money:.2f} for what is sent.", money=found.money))
    return 0 if found.steps else 1


def _say_probe(found: ProbeResult, as_json: bool) -> int:
    if as_json:
        print_json(found.to_json() | {"notes": list(found.notes)})
        return 0
    if found.factor is not None:
        say(
            tr(
                "The server takes pictures as they are sent, and counts a token for "
                "{factor} x {factor} pixels.",
                factor=found.factor,
            )
        )
    for note in found.notes:
        say(f"- {note}")
    return 0


def _say_run(
    done: PredictionRun, name: str, library: Path, protocol: str | None, as_json: bool
) -> int:
    from taptrail.usecases.scoring import score_run

    said = done.summary
    failed = bool(said["failed"]) or said["answers"] < said["steps"] or done.imported is None
    if as_json:
        counts = done.imported.counts if done.imported is not None else None
        unreadable = counts.unreadable if counts is not None else 0
        more = {"run": name, "folder": str(done.folder), "unreadable": unreadable}
        if protocol is not None and not failed:
            from replay.score_runs import score_to_json

            scored = score_run(name, protocol, library, keep_steps=False, keep_facts=False)
            more["score"] = score_to_json(scored, str(library))
        print_json(said | more)
        return 1 if failed else 0
    say(
        tr(
            "{answers} of {n} step answered; {failed} failed. The answers are in {folder}.",
            "{answers} of {n} steps answered; {failed} failed. The answers are in {folder}.",
            n=said["steps"],
            answers=said["answers"],
            failed=said["failed"],
            folder=done.folder,
        )
    )
    if "repeated" in said:
        twice = said["repeated"]
        changed = len(twice["changed"])
        say(
            tr(
                "{n} step asked a second time: {changed} changed its answer{where}.",
                "{n} steps asked a second time: {changed} changed their answer{where}.",
                n=twice["asked"],
                changed=changed,
                where=f" ({', '.join(twice['changed'][:5])})" if changed else "",
            )
        )
    ended = {kind: count for kind, count in said["ended"].items() if kind != "stop"}
    for kind, count in ended.items():
        say(f"- {tr(kind.replace('_', ' '))}: {count:,}")
    for failure in done.outcome.failures[:5]:
        say(f"- {failure.episode}/{failure.step}: {failure.reason}")
    if said["stopped"]:
        say(tr("It stopped early: {why}.", why=said["stopped"]))
    if failed:
        say(tr("Run the same command again to continue."))
    elif done.imported is not None:
        for note in done.imported.notes:
            say(f"- {note}")
    if protocol is not None and not failed:
        scored = score_run(name, protocol, library, keep_steps=False, keep_facts=False)
        metrics_table(scored)
        say_beside(scored)
    return 1 if failed else 0


@click.group(help=tr("Write, list and compare recipes: what decides how a model is asked."))
def recipes() -> None:
    """`taptrail recipes`"""


@recipes.command(
    help=tr("Print a recipe: a dialect's with a neutral prompt, or a published setting.")
)
@click.argument("dialect")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help=tr("File to write."))
def new(dialect: str, out: Path | None) -> None:
    """`taptrail recipes new DIALECT`"""
    from replay.asking.neutral import new_recipe
    from replay.asking.published import PUBLISHED

    text = new_recipe(dialect)
    if out is None:
        click.echo(text)
        return
    from episodes.errors import KnownError

    try:
        with out.open("x", encoding="utf-8") as stream:
            stream.write(text)
        if dialect in PUBLISHED:
            say(tr("Put this file beside it: {file}.", file=PUBLISHED[dialect].to_bring))
    except OSError as error:
        found = error.strerror or str(error)
        raise KnownError(f"write {out}", found, "Choose another file.") from error


@recipes.command("list", help=tr("List the dialects a recipe can be written for."))
@json_option
def list_(as_json: bool) -> None:
    """`taptrail recipes list`"""
    from replay.asking.published import PUBLISHED
    from replay.asking.requests import action_forms
    from replay.dialect import Declared
    from replay.dialects import DIALECTS

    rows = []
    for name, dialect in DIALECTS.items():
        declared = dialect.declared(Declared())
        forms = [one["name"] for one in action_forms(name, declared)]
        rows.append((name, dialect.title, declared.coordinates, forms))
    if as_json:
        keys = ("dialect", "title", "coordinates", "actions")
        published = [
            {
                "name": name,
                "title": one.title,
                "repository": one.repository,
                "path": one.path,
                "sha256": one.sha256,
            }
            for name, one in PUBLISHED.items()
        ]
        rows_as_json = [dict(zip(keys, row, strict=True)) for row in rows]
        print_json({"recipes": rows_as_json, "published": published})
        return
    table(
        "",
        (tr("dialect"), tr("title"), tr("coordinates"), tr("actions")),
        [(name, title, space, str(len(forms))) for name, title, space, forms in rows],
    )
    table(
        tr("Published settings"),
        (tr("name"), tr("title"), tr("file to bring")),
        [(name, one.title, one.to_bring) for name, one in PUBLISHED.items()],
    )


@recipes.command(help=tr("Print a recipe's request about one step."))
@click.argument("recipe")
@click.option("--episode", required=True, help=tr("The episode's name."))
@click.option("--step", type=click.IntRange(0), required=True, help=tr("The step's number."))
@library_option
def show(recipe: str, episode: str, step: int, library: Path) -> None:
    """`taptrail recipes show RECIPE --episode E --step N`"""
    from taptrail.usecases.predicting import Selection, recipe_of, show_request

    request = show_request(recipe_of(recipe, library), library, episode, step, Selection())
    say(request.readable())


@recipes.command(
    help=tr("Show the differences of two recipes or runs, and the first request that differs.")
)
@click.argument("one")
@click.argument("other")
@_selecting
@library_option
@json_option
def diff(
    one: str,
    other: str,
    dataset: str,
    dataset_version: str,
    split: str,
    episodes: tuple[str, ...],
    limit: int | None,
    library: Path,
    as_json: bool,
) -> int:
    """`taptrail recipes diff A B`"""
    from taptrail.usecases.predicting import compare_recipes

    selection = _selection(dataset, dataset_version, split, episodes, limit)
    found = compare_recipes(one, other, library, selection)
    if as_json:
        print_json(found.to_json())
        return 0
    for line in found.settings:
        say(line)
    for name, same in found.fingerprints.items():
        say(f"{tr(name)}: {tr('equal') if same else tr('different')}")
    if found.first is None:
        say(tr("No request differs."))
        return 0
    ours, theirs = found.first
    say(tr("The first request that differs is about {key}:", key=ours.key))
    lines = difflib.unified_diff(
        ours.readable().splitlines(), theirs.readable().splitlines(), one, other, lineterm="", n=2
    )
    say("\n".join(lines))
    return 0
