"""Ask a model about recorded steps: recipes, requests, the client and what an answer keeps."""
