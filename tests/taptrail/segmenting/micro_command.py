"""The command line with the micro model, as a process of its own: `python -m ... segment ...`.

Checkpoints are found by their table; the micro model is in none, so it is handed in here. All
else is the program as it is.
"""

from pathlib import Path

from annotator.sam2.client import Sam2
from tests.annotator.sam2 import micro


def open_segmenter(settings, name="", **_) -> Sam2:
    """Instead of the one that looks for a checkpoint."""
    return Sam2(micro.weights(), Path.home() / "embeddings", threads=1)


if __name__ == "__main__":
    from taptrail.cli.main import main
    from taptrail.usecases import models

    models.open_segmenter = open_segmenter
    main()
