"""What is likely wrong with recorded or imported steps, told so that a person can settle it."""
