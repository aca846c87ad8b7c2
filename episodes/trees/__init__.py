"""What a phone says of its screen in words: trees of nodes, however they were asked for."""
