"""The place Episodes: find, look at, open, import."""
