"""SAM 2 on a step's frame: a prompt in, three masks out, computed in a process of its own."""
