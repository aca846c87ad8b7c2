"""`python -m taptrail`: the same as `taptrail`."""

from taptrail.cli.main import main

if __name__ == "__main__":
    main()
