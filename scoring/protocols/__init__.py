"""The protocols by key. A new one is a module, a line here, a test table and a section in
`docs/protocols/README.md`."""

from __future__ import annotations

from episodes.errors import KnownError
from scoring.protocol import ScoringProtocol
from scoring.protocols import (
    agentcpm,
    aitw,
    aitw_auto_gui,
    aitz,
    guiodyssey,
    guiodyssey_gui_r1,
    guiodyssey_os_atlas,
    taptrail_strict,
)
from scoring.protocols.androidcontrol import ANDROIDCONTROL

PROTOCOLS: dict[str, ScoringProtocol] = {
    protocol.key: protocol
    for protocol in (
        guiodyssey.V2,
        guiodyssey.V1,
        taptrail_strict.V1,
        guiodyssey_os_atlas.V2,
        guiodyssey_os_atlas.V1,
        agentcpm.ODYSSEY,
        guiodyssey_gui_r1.V2,
        guiodyssey_gui_r1.V1,
        aitw.V2,
        aitw.V1,
        aitw_auto_gui.V2,
        aitw_auto_gui.V1,
        aitz.V2,
        aitz.V1,
        aitz.LIFT_2,
        aitz.LIFT_1,
        agentcpm.AITZ,
        agentcpm.AITZ_1,
        *ANDROIDCONTROL,
    )
}


def lookup(name: str) -> ScoringProtocol:
    """Returns a protocol by key ("guiodyssey@1") or by name, which means its newest version.

    Raises:
        KnownError: there is none of that name; the text lists those there are.
    """
    if name in PROTOCOLS:
        return PROTOCOLS[name]
    versions = [protocol for protocol in PROTOCOLS.values() if protocol.name == name]
    if not versions:
        raise KnownError(
            "score with this protocol",
            f"there is no protocol “{name}”",
            f"Use one of {', '.join(PROTOCOLS)}.",
        )
    return max(versions, key=lambda protocol: int(protocol.version))


def newest() -> dict[str, ScoringProtocol]:
    """Returns the newest version of each protocol, in the order of the table."""
    return {key: one for key, one in PROTOCOLS.items() if lookup(one.name) is one}
