"""Screens whose elements are known: drawn ones, and those of the demo phone's apps."""
