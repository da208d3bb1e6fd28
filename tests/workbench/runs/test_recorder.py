"""The recorder: durable first, graded after, and a last resort when the store gives out."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from relaybench.domain.completion import (
    Completion,
    Part,
    PartKind,
    StopReason,
    ToolEvent,
    Usage,
)
from relaybench.domain.errors import ServerFault, StoreError
from relaybench.domain.results import Outcome
from relaybench.store.attempts import Attempts
from relaybench.store.recording import Recording
from relaybench.workbench.runs import recording as module
from relaybench.workbench.runs.recording import StoreRecorder
from tests.store.support import Bench, answer, bench


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[tuple[Bench, StoreRecorder]]:
    with bench(tmp_path / "results.db", items=3) as b:
        recorder = StoreRecorder(b.on, b.stored)
        with closing(recorder):
            yield b, recorder


async def test_calls_failures_answers_and_grades_are_written(
    desk: tuple[Bench, StoreRecorder],
) -> None:
    b, recorder = desk
    one, two, three = (b.cell(n) for n in range(3))
    ticket = await recorder.call_started(one)
    await recorder.call_failed(ticket, ServerFault("x"), 1.0)
    ticket = await recorder.call_started(one)
    assert await recorder.answered(ticket, answer()) is Outcome.CORRECT
    ticket = await recorder.call_started(two)
    await recorder.call_failed(ticket, ServerFault("x"), None)
    await recorder.gave_up(two, ServerFault("x"))
    await recorder.call_lost(await recorder.call_started(three))
    assert b.missing() == [two, three]
    rows = b.on.rows("SELECT outcome FROM attempts ORDER BY id")
    assert [row["outcome"] for row in rows] == ["correct", "error", "pending"]


async def test_the_answer_is_durable_before_anything_looks_at_it(
    desk: tuple[Bench, StoreRecorder], monkeypatch: pytest.MonkeyPatch
) -> None:
    b, recorder = desk
    seen: list[int] = []

    def judge(*_: object, **__: object) -> None:
        with bench(b.on.path) as other:
            seen.append(len(other.missing()))
        raise RecursionError("a fault of the grader")

    monkeypatch.setattr(module, "judge", judge)
    ticket = await recorder.call_started(b.cell())
    assert await recorder.answered(ticket, answer()) is Outcome.PENDING
    assert seen == [2]
    assert recorder.grade_ungraded() == 0
    monkeypatch.undo()
    assert recorder.grade_ungraded() == 1
    assert recorder.grade_ungraded() == 0
    assert b.results()[0].count(Outcome.CORRECT) == 1


@pytest.mark.parametrize("error", [StoreError("disk full"), OverflowError("too large")])
async def test_an_answer_that_cannot_be_stored_is_rescued_and_taken_in(
    desk: tuple[Bench, StoreRecorder],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    error: Exception,
) -> None:
    b, recorder = desk

    def fail(*_: object) -> int:
        raise error

    monkeypatch.setattr(Recording, "answered", fail)
    path = tmp_path / "results.db.rescued.jsonl"
    texts = ["```\n42\n```", "a\ud800\0 ```\n41\n```", "no"]
    usage = Usage(input=10, output=5, unattributed=2, reasoning=1)
    for number, text in enumerate(texts):
        ticket = await recorder.call_started(b.cell(number))
        refusal = "no" if text == "no" else None
        parts = (Part(PartKind.THINKING, "hm"), Part(PartKind.TEXT, text))
        events = (ToolEvent("web_search", "ducks", "ok"),)
        completion = Completion(
            text, StopReason.END, "stop", usage, "m", refusal=refusal, parts=parts,
            tool_events=events, response_raw="raw",
        )  # fmt: skip
        with pytest.raises(
            StoreError, match=r"rescued\.jsonl; resuming the run takes it in from there\.$"
        ):
            await recorder.answered(ticket, completion)
        if number == 0:
            with path.open("a") as file:
                file.write('{"run": "cut off by a full di')
    monkeypatch.undo()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert recorder.take_in_rescued() == 3
    assert recorder.take_in_rescued() == 0
    assert recorder.mark_lost() == 0
    assert recorder.grade_ungraded() == 3
    (result,) = b.results()
    assert result.outcomes == {Outcome.CORRECT: 1, Outcome.WRONG: 1, Outcome.REFUSED: 1}
    assert (result.usage.output, result.usage.unattributed, result.retries) == (15, 6, 0)
    detail = Attempts(b.on).detail(2)
    assert detail.response is not None
    assert (detail.response.text, detail.response.thinking) == (texts[1], "hm")
    assert detail.response.tools[0].detail == "ducks"
    assert path.read_text("utf-8").strip() == '{"run": "cut off by a full di'


async def test_an_answer_that_fits_nowhere_is_in_the_error(
    desk: tuple[Bench, StoreRecorder], monkeypatch: pytest.MonkeyPatch
) -> None:
    b, recorder = desk

    def fail(*_: object) -> int:
        raise StoreError("disk full")

    def no_disk(*_: object) -> None:
        raise OSError

    monkeypatch.setattr(Recording, "answered", fail)
    monkeypatch.setattr("relaybench.workbench.runs.rescuing._append", no_disk)
    ticket = await recorder.call_started(b.cell())
    with pytest.raises(StoreError, match="could be stored nowhere") as raised:
        await recorder.answered(ticket, answer("precious"))
    assert json.dumps("precious") in str(raised.value)
