"""Use cases of Taptrail as plain functions, called by the command line and the window."""
