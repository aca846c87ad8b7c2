"""Files of a data set that are links out of its folder."""

from functools import partial

import pytest

from episodes.errors import KnownError
from episodes.formats import FORMATS
from replay.chat import format as chat
from tests.samples import aitw, androidcontrol, guiodyssey


@pytest.mark.parametrize(
    ("format_name", "make", "name"),
    [
        ("taptrail", None, "episodes.jsonl"),
        ("parquet", None, "episodes.parquet"),
        ("chat", None, "rows.jsonl"),
        ("chat", None, "chat.json"),
        ("coco", None, "annotations.json"),
        ("guiodyssey", guiodyssey.version_2, "splits/random_split.json"),
        ("aitw", lambda folder: aitw.write(folder, aitw.general()), "splits/standard.json"),
        (
            "androidcontrol",
            lambda folder: androidcontrol.write(folder, [androidcontrol.episode(7)]),
            "splits.json",
        ),
    ],
)
def test_a_file_that_leads_out_of_the_folder_is_not_read(
    tmp_path, picture_store, format_name, make, name
):
    folder = tmp_path / "set"
    if make is None:
        folder.mkdir()
        (folder / "rows.jsonl").write_text("{}")
    else:
        make(folder)
    outside = tmp_path / "outside"
    outside.write_text("{}")
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(outside)
    words = rf"{name.rpartition('/')[2]} is a link that leads out of its folder"
    chosen = chat.FORMAT if format_name == "chat" else FORMATS[format_name]
    read = (
        chosen.regions if chosen.read is None else partial(chosen.read, picture_store=picture_store)
    )
    with pytest.raises(KnownError, match=words):
        list(read(folder))
