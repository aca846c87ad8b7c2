"""The Record page: a phone in the window, and its steps while they are recorded."""
