"""Save problem files that people edit by hand: comments, order and unknown keys stay.

A change is merged into the document as it stands on disk, key by key; what did not change is not
rewritten. The file is replaced in one step, and a file that somebody else changed since it was
read is left alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import tomlkit
import tomlkit.items

from relaybench.domain.errors import StaleFileError
from relaybench.domain.item import text_digest
from relaybench.domain.problem import Composite, ProblemClass
from relaybench.toml_files.replace import replace_file
from relaybench.toml_files.source import SourceFile, read_text

#: By which key the elements of an array of tables are known, so that one keeps its comments
#: wherever it moves.
_IDENTITY: Final = {"instances": "id", "steps": "label"}
#: Keys that a class or composite may leave out: removed from the file where they became empty.
_OPTIONAL: Final = frozenset({"pattern", "rules", "answer", "bloat", "encoding", "title"})


def class_data(problem: ProblemClass) -> dict[str, Any]:
    """A class as its file holds it."""
    return {
        "id": problem.id,
        "domain": problem.domain.value,
        "title": problem.title,
        "prompt": problem.prompt,
        "rules": list(problem.rules),
        "pattern": problem.pattern,
        "example": problem.example,
        "instances": [
            {
                "id": each.id,
                "data": dict(each.data),
                "answer": each.answer,
                "status": each.status.value,
            }
            for each in problem.instances
        ],
    }


def composite_data(composite: Composite) -> dict[str, Any]:
    """A composite as its file holds it; defaults that were left out stay out."""
    bloat, encoding = composite.bloat, composite.encoding
    return {
        "id": composite.id,
        "title": composite.title or None,
        "separator": composite.separator,
        "answer": list(composite.answer) or None,
        "style": None if composite.style == "standard" else composite.style,
        "steps": [
            {
                "label": step.label,
                "use": str(step.use),
                "inputs": dict(step.inputs) or None,
                "augment": list(step.augment) or None,
            }
            for step in composite.steps
        ],
        "bloat": bloat and {"characters": bloat.characters, "seed": bloat.seed},
        "encoding": encoding
        and {
            "seed": encoding.seed,
            "twin_share": None if encoding.twin_share == 0.5 else encoding.twin_share,
        },
    }


def merged_text(text: str, data: Mapping[str, Any]) -> str:
    """Return the TOML ``text`` with ``data`` merged in; None in ``data`` removes a key."""
    document = tomlkit.parse(text)
    _merge(document, data)
    return tomlkit.dumps(document)


def _plain(value: Any) -> Any:
    return value.unwrap() if hasattr(value, "unwrap") else value


def _merge(table: Any, data: Mapping[str, Any]) -> None:
    for key, new in data.items():
        old = table.get(key)
        if new is None or (new == [] and old is None):
            if old is not None and new is None:
                del table[key]
        elif old is not None and _same(_plain(old), new):
            continue
        elif isinstance(new, Mapping) and isinstance(old, Mapping):
            for gone in [name for name in old if name not in new]:
                del table[key][gone]
            _merge(table[key], new)
        elif key in _IDENTITY and isinstance(old, tomlkit.items.AoT):
            _merge_tables(table, key, new)
        else:
            table[key] = _item(key, new)


def _same(old: Any, new: Any) -> bool:
    """Whether the file already says this; a prompt is stored without its outer line breaks."""
    if isinstance(old, str) and isinstance(new, str):
        return old == new or ("\n" in old and old.strip("\n") == new.strip("\n"))
    return bool(old == new)


def _merge_tables(table: Any, key: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Merge rows into an array of tables by their identity, in the new order."""
    name = _IDENTITY[key]
    old = {str(each.get(name)): each for each in table[key]}
    order = [str(each.get(name)) for each in table[key]]
    if [row[name] for row in rows] == order:
        for row in rows:
            _merge(old[row[name]], row)
        return
    fresh = tomlkit.aot()
    for row in rows:
        entry = old.get(row[name])
        if entry is None:
            entry = _item("", row)
        else:
            _merge(entry, row)
        fresh.append(entry)
    table[key] = fresh


def _item(key: str, value: Any) -> Any:
    if isinstance(value, str):
        if "\n" in value or key == "prompt":
            return _block(value)
        literal = "\\" in value and "'" not in value
        return tomlkit.string(value, literal=literal)
    if key in _IDENTITY:
        tables = tomlkit.aot()
        for row in value:
            tables.append(_item("", row))
        return tables
    if isinstance(value, Mapping):
        in_line = key in ("data", "inputs") and not any(
            isinstance(each, str) and ("\n" in each or len(each) > 60) for each in value.values()
        )
        table: Any = tomlkit.inline_table() if in_line else tomlkit.table()
        for name, each in value.items():
            if each is not None:
                table[name] = _item(name, each)
        return table
    if isinstance(value, list):
        array = tomlkit.array()
        array.extend(tomlkit.string(each) if isinstance(each, str) else each for each in value)
        return array
    return tomlkit.item(value)


def _block(text: str) -> Any:
    body = "\n" + text.strip("\n") + "\n"
    if "'''" not in body and not any(ord(char) < 32 and char not in "\n\t" for char in body):
        return tomlkit.string(body, literal=True, multiline=True)
    return tomlkit.string(body, multiline=True)


def save(source: SourceFile, data: Mapping[str, Any]) -> str:
    """Merge ``data`` into the file and replace it in one step; returns the new text.

    Raises StaleFileError where the file on disk is no longer what ``source`` read, and
    WorkspaceError where it cannot be written; in both cases the file is untouched.
    """
    try:
        current = read_text(source.path)
    except (OSError, UnicodeDecodeError) as error:
        raise StaleFileError(
            f"{source.shown} was moved, removed or damaged since it was read; nothing was saved. "
            "Load it again and repeat the change."
        ) from error
    if text_digest(current) != source.digest:
        raise StaleFileError(
            f"{source.shown} was changed on disk since it was read; nothing was saved. "
            "Load it again and repeat the change."
        )
    text = merged_text(current, data)
    if text != current:
        replace_file(source.path, text)
    return text
