"""Small workspaces in a temporary folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from relaybench.domain.item import Item
from relaybench.domain.model import SIMULATED, ModelConfig
from relaybench.runner.events import Event, RunEnded
from relaybench.store.attempts import Attempts
from relaybench.store.database import Connection
from relaybench.store.plans import Plans, StoredPlan
from relaybench.store.results import ConfigResult, Results
from relaybench.workbench.problems.selecting import select
from relaybench.workbench.runs.planning import Proposal, RunOptions, propose
from relaybench.workbench.runs.running import carry_out
from relaybench.workbench.workspace import Workspace

_CLASS = """
id = "sum"
domain = "math"
title = "Sum"
prompt = '''
What is {{n}} plus {{n}}?
'''
rules = ["Give an integer."]
example = "4096"
"""
_INSTANCE = """
[[instances]]
id = "n-{n}"
data = {{ n = "{n}" }}
answer = "{answer}"
status = "approved"
"""


def make_workspace(root: Path, instances: int = 4, answers: dict[int, str] | None = None,
                   environment: dict[str, str] | None = None) -> Workspace:  # fmt: skip
    """A workspace with one class; ``answers`` replaces the keys of some of its instances."""
    folder = root / "problems" / "library" / "math"
    folder.mkdir(parents=True, exist_ok=True)
    wrong = answers or {}
    text = _CLASS + "".join(
        _INSTANCE.format(n=n, answer=wrong.get(n, str(2 * n))) for n in range(1, instances + 1)
    )
    (folder / "sum.toml").write_text(text, "utf-8")
    return Workspace(root, root / "results.db", environment or {})


def items_of(workspace: Workspace) -> tuple[Item, ...]:
    return tuple(select(workspace, ["library:math/sum"]).items)


def simulated(name: str = "sim", **options: object) -> ModelConfig:
    """A simulated model that answers at once, always right and never failing unless told."""
    calm: dict[str, object] = {
        "skill": 1.0, "no_block": 0.0, "refuse": 0.0, "truncate": 0.0, "fail": 0.0,
        "latency_s": 0.0,
    }  # fmt: skip
    return ModelConfig(name, SIMULATED, name, options={**calm, **options})


async def send(
    workspace: Workspace, proposal: Proposal, options: RunOptions | None = None
) -> tuple[RunEnded, list[Event]]:
    """Carry a proposal out."""
    events: list[Event] = []
    ended = await carry_out(workspace, proposal, options or RunOptions(), events.append)
    return ended, events


async def simulated_run(
    workspace: Workspace, name: str = "r", repeats: int = 1, strict: bool = False
) -> None:
    """A whole run of all items on one simulated model."""
    config = simulated()
    proposal = propose(
        workspace, items_of(workspace), [config], name=name, repeats=repeats, strict=strict
    )
    await send(workspace, proposal)


@dataclass(slots=True)
class Stored:
    """What a results file says about a run."""

    on: Connection
    plan: StoredPlan
    results: list[ConfigResult]
    missing: int
    attempts: Attempts


@contextmanager
def stored(workspace: Workspace, name: str = "r") -> Iterator[Stored]:
    with closing(Connection(workspace.database, create=False)) as on:
        plans = Plans(on)
        plan = plans.load(plans.find(name))
        yield Stored(on, plan, Results(on).by_config(plan), len(plans.missing(plan)), Attempts(on))
