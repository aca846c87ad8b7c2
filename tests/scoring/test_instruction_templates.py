"""What the written masking rule makes of sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.instruction_templates import SUBJECT, VERB, template, web_domains


@pytest.mark.parametrize(
    ("said", "subject", "verb"),
    [
        ("Search for pizza in Maps.", "search for {} in maps", "{} pizza in maps"),
        ("Search for sushi in  maps", "search for {} in maps", "{} sushi in maps"),
        (
            "Open Settings, then turn on dark mode",
            "open {}, then turn on {}",
            "{} settings, then {} dark mode",
        ),
        ("Set an alarm for 7:30", "set {} for {}", "{} an alarm for 7:30"),
        (
            "Buy salt and pepper on www.ebay.com",
            "buy {} on {}",
            "{} salt and pepper on www.ebay.com",
        ),
        ("Send “hi, Bob” to Ann", "send {} to ann", "{} “hi, bob” to ann"),
        (
            "How do I get to the nearest bank?",
            "how do i get to {}",
            "how do i {} the nearest bank",
        ),
        ("", "", ""),
        ("!", "", ""),
    ],
)
def test_a_sentence_loses_its_subjects_or_its_verbs(said, subject, verb):
    assert (template(said, SUBJECT), template(said, VERB)) == (subject, verb)


def test_web_domains_are_found_where_a_sentence_names_them():
    said = "Go to www.Ebay.com, search on https://shop.example.org/x and mail a@b.com; e.g. 3.14"
    assert web_domains(said) == ("ebay.com", "shop.example.org")
    assert web_domains("Open the clock.") == ()


@given(st.text(max_size=60), st.sampled_from([SUBJECT, VERB]))
def test_any_text_has_one_template_however_it_is_spaced_and_cased(said, masked):
    found = template(said, masked)
    assert found == " ".join(found.split())
    assert template("  ".join(said.split()), masked) == template(" ".join(said.split()), masked)
