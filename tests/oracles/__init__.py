"""Scoring rules written a second time, from their descriptions alone.

An oracle here imports nothing from the product. It is slow and literal on purpose. A test that
compares it with the product finds the places where one of the two misread the rule.
"""
