"""How much each look of a guess weighs. Written by tools/fit_suggestion.py.

Fitted on 1,800 presses on screens drawn for it and on some of the demo phone's apps.
"""

VERSION = "1"
"""Grows whenever guesses, looks or weights change: provenance names it."""
CALIBRATION = (-0.14772, 1.11682)
"""Offset and factor from the ranking's number to the IoU to be expected of the best guess."""
WEIGHTS = {
    "one": 0.30724,
    "height": 0.20566,
    "height squared": -0.20776,
    "width": 0.03177,
    "width squared": -0.07962,
    "height by width": -0.04111,
    "of the screen's width": 0.09968,
    "whole width": -0.05061,
    "off across": -0.25278,
    "off down": 0.10005,
    "off across in dp": -0.03866,
    "off down in dp": -0.20847,
    "weakest side": 0.09724,
    "clear sides": -0.04430,
    "weakest clear side": 0.04774,
    "fill with clear sides": -0.03531,
    "sides": 0.01035,
    "two sides": 0.01531,
    "four sides": -0.03326,
    "edges at left and right": 0.01778,
    "edges at top and bottom": 0.04561,
    "edges inside": 0.04230,
    "edges around": -0.05827,
    "nothing around": 0.06523,
    "cut by the band": 0.06372,
    "others alike": 0.35036,
    "margins alike across": 0.02521,
    "margins alike down": 0.33664,
    "ink across": 0.02565,
    "ink down": 0.17481,
    "ink across squared": -0.20361,
    "ink down squared": -0.18678,
    "lines of the screen": 0.01844,
    "a control": 0.06021,
    "round a control": -0.09673,
    "fill": 0.15274,
    "ink": 0.02959,
    "padded": 0.01147,
    "text": -0.01286,
    "square": -0.02251,
    "row": 0.11691,
    "cell": 0.03192,
    "pitch": -0.00002,
}
