"""How much each look of a guess weighs. Written by tools/fit_suggestion.py.

Fitted on 1,800 presses on screens drawn for it and on some of the demo phone's apps.
"""

VERSION = "1"
"""Grows whenever guesses, looks or weights change: provenance names it."""
CALIBRATION = (-0.16151, 1.13517)
"""Offset and factor from the ranking's number to the IoU to be expected of the best guess."""
WEIGHTS = {
    "one": 0.30554,
    "height": 0.17805,
    "height squared": -0.19396,
    "width": 0.03631,
    "width squared": -0.08052,
    "height by width": -0.03677,
    "of the screen's width": 0.07752,
    "whole width": -0.05741,
    "off across": -0.24074,
    "off down": 0.09981,
    "off across in dp": -0.04174,
    "off down in dp": -0.19966,
    "weakest side": 0.11768,
    "clear sides": -0.04172,
    "weakest clear side": 0.07356,
    "fill with clear sides": -0.03150,
    "sides": -0.00378,
    "two sides": 0.01690,
    "four sides": -0.01681,
    "edges at left and right": 0.02432,
    "edges at top and bottom": 0.06010,
    "edges inside": 0.01190,
    "edges around": -0.05278,
    "nothing around": 0.06747,
    "cut by the band": 0.07297,
    "others alike": 0.37129,
    "margins alike across": 0.01726,
    "margins alike down": 0.35665,
    "ink across": 0.02201,
    "ink down": 0.14141,
    "ink across squared": -0.20939,
    "ink down squared": -0.18721,
    "lines of the screen": 0.02364,
    "fill": 0.15901,
    "ink": 0.02457,
    "padded": 0.00682,
    "text": -0.02219,
    "square": -0.01725,
    "row": 0.12469,
    "cell": 0.03287,
    "pitch": -0.00298,
}
