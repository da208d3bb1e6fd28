"""The workspace's own models.toml as a text to be changed table by table, all else left as it is.

A table is taken out as a block of lines, the change is merged into it, and it is put back; a file
that writes its models in another form (inline, by dotted keys) is merged as a whole. What comes out
is read back and must say the change and nothing else.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from relaybench.catalog.load import FILE_NAME, own_models
from relaybench.domain.errors import CatalogError
from relaybench.domain.finding import KeyPath
from relaybench.library.merge import merged_text
from relaybench.library.save import refuse_stale
from relaybench.toml_files import blocks
from relaybench.toml_files.replace import create_file, replace_file
from relaybench.toml_files.source import SourceFile

_HEAD: Final = """\
# Your models, on top of those that are shipped (`relaybench models` lists both).
# Prices are USD per million tokens. A price that is left out is unknown, never 0.
# Keys are never written here: key_env is the NAME of an environment variable.
"""


@dataclass(frozen=True, slots=True)
class OwnModels:
    """The file as read; ``source`` is None where there is none yet."""

    path: Path
    source: SourceFile | None

    @classmethod
    def read(cls, root: Path) -> OwnModels:
        """Read the file of a workspace; raises CatalogError where it is not valid TOML."""
        return cls(root / FILE_NAME, own_models(root))

    @property
    def text(self) -> str:
        """The file's text; a few words on its use where there is none yet."""
        return self.source.text if self.source else _HEAD

    @property
    def data(self) -> Mapping[str, Any]:
        """What it says."""
        return self.source.data if self.source else {}

    def table(self, kind: str) -> Mapping[str, Any]:
        """Its ``models`` or ``cohorts``."""
        found = self.data.get(kind, {})
        return found if isinstance(found, Mapping) else {}

    def with_model(self, name: str, changes: Mapping[str, Any]) -> str:
        """The text with a model's settings changed, or a new model; None takes a setting out."""
        path = ("models", name)
        if name in self.table("models"):
            text = self._changed(path, changes)
        else:
            fresh = merged_text("", {"models": {name: _tables_last(changes)}})
            text = blocks.added(self.text, fresh, self._last_model())
        return self._checked(text, path, changes)

    def with_cohort(self, name: str, members: Sequence[str] | None) -> str:
        """The text with a cohort of these members; None takes the cohort out."""
        changes: Mapping[str, Any] = {name: None if members is None else list(members)}
        if "cohorts" in self.data:
            text = self._changed(("cohorts",), changes)
        else:
            text = blocks.added(self.text, merged_text("", {"cohorts": changes}), None)
        return self._checked(text, ("cohorts",), changes)

    def without_model(self, name: str) -> str:
        """The text without a model, and without the comments right above it."""
        block = blocks.block_of(self.text, ("models", name))
        if block is None:
            text = merged_text(self.text, {"models": {name: None}})
        else:
            text = blocks.removed(self.text, block)
        return self._checked(text, ("models",), {name: None})

    def save(self, text: str) -> None:
        """Write the file whole; raises StaleFileError where it was changed since it was read."""
        if self.source is None:
            create_file(self.path, text)
        elif text != self.source.text:
            refuse_stale(self.source)
            replace_file(self.path, text)

    def _changed(self, path: KeyPath, changes: Mapping[str, Any]) -> str:
        data: Mapping[str, Any] = changes
        for part in reversed(path):
            data = {str(part): data}
        block = blocks.block_of(self.text, path)
        if block is None:
            return merged_text(self.text, data)
        return blocks.replaced(
            self.text, block, merged_text(blocks.text_of(self.text, block), data)
        )

    def _last_model(self) -> blocks.Block | None:
        found = [blocks.block_of(self.text, ("models", name)) for name in self.table("models")]
        known = [each for each in found if each]
        return max(known, key=lambda each: each.end) if len(known) == len(found) and known else None

    def _checked(self, text: str, path: KeyPath, changes: Mapping[str, Any]) -> str:
        """The text, where it says the change and all else as before."""
        expected: dict[str, Any] = deepcopy(dict(self.data))
        table = expected
        for part in path:
            table = table.setdefault(str(part), {})
        _apply(table, changes)
        try:
            told = tomllib.loads(text, parse_float=Decimal)
        except tomllib.TOMLDecodeError:
            told = {}
        if _plain(told) != _plain(expected):
            raise CatalogError(
                f"{FILE_NAME} is written in a form in which this change cannot be made safely; "
                "nothing was saved. Make it by hand."
            )
        return text


def _tables_last(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings in an order in which no table swallows a key."""
    given = {key: value for key, value in settings.items() if value is not None}
    return dict(sorted(given.items(), key=lambda pair: isinstance(pair[1], Mapping)))


def _apply(table: dict[str, Any], changes: Mapping[str, Any]) -> None:
    for key, value in changes.items():
        if value is None:
            table.pop(key, None)
        elif isinstance(value, Mapping) and isinstance(table.get(key), dict):
            _apply(table[key], value)
        else:
            table[key] = value


def _plain(value: Any) -> Any:
    """Values to be compared: numbers by what they say, not by their kind; empty tables as none."""
    if isinstance(value, Mapping):
        shown = {str(key): _plain(each) for key, each in value.items() if each is not None}
        return {key: each for key, each in shown.items() if each != {}}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, float):
        return Decimal(repr(value))
    return value.replace("\r\n", "\n") if isinstance(value, str) else value
