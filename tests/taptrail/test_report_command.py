"""`taptrail report` on the sample, and the page in a browser without network."""

import base64
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest

from episodes.geometry import Box
from episodes.store.journal import NOBODY
from episodes.store.library import Library
from taptrail.usecases.editing import mark_private
from taptrail.usecases.sample import import_sample
from tests.episodes.store.test_full_disk import files_up_to

CAREFUL, HASTY = "sample-careful", "sample-hasty"
BOTH = ("--run", HASTY, "--run", CAREFUL, "--protocol", "guiodyssey")
CHROMIUM = shutil.which("chromium")
WITHOUT_NETWORK = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--enable-logging=stderr",
    "--host-resolver-rules=MAP*~NOTFOUND",
]


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report") / "library"
    import_sample(folder)
    return folder


def report(taptrail, library, *words):
    return taptrail("report", *words, "--library", library, "--json")


def test_one_page_has_the_steps_that_b_gets_right_and_a_gets_wrong(taptrail, sample, tmp_path):
    page = tmp_path / "new" / "report.html"
    done = report(taptrail, sample, *BOTH, "--steps", "b-right", "--out", page).json
    size = page.stat().st_size
    assert done == {
        "shown": 4,
        "found": 4,
        "without_picture": 0,
        "private": {"steps": 0, "episodes": 0},
        "files": [{"path": str(page), "bytes": size}],
    }
    text = page.read_text(encoding="utf-8")
    shown = re.findall(r'<span class="mono told">(\d{16})</span> · step (\d+) of', text)
    assert shown == [
        ("0042000000000002", "3"),
        ("0042000000000003", "2"),
        ("0042000000000004", "4"),
        ("0042000000000005", "2"),
    ]
    assert text.count("data:image/webp;base64,") == 4
    assert list(page.parent.iterdir()) == [page]  # nothing unfinished lies beside it


def test_a_page_says_what_it_is_made_of_and_how_to_make_it_again(
    taptrail, sample, tmp_path, monkeypatch
):
    page = tmp_path / "report.html"
    report(taptrail, sample, *BOTH, "--limit", "2", "--budget", "6", "--out", page)
    text = page.read_text(encoding="utf-8")
    with Library.read(sample) as library:
        hashes = {library.uuid, *(f.sha256 for run in library.runs() for f in run.files)}
    scored = taptrail(
        "score", "--run", HASTY, "--protocol", "guiodyssey", "--library", sample, "--json"
    ).json
    hashes.add(scored["step_set"]["sha256"])
    assert {found for found in hashes if found not in text} == set()
    assert str(sample.parent) not in text  # where it lies is nobody's business
    (command,) = re.findall(r"<pre class=\"told\">(taptrail report .*?)</pre>", text)
    words = shlex.split(command)
    assert words[2:] == [
        "--run", HASTY, "--run", CAREFUL, "--protocol", "guiodyssey", "--steps", "differ",
        "--limit", "2", "--budget", "6", "--out", "report.html", "--library", "library",
    ]  # fmt: skip
    again = tmp_path / "again"
    again.mkdir()
    (again / "library").symlink_to(sample)
    monkeypatch.chdir(again)
    assert taptrail(*words[1:]).code == 0
    made = re.compile(r"\d{4}-\d\d-\d\d(T[\d:+]+)?")
    assert made.sub("", (again / "report.html").read_text()) == made.sub("", text)


def test_a_report_and_a_score_give_the_same_numbers(taptrail, sample, tmp_path):
    report(taptrail, sample, *BOTH, "--csv", tmp_path / "csv")
    scored = taptrail(
        "score", "--run", HASTY, "--protocol", "guiodyssey", "--library", sample, "--json"
    ).json
    ams = scored["metrics"]["AMS"]
    numbers = (tmp_path / "csv" / "numbers.csv").read_text().splitlines()
    assert any(
        line.startswith(f"AMS,A,{ams['hits']},{ams['total']},{ams['value']}") for line in numbers
    )


def test_tables_are_written_without_a_page(taptrail, sample, tmp_path):
    words = ("--csv", tmp_path / "csv", "--markdown", tmp_path / "t.md", "--latex",
             tmp_path / "t.tex")  # fmt: skip
    done = report(taptrail, sample, *BOTH, *words).json
    assert {Path(one["path"]).name: one["bytes"] > 100 for one in done["files"]} == dict.fromkeys(
        ("sides.csv", "numbers.csv", "tables.csv", "kinds.csv", "steps.csv", "t.md", "t.tex"), True
    )
    assert "(36 of 41)" in (tmp_path / "t.md").read_text()


@pytest.mark.parametrize(
    "words", [("--csv", "deep/csv"), ("--csv", "deep/csv", "--out", "deep/r.html")]
)
def test_a_disk_that_takes_no_more_leaves_neither_files_nor_folders(
    taptrail, sample, tmp_path, monkeypatch, words
):
    monkeypatch.chdir(tmp_path)
    limit = 1_000 if len(words) == 2 else 100_000  # some tables go in, or all of them
    with Library.read(sample), files_up_to(limit):  # SQLite's own files are there already
        done = taptrail("report", *BOTH, *words, "--library", sample)
    assert (done.code, done.out) == (1, "")
    assert re.fullmatch(
        r"Cannot write deep/\S+: File too large\. Choose another place, or make room\.\n", done.err
    )
    assert list(tmp_path.iterdir()) == []


def test_private_episodes_are_left_out_and_counted(taptrail, library, tmp_path):
    import_sample(library)
    with Library.open(library) as open_library:
        uuid = open_library.episode("0042000000000004").uuid
        open_library.record_edit(uuid, None, "episode.private", {"private": True})
    page = tmp_path / "r.html"
    done = report(taptrail, library, *BOTH, "--steps", "all", "--limit", "100", "--out", page).json
    assert done["private"] == {"steps": 0, "episodes": 1}
    assert done["shown"] == 34
    assert "0042000000000004" not in page.read_text()


def test_a_private_box_is_drawn_over_in_the_picture(taptrail, library, tmp_path):
    import_sample(library)
    with Library.open(library) as open_library:
        episode = open_library.episode("0042000000000002")
        size = episode.steps[2].frame.size
        box = Box(0, 0, size.width, size.height / 2)
        mark_private(open_library, episode, NOBODY, episode.steps[2], box, "a name")
    page = tmp_path / "r.html"
    report(taptrail, library, *BOTH, "--steps", "b-right", "--limit", "1", "--out", page)
    (data,) = re.findall(r"data:image/webp;base64,([\w+/=]+)", page.read_text())
    shown = cv2.imdecode(np.frombuffer(base64.b64decode(data), np.uint8), 1)
    half = shown.shape[0] // 2
    assert shown[: half - 2].max() < 12
    assert shown[half + 2 :].max() > 200


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 2, "Give --out"),
        (("--out", "r.html", "--limit", "5000"), 1, "5000 steps are asked for. Take from 0 to"),
        (("--out", "r.html", "--steps", "best"), 1, "there is no choice “best”"),
        (("--out", "/proc/x/r.html"), 1, "Cannot write /proc/x/r.html: "),
    ],
)
def test_what_cannot_be_written_is_one_sentence(
    taptrail, sample, tmp_path, monkeypatch, words, code, said
):
    monkeypatch.chdir(tmp_path)
    done = taptrail("report", *BOTH, *words, "--library", sample)
    assert (done.code, done.out) == (code, "")
    assert said in done.err
    assert list(tmp_path.iterdir()) == []


def test_a_picture_that_is_gone_leaves_the_rest_of_the_page(taptrail, library, tmp_path):
    import_sample(library)
    with Library.read(library) as open_library:
        still = open_library.episode("0042000000000002").steps[2].frame.still
        open_library.stills.path(still.sha256, still.media_type).unlink()
    page = tmp_path / "r.html"
    done = report(taptrail, library, *BOTH, "--steps", "b-right", "--out", page).json
    assert (done["shown"], done["without_picture"]) == (4, 1)
    assert "The picture cannot be shown" in page.read_text()


@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium here (Debian: chromium)")
@pytest.mark.parametrize(("scheme", "ground"), [("light", "#EFF0F3"), ("dark", "#16171A")])
def test_a_browser_without_network_shows_all_of_it(taptrail, sample, tmp_path, scheme, ground):
    page, picture = tmp_path / "r.html", tmp_path / "r.png"
    report(taptrail, sample, *BOTH, "--out", page)
    said = subprocess.run(
        [
            CHROMIUM,
            *WITHOUT_NETWORK,
            f"--user-data-dir={tmp_path / 'profile'}",
            f"--blink-settings=preferredColorScheme={0 if scheme == 'dark' else 1}",
            "--window-size=1180,6000",
            f"--screenshot={picture}",
            page.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    ).stderr
    assert "CONSOLE" not in said
    seen = cv2.imread(str(picture))
    assert "#" + "".join(f"{c:02X}" for c in seen[5, 5][::-1]) == ground
    # Each of the five frames shows its picture: the sample's own head colours, three times each.
    with Library.read(sample) as library:
        for name, index in (("0042000000000002", 2), ("0042000000000003", 1),
                            ("0042000000000005", 1)):  # fmt: skip
            still = library.episode(name).steps[index].frame.still
            drawn = cv2.imdecode(
                np.frombuffer(library.stills.read(still.sha256, still.media_type), np.uint8), 1
            )
            head = drawn[60, 8].astype(int)
            near = np.abs(seen.astype(int) - head).max(axis=2) < 10
            assert near.sum() > 3 * 216 * 20, name
