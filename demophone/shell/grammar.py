"""The shell's grammar: text in, a tree of commands out.

Covered: `;` `&&` `||` `|` and line ends, `( )` and `{ }`, `if` with `elif` and `else`, `!`,
assignments before a command, single, double and back-slash quotes, `$name` `${name}`
`${name:-default}` `$?` `$(...)`, `< > >> 2> 2>> 2>&1 1>&2 &>`, comments. What Android's shell
knows beyond that is a syntax error in words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

MAX_DEPTH = 20
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
REDIRECT = re.compile(r"(?P<both>&>)|(?P<fd>[0-2]?)(?P<operator>>>|>&|>|<)")
Operator = Literal["<", ">", ">>", ">&"]
OPERATORS: dict[str, Operator] = {"<": "<", ">": ">", ">>": ">>", ">&": ">&"}
BOTH_OUTPUTS = 3  # the number `&>` gets in place of a file descriptor
RESERVED = frozenset(
    ("if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac")
)

_AFTER_RESERVED = (" ", "\t", "\n", ";", "")


class ShellSyntaxError(Exception):
    """A script the shell cannot read; the text is what it says."""


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a word: text as it is, a variable's name, or a script whose output counts."""

    kind: Literal["text", "variable", "script"]
    text: str
    quoted: bool
    default: str | None = None


Word = tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Redirect:
    """`fd` goes to or comes from `target`; `>&` means another fd, whose number is the target."""

    fd: int
    operator: Operator
    target: Word


@dataclass(frozen=True, slots=True)
class Simple:
    """One command: its assignments, words and redirections."""

    assignments: tuple[tuple[str, Word], ...]
    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...]


@dataclass(frozen=True, slots=True)
class ScriptGroup:
    """A script in brackets; round ones keep their variables to themselves."""

    script: Script
    isolated: bool
    redirects: tuple[Redirect, ...]


@dataclass(frozen=True, slots=True)
class IfStatement:
    """`if`: conditions with what follows them, and what follows when none holds."""

    branches: tuple[tuple[Script, Script], ...]
    otherwise: Script | None
    redirects: tuple[Redirect, ...]


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Commands that feed each other; `negated` turns the status around."""

    commands: tuple[Simple | ScriptGroup | IfStatement, ...]
    negated: bool


@dataclass(frozen=True, slots=True)
class Script:
    """Pipelines in order, each with what must be true of the one before it."""

    items: tuple[tuple[Literal[";", "&&", "||"], Pipeline], ...]


def parse(text: str, depth: int = 0) -> Script:
    """The tree of `text`.

    Raises:
        ShellSyntaxError: it is not in the grammar, or nests too deeply.
    """
    parser = _Parser(text, depth)
    script = parser.script(closing="")
    if parser.peek():
        raise ShellSyntaxError(f"syntax error: unexpected '{parser.peek()}'")
    return script


class _Parser:
    def __init__(self, text: str, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise ShellSyntaxError("syntax error: nested too deeply")
        self._text = text
        self._at = 0
        self._depth = depth

    def peek(self, ahead: int = 0) -> str:
        return self._text[self._at + ahead : self._at + ahead + 1]

    def _skip_blanks(self, lines: bool = False) -> None:
        blanks = " \t\r\n" if lines else " \t\r"
        while self.peek():
            if self.peek() in blanks:
                self._at += 1
            elif self.peek() == "\\" and self.peek(1) == "\n":
                self._at += 2
            elif self.peek() == "#":
                while self.peek() and self.peek() != "\n":
                    self._at += 1
            else:
                return

    def _take(self, token: str) -> bool:
        if self._text.startswith(token, self._at):
            self._at += len(token)
            return True
        return False

    # --- commands ----------------------------------------------------------------------------
    def script(self, closing: str, words: tuple[str, ...] = ()) -> Script:
        """Commands up to a closing bracket, or up to one of some words in a command's place."""
        items: list[tuple[Literal[";", "&&", "||"], Pipeline]] = []
        link: Literal[";", "&&", "||"] = ";"
        while True:
            self._skip_blanks(lines=True)
            ends = (closing and self.peek() == closing) or self._next_word() in words
            if not self.peek() or ends:
                if link != ";":
                    raise ShellSyntaxError(f"syntax error: unexpected end after '{link}'")
                return Script(tuple(items))
            items.append((link, self._pipeline()))
            self._skip_blanks()
            if self._take("&&"):
                link = "&&"
            elif self._take("||"):
                link = "||"
            elif self._take(";") or self._take("\n"):
                link = ";"
            elif not self.peek() or (closing and self.peek() == closing):
                return Script(tuple(items))
            elif self.peek() == "&":
                raise ShellSyntaxError("syntax error: commands in the background are not supported")
            else:
                raise ShellSyntaxError(f"syntax error: unexpected '{self.peek()}'")

    def _pipeline(self) -> Pipeline:
        negated = False
        if self.peek() == "!" and self.peek(1) in (" ", "\t"):
            self._at += 1
            negated = True
            self._skip_blanks()
        commands = [self._command()]
        while True:
            self._skip_blanks()
            if self.peek() == "|" and self.peek(1) != "|":
                self._at += 1
                self._skip_blanks(lines=True)
                commands.append(self._command())
            else:
                return Pipeline(tuple(commands), negated)

    def _next_word(self) -> str:
        """The letters that begin here, where nothing is joined to them; "" for anything else."""
        found = NAME.match(self._text, self._at)
        if found is None or self._text[found.end() : found.end() + 1] not in _AFTER_RESERVED:
            return ""
        return found[0]

    def _choice(self) -> IfStatement:
        """After `if`."""
        branches: list[tuple[Script, Script]] = []
        otherwise: Script | None = None
        word = "if"
        while word in ("if", "elif"):
            condition = self._block(("then",))[0]
            body, word = self._block(("elif", "else", "fi"))
            branches.append((condition, body))
        if word == "else":
            otherwise, _ = self._block(("fi",))
        redirects = []
        while (redirect := self._redirect()) is not None:
            redirects.append(redirect)
        return IfStatement(tuple(branches), otherwise, tuple(redirects))

    def _block(self, ends: tuple[str, ...]) -> tuple[Script, str]:
        """Commands up to one of some words, and the word; there is at least one command."""
        script = _Nested(self).script("", ends)
        word = self._next_word()
        if word not in ends or not script.items:
            found = word or self.peek()
            raise ShellSyntaxError(
                f"syntax error: unexpected '{found}'" if found else "syntax error: unmatched 'if'"
            )
        self._at += len(word)
        return script, word

    def _command(self) -> Simple | ScriptGroup | IfStatement:
        if self._next_word() == "if":
            self._at += len("if")
            return self._choice()
        for opening, closing in (("(", ")"), ("{", "}")):
            if self.peek() == opening and (opening == "(" or self.peek(1) in (" ", "\t", "\n")):
                self._at += 1
                script = _Nested(self).script(closing)
                if not self._take(closing):
                    raise ShellSyntaxError(f"syntax error: unmatched '{opening}'")
                redirects = []
                while (redirect := self._redirect()) is not None:
                    redirects.append(redirect)
                return ScriptGroup(script, opening == "(", tuple(redirects))
        return self._simple()

    def _simple(self) -> Simple:
        assignments: list[tuple[str, Word]] = []
        words: list[Word] = []
        redirects: list[Redirect] = []
        while True:
            redirect = self._redirect()
            if redirect is not None:
                redirects.append(redirect)
                continue
            if not self.peek() or self.peek() in ";|&()\n":
                break
            name = NAME.match(self._text, self._at)
            if not words and name and self._text[name.end() : name.end() + 1] == "=":
                self._at = name.end() + 1
                assignments.append((name[0], self._word()))
                continue
            word = self._word()
            if not words and word and word[0].text in RESERVED and not word[0].quoted:
                found = word[0].text
                if found in ("then", "else", "elif", "fi"):
                    raise ShellSyntaxError(f"syntax error: unexpected '{found}'")
                raise ShellSyntaxError(f"syntax error: '{found}' is not supported")
            words.append(word)
        if not (assignments or words or redirects):
            found = self.peek()
            raise ShellSyntaxError(
                f"syntax error: unexpected '{found}'" if found else "syntax error: unexpected end"
            )
        return Simple(tuple(assignments), tuple(words), tuple(redirects))

    def _redirect(self) -> Redirect | None:
        self._skip_blanks()
        found = REDIRECT.match(self._text, self._at)
        if found is None:
            return None
        self._at = found.end()
        self._skip_blanks()
        target = self._word()
        if not target:
            raise ShellSyntaxError(f"syntax error: unexpected end after '{found[0]}'")
        if found["both"]:
            return Redirect(BOTH_OUTPUTS, ">", target)
        operator = OPERATORS[found["operator"]]
        if operator == ">&" and target[0].text not in ("1", "2"):
            raise ShellSyntaxError(f"syntax error: bad file descriptor '{target[0].text}'")
        fd = int(found["fd"]) if found["fd"] else int(operator != "<")
        return Redirect(fd, operator, target)

    # --- words -------------------------------------------------------------------------------
    def _word(self) -> Word:
        parts: list[Part] = []
        plain = ""

        def flush() -> None:
            nonlocal plain
            if plain:
                parts.append(Part("text", plain, False))
                plain = ""

        while (char := self.peek()) and char not in " \t\r\n;|&<>()":
            if char == "'":
                flush()
                end = self._text.find("'", self._at + 1)
                if end < 0:
                    raise ShellSyntaxError("syntax error: no closing quote")
                parts.append(Part("text", self._text[self._at + 1 : end], True))
                self._at = end + 1
            elif char == '"':
                flush()
                self._at += 1
                parts.extend(self._double_quoted())
            elif char == "\\":
                flush()
                if self.peek(1) != "\n":
                    parts.append(Part("text", self.peek(1) or "\\", True))
                self._at += 2
            elif char == "$":
                flush()
                parts.append(self._dollar(quoted=False))
            elif char == "`":
                flush()
                parts.append(self._backquoted(quoted=False))
            else:
                plain += char
                self._at += 1
        flush()
        return tuple(parts)

    def _double_quoted(self) -> list[Part]:
        parts = [Part("text", "", True)]
        plain = ""
        while True:
            char = self.peek()
            if not char:
                raise ShellSyntaxError("syntax error: no closing quote")
            if char == '"':
                self._at += 1
                parts.append(Part("text", plain, True))
                return parts
            if char == "\\" and self.peek(1) in ('"', "\\", "$", "`", "\n"):
                plain += self.peek(1) if self.peek(1) != "\n" else ""
                self._at += 2
            elif char in "$`":
                parts.append(Part("text", plain, True))
                plain = ""
                if char == "$":
                    parts.append(self._dollar(quoted=True))
                else:
                    parts.append(self._backquoted(quoted=True))
            else:
                plain += char
                self._at += 1

    def _dollar(self, quoted: bool) -> Part:
        self._at += 1
        if self._take("(("):
            raise ShellSyntaxError("syntax error: arithmetic is not supported")
        if self._take("("):
            start = self._at
            _Nested(self).script(")")
            if not self._take(")"):
                raise ShellSyntaxError("syntax error: unmatched '$('")
            return Part("script", self._text[start : self._at - 1], quoted)
        if self._take("{"):
            end = self._text.find("}", self._at)
            body = self._text[self._at : end] if end >= 0 else ""
            name, separator, default = body.partition(":-")
            if not (NAME.fullmatch(name) or name in ("?", "$")):
                raise ShellSyntaxError(f"syntax error: ${{{body}}}: bad substitution")
            self._at = end + 1
            return Part("variable", name, quoted, default if separator else None)
        if self.peek() and self.peek() in "?$#@*0123456789!":
            name = self.peek()
            self._at += 1
            return Part("variable", name, quoted)
        found = NAME.match(self._text, self._at)
        if found is None:
            return Part("text", "$", True)
        self._at = found.end()
        return Part("variable", found[0], quoted)

    def _backquoted(self, quoted: bool) -> Part:
        end = self._text.find("`", self._at + 1)
        if end < 0:
            raise ShellSyntaxError("syntax error: no closing quote")
        body = self._text[self._at + 1 : end]
        self._at = end + 1
        return Part("script", body, quoted)


class _Nested(_Parser):
    """A parser further inside the same text; it moves the outer one along."""

    def __init__(self, outer: _Parser) -> None:
        super().__init__(outer._text, outer._depth + 1)
        self._at = outer._at
        self._outer = outer

    def script(self, closing: str, words: tuple[str, ...] = ()) -> Script:
        script = super().script(closing, words)
        self._outer._at = self._at
        return script
