"""The apps of the demo phone, and the screens of its system."""
