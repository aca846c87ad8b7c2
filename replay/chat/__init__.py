"""Steps as chats between a person and a model: rows to train models on, written and read."""
