"""SAM 2 in the window: the shared model, the queue of presses, and the progress bar."""
