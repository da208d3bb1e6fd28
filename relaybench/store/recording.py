"""Write down what happens to the cells of a run, each event durable before anything follows it."""

from __future__ import annotations

from typing import Any, Final

from relaybench.domain.completion import Completion, Usage
from relaybench.domain.errors import ProviderError, StoreError
from relaybench.domain.item import text_digest
from relaybench.domain.results import Cell, Grade, Outcome
from relaybench.store.database import Connection, now
from relaybench.store.grades import add_grade
from relaybench.store.handles import add_handle, end_handle
from relaybench.store.plans import StoredPlan
from relaybench.store.text import pack, unpack
from relaybench.store.values import (
    CHARGE_COLUMNS,
    USAGE_COLUMNS,
    charge_row,
    reported,
    to_json,
    usage_row,
)

_MESSAGE_LIMIT: Final = 2000


def _assign(row: dict[str, Any]) -> str:
    return ", ".join(f'"{name}" = :{name}' for name in row)


def _add(columns: tuple[str, ...]) -> str:
    """SQL that adds to columns; unknown plus known stays known, as in Usage."""
    return ", ".join(
        f'"{name}" = CASE WHEN :{name} IS NULL THEN "{name}" ELSE IFNULL("{name}", 0) + :{name} END'
        for name in columns
    )


class Recording:
    """The writer of one run's attempts, calls and grades."""

    def __init__(self, connection: Connection, plan: StoredPlan) -> None:
        self._on = connection
        self._plan = plan

    def attempt_id(self, cell: Cell) -> int:
        """Row id of a cell's attempt, made where it does not exist. Inside a transaction."""
        key = (
            self._plan.run.id,
            self._plan.item_ids[cell.item],
            self._plan.config_ids[cell.config],
            cell.repeat,
        )
        row = self._on.row(
            "SELECT id FROM attempts WHERE run_id = ? AND item_id = ? "
            "AND model_config_id = ? AND repeat = ?",
            key,
        )
        if row:
            return int(row["id"])
        return self._on.write(
            "INSERT INTO attempts (run_id, item_id, model_config_id, repeat, outcome, started_at) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            (*key, Outcome.PENDING.value, now()),
        )

    def _has_answer(self, attempt: int) -> bool:
        sql = "SELECT 1 FROM attempts WHERE id = ? AND answered = 1"
        return self._on.row(sql, (attempt,)) is not None

    def call_started(self, cell: Cell, handle: str | None = None) -> int:
        """Write down that a call is about to be sent; returns the call's row id.

        With a handle it sends nothing and asks for the work of an earlier call, which passes
        its handle on. A call that is still ``sent`` after its process has died may have been
        billed. Raises StoreError for a cell that has its answer.
        """
        with self._on.writing():
            attempt = self.attempt_id(cell)
            if self._has_answer(attempt):  # never pay twice, whoever asks for it
                raise StoreError(f"cell {cell.id} has its answer already; it is not sent again")
            self._on.write(
                "UPDATE attempts SET outcome = ?, call_count = call_count + 1, error_kind = NULL, "
                "error_message = NULL WHERE id = ? AND answered = 0",
                (Outcome.PENDING.value, attempt),
            )
            call = self._on.write(
                "INSERT INTO calls (attempt_id, number, status, started_at) VALUES (?, "
                "(SELECT IFNULL(MAX(number), 0) + 1 FROM calls WHERE attempt_id = ?), 'sent', ?)",
                (attempt, attempt, now()),
            )
            if handle is not None:
                add_handle(self._on, call, handle)
            return call

    def handle_given(self, call: int, handle: str) -> None:
        """Write down by which handle a call's work at the provider can be asked for."""
        with self._on.writing():
            add_handle(self._on, call, handle)

    def call_failed(self, call: int, error: ProviderError, wait_s: float | None) -> None:
        """Write down how a call failed, and how long the runner will wait (None: no more tries)."""
        row: dict[str, Any] = {
            "status": "failed",
            "finished_at": now(),
            "http_status": error.http_status,
            "error_kind": error.kind,
            "error_type": pack(error.error_type),
            "error_code": pack(error.error_code),
            "error_message": pack(str(error)[:_MESSAGE_LIMIT]),
            "retry_after_s": error.retry_after_s,
            "wait_s": wait_s,
            "tool_fees": to_json(dict(error.tool_fees)),
            "settings_sent": to_json(dict(error.settings_sent)),
            "request_json": pack(error.request_json or None),
            "response_raw": pack(error.raw),
            **usage_row(error.usage or Usage()),
        }
        with self._on.writing():
            self._on.write(f"UPDATE calls SET {_assign(row)} WHERE id = :id", {**row, "id": call})
            if error.handle is None:
                end_handle(self._on, call)
                if error.may_be_billed and error.usage is None:
                    self._on.write("INSERT INTO maybe_billed_calls (call_id) VALUES (?)", (call,))
            if error.usage is not None and error.usage != Usage():
                self._charge(call, error.usage, dict(error.tool_fees))

    def gave_up(self, cell: Cell, error: ProviderError | None) -> None:
        """An attempt has failed for good: an error, open for a retry. None: stopped by the user."""
        with self._on.writing():
            self._on.write(
                "UPDATE attempts SET outcome = ?, finished_at = ?, error_kind = ?, "
                "error_message = ? WHERE id = ? AND answered = 0",
                (
                    Outcome.ERROR.value if error else Outcome.PENDING.value,
                    now(),
                    error.kind if error else None,
                    pack(str(error)[:_MESSAGE_LIMIT]) if error else None,
                    self.attempt_id(cell),
                ),
            )

    def answered(self, cell: Cell, call: int, completion: Completion) -> int:
        """Store an answer, whole, in one transaction; returns the attempt's row id.

        When this returns the answer is on the disk; nothing may have looked at it before. A call
        that has its answer already keeps it and is not charged again.
        """
        with self._on.writing():
            attempt = self.attempt_id(cell)
            if not self._response(call, completion):
                return attempt
            self._on.write(
                "UPDATE attempts SET answered = 1, outcome = ?, finished_at = ?, "
                "stop_reason = ?, raw_stop_reason = ?, served_model = ?, error_kind = NULL, "
                "error_message = NULL WHERE id = ?",
                (
                    Outcome.PENDING.value,
                    now(),
                    completion.stop_reason.value,
                    pack(completion.raw_stop_reason),
                    pack(completion.served_model),
                    attempt,
                ),
            )
        return attempt

    def turn_taken(self, cell: Cell, call: int, completion: Completion, nudge: str | None) -> None:
        """Store a response on which another turn follows; its attempt stays open.

        ``nudge`` is what is said next, None where a paused turn goes on.
        """
        with self._on.writing():
            attempt = self.attempt_id(cell)
            if not self._response(call, completion):
                return
            self._on.write("INSERT INTO turns (call_id, nudge) VALUES (?, ?)", (call, pack(nudge)))
            self._on.write(
                "UPDATE attempts SET turn_count = turn_count + 1 WHERE id = ?", (attempt,)
            )

    def _response(self, call: int, completion: Completion) -> bool:
        """Store a call's response and what it cost; False where it has one already."""
        if self._on.row("SELECT 1 FROM calls WHERE id = ? AND status = 'answered'", (call,)):
            return False
        fees = dict(completion.tool_fees)
        row: dict[str, Any] = {
            "status": "answered",
            "finished_at": now(),
            "http_status": completion.http_status,
            "response_id": pack(completion.response_id),
            "tool_fees": to_json(fees),
            "settings_sent": to_json(dict(completion.settings_sent)),
            "refusal": pack(completion.refusal),
            "text": pack(completion.text),
            "answer_text": pack(completion.answer_text),
            "thinking": pack(completion.thinking or None),
            "request_json": pack(completion.request_json),
            "response_raw": pack(completion.response_raw),
            **usage_row(completion.usage),
        }
        self._on.write(f"UPDATE calls SET {_assign(row)} WHERE id = :id", {**row, "id": call})
        self._on.write_many(
            "INSERT INTO tool_events (call_id, number, kind, status, detail) "
            "VALUES (?, ?, ?, ?, ?)",
            [
                (call, number, pack(event.kind), pack(event.status), pack(event.detail))
                for number, event in enumerate(completion.tool_events)
            ],
        )
        end_handle(self._on, call)
        if not completion.billed:
            self._on.write("INSERT INTO unbilled_calls (call_id) VALUES (?)", (call,))
        self._charge(call, completion.usage, fees, billed=completion.billed)
        return True

    def _charge(
        self, call: int, usage: Usage, tool_fees: dict[str, int], *, billed: bool = True
    ) -> None:
        """Add what a call used to its attempt: tokens by bucket, and money at the run's prices."""
        owner = self._on.row(
            "SELECT attempts.id AS id, model_configs.digest AS config "
            "FROM (SELECT attempt_id FROM calls WHERE id = ?) AS c "
            "JOIN attempts ON attempts.id = c.attempt_id "
            "JOIN model_configs ON model_configs.id = attempts.model_config_id",
            (call,),
        )
        if owner is None:
            raise AssertionError(f"call {call} belongs to no attempt")
        prices = self._plan.configs[owner["config"]].prices
        charge = charge_row(usage, tool_fees, prices, billed=billed)
        self._on.write(
            f"UPDATE attempts SET {_add(USAGE_COLUMNS)} WHERE id = :id",
            {**usage_row(usage if billed else Usage()), "id": owner["id"]},
        )
        self._add_cost(owner["id"], charge)

    def _add_cost(self, attempt: int, charge: dict[str, int | None]) -> None:
        """Sum costs over calls; a bucket that is unknown for one call is unknown for all."""
        row = self._on.row(
            "SELECT COUNT(*) AS n FROM calls WHERE attempt_id = ? AND "
            f"(status = 'answered' OR {reported('calls')})",
            (attempt,),
        )
        first = row is None or row["n"] <= 1
        change = ", ".join(
            f'"{name}" = :{name}' if first else f'"{name}" = "{name}" + :{name}'
            for name in CHARGE_COLUMNS
        )
        self._on.write(f"UPDATE attempts SET {change} WHERE id = :id", {**charge, "id": attempt})

    def responses(self, item: str, config: str) -> dict[int, str]:
        """SHA-256 of every response that an item has from a config, by repeat."""
        rows = self._on.rows(
            "SELECT repeat, text FROM calls JOIN attempts ON attempts.id = attempt_id "
            "WHERE run_id = ? AND item_id = ? AND model_config_id = ? AND status = 'answered' "
            "AND answered = 1 AND NOT EXISTS (SELECT 1 FROM turns WHERE call_id = calls.id)",
            (self._plan.run.id, self._plan.item_ids[item], self._plan.config_ids[config]),
        )
        return {row["repeat"]: text_digest(unpack(row["text"])) for row in rows}

    def graded(self, attempt: int, item_id: int, grade: Grade, *, strict: bool) -> int:
        """Add a grade and make it the attempt's current one; older grades stay."""
        with self._on.writing():
            return add_grade(self._on, attempt, item_id, grade, strict=strict)

    def call_lost(self, call: int) -> None:
        """Mark a call that was abandoned before an answer came."""
        with self._on.writing():
            self._on.write(
                "UPDATE calls SET status = 'lost', finished_at = ?, error_kind = 'lost', "
                "error_message = ? WHERE id = ? AND status = 'sent'",
                (now(), "stopped before an answer came; it may have been billed", call),
            )

    def mark_lost(self) -> int:
        """Mark calls that a dead process left open; returns how many. They may have been billed.

        Only for the holder of the run's lock.
        """
        with self._on.writing():
            rows = self._on.rows(
                "SELECT calls.id FROM calls JOIN attempts ON attempts.id = calls.attempt_id "
                "WHERE attempts.run_id = ? AND calls.status = 'sent'",
                (self._plan.run.id,),
            )
            self._on.write_many(
                "UPDATE calls SET status = 'lost', error_kind = 'lost', error_message = "
                "CASE WHEN EXISTS (SELECT 1 FROM handles WHERE call_id = calls.id) "
                "THEN 'the process ended; the work went on at the provider' "
                "ELSE 'the process ended before an answer came; it may have been billed' END "
                "WHERE id = ?",
                [(row["id"],) for row in rows],
            )
        return len(rows)
