"""The nouns of Taptrail: what was on a screen, what was done, meant and predicted."""
