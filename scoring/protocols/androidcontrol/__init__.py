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
    paper.V1,
    paper.V2,
    uground.V1,
    uground.V2,
    os_atlas.V1,
    qwen25vl.V1,
    qwen25vl.V2,
    agentcpm.V1,
    agentcpm.V2,
    agentcpm.WITHOUT_FLAG,
    agentcpm.WITHOUT_FLAG_V2,
    gui_r1.V1,
    clawgui.V1,
    clawgui.V2,
    mimo.V1,
    mimo.V2,
)
