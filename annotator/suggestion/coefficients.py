"""How much each look of a guess weighs. Written by tools/fit_suggestion.py.

Fitted on 1,800 presses on screens drawn for it and on some of the demo phone's apps.
"""

VERSION = "1"
"""Grows whenever guesses, looks or weights change: provenance names it."""
CALIBRATION = (-0.00684, 1.03153)
"""Offset and factor from the ranking's number to the IoU to be expected of the best guess."""
WEIGHTS = {
    "one": 0.28051,
    "height": 0.12688,
    "height squared": -0.17350,
    "width": -0.01842,
    "width squared": -0.08256,
    "height by width": -0.00871,
    "of the screen's width": 0.09776,
    "whole width": -0.03725,
    "off across": -0.27800,
    "off down": 0.14999,
    "off across in dp": -0.04726,
    "off down in dp": -0.21375,
    "weakest side": 0.10808,
    "clear sides": -0.04286,
    "weakest clear side": 0.07547,
    "fill with clear sides": 0.00393,
    "sides": 0.00566,
    "two sides": -0.01062,
    "four sides": -0.05881,
    "edges at left and right": 0.00365,
    "edges at top and bottom": 0.04183,
    "edges inside": -0.19576,
    "edges around": 0.02279,
    "nothing around": 0.07741,
    "cut by the band": 0.07910,
    "others alike": 0.26792,
    "margins alike across": -0.18689,
    "margins alike down": 0.48227,
    "fill": 0.15585,
    "ink": -0.00739,
    "padded": -0.02072,
    "text": -0.02726,
    "square": -0.07110,
    "row": 0.11415,
    "cell": 0.07357,
    "pitch": 0.06341,
}
