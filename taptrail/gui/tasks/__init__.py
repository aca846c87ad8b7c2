"""The Tasks page: attempts of one task, how long people take, and the resulting budget."""
