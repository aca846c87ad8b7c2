"""Errors caused by input, files or devices, described to the user in one sentence."""


class KnownError(Exception):
    """Something outside the program is not as it should be: a file, a phone, a full disk.

    It is shown as it is, without a traceback. Everything else that is raised is a bug.

    Attributes:
        doing: what was being done, as it follows "Cannot", e.g. "read predictions.jsonl".
        found: what was found, and where: "line 812 has no step number".
        remedy: what to do now, one sentence.
    """

    def __init__(self, doing: str, found: str, remedy: str) -> None:
        self.doing = doing
        self.found = found.rstrip(".")
        self.remedy = remedy
        super().__init__(f"Cannot {doing}: {self.found}. {remedy}")
