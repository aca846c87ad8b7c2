"""What people ask of Taptrail, as plain functions: the command line and the window call these."""
