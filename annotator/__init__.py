"""Which part of the screen was meant, and what people say about steps."""
