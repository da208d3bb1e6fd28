"""What journeys on the screen Run share: models that behave, and waiting for a run."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

from textual.pilot import Pilot

from relaybench.tui.run.live import LiveRun
from relaybench.tui.run.tick_tree import TickTree
from relaybench.tui.screens.run import RunScreen
from tests.tui.driving import app_of, settled
from tests.workbench.support import make_workspace

_CALM = "skill = 1.0, no_block = 0.0, refuse = 0.0, truncate = 0.0"
MODELS = f"""
[models.quick]
provider = "simulated"
model = "quick"
options = {{ {_CALM}, fail = 0.0, latency_s = 0.0 }}

[models.wrong]
provider = "simulated"
model = "wrong"
options = {{ {_CALM}, skill = 0.0, fail = 0.0, latency_s = 0.0 }}

[models.slow]
provider = "simulated"
model = "slow"
concurrency = 1
options = {{ {_CALM}, fail = 0.0, latency_s = 1.0 }}

[models.endless]
provider = "simulated"
model = "endless"
options = {{ {_CALM}, fail = 0.0, latency_s = 900.0 }}

[models.shaky]
provider = "simulated"
model = "shaky"
options = {{ {_CALM}, fail = 1.0, faults = ["413"], latency_s = 0.0 }}

[models.paid]
provider = "compatible"
model = "paid"
base_url = "http://127.0.0.1:9/v1"
key_env = "PAID_KEY"

[cohorts]
mine = ["quick", "wrong"]
""".replace("skill = 1.0, no_block = 0.0, refuse = 0.0, truncate = 0.0, skill = 0.0",
            "skill = 0.0, no_block = 0.0, refuse = 0.0, truncate = 0.0")  # fmt: skip

#: Seconds that a test waits for a run at most.
PATIENCE = 30.0


def add_problems(root: Path, instances: int = 6) -> None:
    """Add single subproblems, and the models."""
    make_workspace(root, instances)
    (root / "models.toml").write_text(MODELS, "utf-8")


def run_screen(pilot: Pilot[int]) -> RunScreen:
    screen = next(each for each in app_of(pilot).work_screens if isinstance(each, RunScreen))
    return screen


async def tick(pilot: Pilot[int], tree: str, *leaves: str) -> None:
    """Tick leaves of the tree ``problems`` or ``models``."""
    run_screen(pilot).query_one(f"#{tree}", TickTree).tick(leaves)
    await settled(pilot)


async def until(pilot: Pilot[int], met: Callable[[], bool]) -> None:
    """Wait until something is so that another thread brings about."""
    ends = time.monotonic() + PATIENCE
    while not met():
        assert time.monotonic() < ends, "it takes too long"
        await asyncio.sleep(0.01)
    await settled(pilot)


async def live_run(pilot: Pilot[int]) -> LiveRun:
    """The run of the application, once it has begun."""
    await until(pilot, lambda: app_of(pilot).desk.run is not None)
    live = app_of(pilot).desk.run
    assert live is not None
    return live


async def ended(pilot: Pilot[int], live: LiveRun) -> None:
    """Wait for the end of a run, and for what follows on it."""
    await until(pilot, lambda: live.ended is not None)
    await until(pilot, lambda: any(live.name in each.text for each in app_of(pilot).notices))
