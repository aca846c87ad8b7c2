"""Regions found in the picture without a trained network: boxes, what they look like, a ranking."""
