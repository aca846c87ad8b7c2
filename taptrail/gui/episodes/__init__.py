"""The Episodes page: find, inspect, open and import episodes."""
