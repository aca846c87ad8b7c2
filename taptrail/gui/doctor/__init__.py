"""The Doctor page: what prevents recording on this computer, and how to fix it."""
