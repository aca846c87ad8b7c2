"""The dialects by name. A new one is a module, a line here, a test table and a section in
`docs/formats/dialects.md`."""

from __future__ import annotations

from episodes.errors import KnownError
from replay.dialect import Dialect
from replay.dialects import (
    agentcpm,
    agentcpm_conversions,
    aguvis,
    aitw,
    aitz,
    androidlab,
    autoglm,
    gelab,
    glm_v,
    gui_r1,
    guiodyssey,
    json_actions,
    kimi,
    mimo,
    os_atlas,
    raw,
    seed_xml,
    showui,
    taptrail,
    tool_calls,
    uground,
    ui_tars,
    ui_venus,
)

DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect
    for dialect in (
        guiodyssey.DIALECT,
        taptrail.DIALECT,
        agentcpm.DIALECT,
        ui_tars.V1_0,
        ui_tars.V1_5,
        ui_tars.SEED,
        seed_xml.DIALECT,
        os_atlas.DIALECT,
        tool_calls.QWEN25,
        tool_calls.QWEN3,
        tool_calls.INFIGUI,
        tool_calls.GUI_OWL,
        tool_calls.GUI_OWL_1_5,
        tool_calls.MAI_UI,
        aguvis.DIALECT,
        gui_r1.DIALECT,
        ui_venus.V1_0,
        ui_venus.V1_5,
        uground.DIALECT,
        aitz.DIALECT,
        aitw.DIALECT,
        json_actions.CONTROL,
        json_actions.WORLD,
        androidlab.DIALECT,
        showui.DIALECT,
        mimo.DIALECT,
        autoglm.DIALECT,
        gelab.DIALECT,
        glm_v.DIALECT,
        kimi.DIALECT,
        agentcpm_conversions.UI_TARS,
        agentcpm_conversions.OS_ATLAS,
        agentcpm_conversions.AGUVIS,
    )
}


def dialect(name: str, of_text: str = "") -> Dialect:
    """Returns the dialect of a name; "raw" with the dialect its texts are in.

    Raises:
        KnownError: there is none of that name, or "raw" comes without one.
    """
    wanted = of_text if name == "raw" else name
    found = DIALECTS.get(wanted)
    if found is None:
        what = f"dialect of text “{of_text}”" if name == "raw" else f"dialect “{name}”"
        known = list(DIALECTS) if name == "raw" else [*DIALECTS, "raw"]
        raise KnownError(
            "read the predictions", f"there is no {what}", f"Use one of {', '.join(known)}."
        )
    return raw.with_rows_of_text(found) if name == "raw" else found
