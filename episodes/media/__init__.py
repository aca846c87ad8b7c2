"""Video packets, stills and the small luma pictures that tell whether a screen has changed."""
