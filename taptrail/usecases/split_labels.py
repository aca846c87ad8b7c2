"""What an episode may be told apart by: its labels of each kind, as the library knows them."""

from __future__ import annotations

from episodes.store.splits import Divided
from scoring.instruction_templates import SUBJECT, VERB, template, web_domains
from scoring.splits import VERSION

TEMPLATES = {SUBJECT: "subject template", VERB: "verb template"}
KINDS = (
    "app", "domain", "category", "task", "device", VERSION, "instruction", *TEMPLATES.values(),
    "parent",
)  # fmt: skip
"""What an episode may be told apart by."""
WAYS = (
    "episode", VERSION, SUBJECT, VERB, "app", "domain", "category", "task", "device", "parent",
)  # fmt: skip
"""What a split may be made by."""

_RELEASES = {
    **{21: "5", 22: "5", 23: "6", 24: "7", 25: "7", 26: "8", 27: "8", 28: "9", 29: "10"},
    **{30: "11", 31: "12", 32: "12", 33: "13", 34: "14", 35: "15", 36: "16"},
}


def labels_of(one: Divided, dataset: str) -> dict[str, tuple[str, ...]]:
    """Returns what the library knows of an episode, by kind; empty texts say nothing."""
    release = one.android_release or (
        _RELEASES.get(one.sdk, f"API {one.sdk}") if one.sdk is not None else ""
    )
    parent = one.name.partition(".")[0] if dataset == "aitw" else one.name
    return {
        "app": one.app_keys,
        "domain": web_domains(one.instruction) or one.app_keys,
        "category": (one.category,),
        "task": (one.template or _plain(one.instruction),),
        "device": (" ".join(filter(None, (one.manufacturer, one.model))) or one.product,),
        VERSION: (release,),
        "instruction": (_plain(one.instruction),),
        TEMPLATES[SUBJECT]: (template(one.instruction, SUBJECT),),
        TEMPLATES[VERB]: (template(one.instruction, VERB),),
        "parent": (parent,),
    }


def _plain(instruction: str) -> str:
    return " ".join(instruction.split()).casefold().rstrip(".!?…。")
