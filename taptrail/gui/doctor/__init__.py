"""What keeps this computer from recording, and what to do about it."""
