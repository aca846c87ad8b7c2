"""How much each look of a guess weighs. Written by tools/fit_suggestion.py.

Fitted on 1,800 presses on screens drawn for it and on some of the demo phone's apps.
"""

VERSION = "2"
"""Grows whenever guesses, looks or weights change: provenance names it."""
CALIBRATION = (0.25148, 0.63170)
"""Offset and factor from the ranking's number to the IoU to be expected of the best guess."""
WEIGHTS = {
    "one": 0.29860,
    "height": 0.19306,
    "height squared": -0.18805,
    "width": 0.01848,
    "width squared": -0.08061,
    "height by width": -0.03343,
    "of the screen's width": 0.11373,
    "whole width": -0.04980,
    "off across": -0.25484,
    "off down": 0.08893,
    "off across in dp": -0.03444,
    "off down in dp": -0.18115,
    "weakest side": 0.09527,
    "clear sides": -0.04775,
    "weakest clear side": 0.03055,
    "fill with clear sides": -0.02128,
    "sides": 0.00817,
    "two sides": 0.01000,
    "four sides": -0.03066,
    "edges at left and right": 0.03551,
    "edges at top and bottom": 0.04737,
    "edges inside": 0.00913,
    "edges around": -0.04384,
    "nothing around": 0.06136,
    "cut by the band": 0.03204,
    "others alike": 0.48240,
    "margins alike across": 0.02896,
    "margins alike down": 0.31419,
    "ink across": 0.04525,
    "ink down": 0.13705,
    "ink across squared": -0.21844,
    "ink down squared": -0.15643,
    "lines of the screen": 0.01996,
    "a control": 0.04657,
    "round a control": -0.10042,
    "fill": 0.14294,
    "ink": 0.02394,
    "padded": 0.00870,
    "text": -0.01221,
    "square": -0.02557,
    "row": 0.12040,
    "cell": 0.04052,
    "pitch": -0.00011,
}
