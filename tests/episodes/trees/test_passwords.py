"""Words in password fields become stars, and nothing else of a tree changes."""

import pytest

from episodes.trees.passwords import without_passwords
from episodes.trees.readers import read_tree
from tests.samples.androidcontrol import node, window

XML = """<?xml version='1.0' encoding='UTF-8'?>
<hierarchy rotation="0"><node text="Sign in" class="a.LinearLayout" bounds="[0,0][9,9]">
<node text='Ada &amp; Bo' bounds="[0,0][9,3]" password='false' />
<node  class="a.EditText" text="s&amp;cr&gt;t ü" hint="Password" content-desc = 'pin 12'
 password="true" bounds="[0,3][9,6]"><node text="s" bounds="[0,3][1,4]"/></node>
<node text="" password="true" bounds="[0,6][9,9]"/><node text="after" bounds="[0,6][9,9]"/>
</node></hierarchy>""".encode()


def words(format_name, data):
    return [
        word for one in read_tree(format_name, data).walk() for word in (one.text, one.description)
    ]


def test_only_the_words_in_and_below_a_password_field_of_a_dump_become_stars():
    made = without_passwords("uiautomator", XML)
    assert words("uiautomator", made) == [
        "Sign in", "", "Ada & Bo", "", "*" * 16, "******", "*", "", "", "", "after", "",
    ]  # fmt: skip
    assert len(made) == len(XML)
    assert made.replace(b"*", b"") == (
        XML.replace("s&amp;cr&gt;t ü".encode(), b"").replace(b"pin 12", b"").replace(b'"s"', b'""')
    )


@pytest.mark.parametrize(
    "data",
    [
        XML.replace(b'password="true"', b'password="false"'),
        b'<hierarchy><node text="\xe2\x80\xa2\xe2\x80\xa2" password="true"/></hierarchy>',
        b"",
        b"<hierarchy",
    ],
)
def test_a_dump_without_such_words_is_the_very_same(data):
    assert without_passwords("uiautomator", data) is data


def test_a_dump_that_names_such_a_field_and_cannot_be_read_is_not_passed_on():
    assert without_passwords("uiautomator", XML[:-20]) is None
    wide = XML.decode().replace("UTF-8", "UTF-16").encode("utf-16")
    assert without_passwords("uiautomator", wide) is wide  # not seen: such bytes no phone prints


def test_only_the_words_in_and_below_a_password_field_of_a_forest_become_stars():
    data = window(
        1,
        node(0, (0, 0, 36, 80), 4, 9, f7="Sign in"),
        node(4, (0, 0, 9, 9), 5, f3="a.EditText", f5="Password", f7="sécret", f20=True),
        node(5, (0, 0, 9, 9), f4="inside"),
        node(9, (0, 9, 9, 18), f7="after"),
    )
    made = without_passwords("a11y-forest", data)
    assert words("a11y-forest", made) == ["Sign in", "", "*" * 7, "", "", "*" * 6, "after", ""]
    assert len(made) == len(data)
    assert without_passwords("a11y-forest", made) is made


def test_a_forest_without_such_words_is_the_very_same():
    data = window(1, node(0, (0, 0, 36, 80), f7="Sign in"))
    assert without_passwords("a11y-forest", data) is data
    assert without_passwords("aitw-ocr", b"password") == b"password"


def test_a_forest_whose_root_hides_more_than_can_be_found_is_not_passed_on():
    data = window(1, node(0, (0, 0, 36, 80), f20=True), node(7, (0, 0, 9, 9), f7="nobody names me"))
    assert without_passwords("a11y-forest", data) is None
