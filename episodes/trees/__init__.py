"""Trees: the windows and nodes that a phone reports for its screen."""
