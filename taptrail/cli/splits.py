"""`taptrail splits`: read, make, list, show and check the splits of data sets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from taptrail.cli.output import (
    ListedOption,
    json_option,
    library_option,
    print_json,
    printable,
    say,
    table,
)
from taptrail.words import tr

if TYPE_CHECKING:
    from episodes.store.splits import KnownSplit
    from taptrail.usecases.split_labels import LabelFile
    from taptrail.usecases.splits import SplitChecked, SplitMade

LISTED = 20
FILE = click.Path(dir_okay=False, path_type=Path)


def _ways() -> tuple[str, ...]:
    from taptrail.usecases.split_labels import WAYS

    return WAYS


def _kinds() -> tuple[str, ...]:
    from taptrail.usecases.split_labels import KINDS

    return KINDS


def _shares(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> tuple[int, ...] | None:
    if value is None:
        return None
    words = value.split("/")
    if len(words) != 3 or not all(w.isascii() and w.isdigit() and len(w) < 7 for w in words):
        raise click.BadParameter(
            tr(
                "“{value}” is not three whole numbers below 1,000,000. Give the shares of train, "
                "validation and test, as in 80/10/10.",
                value=printable(value),
            )
        )
    return tuple(map(int, words))


def _dataset_options(*, required: bool) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        command = click.option(
            "--dataset-version", default="", help=tr("Version of the data set.")
        )(command)
        return click.option(
            "--dataset", default="", required=required, help=tr("Name of the data set.")
        )(command)

    return add


@click.group(help=tr("Split data sets into parts, and check that nothing is in two parts."))
def splits() -> None:
    """`taptrail splits`"""


@splits.command("read", help=tr("Read a published split from its file."))
@click.argument("file", type=FILE)
@_dataset_options(required=True)
@click.option("--name", default="", help=tr("Its name; default: the file's."))
@library_option
@json_option
def read(
    file: Path, dataset: str, dataset_version: str, name: str, library: Path, as_json: bool
) -> None:
    """`taptrail splits read FILE --dataset NAME`"""
    from taptrail.usecases.splits import read_split

    found = read_split(library, file, dataset, dataset_version, name=name)
    _told(found, as_json)


@splits.command("make", help=tr("Make a split; its name gets a number and it never changes."))
@click.option(
    "--by",
    required=True,
    cls=ListedOption,
    known=_ways,
    help=tr("The kind of label that parts must not share."),
)
@_dataset_options(required=True)
@click.option("--seed", type=click.IntRange(0, 2**31), default=0, show_default=True)
@click.option(
    "--shares",
    callback=_shares,
    metavar="A/B/C",
    help=tr("Of train, validation and test: 80/10/10, by version 90/10/0."),
)
@click.option(
    "--labels",
    type=FILE,
    help=tr("JSON file that gives each template, domain, ... its episodes or instructions."),
)
@click.option("--name", default="", help=tr("Its name, without the number."))
@library_option
@json_option
def make(
    by: str,
    dataset: str,
    dataset_version: str,
    seed: int,
    shares: tuple[int, ...] | None,
    labels: Path | None,
    name: str,
    library: Path,
    as_json: bool,
) -> None:
    """`taptrail splits make --by app --dataset NAME`"""
    from taptrail.usecases.splits import make_split

    found = make_split(
        library,
        dataset,
        by,
        version=dataset_version,
        seed=seed,
        shares=shares,
        name=name,
        labels_file=labels,
    )
    _told(found, as_json)


@splits.command("list", help=tr("List the splits of a library."))
@library_option
@json_option
def list_(library: Path, as_json: bool) -> None:
    """`taptrail splits list`"""
    from taptrail.usecases.splits import list_splits

    found = list_splits(library)
    if as_json:
        print_json({"splits": [_json(one) for one in found]})
        return
    if not found:
        say(tr("No split. Make one with: taptrail splits make."))
        return
    table(
        "",
        (tr("data set"), tr("split"), tr("parts"), tr("rule")),
        [
            (_whose(one), one.split.name, _parts(one), one.split.rule or tr("with the data set"))
            for one in found
        ],
    )


@splits.command("show", help=tr("Show a split: its rule, its parts and their episodes."))
@click.argument("name")
@_dataset_options(required=False)
@library_option
@json_option
def show(name: str, dataset: str, dataset_version: str, library: Path, as_json: bool) -> None:
    """`taptrail splits show NAME`"""
    import json

    from taptrail.usecases.splits import show_split

    known, members = show_split(library, name, dataset, dataset_version)
    if as_json:
        split = known.split
        print_json(
            _json(known)
            | {
                "masking": json.loads(split.masking) if split.masking else None,
                "made_by": json.loads(split.made_by) if split.made_by else None,
                "members": [{"episode": episode, "part": part} for episode, part in members],
            }
        )
        return
    say(f"{known.split.name}  {_whose(known)}\n  {known.split.rule or tr('with the data set')}")
    for part, count in known.parts:
        named = [episode for episode, where in members if where == part]
        more = tr(" and {n} more", n=count - LISTED) if count > LISTED else ""
        say(f"  {part}: {count}\n    {', '.join(named[:LISTED])}{more}")


@splits.command("check", help=tr("Check that no episode, app, template, ... is in two parts."))
@click.argument("name")
@_dataset_options(required=False)
@click.option(
    "--apart",
    multiple=True,
    cls=ListedOption,
    known=_kinds,
    help=tr("The kind of label to check; default: the one the split was made by."),
)
@library_option
@json_option
@click.pass_context
def check(
    context: click.Context,
    name: str,
    dataset: str,
    dataset_version: str,
    apart: tuple[str, ...],
    library: Path,
    as_json: bool,
) -> None:
    """`taptrail splits check NAME`"""
    from taptrail.usecases.splits import check_split

    found = check_split(library, name, dataset, dataset_version, apart=apart)
    if as_json:
        print_json(
            {
                "split": found.known.split.name,
                "kinds": list(found.kinds),
                "episodes": found.episodes,
                "unknown": dict(found.unknown),
                "labels_of": found.given,
                "crossings": [
                    {
                        "kind": one.kind,
                        "label": one.label,
                        "parts": {part: list(names) for part, names in one.where},
                        "sentence": one.sentence,
                    }
                    for one in found.crossings
                ],
            }
        )
    else:
        _say_checked(found)
    if found.crossings:
        context.exit(1)


def _say_checked(found: SplitChecked) -> None:
    for one in found.crossings:
        say(one.sentence)
    if not found.crossings:
        say(
            tr(
                "Nothing is in two parts of {name}: {n} episodes, checked by {kinds}.",
                name=found.known.split.name,
                n=found.episodes,
                kinds=", ".join(found.kinds),
            )
        )
    if found.given:
        say(
            tr(
                "The labels are those of {file} that are stored with the split.",
                file=printable(found.given),
            )
        )
    for kind, count in found.unknown.items():
        if count:
            say(tr("! {count} episodes have no {kind}", count=f"{count:,}", kind=kind))


def _told(found: SplitMade, as_json: bool) -> None:
    if as_json:
        print_json(
            _json(found.known)
            | {
                "left_out": dict(found.left_out),
                "labels": dict(found.labels),
                "absent": len(found.absent),
                "twice": found.twice,
                "unchanged": found.unchanged,
                "label_file": _file_json(found.label_file),
            }
        )
        return
    known = found.known
    say(f"{known.split.name}  {_whose(known)}: {_parts(known)}")
    if found.unchanged:
        say(tr("It was here already, with the same episodes."))
    if known.split.rule:
        say(f"  {known.split.rule}")
    if found.labels:
        say("  " + tr("labels: ") + ", ".join(f"{p} {n}" for p, n in found.labels.items()))
    for why, count in found.left_out.items():
        say(tr("! {count} episodes left out: {why}", count=f"{count:,}", why=why))
    if found.label_file is not None:
        _say_labels(found.label_file)
    if found.absent:
        say(
            tr(
                "! {count} names match no episode here, the first is {first}",
                count=f"{len(found.absent):,}",
                first=found.absent[0],
            )
        )
    if found.twice:
        say(tr("! {count} names are listed twice in a part", count=f"{found.twice:,}"))


def _say_labels(told: LabelFile) -> None:
    say(
        tr(
            "  {taken} entries of {file} give a label",
            taken=f"{told.taken:,}",
            file=printable(told.name),
        )
    )
    for left in told.left_out:
        say(
            tr(
                "! {count} entries of {file} are left out, the first is {first}: {why}",
                count=f"{left.count:,}",
                file=printable(told.name),
                first=printable(left.first),
                why=left.reason,
            )
        )


def _file_json(told: LabelFile | None) -> dict[str, Any] | None:
    if told is None:
        return None
    left = [{"why": one.reason, "first": one.first, "count": one.count} for one in told.left_out]
    return {"file": told.name, "taken": told.taken, "left_out": left}


def _json(known: KnownSplit) -> dict[str, Any]:
    split = known.split
    return {
        "name": split.name,
        "dataset": split.dataset,
        "version": split.version,
        "rule": split.rule,
        "file": split.file,
        "sha256": split.sha256,
        "parts": dict(known.parts),
    }


def _whose(known: KnownSplit) -> str:
    split = known.split
    return f"{split.dataset}@{split.version}" if split.version else split.dataset


def _parts(known: KnownSplit) -> str:
    return ", ".join(f"{part} {count:,}" for part, count in known.parts)
