"""What needs a phone, with the demo phone behind a private adb server."""

import hashlib
import json
from contextlib import closing

import pytest
from PIL import Image

from episodes.media.pictures import decode
from episodes.store.library import Library
from episodes.store.opening import open_writable

SCRIPT = [
    {"kind": "tap", "at": {"element": {"text": "Messages"}}},
    {"kind": "tap", "at": {"element": {"text": "Search"}}},
    {"kind": "type_text", "text": "ferry"},
    {"kind": "press_key", "key": "home"},
    {"kind": "finish", "ending": "impossible", "reason": "no ferry today"},
]


@pytest.fixture
def phone(demo_phone, monkeypatch):
    started = demo_phone("--deterministic", "--seed", "7")
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(started.adb_port))
    return started


def test_devices_lists_the_phone(taptrail, phone):
    found = taptrail("devices", "--json").json["devices"]
    (one,) = (device for device in found if device["serial"] == phone.serial)
    assert (one["state"], one["ready"], one["remedy"]) == ("device", True, "")
    assert phone.serial in taptrail("devices").out


def test_doctor_finds_all_that_recording_needs(taptrail, phone, library):
    findings = taptrail("doctor", "--library", library, "--json").json["findings"]
    said = {one["subject"]: one["severity"] for one in findings}
    assert said["adb"] == said["scrcpy server"] == said["video"] == said["library"] == "ok"
    assert said[f"phone {phone.serial}"] == "ok"
    assert "error" not in said.values()
    (server,) = (one["found"] for one in findings if one["subject"] == "adb server")
    assert server == (
        f"answers on port {phone.adb_port}, the port of ANDROID_ADB_SERVER_PORT; it ran "
        "already, and is shared with all that use adb there"
    )


def test_the_selftest_reports_facts_and_times_of_a_phone_and_no_content(taptrail, phone):
    before = set(phone.shell("ls /data/local/tmp").split())
    report = taptrail("doctor", "--selftest", "--serial", phone.serial, "--json")
    found = report.json["selftest"]
    assert (found["phone"]["model"], found["phone"]["screen"]) == ("Demo Phone", "1080x2400")
    assert (found["video"]["size"], found["video"]["server"]) == ("1080x2400", "3.3.4")
    assert found["video"]["first_frame_ms"] > 0
    assert found["tree"]["answers"] == ["ok"] * 3
    assert found["tree"]["source"] in ("uiautomator2", "uiautomator dump")
    for private in (phone.serial, "com.taptrail", "Messages"):
        assert private not in report.out
    assert set(phone.shell("ls /data/local/tmp").split()) == before


def test_doctor_keeps_to_the_width_of_the_terminal(taptrail, phone, library, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    lines = taptrail("doctor", "--library", library).out.splitlines()
    long = [line for line in lines if len(line) > 60]
    assert [line for line in long if len(line.split()) > 3] == []
    assert any(line.startswith("ok       adb server: answers on port") for line in lines)


def test_doctor_says_what_is_missing_and_exits_1(taptrail, phone, library, monkeypatch):
    monkeypatch.setenv("SCRCPY_SERVER_PATH", str(library / "gone-v3.3.4"))
    done = taptrail("doctor", "--library", library)
    assert done.code == 1
    assert "scrcpy server" in done.out
    assert done.err.startswith("Cannot record here: scrcpy server: ")


def test_a_script_is_recorded_without_a_window(taptrail, phone, library, tmp_path):
    (tmp_path / "script.json").write_text(json.dumps(SCRIPT))
    done = taptrail(
        "record", "--serial", phone.serial, "--task", "Look for the ferry", "--script",
        tmp_path / "script.json", "--library", library, "--json",
    ).json  # fmt: skip
    assert (done["episode"], done["steps"], done["finished"], done["notes"]) == (
        "e-0001",
        5,
        True,
        [],
    )
    shown = taptrail("episodes", "show", "e-0001", "--library", library, "--json").json
    assert [step["action"]["kind"] for step in shown["steps"]] == [
        action["kind"] for action in SCRIPT
    ]
    assert [step["foreground"]["label"] for step in shown["steps"]][:2] == ["Home", "Messages"]
    assert shown["finish"] == {"kind": "finish", "ending": "impossible", "reason": "no ferry today"}
    assert all("picture" in step["frame"] for step in shown["steps"])
    checked = taptrail("episodes", "check", "--library", library, "--json").json
    assert (checked["episodes"], checked["findings"]) == (1, [])
    assert checked["segments"] >= 1


def test_lost_and_damaged_pictures_of_a_recording_come_back_from_its_video(
    taptrail, phone, library, tmp_path
):
    (tmp_path / "script.json").write_text(json.dumps([*SCRIPT[:2], SCRIPT[4]]))
    taptrail(
        "record", "--serial", phone.serial, "--task", "Look for the ferry", "--script",
        tmp_path / "script.json", "--library", library,
    )  # fmt: skip
    with Library.read(library) as kept:
        episode = kept.episode("e-0001")
        shown = [step.frame.still for step in episode.steps]
        paths = [kept.stills.path(still.sha256, still.media_type) for still in shown]
    pixels = [decode(path.read_bytes()) for path in paths]
    paths[0].unlink()
    paths[1].write_bytes(paths[1].read_bytes()[:-1])
    # The third was packed by a program of another version, and then lost.
    Image.fromarray(pixels[2]).save(tmp_path / "other.png", compress_level=9)
    other = (tmp_path / "other.png").read_bytes()
    name = hashlib.sha256(other).hexdigest()
    with closing(open_writable(library).conn) as db, db:
        db.execute(
            "UPDATE still SET sha256 = ?, byte_count = ? WHERE sha256 = ?",
            (name, len(other), shown[2].sha256),
        )
    paths[2].unlink()
    done = taptrail("episodes", "check", "--repair", "--library", library, "--json").json
    again = "drawn again from the video"
    moved = f"orphans/frames/{shown[1].sha256[:2]}/{paths[1].name}"
    assert [(one["place"], one["repaired"]) for one in done["findings"]] == [
        ("step 0", again),
        ("after step 0", f"{again}; what was there is {moved} now"),
        ("after step 1", f"{again}, the same picture in other bytes ({shown[2].sha256[:12]})"),
    ]
    for path, was in zip(paths, pixels, strict=True):
        assert (decode(path.read_bytes()) == was).all()
    with Library.read(library) as kept:
        assert kept.episode("e-0001") == episode
    assert taptrail("episodes", "check", "--library", library).code == 0


def test_an_element_that_is_not_there_ends_the_recording_and_keeps_its_steps(
    taptrail, phone, library, tmp_path, monkeypatch
):
    from taptrail.usecases import recording

    monkeypatch.setattr(recording, "FIND_SECONDS", 0.5)
    wrong = [SCRIPT[0], {"kind": "tap", "at": {"element": {"text": "Tea"}}}]
    (tmp_path / "script.json").write_text(json.dumps(wrong))
    done = taptrail(
        "record", "--serial", phone.serial, "--task", "x", "--script",
        tmp_path / "script.json", "--library", library,
    )  # fmt: skip
    assert (done.code, done.err) == (
        1,
        "Cannot act on the phone: there is no “Tea” on its screen; e-0001 is left "
        "incomplete, with 1 step. Look at the phone, and mend the script.\n",
    )
    (episode,) = taptrail("episodes", "list", "--library", library, "--json").json["episodes"]
    assert (episode["steps"], episode["state"]) == (1, "incomplete")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("{", "it is not JSON (Input data was truncated)"),
        ("{}", "it is no list of at most 10000 actions"),
        ('[{"kind": "fly"}]', "action 0: kind: there is no action “fly”"),
    ],
)
def test_a_script_that_cannot_be_read_is_one_sentence(taptrail, tmp_path, library, text, found):
    (tmp_path / "script.json").write_text(text)
    done = taptrail(
        "record", "--serial", "none", "--task", "x", "--script", tmp_path / "script.json",
        "--library", library,
    )  # fmt: skip
    assert (done.code, done.err) == (
        1,
        f"Cannot read the script script.json: {found}. See “Actions” in docs/formats/README.md.\n",
    )
