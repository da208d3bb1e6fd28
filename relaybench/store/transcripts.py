"""What was said in the attempts of a run, one attempt after another, in flat memory.

Thinking, raw requests and raw responses, which stand behind the texts in a row, are not read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from relaybench.store.database import Connection
from relaybench.store.plans import RunRow
from relaybench.store.results import AttemptRow, attempt_row, in_plan_order
from relaybench.store.text import unpack_or_none

_TURNS = """
SELECT calls.refusal, calls.text, calls.answer_text,
    turns.call_id IS NOT NULL AS followed, turns.nudge AS nudge
FROM calls LEFT JOIN turns ON turns.call_id = calls.id
WHERE attempt_id = ? AND status = 'answered' ORDER BY number
"""


@dataclass(frozen=True, slots=True)
class Turn:
    """One response of an attempt. ``text`` is all that is visible of it.

    ``answer_text`` is the part in which the answer is looked for where that is not all of it.
    ``followed``: another turn follows, after ``nudge`` where something was said.
    """

    text: str | None
    answer_text: str | None
    refusal: str | None
    followed: bool
    nudge: str | None


@dataclass(frozen=True, slots=True)
class Transcript:
    """One attempt and its turns, in order. ``stop_reason`` is ours; None before an answer."""

    row: AttemptRow
    stop_reason: str | None
    answered: bool
    turns: tuple[Turn, ...]

    @property
    def response(self) -> Turn | None:
        """The turn that gave the answer, or None where none did."""
        last = [turn for turn in self.turns if not turn.followed]
        return last[-1] if last else None


class Transcripts:
    """Read the texts of a run's attempts."""

    def __init__(self, connection: Connection) -> None:
        self._on = connection

    def answered(self, run: RunRow) -> Iterator[Transcript]:
        """All attempts of a run that have an answer, in the plan's order."""
        return self._read(run, "attempts.answered = 1", {}, texts=True)

    def of_config(self, run: RunRow, config_id: int, *, texts: bool) -> Iterator[Transcript]:
        """All attempts of one model config (row id) in a run, in the plan's order.

        Without ``texts`` there are no turns: no response is read.
        """
        condition = "attempts.model_config_id = :config"
        return self._read(run, condition, {"config": config_id}, texts=texts)

    def _read(
        self, run: RunRow, condition: str, values: dict[str, int], *, texts: bool
    ) -> Iterator[Transcript]:
        for row, label in in_plan_order(self._on, run, condition, values):
            turns = self._turns(row["id"]) if texts else ()
            yield Transcript(
                row=attempt_row(row, label),
                stop_reason=row["stop_reason"],
                answered=bool(row["answered"]),
                turns=turns,
            )

    def _turns(self, attempt_id: int) -> tuple[Turn, ...]:
        return tuple(
            Turn(
                text=unpack_or_none(row["text"]),
                answer_text=unpack_or_none(row["answer_text"]),
                refusal=unpack_or_none(row["refusal"]),
                followed=bool(row["followed"]),
                nudge=unpack_or_none(row["nudge"]),
            )
            for row in self._on.rows(_TURNS, (attempt_id,))
        )
