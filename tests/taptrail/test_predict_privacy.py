"""What is private reaches no byte of any request, however a recipe shows steps and history."""

import base64
import io

import numpy as np
import pytest
from PIL import Image

from episodes import actions as a
from episodes.annotations import PrivateBox
from episodes.episodes import Episode, EpisodeState, Origin, Task
from episodes.geometry import Box, Point, Size
from episodes.media import pictures
from episodes.screens import (
    Basis,
    Frame,
    StepTree,
    Still,
    StillSource,
    TreeFit,
    TreeRecord,
    TreeStatus,
)
from episodes.steps import Step, StepTexts
from episodes.store.library import Library
from replay.asking.neutral import new_recipe
from tests.replay.asking.fake_server import FakeServer

SIZE = Size(120, 200)
SECRET_COLOUR = (255, 0, 255)
BOX = Box(20, 40, 80, 90)
PASSWORD = ' password="true" focused="true"'


@pytest.fixture
def library(tmp_path):
    folder = tmp_path / "library"
    with Library.open(folder) as library:
        library.save_episodes([episode(library)])
    return folder


def episode(library):
    def frame(shade, secret=None, **fields):
        pixels = np.full((SIZE.height, SIZE.width, 3), shade, np.uint8)
        if secret is not None:
            pixels[int(secret.top) : int(secret.bottom), int(secret.left) : int(secret.right)] = (
                SECRET_COLOUR
            )
        data = pictures.encode_png(pixels)
        sha256 = library.stills.write(data, "image/png")
        still = Still(sha256, "image/png", SIZE, len(data), StillSource.STREAM, True)
        return Frame(SIZE, Basis.PAINTED, still, **fields)

    def tree(words, more="", fit=TreeFit.FRESH, screen=(120, 200)):
        data = (
            f'<hierarchy rotation="0"><node text="" bounds="[0,0][{screen[0]},{screen[1]}]">'
            f'<node text="{words}" class="android.widget.EditText" clickable="true" '
            f'bounds="[20,40][80,90]"{more}/></node></hierarchy>'
        )
        record = TreeRecord("uiautomator", data.encode(), "dump", TreeStatus.OK, size=Size(*screen))
        return StepTree(record, fit)

    def types(index, secret, shown, tree, **fields):
        texts = StepTexts(*(f"{secret} {name}" for name in ("asks", "shows", "means", "follows")))
        return Step(index, a.TypeText(secret), shown, tree=tree, texts=texts, **fields)

    whole = Box(0, 0, 120, 200)
    field = {"more": PASSWORD}
    return Episode(
        uuid="one",
        name="e-1",
        origin=Origin("made", "1"),
        task=Task("Sign in"),
        state=EpisodeState.FINISHED,
        steps=(
            Step(0, a.Tap(Point(30, 50)), frame(200), tree=tree("open0")),
            types(1, "SECRET1", frame(201, whole), tree("SECRET1"), private=True),
            types(2, "SECRET2", frame(202, BOX), tree("SECRET2"), private_boxes=(PrivateBox(BOX),)),
            types(3, "SECRET3", frame(203), tree("SECRET3", **field)),
            types(4, "SECRET4", frame(204, whole, protected=True), tree("SECRET4")),
            types(5, "SECRET5", frame(205), tree("SECRET5", fit=TreeFit.LATE, **field)),
            types(6, "SECRET6", frame(206), tree("SECRET6", screen=(200, 120), **field)),
            types(7, "open7", frame(207), tree("open7")),
            Step(8, a.Tap(Point(30, 50)), frame(208), tree=tree("open8")),
        ),
    )


PROMPT = """
{{ task }} {{ step_instruction }} {{ app }} {{ tree }}
{% for one in elements %}{{ one }}{% endfor %}
{% for one in history %}{{ one }}{% endfor %}
"""


@pytest.mark.parametrize("shown", ["list", "xml"])
@pytest.mark.parametrize("form", ["answers", "turns"])
def test_no_byte_of_any_request_holds_private_material(taptrail, library, tmp_path, form, shown):
    recipe = tmp_path / "recipe.toml"
    text = new_recipe("qwen3vl")
    head, _, rest = text.partition("[[messages]]")
    _, _, sampling = rest.partition("[sampling]")
    head = head.replace('level = "high"', f'level = "both"\ntree = "{shown}"\napp = true')
    head = head.replace('form = "answers"', f'form = "{form}"').replace("last = 4", "last = -1")
    messages = f"[[messages]]\nrole = \"user\"\ntext = '''{PROMPT}'''\n"
    if form == "turns":
        head = head.replace("last = -1", "last = -1\npictures = 8")
        messages = '[[messages]]\nrole = "history"\n\n' + messages
    recipe.write_text(f"{head}{messages}\n[sampling]{sampling}")
    with FakeServer(lambda key, told: "hello") as server:
        taptrail(
            *("predict", str(recipe), "--library", str(library), "--name", "private"),
            *("--endpoint", server.url),
        )
        asked = {key for key, _ in server.requests if key != "probe"}
        sent = b"".join(server.raw)
        requests = [told for key, told in server.requests if key != "probe"]
    assert asked == {f"e-1/{step}" for step in (0, 2, 3, 5, 6, 7, 8)}
    assert b"SECRET" not in sent
    assert b"open7" in sent
    assert b"(kept private)" in sent
    shades = set()
    for told in requests:
        for picture in pictures_of(told):
            pixels = np.asarray(Image.open(io.BytesIO(picture)).convert("RGB"))
            assert not (pixels == SECRET_COLOUR).all(axis=2).any()
            shades.add(int(pixels[0, 0, 0]))
    assert shades == {200, 202, 203, 205, 206, 207, 208}
    assert max(len(pictures_of(told)) for told in requests) == (7 if form == "turns" else 1)


def pictures_of(told):
    parts = [
        part
        for message in told["messages"]
        if isinstance(message["content"], list)
        for part in message["content"]
    ]
    urls = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
    assert urls
    return [base64.b64decode(url.partition(",")[2]) for url in urls]
