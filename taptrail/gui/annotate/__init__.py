"""The place Annotate: saying what each press meant, and putting right what was recorded wrong."""
