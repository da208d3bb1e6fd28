"""Take typed values out of a parsed TOML table, collecting a fault for each that is not right.

All data and answers are strings and nothing is coerced: a number without quotes is a fault, since
``answer = 007`` and ``answer = 1e3`` would not come back as they were written.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from datetime import date, datetime, time
from decimal import Decimal

from relaybench.domain.finding import Fault, KeyPath, Severity


class Fields:
    """One table of a file: takes values, remembers what was asked for, and collects faults."""

    def __init__(self, table: Mapping[str, object], path: KeyPath, faults: list[Fault]) -> None:
        self.table = table
        self.path = path
        self.faults = faults
        self.known: list[str] = []

    def fault(self, key: str, code: str, problem: str, mend: str) -> None:
        """Add a fault at a key of this table."""
        self.faults.append(Fault((*self.path, key), code, problem, mend))

    def text(self, key: str, *, required: bool = True, default: str = "") -> str:
        """A string. Missing or of another type: a fault, and the default."""
        self.known.append(key)
        value = self.table.get(key)
        if value is None:
            if required:
                self.faults.append(
                    Fault(self.path, "missing", f"{key} is missing", f'add {key} = "…"')
                )
            return default
        if isinstance(value, str):
            return value
        shown = _shown(value) if isinstance(value, int | Decimal) else "…"
        self.fault(
            key,
            "not-text",
            f"{key} is {_kind(value)}, not text",
            f'write {key} = "{shown}", in quotes just as it is to be read',
        )
        return default

    def filled(self, key: str, *, required: bool = True) -> str:
        """A string that is not empty; see ``text``."""
        value = self.text(key, required=required)
        if self.table.get(key) == "":
            self.fault(key, "empty", f"{key} is empty", f'write {key} = "…"')
        return value

    def whole(self, key: str, low: int, high: int, *, default: int | None = None) -> int:
        """A whole number from ``low`` to ``high``."""
        self.known.append(key)
        value = self.table.get(key, default)
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
        what = "is missing" if value is None else f"is {_shown(value)}"
        self.fault(
            key,
            "not-whole",
            f"{key} {what}",
            f"give a whole number from {low} to {high}, without quotes",
        )
        return low

    def share(self, key: str, default: float) -> float:
        """A number from 0 to 1."""
        self.known.append(key)
        value = self.table.get(key, default)
        if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
            number = -1.0 if isinstance(value, int) and value > 1 else float(value)
            if 0 <= number <= 1:
                return number
        self.fault(key, "not-share", f"{key} is {_shown(value)}", "give a number from 0 to 1")
        return default

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of strings; empty where the key is missing."""
        self.known.append(key)
        value = self.table.get(key, [])
        if not isinstance(value, list):
            self.fault(
                key, "not-list", f"{key} is {_kind(value)}, not a list", f'write {key} = ["…"]'
            )
            return ()
        wrong = [index for index, each in enumerate(value) if not isinstance(each, str)]
        for index in wrong:
            self.faults.append(
                Fault(
                    (*self.path, key, index),
                    "not-text",
                    f"entry {index + 1} of {key} is {_kind(value[index])}, not text",
                    "put it in quotes",
                )
            )
        return () if wrong else tuple(value)

    def text_table(self, key: str) -> dict[str, str]:
        """A table of strings, such as ``data`` and ``inputs``; empty where missing."""
        self.known.append(key)
        value = self.table.get(key, {})
        if not isinstance(value, dict):
            self.fault(
                key,
                "not-table",
                f"{key} is {_kind(value)}, not a table",
                f'write {key} = {{ name = "…" }}',
            )
            return {}
        taken = Fields(value, (*self.path, key), self.faults)
        return {str(name): taken.text(str(name)) for name in value}

    def tables(self, key: str) -> list[Fields]:
        """A list of tables (``[[key]]``); empty where missing."""
        self.known.append(key)
        value = self.table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
            self.fault(
                key, "not-tables", f"{key} is not a list of tables", f"start each with [[{key}]]"
            )
            return []
        return [
            Fields(each, (*self.path, key, index), self.faults) for index, each in enumerate(value)
        ]

    def table_or_none(self, key: str) -> Fields | None:
        """A table (``[key]``), or None where the file has none."""
        self.known.append(key)
        value = self.table.get(key)
        if value is None:
            return None
        if isinstance(value, dict):
            return Fields(value, (*self.path, key), self.faults)
        self.fault(key, "not-table", f"{key} is {_kind(value)}, not a table", f"write [{key}]")
        return None

    def close(self, *free: str) -> None:
        """Warn of keys that nothing reads and that may be slips.

        Those are keys close to a known one, and tables and lists whatever they are called: a
        ``[encode]`` or ``augmentations = […]`` would be left out without a word. Other keys are
        the author's own remarks; ``x-`` before its name keeps a table of one's own.
        """
        known = [*self.known, *free]
        for key in self.table:
            if key in known:
                continue
            near = difflib.get_close_matches(key, self.known, 1, 0.75)
            weighty = isinstance(self.table[key], Mapping | list) and not key.startswith("x-")
            if near or weighty:
                known_here = ", ".join(each for each in self.known if each not in self.table)
                mend = (
                    f"did you mean {near[0]}?"
                    if near
                    else f"left out here are: {known_here}; a table of your own begins with x-"
                )
                self.faults.append(
                    Fault(
                        (*self.path, key),
                        "unknown-key",
                        f"{key} is not a key that is read here",
                        mend,
                        Severity.WARNING,
                    )
                )


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float | Decimal):
        return "a number"
    if isinstance(value, str):
        return "text"
    if isinstance(value, Mapping):
        return "a table"
    return "a date or time" if isinstance(value, date | datetime | time) else "a list"


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return repr(value)
    if isinstance(value, int) and abs(value) >= 10**18:
        return "…"  # Python refuses to write out thousands of digits
    return str(value) if isinstance(value, int | float | Decimal) else _kind(value)
