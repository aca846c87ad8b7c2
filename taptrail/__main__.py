"""`python -m taptrail`: the same as `taptrail`."""

import sys
from pathlib import Path

if __name__ == "__main__":
    # `-m` puts the working folder first: somebody's replay.py there must not replace our package.
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

    from taptrail.cli.main import main

    main()
