"""Parts that every place is made of; each looks the same wherever it stands."""
