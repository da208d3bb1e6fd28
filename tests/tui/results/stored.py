"""A small results file made once with the simulator, and copied for every test."""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

from relaybench.domain.model import Prices, PriceTier
from relaybench.workbench.problems.selecting import select
from relaybench.workbench.problems.starting import init_workspace
from relaybench.workbench.runs.planning import propose
from relaybench.workbench.workspace import Workspace, find_workspace
from tests.workbench.support import send, simulated

HOSTILE = "x[/red] [bold]\x1b[31m"
RUN, OTHER = "first", "second"
_PROBLEMS = Path(__file__).resolve().parents[3] / "problems"


def make_store(root: Path) -> Workspace:
    """A workspace with two simulated runs: five composites by three models, and one by two."""
    init_workspace(root)
    for kind in ("library", "sets"):
        shutil.copytree(_PROBLEMS / kind, root / "problems" / kind, dirs_exist_ok=True)
    workspace = find_workspace(root, environment={})
    tier = PriceTier(
        input=Decimal(2), cached_input=Decimal("0.2"), cache_write=Decimal(3), output=Decimal(12)
    )
    models = [
        replace(each, prices=Prices((tier,)))
        for each in (
            simulated("able", skill=0.9),
            simulated("middling", skill=0.5, no_block=0.2),
            simulated(HOSTILE, skill=0.2),
        )
    ]
    items = select(workspace, ["starter"]).items
    for name, asked, configs in ((RUN, items[:5], models), (OTHER, items[5:6], models[:2])):
        asyncio.run(send(workspace, propose(workspace, asked, configs, name=name)))
    return workspace


def copied(workspace: Workspace, root: Path) -> Workspace:
    """The same workspace in another folder."""
    shutil.copytree(workspace.root, root)
    return find_workspace(root, environment={})
