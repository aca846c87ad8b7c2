"""A small view toolkit: one tree of views is drawn, hit, logged and dumped."""
