import gzip
import struct
import tracemalloc
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from episodes.errors import KnownError
from episodes.formats import tfrecord
from episodes.formats.example import (
    Feature,
    FeatureKind,
    equal_features,
    read_example,
    write_example,
)
from episodes.formats.input_files import Refused
from episodes.formats.tfrecord import RecordReader, RecordWriter, masked_crc
from episodes.wire import BadWire
from tests.samples import aitw as sample

RECORDS = (b"first", b"", b"\0\0third\0")


def read(path):
    with RecordReader(path, "read") as reader:
        return list(reader)


@pytest.fixture(params=["isal", "zlib"])
def inflate(request, monkeypatch):
    if request.param == "zlib":
        monkeypatch.setattr(tfrecord, "GZIP", gzip.GzipFile)
        monkeypatch.setattr(tfrecord, "DAMAGED", (OSError, tfrecord.zlib.error))
    else:
        assert tfrecord.GZIP is not gzip.GzipFile


def test_the_masked_crc_is_that_of_the_format():
    assert [masked_crc(data) for data in (*RECORDS, bytes(range(256)))] == [
        sample.crc(data) for data in (*RECORDS, bytes(range(256)))
    ]


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_records_are_read_plain_or_inflated(tmp_path, inflate, pack):
    path = tmp_path / "a"
    path.write_bytes(pack(sample.framed(*RECORDS)))
    assert read(path) == list(enumerate(RECORDS))


def test_gzip_in_several_members_is_one_stream(tmp_path, inflate):
    data = sample.framed(*RECORDS)
    (tmp_path / "a").write_bytes(gzip.compress(data[:20]) + gzip.compress(data[20:]))
    assert read(tmp_path / "a") == list(enumerate(RECORDS))


def test_a_plain_file_that_begins_like_gzip_is_read_as_plain(tmp_path):
    record = bytes(0x08_8B_1F)
    path = tmp_path / "a"
    length = struct.pack("<Q", len(record))
    crcs = [struct.pack("<I", masked_crc(data)) for data in (length, record)]
    path.write_bytes(length + crcs[0] + record + crcs[1])
    assert path.read_bytes().startswith(b"\x1f\x8b\x08")
    assert read(path) == [(0, record)]


def test_a_wrong_crc_of_the_bytes_refuses_one_record(tmp_path, inflate):
    data = bytearray(sample.framed(*RECORDS))
    data[13] ^= 1
    (tmp_path / "a").write_bytes(gzip.compress(data))
    refused = Refused("a record 0", "the CRC of its bytes is wrong")
    assert read(tmp_path / "a") == [(0, refused), (1, b""), (2, RECORDS[2])]


def test_a_wrong_crc_of_a_length_ends_the_file(tmp_path):
    data = bytearray(sample.framed(*RECORDS))
    data[len(sample.framed(b"first"))] ^= 1
    (tmp_path / "a").write_bytes(data)
    reason = "the CRC of its length is wrong, so nobody can tell where it ends"
    assert read(tmp_path / "a") == [(0, b"first"), (1, Refused("a record 1", reason))]


@pytest.mark.parametrize(
    ("cut", "reason"),
    [
        (5, "the file ends within its header"),
        (14, "the file ends after 2 of its 5 bytes"),
        (19, "the file ends after 5 of its 5 bytes"),
    ],
)
def test_the_error_of_a_truncated_file_names_the_place(tmp_path, cut, reason):
    (tmp_path / "a").write_bytes(sample.framed(b"whole") + sample.framed(b"first")[:cut])
    assert read(tmp_path / "a") == [(0, b"whole"), (1, Refused("a record 1", reason))]


def test_a_truncated_gzip_stream_is_reported(tmp_path, inflate):
    data = gzip.compress(sample.framed(b"whole", bytes(range(256)) * 40))
    (tmp_path / "a").write_bytes(data[:-20])
    *_, (number, refused) = read(tmp_path / "a")
    assert refused in (
        Refused(f"a record {number}", "the GZIP stream ends before its end"),
        Refused(f"a record {number}", "the file ends after 10240 of its 10240 bytes"),
    )


def test_damage_within_gzip_is_reported_and_raises_nothing(tmp_path, inflate):
    data = bytearray(gzip.compress(sample.framed(b"whole", bytes(range(256)) * 40)))
    data[-5] ^= 0xFF  # the stream's own check sum
    (tmp_path / "a").write_bytes(data)
    refused = read(tmp_path / "a")[-1][1]
    assert refused.where in ("a record 1", "a record 2")  # one looks further ahead
    assert refused.reason.startswith("the file cannot be read on: ")


def test_a_file_of_another_kind_is_reported(tmp_path):
    (tmp_path / "a").write_bytes(b"{}" * 20)
    assert read(tmp_path / "a") == [
        (0, Refused("a record 0", "the file is neither a TFRecord nor GZIP of one"))
    ]
    (tmp_path / "b").write_bytes(b"")
    assert read(tmp_path / "b") == []


def test_a_gigantic_record_is_passed_over_and_the_next_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(tfrecord, "MAX_RECORD_BYTES", 5)
    (tmp_path / "a").write_bytes(sample.framed(b"123456", b"12345"))
    refused = Refused("a record 0", "it has 6 bytes; at most 5 are read")
    assert read(tmp_path / "a") == [(0, refused), (1, b"12345")]
    (tmp_path / "a").write_bytes(sample.framed(b"123456")[:14])
    assert read(tmp_path / "a") == [(0, refused)]


def test_an_impossible_length_allocates_no_memory(tmp_path):
    length = struct.pack("<Q", 2**63)
    (tmp_path / "a").write_bytes(length + struct.pack("<I", sample.crc(length)) + b"x")
    refused = read(tmp_path / "a")[0][1]
    assert refused.reason == f"it has {2**63} bytes; at most 268435456 are read"


def test_a_file_is_there_whole_or_not_at_all(tmp_path, inflate):
    writer = RecordWriter(tmp_path / "deep/a", "write")
    for record in RECORDS:
        writer.write(record)
    assert not (tmp_path / "deep/a").exists()
    writer.close()
    assert gzip.decompress((tmp_path / "deep/a").read_bytes()) == sample.framed(*RECORDS)
    other = RecordWriter(tmp_path / "b", "write")
    other.write(b"x")
    other.abandon()
    assert [path.name for path in tmp_path.iterdir()] == ["deep"]


def test_a_folder_cannot_be_opened(tmp_path):
    with pytest.raises(KnownError, match="is no file"):
        RecordReader(tmp_path, "read")


WORDS = st.text(alphabet="abc/_é", max_size=6)
FEATURES = st.dictionaries(
    WORDS,
    st.one_of(
        st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1),
        st.lists(st.floats(width=32, allow_nan=False), min_size=1),
        st.lists(st.binary(max_size=9)),
    ),
    max_size=5,
)


@given(FEATURES)
def test_features_are_read_and_written_as_they_are(told):
    found = read_example(sample.example(told))
    assert found.keys() == told.keys()
    for name, values in told.items():
        feature = found[name]
        if feature.kind is FeatureKind.INT64:
            assert feature.ints() == values
        elif feature.kind is FeatureKind.FLOAT:
            assert feature.floats() == values
        else:
            assert [bytes(one) for one in feature.bytes_values()] == values
    assert read_example(write_example(found)).keys() == found.keys()
    assert write_example(found) == sample.example(dict(sorted(told.items())))


def test_numbers_that_are_not_packed_are_the_same_numbers():
    loose = Feature(FeatureKind.INT64, memoryview(b"\x08\x05\x08\x07"))
    assert loose.ints() == [5, 7]
    assert equal_features(loose, Feature.of_ints([5, 7]))
    floats = Feature(FeatureKind.FLOAT, memoryview(b"\x0d" + struct.pack("<f", 0.5)))
    assert floats.floats() == [0.5]
    assert equal_features(floats, Feature.of_floats([0.5]))
    assert not equal_features(floats, Feature.of_floats([0.25]))
    assert not equal_features(floats, None)


def test_a_list_of_another_kind_is_not_read():
    with pytest.raises(BadWire, match="it is a list of int64, not of bytes"):
        Feature.of_ints([1]).bytes_values()


@given(st.binary(max_size=60))
@settings(max_examples=300)
def test_bytes_that_are_not_an_example_are_a_known_fault(data):
    found = {}
    with suppress(BadWire):
        found = read_example(data)
    for feature in found.values():
        for decode in (Feature.ints, Feature.floats, Feature.bytes_values):
            with suppress(BadWire):
                assert isinstance(decode(feature), list)


def test_a_record_with_too_many_features_is_refused():
    told = {f"f{number}": [number] for number in range(1001)}
    with pytest.raises(BadWire, match="more than 1000 features"):
        read_example(sample.example(told))


def test_a_record_is_put_together_with_one_copy_of_its_picture():
    pixels = bytes(8 << 20)
    features = {"image/encoded": Feature.of_bytes([pixels]), "episode_id": Feature.of_texts(["e"])}
    tracemalloc.start()
    record = write_example(features)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < len(record) + 100_000
    assert record == sample.example({"episode_id": [b"e"], "image/encoded": [pixels]})
