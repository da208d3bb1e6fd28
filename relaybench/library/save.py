"""Save problem files that people edit by hand: comments, order and unknown keys stay.

What is to be saved is held against what the file says when it is read, and only the difference is
merged into the document, key by key (``merge``): what did not change is not rewritten, not even a
value that could not be read. The file is replaced in one step, and a file that somebody else
changed since it was read is left alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from relaybench.domain.errors import ProblemError, StaleFileError
from relaybench.domain.item import text_digest
from relaybench.domain.problem import Composite, ProblemClass
from relaybench.library.identity import IDENTITY
from relaybench.library.merge import merged_text
from relaybench.library.reading import read_class, read_composite
from relaybench.toml_files.replace import create_file, replace_file
from relaybench.toml_files.source import SourceFile, read_text


def class_data(problem: ProblemClass) -> dict[str, Any]:
    """A class as its file holds it."""
    return {
        "id": problem.id,
        "domain": problem.domain.value,
        "title": problem.title,
        "prompt": problem.prompt,
        "rules": list(problem.rules),
        "pattern": problem.pattern,
        "literal": list(problem.literal) or None,
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


def data_as_read(source: SourceFile) -> dict[str, Any]:
    """What a file says by now, in the form of ``class_data`` or ``composite_data``.

    Values that are missing or of a wrong type stand there as their defaults.
    """
    problem, _ = read_class(source)
    composite, _ = read_composite(source, source.path.parent.name)
    as_composite = composite_data(composite)
    if problem is None or "steps" in source.data:
        return as_composite
    return class_data(problem)


def refuse_twins(source: SourceFile) -> None:
    """Raise ProblemError for a file with two entries of one name: a change could hit either."""
    twin = _twin(source.data)
    if twin:
        key, name, value = twin
        raise ProblemError(
            f"{source.shown}: two {key} have the {name} {value!r}, so that nobody can tell "
            "which one is meant; nothing was saved. Rename one of them first."
        )


def _twin(data: Mapping[str, Any]) -> tuple[str, str, str] | None:
    """The first two entries of one name: their key, what names them, and the name."""
    for key, name in IDENTITY.items():
        rows = data.get(key)
        known: set[object] = set()
        for row in rows if isinstance(rows, list) else ():
            twin = row.get(name) if isinstance(row, dict) else None
            if isinstance(twin, str) and twin in known:
                return key, name, twin
            known.add(twin if isinstance(twin, str) else None)
    return None


def preview(source: SourceFile, data: Mapping[str, Any]) -> str:
    """The text that the file would have if ``data`` were saved into it; nothing is written.

    Raises ProblemError where the change cannot be made in this file without doing damage.
    """
    before = data_as_read(source)
    if all(before.get(key) == value for key, value in data.items()):
        return source.text
    refuse_twins(source)
    return merged_text(source.text, data, before)


def new_text(data: Mapping[str, Any]) -> str:
    """The text of a new file that holds ``data``, laid out to be edited by hand."""
    return merged_text("", data).rstrip("\n") + "\n"


def create(path: Path, data: Mapping[str, Any]) -> str:
    """Write a new file that holds ``data``; returns its text.

    Raises WorkspaceError where a file is there already or none can be made, and ProblemError for
    two entries of one name.
    """
    _refuse_new_twins(path.name, data)
    text = new_text(data)
    create_file(path, text)
    return text


def _refuse_new_twins(shown: str, data: Mapping[str, Any]) -> None:
    twin = _twin(data)
    if twin:
        key, name, value = twin
        raise ProblemError(
            f"{shown}: two {key} would have the {name} {value!r}; nothing was saved. "
            "Rename one of them first."
        )


def save(source: SourceFile, data: Mapping[str, Any]) -> str:
    """Merge ``data`` into the file and replace it in one step; returns the new text.

    Raises StaleFileError where the file on disk is no longer what ``source`` read, and
    WorkspaceError where it cannot be written; in both cases the file is untouched. So it is where
    the change cannot be made in this file without doing damage: ProblemError.
    """
    refuse_stale(source)
    refuse_twins(source)
    _refuse_new_twins(source.shown, data)
    text = preview(source, data)
    if text != source.text:
        replace_file(source.path, text)
    return text


def refuse_stale(source: SourceFile) -> None:
    """Raise StaleFileError where the file on disk is no longer what ``source`` read."""
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
