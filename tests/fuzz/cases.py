"""What can be damaged, and what is done with it: the use cases that the commands call.

A case is a subject and a number; both together decide everything in it. It is prepared first, which
is not measured, and then done, which is.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from episodes.errors import KnownError
from episodes.formats import FORMATS
from episodes.media import pictures
from episodes.store.library import Library
from episodes.trees.readers import read_record, read_tree
from replay.dialect import Declared
from replay.dialects import DIALECTS
from scoring.protocols import PROTOCOLS
from taptrail.usecases.exporting import export_episodes
from taptrail.usecases.importing import import_episodes
from taptrail.usecases.predictions import check_predictions, import_predictions
from taptrail.usecases.scoring import score_run
from taptrail.usecases.splits import read_split
from tests.fuzz import samples
from tests.fuzz.mutators import hostile, of_bytes, of_folders, of_json
from tests.fuzz.mutators.of_pictures import drawn
from tests.fuzz.samples import Files
from tests.fuzz.texts import TEXTS

SPACES = ("", "", "", "0-1", "0-999", "0-1000", "pixels", "resized:999x10", "resized:28:1:99999")
SPLIT_FILE = "random_split.json"
Act = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A case that waits to be done.

    Attributes:
        said: what was damaged, and how.
        acts: what is done, one after the other; a known error ends one of them.
        export: what is done last, if anything; it takes as long as what it has to write.
    """

    said: str
    acts: tuple[Act, ...]
    export: Act | None = None


class Bench:
    """All subjects, over small valid files that lie in a folder."""

    def __init__(self, folder: Path) -> None:
        """Makes the files."""
        self._files = samples.everything(folder)
        self._gold = samples.gold(folder, self._files)
        self._regions = folder / "library"  # whose steps the COCO file speaks of
        self._empty = folder / "empty"  # copied, as making one takes longer than most cases
        Library.open(self._empty).close()
        self._places = samples.places(self._gold)
        self.subjects: dict[str, Callable[[Random, Path], Prepared]] = {}
        for name, files in self._files.items():
            self.subjects[f"import/{name}"] = self._importing(files)
        for name in DIALECTS:
            self.subjects[f"predictions/{name}"] = self._predicting(name, bare=False)
            if name != "taptrail":
                self.subjects[f"raw/{name}"] = self._predicting(name, bare=True)
        own = self._files["taptrail"]
        for name in samples.TREES.values():
            self.subjects[f"tree/{name}"] = self._importing(own, only=name)
        for name in ("0.png", "1.jpg", "2.webp", "mask.png"):
            self.subjects[f"picture/{name}"] = self._importing(own, only=name)
        self.subjects["split/read"] = self._splitting

    def prepare(self, subject: str, number: int, work: Path) -> Prepared:
        """Makes a case's files in an empty folder: `data` to be read, `library` to write in."""
        (work / hostile.SECRET).write_bytes(_secret())
        return self.subjects[subject](Random(f"{subject}:{number}"), work)

    def _importing(self, files: Files, only: str = "") -> Callable[[Random, Path], Prepared]:
        def prepare(rng: Random, work: Path) -> Prepared:
            data, library = work / "data", work / "library"
            shutil.copytree(files.folder, data)
            said = of_folders.mutate(data, rng, only=only)
            _copied(self._regions if files.format == "coco" else self._empty, library)
            if only and not only.endswith((".png", ".jpg", ".webp")):
                name = next(n for n, file in samples.TREES.items() if file == only)
                first: tuple[Act, ...] = (lambda: _read_tree(name, data / only),)
            else:
                first = (lambda: _read_picture(data / only),) if only else ()
            inside = _a_file(data, rng) if not only and rng.random() < 0.1 else data
            acts: list[Act] = [
                *first,
                lambda: _import(files, inside, library),
                lambda: _look_at_all(library),
            ]
            if rng.random() < (1.0 if only else 0.3):
                acts.append(_scoring_of_own(work, library, rng))
            written = _exporting(library, work / "export", rng) if rng.random() < 0.35 else None
            return Prepared(said, tuple(acts), written)

        return prepare

    def _predicting(self, dialect: str, *, bare: bool) -> Callable[[Random, Path], Prepared]:
        def prepare(rng: Random, work: Path) -> Prepared:
            data, library = work / "data", work / "library"
            data.mkdir()
            _copied(self._gold, library)
            dataset = rng.choice(list(self._places))
            places = self._places[dataset]
            named, said = rng.random() < 0.85, []
            rows = _rows(dialect, places, rng, bare=bare, named=named)
            if rng.random() < 0.6:  # what the model said, in a row that is as it should be
                at = rng.randrange(len(rows))
                rows[at] = _said_badly(rows[at], rng)
                said.append(f"row {at} says something else")
            name = rng.choice(("run.jsonl", "run.json", f"general-{places[0][0]}_0.json"))
            content = _written(rows, rng)
            if not said or rng.random() < 0.3:
                content, how = of_folders.content(name, content, rng)
                said.append(f"{name}: {how}")
            (data / name).write_bytes(content)
            order = _order(data, places, rng) if not named and rng.random() < 0.6 else None
            told: dict[str, Any] = {
                "dialect": "raw" if bare else dialect,
                "dialect_of_text": dialect if bare else "",
                "declared": Declared(rng.choice(SPACES), rng.choice(("", "", "finger", "content"))),
                "dataset": "" if rng.random() < 0.1 else dataset,
                "order": order,
            }
            file = data / name
            if rng.random() < 0.1:
                protocol = rng.choice(list(PROTOCOLS))
                check: Act = lambda: _checked(file, library, told, protocol)  # noqa: E731
                return Prepared("; ".join(said), (check,))
            only = rng.random() < 0.3
            run: Act = lambda: _predicted(file, library, told, only)  # noqa: E731
            scores = [_scoring(library, rng) for _ in range(3)]
            return Prepared("; ".join(said), (run, *scores))

        return prepare

    def _splitting(self, rng: Random, work: Path) -> Prepared:
        data, library = work / "data", work / "library"
        data.mkdir()
        _copied(self._gold, library)
        dataset = rng.choice(list(self._places))
        names = sorted({name for name, _ in self._places[dataset]})
        value = {"train": names[:1], "validation": [], "test": [*names[1:], "nobody"]}
        content, how = of_folders.content(SPLIT_FILE, json.dumps(value).encode(), rng)
        (data / SPLIT_FILE).write_bytes(content)

        def act() -> None:
            read_split(library, data / SPLIT_FILE, dataset)

        return Prepared(how, (act,))


def _secret() -> bytes:
    """A right picture that must not come in: its size is like no other."""
    return drawn(".png", 41, 43)


def _copied(library: Path, to: Path) -> None:
    """Copies a library; its pictures never change, so they are the same files."""

    def copy(source: str, target: str) -> None:
        if "/frames/" in source:
            os.link(source, target)
        else:
            shutil.copyfile(source, target)

    shutil.copytree(library, to, copy_function=copy)


def _a_file(data: Path, rng: Random) -> Path:
    """One file of a data set, given instead of its folder."""
    return rng.choice(sorted(path for path in data.rglob("*") if not path.is_symlink()))


def _read_tree(name: str, file: Path) -> None:
    with contextlib.suppress(KnownError):
        read_tree(name, file.read_bytes())


def _read_picture(file: Path) -> None:
    with contextlib.suppress(KnownError):
        pictures.decode(file.read_bytes())


def _import(files: Files, at: Path, library: Path) -> None:
    import_episodes(files.format, at, library, version=files.version)


def _look_at_all(library: Path) -> None:
    """What came in can be read again, trees as far as they are trees."""
    with Library.read(library) as opened:
        for summary in opened.episodes():
            assert summary.name
        for episode in opened.iterate():
            for step in episode.steps:
                if step.tree is not None and step.frame is not None:
                    with contextlib.suppress(KnownError):
                        read_record(step.tree.record, step.frame.size)


def _scoring_of_own(work: Path, library: Path, rng: Random) -> Act:
    """Answers to all steps that came in, judged under three protocols."""
    wanted = rng.sample(list(PROTOCOLS), 3)
    at = rng.choice(([18, 40], [0, 0], [1e9, -1e9], [3.5, 31.2]))

    def act() -> None:
        with Library.read(library) as opened:
            places = [(e.name, s.index, e.origin) for e in opened.iterate() for s in e.steps]
        if not places:
            return
        origin = places[0][2]
        rows = [
            {"episode": name, "step": step, "action": {"kind": "tap", "at": {"point": at}}}
            for name, step, of in places
            if (of.dataset, of.version) == (origin.dataset, origin.version)
        ]
        file = work / "answers.jsonl"
        file.write_bytes(b"".join(json.dumps(row).encode() + b"\n" for row in rows))
        import_predictions(
            (file,),
            "own",
            library,
            dialect="taptrail",
            dataset=origin.dataset,
            dataset_version=origin.version,
        )
        for protocol in wanted:
            score_run("own", protocol, library)

    return act


def _exporting(library: Path, folder: Path, rng: Random) -> Act:
    """What came in can be written, in a format by chance."""
    name = rng.choice([*(one.name for one in FORMATS.values() if one.write), "chat"])
    version = rng.choice(list(DIALECTS) if name == "chat" else FORMATS[name].versions)
    return lambda: _export(name, version, folder, library)


def _export(name: str, version: str, folder: Path, library: Path) -> None:
    export_episodes(name, folder, library, version=version)


def _checked(file: Path, library: Path, told: dict[str, Any], protocol: str) -> None:
    check_predictions((file,), library, protocol=protocol, **told)


def _predicted(file: Path, library: Path, told: dict[str, Any], only: bool) -> None:
    import_predictions((file,), "run", library, only_answered=only, **told)


def _scoring(library: Path, rng: Random) -> Act:
    protocol, keep = rng.choice(list(PROTOCOLS)), rng.random() < 0.7
    facts = keep and rng.random() < 0.5

    def act() -> None:
        with Library.read(library) as opened:
            if not opened.runs():
                return
        score_run("run", protocol, library, keep_steps=keep, keep_facts=facts)

    return act


def _rows(
    dialect: str, places: list[tuple[str, int]], rng: Random, *, bare: bool, named: bool
) -> list[dict[str, Any]]:
    """A dialect's answers beside steps, in one of the ways that rows are written."""
    texts = list(TEXTS[dialect])
    rng.shuffle(texts)
    way = "raw" if bare else _way(dialect, rng)
    return [
        _row(dialect, way, place if named else None, text)
        for place, text in zip(places, texts * (len(places) // len(texts) + 1), strict=False)
    ]


def _way(dialect: str, rng: Random) -> str:
    if dialect in ("guiodyssey", "taptrail", "uground"):
        return rng.choice((dialect, dialect, dialect, "raw"))
    if dialect == "androidlab" and rng.random() < 0.3:
        return "androidlab"
    return rng.choice(("raw", "pred", "action", "conversations", "messages", "picture"))


def _row(dialect: str, way: str, place: tuple[str, int] | None, text: Any) -> dict[str, Any]:
    where = {} if place is None else {"episode": place[0], "step": place[1]}
    said = text if isinstance(text, str) else json.dumps(text)
    if way == "taptrail":
        return {**where, "raw": "as it was", "action": text}
    if way == "guiodyssey":
        image = "" if place is None else f"{place[0]}_{place[1]}.png"
        gold = {"category": "General_Tool", "step_length": 3, "sam2_bbox": [1, 2, 3, 4]}
        return {"question": "", "img": image, "pred": text, "gt": text, "more_info": gold}
    if way == "uground":
        return {**where, "action": text, "answer": {"output": "(202, 745)", "scale": 0.5}}
    if way == "androidlab":
        told = {"operation": "do", "action": "Tap", "kwargs": {"element": [450, 50]}}
        name, step = place or ("", 0)
        return {"trace_id": name, "index": step, "parsed_action": told, "current_response": said}
    if way == "action":
        return {**where, "action" if isinstance(text, dict) else "pred": text}
    if way == "pred":
        return {**where, "pred": text}
    if way == "conversations":
        return {**where, way: [{"from": "human", "value": "?"}, {"from": "gpt", "value": said}]}
    if way == "messages":
        return {
            **where,
            way: [{"role": "user", "content": "?"}, {"role": "assistant", "content": said}],
        }
    if way == "picture" and place is not None:
        return {"image": f"x/episode_{place[0]}_screenshot_{place[1]}.png", "llm_output": said}
    return {**where, "raw": said}


def _said_badly(row: dict[str, Any], rng: Random) -> dict[str, Any]:
    """The row with its answer's text or numbers changed, and nothing else."""
    names = [
        name for name in row if name not in ("episode", "step", "trace_id", "index", "image", "img")
    ]
    name = rng.choice(names)
    held = row[name]
    if isinstance(held, str):
        return {**row, name: of_json.spoilt(held, rng)}
    return {**row, name: of_json.changed(held, rng)}


def _written(rows: list[dict[str, Any]], rng: Random) -> bytes:
    texts = [of_json.as_bytes(row, rng) for row in rows]
    roll = rng.random()
    if roll < 0.6:
        return b"".join(text + b"\n" for text in texts)
    if roll < 0.7:  # a list of lists, as traces are
        return b"[[" + b"], [".join(texts) + b"]]"
    if roll < 0.8:
        return b'{"metrics": {"pred": [' + b",".join(texts) + b"]}}"
    return b"[" + b", ".join(texts) + b"]"


def _order(data: Path, places: list[tuple[str, int]], rng: Random) -> Path:
    file = data / "order.txt"
    lines = [f"episode_{name}_screenshot_{step}" for name, step in places]
    content = "\n".join(lines).encode()
    if rng.random() < 0.3:
        content = json.dumps([{"episode": n, "step": s} for n, s in places]).encode()
    file.write_bytes(of_bytes.mutated(content, rng) if rng.random() < 0.6 else content)
    return file
