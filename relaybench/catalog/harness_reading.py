"""Read how a config's harness goes on where a turn is no final answer."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Final

from relaybench.domain.model import (
    HARNESSES,
    MAX_CONTINUATIONS,
    MAX_NUDGES,
    NUDGE,
    PERSISTENT,
    SINGLE,
)
from relaybench.toml_files.fields import Fields

#: Settings that only the persistent harness reads.
_ONLY_PERSISTENT: Final = ("max_nudges", "nudge")


@dataclass(frozen=True, slots=True)
class Harness:
    """The harness of a config and its settings."""

    name: str
    max_continuations: int
    max_nudges: int
    nudge: str


def read_harness(fields: Fields) -> Harness:
    """Read the harness and its settings; one that only another harness reads is a fault."""
    name = fields.text("harness", required=False, default=SINGLE)
    if name not in HARNESSES:
        near = difflib.get_close_matches(name, HARNESSES, 1, 0.6)
        fields.fault(
            "harness",
            "bad-harness",
            f"{name!r} is no harness of this version",
            f"did you mean {near[0]}?" if near else f"use one of: {', '.join(HARNESSES)}",
        )
    harness = Harness(
        name,
        fields.whole("max_continuations", 1, 1000, default=MAX_CONTINUATIONS),
        fields.whole("max_nudges", 1, 100, default=MAX_NUDGES),
        fields.text("nudge", required=False, default=NUDGE),
    )
    if not harness.nudge.strip():
        fields.fault(
            "nudge", "empty", "nudge is empty", "write what is said to go on, or take the key out"
        )
    if name == SINGLE:
        for key in _ONLY_PERSISTENT:
            if key in fields.table:
                fields.fault(
                    key,
                    "unread",
                    f"{key} is for the persistent harness, and this config has the single one",
                    f'add harness = "{PERSISTENT}", or take {key} out',
                )
    return harness
