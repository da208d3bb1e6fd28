"""Attempts: nothing that gives a key or an answer away unless it is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

import pytest

from relaybench.domain.model import ModelConfig
from relaybench.reports.attempts_table import attempt_columns, attempt_rows, attempts_table
from relaybench.reports.formats import Format, render
from relaybench.reports.tables import Missing
from relaybench.store.results import AttemptRow
from tests.reports.samples import ANSWER, CANARIES, ERROR, KEY, a_run, an_attempt


@pytest.mark.parametrize("format", Format)
def test_no_key_and_no_answer_unasked(format: Format) -> None:
    text = render(attempts_table(a_run(), [an_attempt()]), format)
    assert not any(each in text for each in CANARIES)
    assert "relay-01" in text
    assert "wrong" in text


def test_with_answers() -> None:
    table = attempts_table(a_run(), [an_attempt()], with_answers=True)
    assert table.value(0, "key") == KEY
    assert table.value(0, "answer") == ANSWER
    assert table.value(0, "error_message") == ERROR


def test_values() -> None:
    table = attempts_table(a_run(), [an_attempt(), replace(an_attempt(2), cost=None)])
    assert table.value(0, "steps_right") == "A: wrong, B: right, C: ?"
    assert table.value(0, "output_tokens") == 25
    assert table.value(0, "cost_usd") == Decimal("0.000001")
    assert table.value(1, "cost_usd") == Missing("unknown")
    assert table.value(0, "cached_input_tokens") == Missing("not reported")


@pytest.mark.parametrize("reason", ["end_turn", "SAFETY", "stop"])
def test_words_of_a_protocol_are_shown(reason: str) -> None:
    table = attempts_table(a_run(), [replace(an_attempt(), raw_stop_reason=reason)])
    assert table.value(0, "stop_reason") == reason


def test_stop_reasons_that_may_quote_are_hidden() -> None:
    assert attempts_table(a_run(), [an_attempt()]).value(0, "stop_reason") == Missing("hidden")


def test_rows_are_read_one_by_one() -> None:
    read = []

    def attempts() -> Iterator[AttemptRow]:
        for number in range(1000):
            read.append(number)
            yield an_attempt(number)

    rows = attempt_rows(a_run(), attempts())
    assert next(rows)[attempt_columns().index(attempt_columns()[1])] == 0
    assert len(read) == 1


def test_simulated_attempts_are_marked_one_by_one() -> None:
    simulated = ModelConfig("sim", "simulated", "sim")
    real = ModelConfig("real", "compatible", "real")
    configs = {each.digest: each for each in (simulated, real)}
    attempts = [an_attempt(1, config=simulated), an_attempt(2, config=real)]
    run = a_run(simulated=True)
    table = attempts_table(run, attempts, configs=configs)
    assert [table.value(number, "simulated") for number in (0, 1)] == [True, False]
    assert table.notes[0].startswith("SIMULATED: sim answered")
    # Where nobody says which is which, all of them count as made up.
    table = attempts_table(run, attempts)
    assert [table.value(number, "simulated") for number in (0, 1)] == [True, True]
