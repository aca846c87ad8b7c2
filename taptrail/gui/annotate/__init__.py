"""The Annotate page: mark the target of each press and correct wrongly recorded actions."""
