"""Outcomes, grades, and what became of the cells of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Outcome(StrEnum):
    """What became of an attempt: exactly one each."""

    CORRECT = "correct"
    WRONG = "wrong"  # an answer was parsed and differs
    UNPARSEABLE = "unparseable"  # finished without a final code block
    REFUSED = "refused"
    TRUNCATED = "truncated"
    STALLED = "stalled"  # continuation or tool limit reached
    ERROR = "error"  # not an answer: open for a retry, never scored
    PENDING = "pending"

    @property
    def scored(self) -> bool:
        """Whether it counts in pass@1: an answer or a model's failure to give one."""
        return self not in (Outcome.ERROR, Outcome.PENDING)

    @property
    def parseable(self) -> bool:
        """Whether an answer could be read and compared."""
        return self in (Outcome.CORRECT, Outcome.WRONG)


@dataclass(frozen=True, slots=True)
class Grade:
    """One verdict on one attempt and the trail that led to it.

    ``span`` is where the answer stood in the final text (character offsets, end exclusive);
    ``near_miss`` marks a wrong answer that equals the key once case, Unicode form, white space
    and invisible characters are ignored; ``steps`` says per label of the final answer whether
    its part is right, None where that cannot be told; ``note`` says why in words.
    """

    outcome: Outcome
    answer: str | None
    extractor: str
    span: tuple[int, int] | None = None
    repaired: bool = False
    near_miss: bool = False
    steps: Mapping[str, bool | None] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """One place of a run's grid, by the digests of its item and config, and its repeat (from 0)."""

    item: str
    config: str
    repeat: int

    @property
    def id(self) -> str:
        """A short stable name of the cell within its run."""
        return f"{self.item[:12]}.{self.config[:12]}.{self.repeat}"
