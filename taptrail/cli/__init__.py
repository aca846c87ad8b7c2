"""The command line: one command for each use case. Importing it starts nothing, loads no Qt."""
