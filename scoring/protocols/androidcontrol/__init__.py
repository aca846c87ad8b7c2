"""AndroidControl's step rules, as its paper and eight published evaluators have them; no two are
alike."""

from scoring.protocol import ScoringProtocol
from scoring.protocols.androidcontrol import (
    agentcpm,
    clawgui,
    gui_r1,
    mimo,
    os_atlas,
    paper,
    qwen25vl,
    uground,
)

ANDROIDCONTROL: tuple[ScoringProtocol, ...] = (
    paper.V2,
    paper.V1,
    uground.V2,
    uground.V1,
    os_atlas.V1,
    qwen25vl.V2,
    qwen25vl.V1,
    agentcpm.V2,
    agentcpm.V1,
    agentcpm.WITHOUT_FLAG_V2,
    agentcpm.WITHOUT_FLAG,
    gui_r1.V2,
    gui_r1.V1,
    clawgui.V2,
    clawgui.V1,
    mimo.V2,
    mimo.V1,
)
