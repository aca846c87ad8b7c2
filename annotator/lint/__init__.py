"""Lint rules: find likely mistakes in recorded and imported steps."""
