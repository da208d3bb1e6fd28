"""Runs on the simulator of four providers in which a fault strikes, and what must hold after."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Final

import pytest

from relaybench.domain.item import Item, ItemKind, ItemStep
from relaybench.domain.model import SIMULATED, ModelConfig, Prices, PriceTier
from relaybench.domain.money import ZERO, cost_of
from relaybench.domain.results import Outcome
from relaybench.providers.simulated import SimulatedProvider
from relaybench.providers.simulated_exchange import Billed, sent_again
from relaybench.runner.events import Event, RunEnded
from relaybench.store.plans import Plans
from relaybench.store.spending import spending, unsaved_calls
from relaybench.workbench.runs import running
from relaybench.workbench.runs.planning import Proposal, RunOptions, propose, propose_resume
from relaybench.workbench.runs.running import open_session
from relaybench.workbench.workspace import Workspace
from tests.runner.support import HastyClock
from tests.workbench.support import Stored, stored

#: Cells of one provider in a run; with four providers that makes 200 attempts.
ITEMS: Final = 50
WIRES: Final[Mapping[str, tuple[str, ...]]] = {
    "chat": (),
    "anthropic": ("web_search", "web_fetch", "code_execution"),
    "responses": ("web_search", "code_interpreter"),
    "google": ("google_search", "url_context", "code_execution"),
}
PRICES: Final = Prices(
    (
        PriceTier(
            input=Decimal(3),
            cached_input=Decimal("0.3"),
            cache_write=Decimal("3.75"),
            cache_write_1h=Decimal(6),
            output=Decimal(15),
        ),
    ),
    {
        "web_search": Decimal("0.01"),
        "web_fetch": Decimal(0),
        "google_search": Decimal("0.014"),
        "container_4g": Decimal("0.12"),
    },
    source="made up",
)


def items(count: int = ITEMS) -> list[Item]:
    """Items that are their own keys, so to speak."""
    return [
        Item(
            "s", f"c{n}", ItemKind.COMPOSITE, f"What is {n} plus {n}?", str(2 * n), "-",
            (ItemStep("A", "math/sum:n", "math", str(2 * n)),), ("math",), estimated_tokens=9,
        )
        for n in range(count)
    ]  # fmt: skip


def cohort(**options: object) -> list[ModelConfig]:
    """One model for each wire format, all tools on, that answers rightly where nothing fails."""
    calm: dict[str, object] = {
        "skill": 1.0, "no_block": 0.0, "refuse": 0.0, "truncate": 0.0, "latency_s": 0.0,
        "seed": 5, **options,
    }  # fmt: skip
    models = []
    for wire, tools in WIRES.items():
        pause = {"pause": 0.3} if wire in ("anthropic", "google") else {}
        background = {"background": True} if wire == "responses" else {}
        models.append(
            ModelConfig(
                f"sim-{wire}",
                SIMULATED,
                f"sim-{wire}",
                tools=tools,
                max_output_tokens=4000,
                concurrency=10,
                idle_timeout_s=30.0,
                options={**calm, **pause, **background, "wire": wire},
                prices=PRICES,
            )
        )
    return models


async def at_once(_: float) -> None:
    """Let no time pass."""
    await asyncio.sleep(0)


@dataclass(slots=True)
class Lab:
    """A workspace whose simulated providers keep their books over all sessions."""

    workspace: Workspace
    provider: SimulatedProvider

    @classmethod
    def at(cls, folder: Path, patch: pytest.MonkeyPatch, given: Sequence[Item]) -> Lab:
        """A lab whose sessions all meet the same simulated providers, without waiting."""
        provider = SimulatedProvider({item.prompt: item.key for item in given}, sleep=at_once)

        async def opened(*_: object, **__: object) -> _Kept:
            return _Kept(provider)

        patch.setattr(running, "open_provider", opened)
        return cls(Workspace(folder, folder / "results.db", {}), provider)

    @property
    def ledger(self) -> list[Billed]:
        """What the providers billed so far."""
        return self.provider.ledger

    def plan(self, given: Sequence[Item], configs: Sequence[ModelConfig]) -> Proposal:
        """A new run called r."""
        return propose(self.workspace, given, configs, name="r")

    async def send(self, proposal: Proposal) -> tuple[RunEnded, list[Event]]:
        """Carry a run out on a clock that does not wait."""
        events: list[Event] = []
        async with open_session(self.workspace, proposal, RunOptions(), events.append) as session:
            session.runner.clock = HastyClock()
            return await session.run(), events

    async def resume_if_open(self) -> None:
        """Go on with the run where a cell is open."""
        proposal = propose_resume(self.workspace, "r")
        if proposal.cells:
            await self.send(proposal)

    async def resume(self) -> tuple[RunEnded, list[Event]]:
        """Go on with the run."""
        return await self.send(propose_resume(self.workspace, "r"))


class _Kept:
    """A provider that outlives a session."""

    def __init__(self, provider: SimulatedProvider) -> None:
        self.settings = provider.settings
        self.complete = provider.complete

    async def aclose(self) -> None:
        """Stay open."""


def hold(lab: Lab) -> Stored:
    """What must hold after any run, whatever went wrong; gives what the store says."""
    assert sent_again(lab.ledger) == [], "an answer was paid for twice"
    with stored(lab.workspace) as s:
        answered = s.on.rows(
            "SELECT attempt_id, COUNT(*) AS n FROM calls WHERE status = 'answered' AND id NOT IN "
            "(SELECT call_id FROM turns) GROUP BY attempt_id HAVING n != 1"
        )
        assert answered == [], "an attempt has two answers"
        orphans = s.on.rows(
            "SELECT id FROM attempts WHERE answered = 1 AND NOT EXISTS (SELECT 1 FROM calls "
            "WHERE attempt_id = attempts.id AND status = 'answered')"
        )
        assert orphans == [], "an answer was lost"
        unnamed = s.on.rows(
            "SELECT id FROM calls WHERE status = 'failed' AND (error_kind IS NULL OR "
            "IFNULL(error_message, '') = '')"
        )
        assert unnamed == [], "a failure has no name"
        plan = Plans(s.on).load(Plans(s.on).find("r"))
        assert spending(s.on, plan.run).known == known(lab.ledger), "the known cost is wrong"
        assert {r.config.model: r.outcomes for r in s.results}  # every model has its row
        assert all(r.outcomes.get(Outcome.WRONG, 0) == 0 for r in s.results), "a false wrong"
        return s


def known(ledger: Sequence[Billed]) -> Decimal:
    """USD that the providers billed for what they delivered whole."""
    costs = [
        cost_of(entry.usage, entry.fees, PRICES).total
        for entry in ledger
        if entry.delivered and entry.charged
    ]
    return sum((cost for cost in costs if cost is not None), ZERO)


def maybe_billed(lab: Lab) -> int:
    """Calls that may have been billed though their answer was lost."""
    with stored(lab.workspace) as s:
        return unsaved_calls(s.on, s.plan.run).calls.total()


def undelivered(ledger: Sequence[Billed]) -> int:
    """Responses that were billed and not delivered."""
    return sum(entry.charged and not entry.delivered for entry in ledger)


def kinds(s: Stored) -> Counter[str]:
    """Failed calls by kind."""
    rows = s.on.rows("SELECT error_kind FROM calls WHERE status IN ('failed', 'lost')")
    return Counter(row["error_kind"] for row in rows)


def tightened(configs: Sequence[ModelConfig], **changes: float) -> list[ModelConfig]:
    """Configs with other limits."""
    return [replace(config, **changes) for config in configs]  # type: ignore[arg-type]
