"""Values of Taptrail: screens, actions, steps, targets, episodes, predictions, verdicts."""
