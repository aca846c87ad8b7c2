"""The place Tasks: attempts of one task, how long people take, and the budget that follows."""
