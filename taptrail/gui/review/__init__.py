"""The Review page: the gold action and the predictions of runs on the same frame."""
