"""The place Record: a phone in the window, and the steps as they are made."""
