"""The protocols' rules over columns: a batch of steps in, counts out that can be added up."""
