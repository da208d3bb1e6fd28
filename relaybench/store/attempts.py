"""One attempt in full: prompt, response, every call, every grade; and what grading needs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from relaybench.domain.completion import StopReason, Usage
from relaybench.domain.errors import UnknownNameError
from relaybench.domain.item import Item
from relaybench.domain.model import ModelConfig
from relaybench.domain.results import Outcome
from relaybench.store.database import Connection
from relaybench.store.plans import Plans, RunRow
from relaybench.store.results import AttemptRow, attempt_row
from relaybench.store.text import unpack, unpack_or_none
from relaybench.store.tool_uses import ToolUse, tools_of
from relaybench.store.values import USAGE_COLUMNS, config_of, item_of, usage_of

_ATTEMPT = """
SELECT attempts.*, items.set_name, items.name AS item_name, items.digest AS item_digest,
    items.prompt_sha256, items.kind AS item_kind,
    items.step_count, items.domains, items.encoded, items.bloat_characters,
    model_configs.name AS config_name,
    model_configs.digest AS config_digest, grades.answer AS answer,
    graded.key AS key, grades.near_miss AS near_miss, grades.repaired AS repaired,
    grades.steps AS grade_steps, grades.note AS note, runs.name AS run_name,
    runs.simulated AS simulated
FROM attempts
JOIN runs ON runs.id = attempts.run_id
JOIN items ON items.id = attempts.item_id
JOIN model_configs ON model_configs.id = attempts.model_config_id
LEFT JOIN grades ON grades.id = attempts.grade_id
LEFT JOIN items AS graded ON graded.id = IFNULL(grades.item_id, attempts.item_id)
WHERE attempts.id = ?
"""

_ANSWERED = """
SELECT id FROM attempts WHERE run_id = ? AND answered = 1 ORDER BY id
"""

_UNGRADED = """
SELECT id FROM attempts WHERE run_id = ? AND answered = 1 AND grade_id IS NULL ORDER BY id
"""

_TO_GRADE = """
SELECT attempts.id AS attempt_id, attempts.item_id, attempts.stop_reason, attempts.raw_stop_reason,
    attempts.outcome, attempts.grade_id, calls.refusal, calls.text, calls.answer_text,
    model_configs.label AS label, items.set_name, items.name AS item_name, attempts.repeat,
    IFNULL(grades.item_id, (
        SELECT latest.item_id FROM attempts AS other JOIN grades AS latest
            ON latest.id = other.grade_id
        WHERE other.run_id = attempts.run_id AND other.item_id = attempts.item_id
        ORDER BY latest.id DESC LIMIT 1
    )) AS graded_item_id, grades.answer AS answer, grades.extractor AS extractor
FROM attempts
JOIN calls ON calls.attempt_id = attempts.id AND calls.status = 'answered'
JOIN items ON items.id = attempts.item_id
JOIN model_configs ON model_configs.id = attempts.model_config_id
LEFT JOIN grades ON grades.id = attempts.grade_id
WHERE attempts.id = ? ORDER BY calls.number DESC LIMIT 1
"""


_CALLS = """
SELECT {columns}, turns.call_id AS followed, turns.nudge AS nudge, handles.handle AS handle,
    unbilled_calls.call_id AS unbilled
FROM calls LEFT JOIN turns ON turns.call_id = calls.id
LEFT JOIN handles ON handles.call_id = calls.id
LEFT JOIN unbilled_calls ON unbilled_calls.call_id = calls.id
WHERE attempt_id = ? ORDER BY number
"""
_TEXTS = ("refusal", "text", "answer_text", "thinking", "request_json", "response_raw")
#: All columns but the big texts, which stand behind all others and are not read past.
_NO_TEXTS = ", ".join(
    (
        "calls.id, number, status, started_at, finished_at, http_status, response_id, error_kind",
        "error_message, retry_after_s, wait_s, settings_sent",
        *USAGE_COLUMNS,
        *(f"NULL AS {name}" for name in _TEXTS),
    )
)


@dataclass(frozen=True, slots=True)
class CallRow:
    """One call of an attempt, raw request and response included.

    ``followed``: another turn follows on its response, after ``nudge`` where something was said.
    ``handle`` names its work at the provider.
    """

    number: int
    status: str
    started_at: str
    finished_at: str | None
    http_status: int | None
    response_id: str | None
    error_kind: str | None
    error_message: str | None
    retry_after_s: float | None
    wait_s: float | None
    usage: Usage
    settings_sent: Mapping[str, object]
    refusal: str | None
    text: str | None
    answer_text: str | None
    thinking: str | None
    request_json: str | None
    response_raw: str | None
    tools: tuple[ToolUse, ...]
    followed: bool = False
    nudge: str | None = None
    handle: str | None = None
    billed: bool = True


@dataclass(frozen=True, slots=True)
class GradeRow:
    """One entry of an attempt's grade trail."""

    id: int
    created_at: str
    outcome: Outcome
    extractor: str
    strict: bool
    repaired: bool
    near_miss: bool
    span: tuple[int, int] | None
    steps: Mapping[str, bool | None]
    note: str
    answer: str | None
    key: str
    current: bool


@dataclass(frozen=True, slots=True)
class AttemptDetail:
    """One attempt in full."""

    row: AttemptRow
    run: str
    simulated: bool
    item: Item
    config: ModelConfig
    calls: tuple[CallRow, ...]
    grades: tuple[GradeRow, ...]

    @property
    def response(self) -> CallRow | None:
        """The call that gave the answer, or None where none did."""
        answered = [call for call in self.calls if call.status == "answered" and not call.followed]
        return answered[-1] if answered else None

    @property
    def turns(self) -> tuple[CallRow, ...]:
        """The calls whose responses make up the attempt, in order; the last may be missing."""
        return tuple(call for call in self.calls if call.status == "answered")


@dataclass(frozen=True, slots=True)
class Gradable:
    """What grading needs of an answered attempt.

    ``item_id`` is the version whose key counts now: that of the current grade, or else the one
    that the run's other attempts at this item were graded by last (its key may have been
    corrected), or else the attempt's own. ``extractor`` is None where there is no grade yet.
    """

    attempt_id: int
    item_id: int
    item: str
    model: str
    repeat: int
    outcome: Outcome
    answer: str | None
    extractor: str | None
    stop_reason: StopReason
    raw_stop_reason: str | None
    refusal: str | None
    text: str


class Attempts:
    """Read single attempts."""

    def __init__(self, connection: Connection) -> None:
        self._on = connection

    def item(self, item_id: int) -> Item:
        """The item of a row id."""
        row = self._on.row("SELECT * FROM items WHERE id = ?", (item_id,))
        if row is None:
            raise UnknownNameError(f"no item has the number {item_id}")
        return item_of(row)

    def detail(self, attempt_id: int, *, texts: bool = True) -> AttemptDetail:
        """An attempt in full; raises UnknownNameError where there is none of that number.

        Without ``texts`` nothing of what its calls said, sent or got is read.
        """
        row = self._on.row(_ATTEMPT, (attempt_id,))
        if row is None:
            raise UnknownNameError(
                f"there is no attempt {attempt_id}; `relaybench attempts RUN` lists their numbers"
            )
        configs = Plans(self._on).configs(row["run_id"])
        return AttemptDetail(
            row=attempt_row(row, configs[row["config_digest"]].label),
            run=row["run_name"],
            simulated=bool(row["simulated"]),
            item=self.item(row["item_id"]),
            config=self._config(row["model_config_id"]),
            calls=tuple(self._calls(attempt_id, texts=texts)),
            grades=tuple(self._grades(attempt_id, row["grade_id"])),
        )

    def _config(self, config_id: int) -> ModelConfig:
        row = self._on.row("SELECT * FROM model_configs WHERE id = ?", (config_id,))
        if row is None:
            raise UnknownNameError(f"no model config has the number {config_id}")
        return config_of(row)

    def _calls(self, attempt_id: int, *, texts: bool) -> Iterator[CallRow]:
        sql = _CALLS.format(columns="calls.*" if texts else _NO_TEXTS)
        for row in self._on.rows(sql, (attempt_id,)):
            yield CallRow(
                number=row["number"],
                status=row["status"],
                started_at=row["started_at"],
                finished_at=row["finished_at"],
                http_status=row["http_status"],
                response_id=unpack_or_none(row["response_id"]),
                error_kind=row["error_kind"],
                error_message=unpack_or_none(row["error_message"]),
                retry_after_s=row["retry_after_s"],
                wait_s=row["wait_s"],
                usage=usage_of(row),
                settings_sent=json.loads(row["settings_sent"] or "{}"),
                refusal=unpack_or_none(row["refusal"]),
                text=unpack_or_none(row["text"]),
                answer_text=unpack_or_none(row["answer_text"]),
                thinking=unpack_or_none(row["thinking"]),
                request_json=unpack_or_none(row["request_json"]),
                response_raw=unpack_or_none(row["response_raw"]),
                tools=tools_of(self._on, row["id"]),
                followed=row["followed"] is not None,
                nudge=unpack_or_none(row["nudge"]),
                handle=unpack_or_none(row["handle"]),
                billed=row["unbilled"] is None,
            )

    def _grades(self, attempt_id: int, current: int | None) -> Iterator[GradeRow]:
        for row in self._on.rows(
            "SELECT grades.*, items.key AS key FROM grades JOIN items ON items.id = item_id "
            "WHERE attempt_id = ? ORDER BY grades.id",
            (attempt_id,),
        ):
            span = None if row["span_start"] is None else (row["span_start"], row["span_end"])
            yield GradeRow(
                id=row["id"],
                created_at=row["created_at"],
                outcome=Outcome(row["outcome"]),
                extractor=row["extractor"],
                strict=bool(row["strict"]),
                repaired=bool(row["repaired"]),
                near_miss=bool(row["near_miss"]),
                span=span,
                steps=json.loads(row["steps"]),
                note=unpack(row["note"]),
                answer=unpack_or_none(row["answer"]),
                key=unpack(row["key"]),
                current=row["id"] == current,
            )

    def answered(self, run: RunRow) -> list[int]:
        """Numbers of all attempts of a run that have an answer."""
        return [row["id"] for row in self._on.rows(_ANSWERED, (run.id,))]

    def ungraded(self, run: RunRow) -> list[int]:
        """Numbers of those among them that have no grade yet."""
        return [row["id"] for row in self._on.rows(_UNGRADED, (run.id,))]

    def graded_item(self, attempt_id: int) -> int:
        """Row id of the item version whose key counts for an attempt now."""
        row = self._on.row(
            "SELECT IFNULL(grades.item_id, attempts.item_id) AS item_id FROM attempts "
            "LEFT JOIN grades ON grades.id = attempts.grade_id WHERE attempts.id = ?",
            (attempt_id,),
        )
        return int(row["item_id"]) if row else 0

    def gradable(self, attempt_id: int) -> Gradable:
        """An answered attempt with the text to grade."""
        row = self._on.row(_TO_GRADE, (attempt_id,))
        if row is None:
            raise UnknownNameError(f"attempt {attempt_id} has no answer to grade")
        answer_text = row["answer_text"]
        return Gradable(
            attempt_id=row["attempt_id"],
            item_id=row["graded_item_id"] or row["item_id"],
            item=f"{unpack(row['set_name'])}/{unpack(row['item_name'])}",
            model=row["label"],
            repeat=row["repeat"],
            outcome=Outcome(row["outcome"]),
            answer=unpack_or_none(row["answer"]),
            extractor=row["extractor"],
            stop_reason=StopReason(row["stop_reason"]),
            raw_stop_reason=unpack_or_none(row["raw_stop_reason"]),
            refusal=unpack_or_none(row["refusal"]),
            text=unpack(row["text"] if answer_text is None else answer_text),
        )
