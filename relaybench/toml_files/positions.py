"""On which line of a TOML file each key stands.

Neither tomllib nor tomlkit tells, and a message without a line sends an author searching. The
scanner below reads only as much TOML as it takes to know where keys and array elements begin; it
is run after tomllib has accepted the text, so it never has to judge it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass

from relaybench.domain.finding import KeyPath

_SPACE = " \t\r\n"
_BARE_END = " \t=.[]#\r\n"


class _Unclosed(Exception):
    """A string, list or table that begins at ``line`` goes on to the end of the text."""

    def __init__(self, what: str, line: int) -> None:
        super().__init__(what, line)
        self.what = what
        self.line = line


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.line = 1
        self.lines: dict[KeyPath, int] = {}
        self.implied: dict[KeyPath, int] = {}  # tables that only a longer key speaks of
        self.tables: dict[KeyPath, int] = {}  # how many elements an array of tables has so far
        self.headers: list[tuple[KeyPath, int]] = []
        self.spans: list[tuple[int, int]] = []  # first and last line of each header and pair
        self.last: KeyPath = ()  # what the last ``key = value`` outside inline tables gave
        self.last_line = 0

    def note(self, path: KeyPath, line: int, known: int) -> None:
        """Note a key's line, and that of the tables it implies beyond ``known`` names."""
        self.lines.setdefault(path, line)
        for length in range(known + 1, len(path)):
            self.implied.setdefault(path[:length], line)

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def advance(self, count: int = 1) -> None:
        self.line += self.text.count("\n", self.at, self.at + count)
        self.at += count

    def skip_blank(self) -> None:
        while (char := self.peek()) and (char in _SPACE or char == "#"):
            if char == "#":
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end
            else:
                self.advance()

    def skip_string(self) -> str:
        quote = self.peek()
        long = self.text.startswith(quote * 3, self.at)
        fence = quote * 3 if long else quote
        start = self.at + len(fence)
        end = start
        while not self.text.startswith(fence, end):
            if end >= len(self.text):
                raise _Unclosed("string", self.line)
            end += 2 if quote == '"' and self.text[end] == "\\" else 1
        while long and self.text.startswith(quote, end + len(fence)):
            end += 1  # up to two quotes may stand right before the closing three
        content = self.text[start:end]
        self.advance(end + len(fence) - self.at)
        return content

    def key(self) -> tuple[str, ...]:
        parts: list[str] = []
        while True:
            self.skip_blank()
            if self.peek() == '"':
                parts.append(str(tomllib.loads(f'k = "{self.skip_string()}"')["k"]))
            elif self.peek() == "'":
                parts.append(self.skip_string())
            else:
                start = self.at
                while self.peek() and self.peek() not in _BARE_END:
                    self.at += 1
                parts.append(self.text[start : self.at])
            self.skip_blank()
            if self.peek() != ".":
                return tuple(parts)
            self.advance()

    def value(self, path: KeyPath) -> None:
        self.skip_blank()
        self.lines.setdefault(path, self.line)
        char = self.peek()
        if char in ('"', "'"):
            self.skip_string()
        elif char == "[":
            self.elements(path)
        elif char == "{":
            self.inline_table(path)
        else:
            while self.peek() and self.peek() not in ",]}#\n":
                self.advance()

    def elements(self, path: KeyPath) -> None:
        start = self.line
        self.advance()
        index = 0
        while True:
            self.skip_blank()
            if not self.peek():
                raise _Unclosed("list", start)
            if self.peek() == "]":
                return self.advance()
            if self.peek() == ",":
                self.advance()
                continue
            self.value((*path, index))
            index += 1

    def inline_table(self, path: KeyPath) -> None:
        start = self.line
        self.advance()
        while True:
            self.skip_blank()
            if not self.peek():
                raise _Unclosed("table", start)
            if self.peek() == "}":
                return self.advance()
            if self.peek() == ",":
                self.advance()
                continue
            self.pair(path)

    def pair(self, table: KeyPath) -> KeyPath:
        line = self.line
        path = (*table, *self.key())
        self.note(path, line, len(table))
        self.advance()  # the equals sign
        self.value(path)
        return path

    def header(self) -> KeyPath:
        """Read ``[a.b]`` or ``[[a.b]]``; names of arrays of tables mean their last element."""
        line = self.line
        many = self.text.startswith("[[", self.at)
        self.advance(2 if many else 1)
        names = self.key()
        self.advance(2 if many else 1)
        path: KeyPath = ()
        for name in names[:-1]:
            path = (*path, name)
            if path in self.tables:
                path = (*path, self.tables[path] - 1)
        path = (*path, names[-1])
        if many:
            self.note(path, line, 0)
            self.tables[path] = self.tables.get(path, 0) + 1
            path = (*path, self.tables[path] - 1)
        elif path in self.tables:
            path = (*path, self.tables[path] - 1)
        self.note(path, line, 0)
        self.headers.append((path, line))
        return path

    def scan(self) -> dict[KeyPath, int]:
        table: KeyPath = ()
        while True:
            self.skip_blank()
            if not self.peek():
                return {**self.implied, **self.lines}
            begins = self.line
            if self.peek() == "[":
                table = self.header()
                self.last = ()
            else:
                self.last_line = self.line
                self.last = self.pair(table)
            self.spans.append((begins, self.line))


def key_lines(text: str) -> dict[KeyPath, int]:
    """Map every key path of a valid TOML text to its line, counted from 1."""
    return _Scanner(text).scan()


@dataclass(frozen=True, slots=True)
class Outline:
    """Path and line of every ``[table]`` and ``[[table]]``, and all lines that say something.

    On the other lines, all counted from 1, stand comments or nothing.
    """

    headers: tuple[tuple[KeyPath, int], ...]
    telling: frozenset[int]


def outline(text: str) -> Outline:
    """Where in a valid TOML text its tables begin, and which lines say something."""
    scanner = _Scanner(text)
    scanner.scan()
    telling = {line for first, last in scanner.spans for line in range(first, last + 1)}
    return Outline(tuple(scanner.headers), frozenset(telling))


def unclosed(text: str) -> tuple[str, int] | None:
    """What goes on to the end of a text that is valid up to there, and the line it begins in."""
    try:
        key_lines(text)
    except _Unclosed as found:
        return found.what, found.line
    return None


def last_pair(text: str) -> tuple[KeyPath, int, int]:
    """Path of the last ``key = value`` of a text whose grammar is right, and two lines.

    The lines are where that key first stands and where this last pair begins; an empty path
    where the text ends with a table's header.
    """
    scanner = _Scanner(text)
    lines = scanner.scan()
    return scanner.last, line_of(lines, scanner.last), scanner.last_line


def line_of(lines: Mapping[KeyPath, int], path: KeyPath) -> int:
    """Line of a key, or of the nearest thing around it that exists; 1 at the last."""
    while path:
        if path in lines:
            return lines[path]
        path = path[:-1]
    return 1
