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
from relaybench.domain.finding import KeyPath
from relaybench.library.identity import IDENTITY, names_in_file, rows_before
from relaybench.toml_files import blocks

#: Tables whose keys all are the program's: one that is gone from the values goes from the file.
_CLOSED: Final = frozenset({"data", "inputs"})
#: Of these only what stands between the outer line breaks counts, in reading too.
_BLOCKS: Final = frozenset({"prompt"})
#: From how many characters on a list has a line for each of its elements.
_WIDE: Final = 90
_BARE_LF: Final = re.compile(r"(?<!\r)\n")
#: Characters that TOML takes only escaped.
_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f]")


def merged_text(text: str, data: Mapping[str, Any], before: Mapping[str, Any] | None = None) -> str:
    """Return the TOML ``text`` with ``data`` merged in; None in ``data`` removes a key.

    ``before`` is what the text was read as: values equal to it are not touched. Line ends stay
    as the text has them. Raises ProblemError where the result would not say what it should.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    known = before or {}
    changes = {key: new for key, new in data.items() if key not in known or known[key] != new}
    try:
        merged = _merged(text, changes, known, _Merge(newline))
        if newline == "\r\n" and not _BARE_LF.search(text):
            merged = _BARE_LF.sub(newline, merged)  # tomlkit ends new lines with LF
        told = tomllib.loads(merged)
    except (tomlkit.exceptions.TOMLKitError, ValueError, RecursionError) as error:
        raise ProblemError(f"the change cannot be saved: {error}; make it by hand") from error
    lost = _difference(told, data, known)
    if lost:
        raise ProblemError(f"the change of {lost} cannot be saved here; make it by hand")
    return merged


def _merged(text: str, changes: Mapping[str, Any], before: Mapping[str, Any], merge: _Merge) -> str:
    """Merge each change into the lines that it is about: what stands beside them stays there."""
    there = tomllib.loads(text)
    plain: dict[str, Any] = {}
    for key, new in changes.items():
        rows = blocks.rows_of(text, key) if key in IDENTITY else None
        table = None if rows else blocks.block_of(text, (key,))
        if rows is not None:
            text = _with_rows(text, key, rows, new, before.get(key), merge)
        elif table is not None and new is None:
            text = blocks.removed(text, table)
        elif table is not None:
            text = _in_block(text, table, (), {key: new}, before, merge)
        elif there and key not in there and new and isinstance(new, Mapping):
            text = blocks.added(text, _text_of({key: merge.item(key, new)}), None)
        else:
            plain[key] = new
    if not plain:
        return text
    head = blocks.head_of(text)
    known = tomllib.loads(blocks.text_of(text, head))
    if any(key in there and key not in known for key in plain):
        head = blocks.whole(text)
    return _in_block(text, head, (), plain, before, merge)


def _text_of(data: Mapping[str, Any]) -> str:
    document = tomlkit.document()
    document.update(data)
    return str(tomlkit.dumps(document))


def _in_block(
    text: str,
    block: blocks.Block,
    path: KeyPath,
    data: Mapping[str, Any],
    before: Mapping[str, Any],
    merge: _Merge,
) -> str:
    """Merge into what stands at a path in the lines of a block."""
    document = tomlkit.parse(blocks.text_of(text, block))
    place: Any = document
    for name in path:
        place = place[name]
    merge.table(place, data, before)
    return blocks.replaced(text, block, str(tomlkit.dumps(document)))


def _with_rows(
    text: str,
    key: str,
    found: Sequence[blocks.Block],
    rows: Sequence[Mapping[str, Any]],
    before: Sequence[Mapping[str, Any]] | None,
    merge: _Merge,
) -> str:
    """Merge rows into an array of tables by their identity, each with its comments."""
    there = tomllib.loads(text)[key]
    numbers: dict[str, list[int]] = {}
    for number, each in enumerate(before if before and len(before) == len(there) else there):
        numbers.setdefault(str(each.get(IDENTITY[key])), []).append(number)
    order: list[int | str] = []
    changed: dict[int, tuple[Mapping[str, Any], Mapping[str, Any]]] = {}
    was, names = rows_before(key, before, rows), names_in_file(key, before or (), rows)
    for row, known, name in zip(rows, was, names, strict=True):
        places = numbers.get(str(name))
        if places:
            number = places.pop(0)
            order.append(number)
            if row != known:
                changed[number] = row, known
        else:
            order.append(_text_of({key: merge.item(key, [row])}))
    for number in sorted(changed, reverse=True):  # from below: what is above keeps its lines
        text = _in_block(text, found[number], (key, 0), *changed[number], merge)
    if order == list(range(len(there))):
        return text
    return blocks.arranged(text, blocks.rows_of(text, key) or [], order)


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


class _Merge:
    """Merges into a document whose lines end with ``newline``."""

    def __init__(self, newline: str) -> None:
        self.newline = newline

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
            elif key in IDENTITY and isinstance(old, list):
                table[key] = self.rows(old, key, new, before.get(key))
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

    def rows(
        self, entries: Sequence[Any], key: str, rows: Sequence[Mapping[str, Any]], before: Any
    ) -> Any:
        """Merge rows into entries without headers of their own, which they get."""
        old = {str(each.get(IDENTITY[key])): each for each in entries}
        fresh = tomlkit.aot()
        names = names_in_file(key, before or (), rows)
        for row, known, name in zip(rows, rows_before(key, before, rows), names, strict=True):
            entry = old.pop(str(name), None)
            if entry is None:
                entry = self.item("", row)
            else:
                self.table(entry, row, known)
            fresh.append(entry)
        return fresh

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
