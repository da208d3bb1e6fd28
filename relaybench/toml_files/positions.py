"""On which line of a TOML file each key stands.

Neither tomllib nor tomlkit tells, and a message without a line sends an author searching. The
scanner below reads only as much TOML as it takes to know where keys and array elements begin; it
is run after tomllib has accepted the text, so it never has to judge it.
"""

from __future__ import annotations

from collections.abc import Mapping

from relaybench.domain.finding import KeyPath

_SPACE = " \t\r\n"
_BARE_END = " \t=.[]#\r\n"


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.line = 1
        self.lines: dict[KeyPath, int] = {}
        self.tables: dict[KeyPath, int] = {}  # how many elements an array of tables has so far

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
            if self.peek() in ('"', "'"):
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
        self.advance()
        index = 0
        while True:
            self.skip_blank()
            if self.peek() == "]":
                return self.advance()
            if self.peek() == ",":
                self.advance()
                continue
            self.value((*path, index))
            index += 1

    def inline_table(self, path: KeyPath) -> None:
        self.advance()
        while True:
            self.skip_blank()
            if self.peek() == "}":
                return self.advance()
            if self.peek() == ",":
                self.advance()
                continue
            self.pair(path)

    def pair(self, path: KeyPath) -> None:
        line = self.line
        key = self.key()
        self.lines.setdefault((*path, *key), line)
        self.advance()  # the equals sign
        self.value((*path, *key))

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
            self.lines.setdefault(path, line)
            self.tables[path] = self.tables.get(path, 0) + 1
            path = (*path, self.tables[path] - 1)
        elif path in self.tables:
            path = (*path, self.tables[path] - 1)
        self.lines.setdefault(path, line)
        return path

    def scan(self) -> dict[KeyPath, int]:
        table: KeyPath = ()
        while True:
            self.skip_blank()
            if not self.peek():
                return self.lines
            if self.peek() == "[":
                table = self.header()
            else:
                self.pair(table)


def key_lines(text: str) -> dict[KeyPath, int]:
    """Map every key path of a valid TOML text to its line, counted from 1."""
    return _Scanner(text).scan()


def line_of(lines: Mapping[KeyPath, int], path: KeyPath) -> int:
    """Line of a key, or of the nearest thing around it that exists; 1 at the last."""
    while path:
        if path in lines:
            return lines[path]
        path = path[:-1]
    return 1
