"""SAM 2 in the window: the one model all ask, the queue of presses, and the bar that shows it."""
