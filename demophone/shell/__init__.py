"""The shell of the phone: a small interpreter over a table of commands."""
