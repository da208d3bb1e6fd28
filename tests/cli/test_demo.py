"""`relaybench demo`: four simulated providers through the real SDKs, held against their books."""

from __future__ import annotations

import shlex
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from decimal import Decimal

import pytest

from relaybench.catalog.load import load_catalog
from relaybench.cli.main import main
from relaybench.domain.money import cost_of
from relaybench.providers import simulated
from relaybench.providers.simulated_delivery import Sleep
from relaybench.providers.simulated_exchange import Billed, sent_again
from relaybench.providers.simulated_model import UNKNOWN_PROMPT
from relaybench.providers.simulated_transport import SimulatedTransport
from tests.cli.support import Shell
from tests.providers.simulated_support import no_sleep

MODELS = ("sim-anthropic", "sim-openai", "sim-google", "sim-compatible")

TOKENS = """
SELECT model_configs.model, IFNULL(SUM(calls.input), 0), IFNULL(SUM(calls.cached_input), 0),
    IFNULL(SUM(calls.cache_write), 0), IFNULL(SUM(calls.output), 0)
FROM calls JOIN attempts ON attempts.id = calls.attempt_id
JOIN model_configs ON model_configs.id = attempts.model_config_id
WHERE calls.status = 'answered' GROUP BY model_configs.model
"""


@pytest.fixture
def ledger(monkeypatch: pytest.MonkeyPatch) -> list[Billed]:
    """The books of all simulated providers that a command opens."""
    books: list[Billed] = []

    class Kept(SimulatedTransport):
        def __init__(self, answers: Mapping[str, str], sleep: Sleep) -> None:
            super().__init__(answers, no_sleep)  # thinking takes no time here
            self.ledger = books

    monkeypatch.setattr(simulated, "SimulatedTransport", Kept)
    return books


def test_a_cohort_of_four_providers_costs_what_they_billed(
    shell: Shell, ledger: list[Billed]
) -> None:
    done = shell(
        "run", "example", "library:math", "--cohort", "demo", "--repeats", "4", "--run", "one",
        "--yes",
    )  # fmt: skip
    assert all(model in done.out for model in MODELS)
    rows = shell("attempts", "one", "--format", "json").json
    assert len(rows) == 4 * 3 * 4
    assert not [row for row in rows if row["outcome"] in ("error", "pending")]
    assert {entry.wire for entry in ledger} == {"anthropic", "responses", "google", "chat"}
    assert len({(e.model, e.cell) for e in ledger if e.delivered}) == len(rows)
    assert sent_again(ledger) == []
    with closing(sqlite3.connect(shell.root / "results.db")) as database:
        known = dict(database.execute("SELECT model, total_usd FROM costs").fetchall())
        unknown = database.execute(
            "SELECT count(*) FROM calls WHERE instr(response_raw, ?)", (UNKNOWN_PROMPT,)
        ).fetchone()
        answered = {name: tokens for name, *tokens in database.execute(TOKENS)}
    assert unknown == (0,)
    for model in MODELS:
        delivered = [e.usage for e in ledger if e.model == model and e.delivered]
        assert answered[model] == [
            sum(use.input or 0 for use in delivered),
            sum(use.cached_input or 0 for use in delivered),
            sum(use.cache_write or 0 for use in delivered),
            sum(use.output or 0 for use in delivered),
        ]
    for label, usd in known.items():
        # What broke off was billed too, but is no known cost: it is estimated apart from it.
        assert usd == pytest.approx(float(billed(shell, ledger, label.partition(" ")[0])), abs=1e-9)


def billed(shell: Shell, ledger: list[Billed], model: str) -> Decimal:
    """What a model's delivered responses cost by the books, in USD."""
    (config,) = [each for each in load_catalog(shell.root).cohort("demo") if each.model == model]
    entries = [e for e in ledger if e.model == model and e.delivered]
    costs = [cost_of(e.usage, e.fees, config.prices, billed=e.charged).total for e in entries]
    return sum((cost for cost in costs if cost is not None), Decimal(0))


def test_the_demo_shows_four_providers_and_says_that_they_are_made_up(
    shell: Shell, ledger: list[Billed]
) -> None:
    done = shell("demo")
    assert all(model in done.out for model in MODELS)
    assert "SIMULATED" in done.out
    assert "Everything above is simulated" in done.err
    # Every command that it ends with works as it stands.
    lines = [shlex.split(line) for line in done.err.split("Next:")[1].splitlines() if line.strip()]
    said = [words for words in lines if words[0] != "#"]
    assert [words[5] for words in said[:-1]] == ["compare", "steps", "attempts", "report"]
    assert said[-1][1:] == ["init", "my-bench"]
    for _, *arguments in said[:-1]:
        assert main(arguments) == 0
    assert (shell.root / ".demo" / "report.html").is_file()
    assert {entry.wire for entry in ledger} == {"anthropic", "responses", "google", "chat"}
