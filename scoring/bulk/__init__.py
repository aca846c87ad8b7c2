"""Scores batches of steps as columns: each batch gives counts that can be added up."""
