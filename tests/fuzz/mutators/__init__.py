"""Ways to damage a file: by its bytes, or by what its bytes mean."""
