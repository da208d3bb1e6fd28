"""Marks that a person puts on attempts: whose fault a verdict is. They never change a verdict."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Blame(StrEnum):
    """Whose fault it is that an attempt has the outcome that it has."""

    EXTRACTOR = "extractor"  # the answer is there, and was not found or not found whole
    KEY = "key"  # the key is wrong
    MODEL = "model"  # the model is wrong: the verdict is as it should be

    @property
    def letter(self) -> str:
        """One letter for narrow places."""
        return {"extractor": "X", "key": "K", "model": "M"}[self.value]


@dataclass(frozen=True, slots=True)
class TriageMark:
    """One mark on one attempt; ``blame`` None takes the earlier ones back."""

    attempt_id: int
    blame: Blame | None
    note: str
    created_at: str
