"""The place Review: what was done and what models said, on the same frame."""
