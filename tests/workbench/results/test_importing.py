"""Results made elsewhere: good lines kept, bad ones named, nothing taken in twice."""

from __future__ import annotations

import json
import time
from decimal import Decimal
from pathlib import Path

import pytest

from relaybench.domain.errors import RunBusyError, UsageError
from relaybench.domain.results import Outcome
from relaybench.store.database import run_lock
from relaybench.workbench.results.importing import ImportReport, import_results
from relaybench.workbench.workspace import Workspace
from tests.workbench.support import make_workspace, simulated_run, stored

GOOD: dict[str, object] = {
    "set": "s", "composite": "c", "key": "42", "model": "m", "response": "```\n42\n```",
}  # fmt: skip


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return make_workspace(tmp_path)


def line(**changes: object) -> str:
    return json.dumps({**GOOD, **changes})


def take(workspace: Workspace, *lines: str | bytes, run: str = "r") -> ImportReport:
    path = workspace.root / "answers.jsonl"
    parts = [each if isinstance(each, bytes) else each.encode() for each in lines]
    path.write_bytes(b"\n".join(parts))
    return import_results(workspace, path, run)


BAD: dict[str, tuple[str | bytes, str]] = {
    "no json": ("{nope", "is not JSON"),
    "cut off": (line()[:30], "is not JSON"),
    "no object": ("[1]", "is no JSON object"),
    "not utf-8": (b'{"set": "\xff"}', "is not UTF-8"),
    "deep": ("[" * 100_000, "is not JSON"),
    "not a number": ('{"set": NaN}', "NaN is no number"),
    "key missing": (json.dumps({k: v for k, v in GOOD.items() if k != "key"}), "key is missing"),
    "model missing": (json.dumps({k: v for k, v in GOOD.items() if k != "model"}), "model is miss"),
    "unknown key": (line(extra=1), "extra is not a key of a line"),
    "empty set": (line(set=""), "set:"),
    "empty key": (line(key=""), "key:"),
    "number for key": (line(key=42), "key:"),
    "null response": (line(response=None), "response:"),
    "repeat below 0": (line(repeat=-1), "repeat:"),
    "repeat as text": (line(repeat="1"), "repeat:"),
    "repeat true": (line(repeat=True), "repeat:"),
    "huge repeat": (line(repeat=10**6), "repeat:"),
    "tokens below 0": (line(usage={"input": -1}), "usage.input:"),
    "tokens as float": (line(usage={"input": 1.5}), "usage.input:"),
    "tokens huge": (line(usage={"output": 10**30}), "usage.output:"),
    "unknown bucket": (line(usage={"thinking": 1}), "usage.thinking is not a key"),
    "price below 0": (line(prices={"input": -1}), "prices.input:"),
    "price too fine": (line(prices={"input": 0.0000001}), "prices.input:"),
    "price infinite": (line(prices={"input": "inf"}), "prices.input:"),
    "surrogate model": (line().replace('"m"', '"\\ud800"'), "model:"),
    "surrogate effort": (line()[:-1] + ', "effort": "\\ud800"}', "effort:"),
    "domains as text": (line(domains="math"), "domains:"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_bad_line_is_named_and_good_ones_are_kept(workspace: Workspace, name: str) -> None:
    bad, says = BAD[name]
    report = take(workspace, line(), bad, "", line(composite="d"), run="r")
    assert (report.added, report.known) == (2, 0)
    ((number, problem),) = [(each.number, each.problem) for each in report.bad]
    assert number == 2
    assert says in problem


def test_only_bad_lines_make_no_file(workspace: Workspace) -> None:
    report = take(workspace, "x", "y")
    assert [each.number for each in report.bad] == [1, 2]
    assert not workspace.database.exists()


def test_a_file_imported_twice_adds_nothing(workspace: Workspace) -> None:
    lines = [line(), line(), line(repeat=7), line(model="n", effort="high"), line(composite="d")]
    assert take(workspace, *lines).added == 5
    with stored(workspace) as s:
        before = list(s.on.db.conn.iterdump())
    report = take(workspace, *lines)
    assert (report.added, report.known, report.bad) == (0, 5, ())
    with stored(workspace) as s:
        assert list(s.on.db.conn.iterdump()) == before
        assert s.plan.run.repeats == 8


def test_lines_of_one_cell_without_a_repeat_are_repeats(workspace: Workspace) -> None:
    wrong = line(response="```\n41\n```")
    assert take(workspace, line(), wrong, line()).added == 3
    with stored(workspace) as s:
        (result,) = s.results
        assert result.outcomes == {Outcome.CORRECT: 2, Outcome.WRONG: 1}
        assert result.planned == 3


def test_a_mended_line_does_not_move_those_behind_it(workspace: Workspace) -> None:
    first, last = line(response="first"), line(response="last")
    assert take(workspace, first, "broken", last).added == 2
    report = take(workspace, first, line(response="mended"), last)
    assert (report.added, report.known, len(report.bad)) == (0, 2, 1)
    assert "give it another repeat" in report.bad[0].problem
    report = take(workspace, first, line(response="mended", repeat=2), last)
    assert (report.added, report.known) == (1, 2)
    with stored(workspace) as s:
        assert s.results[0].scored == s.results[0].planned == 3


def test_another_response_for_a_cell_is_refused(workspace: Workspace) -> None:
    report = take(workspace, line(repeat=0), line(repeat=0, response="other"), line(repeat=0))
    assert (report.added, report.known) == (1, 1)
    assert [each.number for each in report.bad] == [2]
    assert "repeat 0 of s/c by m has another response already" in report.bad[0].problem


def test_one_price_list_per_run(workspace: Workspace) -> None:
    cheap, dear = {"input": 1, "output": 2}, {"input": 3, "output": 2}
    usage = {"input": 1_000_000, "output": 0}
    report = take(
        workspace,
        line(usage=usage),
        line(usage=usage, prices=cheap),
        line(usage=usage, prices=dear),
        line(usage=usage),
    )
    assert (report.added, [each.number for each in report.bad]) == (3, [3])
    assert "prices of m differ" in report.bad[0].problem
    report = take(
        workspace, line(composite="d", prices=dear), line(composite="e", prices=cheap, usage=usage)
    )
    assert (report.added, [each.number for each in report.bad]) == (1, [1])
    with stored(workspace) as s:
        assert s.results[0].cost.input == Decimal(4)


def test_prices_that_come_too_late_are_refused_not_dropped(workspace: Workspace) -> None:
    take(workspace, line())
    report = take(workspace, line(prices={"input": 1}))
    assert (report.added, report.known, len(report.bad)) == (0, 0, 1)


def test_one_key_per_item_and_run(workspace: Workspace) -> None:
    report = take(workspace, line(), line(key="43"))
    assert (report.added, [each.number for each in report.bad]) == (1, [2])
    assert "the key of s/c differs" in report.bad[0].problem
    assert take(workspace, line(key="43"), run="r").added == 0
    assert take(workspace, line(key="43"), run="corrected").added == 1


def test_simulated_and_real_lines_never_mix(workspace: Workspace) -> None:
    report = take(workspace, line(), line(provider="simulated"))
    assert [each.number for each in report.bad] == [2]
    assert take(workspace, line(provider="simulated", composite="d")).added == 0
    assert take(workspace, line(provider="simulated"), run="made up").added == 1
    with stored(workspace, "made up") as s:
        assert s.plan.run.simulated


@pytest.mark.parametrize(
    ("stop", "outcome"),
    [
        (None, Outcome.CORRECT),
        ("stop", Outcome.CORRECT),
        ("END_TURN", Outcome.CORRECT),
        ("length", Outcome.CORRECT),
        ("max_tokens", Outcome.CORRECT),
        ("refusal", Outcome.REFUSED),
        ("content_filter", Outcome.REFUSED),
        ("SAFETY", Outcome.REFUSED),
        ("pause_turn", Outcome.STALLED),
        ("tool_calls", Outcome.STALLED),
        ("sunspots", Outcome.ERROR),
        ("", Outcome.ERROR),
    ],
)
def test_stop_reasons(workspace: Workspace, stop: str | None, outcome: Outcome) -> None:
    take(workspace, line() if stop is None else line(stop_reason=stop))
    with stored(workspace) as s:
        (row,) = s.on.rows("SELECT outcome, raw_stop_reason, answered FROM attempts")
    assert (row["outcome"], row["raw_stop_reason"], row["answered"]) == (outcome.value, stop, 1)


def test_usage_that_is_left_out_is_unknown(workspace: Workspace) -> None:
    prices = {"input": 0.1, "output": "2.5"}
    take(workspace, line(prices=prices), line(composite="d", usage={"input": 1, "output": 1}))
    with stored(workspace) as s:
        (result,) = s.results
        assert (result.cost.total, result.uncosted, result.unreported) == (None, 1, 1)
        assert s.plan.configs[result.config.digest].prices == result.config.prices


def test_an_absurd_price_gives_no_wrong_cost(workspace: Workspace) -> None:
    usage, prices = {"input": 10**12, "output": 1}, {"input": 9_999_999_999, "output": 1}
    assert take(workspace, line(usage=usage, prices=prices)).added == 1
    with stored(workspace) as s:
        assert s.results[0].cost.total is None


def test_hostile_text_is_kept_and_an_empty_effort_is_none(workspace: Workspace) -> None:
    text = "\x1b[2J\0 \ud800 ```\n42\n```"
    take(workspace, line(response=text, effort=""), line(composite="d"))
    with stored(workspace) as s:
        assert s.attempts.gradable(1).text == text
        assert len(s.plan.configs) == 1


def test_a_byte_order_mark_and_blank_lines_do_no_harm(workspace: Workspace) -> None:
    report = take(workspace, b"\xef\xbb\xbf" + line().encode(), "", "  ", line())
    assert (report.added, report.bad) == (2, ())


async def test_what_cannot_be_imported_into(workspace: Workspace) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        import_results(workspace, workspace.root / "none.jsonl")
    with pytest.raises(UsageError, match="cannot be read"):
        import_results(workspace, workspace.root)
    await simulated_run(workspace)
    with pytest.raises(UsageError, match="was sent from here"):
        take(workspace, line(), run="r")
    take(workspace, line(), run="i")
    with run_lock(workspace.database, 2, "i"), pytest.raises(RunBusyError):
        take(workspace, line(composite="d"), run="i")


def test_two_thousand_lines_are_fast(workspace: Workspace) -> None:
    lines = [
        line(composite=f"c{n % 100}", model=f"m{n // 100 % 4}", response=f"{n} ```\n42\n```")
        for n in range(2000)
    ]
    started = time.monotonic()
    assert take(workspace, *lines).added == 2000
    assert take(workspace, *lines).known == 2000
    assert time.monotonic() - started < 30
