"""The library on disk: one SQLite file and the folders beside it. The only SQL there is."""
