"""Build a synthetic results file of any size: what ``benchmarks/results.py`` measures on.

Twenty models answer every item five times. Items have 2 to 13 steps of several domains and
classes; two thirds of them belong to a problem that was run both plain and encoded or bloated.
Answers are right, wrong (some of them alike, some near misses), without a code block, refused or
truncated; some attempts were retried, took a second turn, failed or were lost.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.results_plan import MODELS, configs_of, items_of, prose
from relaybench.domain.completion import Usage
from relaybench.domain.item import Item
from relaybench.domain.model import ModelConfig
from relaybench.store.database import Connection
from relaybench.store.plans import Plans, StoredPlan
from relaybench.store.values import CHARGE_COLUMNS, charge_row, to_json, usage_row

REPEATS = 5
RUN = "synthetic"
MOMENT = "2026-11-30T03:00:00.000+00:00"
#: Attempts that are written and committed together, as an answer at a time would be too slow.
AT_ONCE = 2_000

_OTHERS = (("unparseable", 0.03), ("truncated", 0.02), ("refused", 0.02), ("stalled", 0.005))
_FAILED, _RETRIED, _TWO_TURNS, _LOST, _REPAIRED, _NEAR = 0.03, 0.05, 0.02, 0.0002, 0.01, 0.02


@dataclass(frozen=True, slots=True)
class _Rows:
    """Rows by table, as they are collected."""

    attempts: list[dict[str, Any]]
    calls: list[dict[str, Any]]
    grades: list[dict[str, Any]]
    turns: list[dict[str, Any]]


def build(path: Path, attempts: int, response_bytes: int, seed: int = 4) -> StoredPlan:
    """Make a results file with about so many attempts (a whole number of items); its plan."""
    draw = random.Random(seed)
    items = items_of(max(attempts // (MODELS * REPEATS), 1), draw)
    with closing(Connection(path)) as on:
        # It is made up and may be made again: nothing has to survive a crash. Each new grade
        # would be looked for in all attempts, were its foreign key watched.
        for setting in (
            "synchronous = OFF",
            "journal_mode = OFF",
            "cache_size = -200000",
            "foreign_keys = OFF",
        ):
            on.db.execute(f"PRAGMA {setting}")
        plans = Plans(on)
        plan = plans.load(plans.create(RUN, items, configs_of(), REPEATS))
        rows = _Rows([], [], [], [])
        for _ in _attempts(plan, rows, response_bytes, draw):
            if len(rows.attempts) == AT_ONCE:
                _write(on, rows)
        _write(on, rows)
        on.db.enable_wal()
    return plan


def _write(on: Connection, rows: _Rows) -> None:
    with on.writing():
        for table in ("attempts", "grades", "calls", "turns"):
            found: list[dict[str, Any]] = getattr(rows, table)
            if found:
                names = list(found[0])
                on.write_many(
                    f"INSERT INTO {table} ({', '.join(names)}) "
                    f"VALUES ({', '.join('?' for _ in names)})",
                    [tuple(row.values()) for row in found],
                )
            found.clear()


def _attempts(
    plan: StoredPlan, rows: _Rows, response_bytes: int, draw: random.Random
) -> Iterator[None]:
    """Add the rows of every attempt in the order in which a run sends its cells."""
    text = prose(4 * response_bytes + 1_000, draw)
    ability = {digest: 0.15 + 0.7 * n / MODELS for n, digest in enumerate(plan.configs)}
    ease = {
        digest: draw.uniform(-0.25, 0.25) - 0.08 * item.encoded
        for digest, item in plan.items.items()
    }
    number = 0
    for repeat in range(REPEATS):
        for item_digest, item in plan.items.items():
            for config_digest, config in plan.configs.items():
                number += 1
                chance = ability[config_digest] + ease[item_digest] - 0.02 * len(item.steps)
                start = draw.randrange(len(text) - response_bytes)
                _attempt(
                    rows,
                    number,
                    (plan.run.id, plan.item_ids[item_digest], plan.config_ids[config_digest]),
                    repeat,
                    item,
                    config,
                    chance,
                    text[start : start + response_bytes],
                    draw,
                )
                yield


def _attempt(
    rows: _Rows,
    number: int,
    ids: tuple[int, int, int],
    repeat: int,
    item: Item,
    config: ModelConfig,
    chance: float,
    text: str,
    draw: random.Random,
) -> None:
    failed = draw.random() < _FAILED
    outcome = "error" if failed else _outcome(chance, draw)
    retried, turns = draw.random() < _RETRIED, int(not failed and draw.random() < _TWO_TURNS)
    lost = draw.random() < _LOST
    usage, charge = Usage(), dict.fromkeys(CHARGE_COLUMNS, None)
    call_numbers = iter(range(1, 9))
    if retried:
        rows.calls.append(_call(number, next(call_numbers), "failed", Usage(), ""))
    if lost:
        rows.calls.append(_call(number, next(call_numbers), "lost", Usage(), ""))
    if failed:
        rows.calls.append(_call(number, next(call_numbers), "failed", Usage(), ""))
    for turn in range(0 if failed else turns + 1):
        used = Usage(
            input=item.estimated_tokens,
            cached_input=draw.choice((0, 0, 500)),
            cache_write=0,
            output=draw.randint(200, 9_000),
            reasoning=100,
        )
        priced = charge_row(used, {}, config.prices)
        charge = (
            {name: _plus(charge[name], priced[name]) for name in charge} if turn else dict(priced)
        )
        usage = usage + used
        rows.calls.append(_call(number, next(call_numbers), "answered", used, text))
        if turn < turns:
            rows.turns.append({"call_id": rows.calls[-1]["id"], "nudge": "Go on."})
    count = next(call_numbers) - 1
    run_id, item_id, config_id = ids
    rows.attempts.append(
        {
            "id": number,
            "run_id": run_id,
            "item_id": item_id,
            "model_config_id": config_id,
            "repeat": repeat,
            "outcome": outcome,
            "answered": int(not failed),
            "grade_id": None if failed else number,
            "started_at": MOMENT,
            "finished_at": MOMENT,
            "call_count": count,
            "turn_count": turns,
            "stop_reason": None if failed else "max_tokens" if outcome == "truncated" else "end",
            "raw_stop_reason": None if failed else "length" if outcome == "truncated" else "stop",
            "served_model": None if failed else config.model,
            "error_kind": "server_error" if failed else None,
            "error_message": "503: the server is overloaded" if failed else None,
            **usage_row(usage),
            **charge,
        }
    )
    if not failed:
        rows.grades.append(_grade(number, item_id, item, outcome, draw))


def _outcome(chance: float, draw: random.Random) -> str:
    at = draw.random()
    for outcome, share in _OTHERS:
        if at < share:
            return outcome
        at -= share
    return "correct" if draw.random() < chance else "wrong"


def _plus(left: int | None, right: int | None) -> int | None:
    return None if left is None or right is None else left + right


def _call(attempt: int, number: int, status: str, usage: Usage, text: str) -> dict[str, Any]:
    third = len(text) // 3
    return {
        "id": attempt * 8 + number,
        "attempt_id": attempt,
        "number": number,
        "status": status,
        "started_at": MOMENT,
        "finished_at": MOMENT,
        "http_status": {"answered": 200, "failed": 503}.get(status),
        "error_kind": None if status == "answered" else "server_error",
        **usage_row(usage),
        "settings_sent": '{"max_tokens":32000}',
        "text": text[:third],
        "thinking": text[third : third + third // 2],
        "request_json": text[:300],
        "response_raw": text[third + third // 2 :],
    }


def _grade(
    number: int, item_id: int, item: Item, outcome: str, draw: random.Random
) -> dict[str, Any]:
    near = outcome == "wrong" and draw.random() < _NEAR
    steps: dict[str, bool | None] = {}
    answer: str | None = None
    if outcome in ("correct", "wrong"):
        parts = list(item.answer_parts)
        steps = dict.fromkeys(item.answer_labels, True)
        answer = item.key
        if near:
            answer = f" {item.key}"
        elif outcome == "wrong":
            # Later steps go wrong once an earlier one has; a third of the wrong answers agree.
            alike = draw.random() < 1 / 3
            first = len(parts) // 2 if alike else draw.randrange(len(parts))
            for at in range(first, len(parts)):
                parts[at] = f"{len(parts[at])}7" if alike else str(draw.randrange(100_000))
                steps[item.answer_labels[at]] = False
            answer = "-".join(parts)
            if draw.random() < 0.05:
                answer, steps = "no idea", dict.fromkeys(item.answer_labels)
    return {
        "id": number,
        "attempt_id": number,
        "item_id": item_id,
        "created_at": MOMENT,
        "outcome": outcome,
        "extractor": "code_block/1",
        "strict": 0,
        "repaired": int(draw.random() < _REPAIRED),
        "near_miss": int(near),
        "steps": to_json(steps),
        "note": "" if outcome == "correct" else "the answer is not the key",
        "answer": answer,
    }
