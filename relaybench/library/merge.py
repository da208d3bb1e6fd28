"""Merge values into the TOML text of a file edited by hand, so that all else stays as it was."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, Final

import tomlkit
import tomlkit.exceptions
import tomlkit.items

from relaybench.domain.errors import ProblemError
from relaybench.library.identity import IDENTITY, names_in_file, rows_before
from relaybench.toml_files.positions import key_lines

#: Tables whose keys all are the program's: one that is gone from the values goes from the file.
_CLOSED: Final = frozenset({"data", "inputs"})
#: Of these only what stands between the outer line breaks counts, in reading too.
_BLOCKS: Final = frozenset({"prompt"})
#: From how many characters on a list has a line for each of its elements.
_WIDE: Final = 90
_TRIVIA: Final = (tomlkit.items.Comment, tomlkit.items.Whitespace)
_BARE_LF: Final = re.compile(r"(?<!\r)\n")
#: Characters that TOML takes only escaped.
_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f]")


def merged_text(text: str, data: Mapping[str, Any], before: Mapping[str, Any] | None = None) -> str:
    """Return the TOML ``text`` with ``data`` merged in; None in ``data`` removes a key.

    ``before`` is what the text was read as: values equal to it are not touched. Line ends stay
    as the text has them. Raises ProblemError where the result would not say what it should.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    try:
        document = tomlkit.parse(text)
        merge = _Merge(newline)
        merge.table(document, data, before or {})
        merged = str(tomlkit.dumps(document))
        for key, comments in merge.above.items():
            merged = _inserted(merged, key, comments.removeprefix(newline))
        if newline == "\r\n" and not _BARE_LF.search(text):
            merged = _BARE_LF.sub(newline, merged)  # tomlkit ends new lines with LF
        told = tomllib.loads(merged)
    except (tomlkit.exceptions.TOMLKitError, ValueError, RecursionError) as error:
        raise ProblemError(f"the change cannot be saved: {error}; make it by hand") from error
    lost = _difference(told, data, before or {})
    if lost:
        raise ProblemError(f"the change of {lost} cannot be saved here; make it by hand")
    return merged


def _inserted(text: str, key: str, comments: str) -> str:
    """Put comments above the first ``[[key]]``; tomlkit has no place for them there."""
    lines = text.split("\n")
    at = key_lines(text).get((key, 0), 1) - 1
    return "\n".join(lines[:at]) + ("\n" if at else "") + comments + "\n".join(lines[at:])


def _difference(told: Any, data: Mapping[str, Any], before: Mapping[str, Any]) -> str:
    """Name a changed key that a text does not tell as it should, or nothing."""
    for key, new in data.items():
        if key in before and before[key] == new:
            continue
        old = told.get(key)
        if key in IDENTITY and isinstance(new, list):
            rows = old if isinstance(old, list) else []
            if len(rows) != len(new):
                return key
            was = rows_before(key, before.get(key), new)
            for row, wanted, known in zip(rows, new, was, strict=True):
                inner = _difference(row, wanted, known)
                if inner:
                    return f"{key} {wanted.get(IDENTITY[key])!r} {inner}"
        elif isinstance(new, Mapping) and isinstance(old, Mapping):
            inner = _difference(old, new, before.get(key) or {})
            if inner or (key in _CLOSED and set(old) != set(new)):
                return f"{key} {inner}".strip()
        elif not (_same(key, old, new) or (not new and not old)):
            return key
    return ""


def _same(key: str, old: Any, new: Any) -> bool:
    if isinstance(old, str) and isinstance(new, str):
        plain = old.replace("\r\n", "\n")
        return plain == new or (key in _BLOCKS and plain.strip("\n") == new.strip("\n"))
    return type(old) is type(new) and bool(old == new)


def _plain(value: Any) -> Any:
    return value.unwrap() if hasattr(value, "unwrap") else value


def _end(entry: Any) -> list[tuple[Any, Any]]:
    """What stands last in a table or in its last sub-table, as tomlkit keeps it."""
    body: list[tuple[Any, Any]] = entry.value.body
    while body and isinstance(body[-1][1], tomlkit.items.Table):
        body = body[-1][1].value.body
    return body


def _lift_comments(entries: Sequence[Any]) -> dict[str, list[tuple[Any, Any]]]:
    """Take off the comments between entries, by the identity of the entry that they stand above.

    tomlkit counts them to the entry before, with which they would move. Those at the very end
    are given for ``""``.
    """
    above: dict[str, list[tuple[Any, Any]]] = {"": []}
    following = [*entries[1:], None]
    for entry, after in zip(entries, following, strict=True):
        body = _end(entry)
        start = len(body)
        while start and isinstance(body[start - 1][1], _TRIVIA):
            start -= 1
        blank = next((i for i in range(start, len(body)) if _is_blank(body[i][1])), start)
        name = "" if after is None else str(after.get("id", after.get("label")))
        above[name] = body[blank:]
        del body[blank:]
    return above


def _is_blank(item: Any) -> bool:
    return isinstance(item, tomlkit.items.Whitespace)


class _Merge:
    """Merges into a document whose lines end with ``newline``."""

    def __init__(self, newline: str) -> None:
        self.newline = newline
        self.above: dict[str, str] = {}  # comments for above the first of an array of tables

    def table(self, table: Any, data: Mapping[str, Any], before: Mapping[str, Any]) -> None:
        for key, new in data.items():
            old = table.get(key)
            if key in before and before[key] == new:
                continue
            if new is None or (new in ([], {}) and old is None):
                if old is not None:
                    del table[key]
            elif old is not None and _same(key, _plain(old), new):
                continue
            elif isinstance(new, Mapping) and isinstance(old, Mapping):
                for gone in [name for name in old if name not in new and key in _CLOSED]:
                    del table[key][gone]
                self.table(table[key], new, before.get(key) or {})
            elif key in IDENTITY and isinstance(old, tomlkit.items.AoT | list):
                self.rows(table, key, new, before.get(key))
            elif isinstance(new, list) and isinstance(old, tomlkit.items.Array):
                table[key] = self.array(new, old)
            else:
                table[key] = self.item(key, new)

    def array(self, new: list[Any], old: tomlkit.items.Array | None = None) -> Any:
        """A list; one as long as before keeps its layout, one of long texts has a line for each."""
        if old is not None and len(old) == len(new):
            for index, each in enumerate(new):
                if old[index] != each:
                    old[index] = self.item("", each)
            return old
        array = tomlkit.array()
        array.extend(self.item("", each) for each in new)
        wide = len(array.as_string()) > _WIDE
        return array.multiline(wide or (old is not None and "\n" in old.as_string()))

    def rows(self, table: Any, key: str, rows: Sequence[Mapping[str, Any]], before: Any) -> None:
        """Merge rows into an array of tables by their identity, in the new order."""
        name = IDENTITY[key]
        was = rows_before(key, before, rows)
        entries = list(table[key])
        known_as = names_in_file(key, before or [], rows)
        if known_as == [_plain(each.get(name)) for each in entries]:
            for entry, row, known in zip(entries, rows, was, strict=True):
                self.table(entry, row, known)
            return
        old = {str(each.get(name)): each for each in entries}
        above = _lift_comments(entries)
        at_the_end = above.pop("")
        fresh = tomlkit.aot()
        for row, known, called in zip(rows, was, known_as, strict=True):
            entry = old.pop(str(called), None)
            if entry is None:
                entry = self.item("", row)
            else:
                self.table(entry, row, known)
            comments = above.pop(str(called), [])
            if fresh:
                _end(fresh[-1]).extend(comments)
            else:
                self.above[key] = "".join(each.as_string() for _, each in comments)
            first = not fresh
            fresh.append(entry)
            # tomlkit puts a blank line before each, also below a comment that stands above it.
            fresh[-1].trivia.indent = "" if first or comments else self.newline
        if fresh:
            _end(fresh[-1]).extend(at_the_end)
        table[key] = fresh

    def item(self, key: str, value: Any) -> Any:
        if isinstance(value, str):
            return self.string(key, value)
        rows = isinstance(value, list) and all(isinstance(each, Mapping) for each in value)
        if rows and (value or key in IDENTITY):
            tables = tomlkit.aot()
            for row in value:
                tables.append(self.item("", row))
            return tables
        if isinstance(value, Mapping):
            in_line = key in _CLOSED and not any(
                isinstance(each, str) and ("\n" in each or len(each) > 60)
                for each in value.values()
            )
            given = {n: self.item(n, each) for n, each in value.items() if each is not None}
            if in_line and given:
                pairs = (
                    f"{tomlkit.key(n).as_string()} = {i.as_string()}" for n, i in given.items()
                )
                return tomlkit.value(f"{{ {', '.join(pairs)} }}")
            table: Any = tomlkit.inline_table() if in_line else tomlkit.table()
            for n, each in given.items():
                table[n] = each
            return table
        if isinstance(value, list):
            return self.array(value)
        return tomlkit.item(value)

    def string(self, key: str, value: str) -> Any:
        """A string in the form that shows it best, and always one that reads back the same."""
        block = key in _BLOCKS
        if block:
            value = value.strip("\n")
        if not block and "\n" not in value:
            raw = "\\" in value and "'" not in value and not _CONTROL.search(value)
            return tomlkit.string(value, literal=raw)
        if _CONTROL.search(value):
            return tomlkit.string(value)  # all escaped, on one line
        body = "\n" + value + ("\n" if block else "")
        raw = "'''" not in body and not body.endswith("'")
        body = body if raw else body.replace("\\", "\\\\").replace('"', '\\"')
        fence = "'''" if raw else '"""'
        text = f"{fence}{body}{fence}".replace("\n", self.newline)
        return tomlkit.value(text)
