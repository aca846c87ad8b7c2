"""The command line: one command a use case. Importing it starts nothing and loads no Qt."""
