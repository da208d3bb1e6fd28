"""Each screen in a state worth looking at, on the starter set: for snapshots and for the README.

Run as a module it draws the README's pictures: ``python -m tests.tui.scenes docs/screenshots``.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from textual.pilot import Pilot

from relaybench.domain.problem import Variant
from relaybench.tui.messages import (
    OpenAttempt,
    OpenClass,
    OpenComposite,
    OpenManual,
    OpenResults,
    OpenRun,
    OpenTarget,
)
from relaybench.workbench.planning import RunOptions, propose
from relaybench.workbench.running import carry_out
from relaybench.workbench.selecting import select
from relaybench.workbench.workspace import Workspace, find_workspace
from tests.tui.driving import app_of, opened, settled

ROOT: Final = Path(__file__).resolve().parents[2]
RUN: Final = "starter-demo"
#: When everything in the pictures was done: a picture must not change with the day.
_MOMENT: Final = "2026-11-30T09:30:00.000+00:00"
_MANUAL: Final = """
[models.web-chat]
provider = "manual"
model = "web-chat"
"""


@dataclass(frozen=True, slots=True)
class Scene:
    """A screen and what is opened on it; ``more`` drives it further."""

    name: str
    mode: str
    target: OpenTarget | None = None
    more: Callable[[Pilot[int]], Awaitable[None]] | None = None


SCENES: Final = (
    Scene("library", "library", OpenClass("math/definite-integral")),
    Scene("composer", "composer", OpenComposite("starter/relay-03")),
    Scene("models", "models"),
    Scene("run", "run", OpenRun(RUN)),
    Scene("results", "results", OpenResults(RUN)),
    Scene("attempt", "attempt", OpenAttempt(3, tuple(range(1, 21)))),
    Scene("manual", "manual", OpenManual("by-hand")),
)


def starter_workspace(folder: Path) -> Workspace:
    """The starter set, a demo run of it, and a run that waits for answers by hand."""
    shutil.copytree(
        ROOT / "problems", folder / "problems", ignore=shutil.ignore_patterns("private")
    )
    (folder / "models.toml").write_text(_MANUAL.lstrip(), "utf-8")
    workspace = find_workspace(folder, environment={})
    _run(workspace, RUN, "starter", workspace.catalog().cohort("demo"))
    _run(workspace, "by-hand", "starter/relay-01", (workspace.catalog().model("web-chat"),))
    _stop_the_clock(workspace.database)
    return workspace


def _run(workspace: Workspace, name: str, target: str, configs: object) -> None:
    items = select(workspace, [target], [Variant.AS_WRITTEN]).items
    proposal = propose(workspace, items, configs, name=name)  # type: ignore[arg-type]
    asyncio.run(carry_out(workspace, proposal, RunOptions(), lambda _: None))


def _stop_the_clock(database: Path) -> None:
    """Set every time in the file to one moment."""
    with closing(sqlite3.connect(database)) as connection, connection:
        tables = [
            n for (n,) in connection.execute("SELECT name FROM sqlite_master WHERE type='table'")
        ]
        for table in tables:
            for column in connection.execute(f'PRAGMA table_info("{table}")').fetchall():
                if column[1].endswith("_at"):
                    connection.execute(
                        f'UPDATE "{table}" SET "{column[1]}" = ? WHERE "{column[1]}" IS NOT NULL',
                        (_MOMENT,),
                    )


async def picture(workspace: Workspace, scene: Scene, size: tuple[int, int]) -> str:
    """The scene as an SVG of its own, without fonts from elsewhere."""
    async with opened(workspace, size, scene.mode) as pilot:
        if scene.target is not None:
            await app_of(pilot).open_target(scene.target)
            await settled(pilot)
        if scene.more is not None:
            await scene.more(pilot)
            await settled(pilot)
        return self_contained(pilot.app.export_screenshot(title=f"relaybench · {scene.mode}"))


def self_contained(svg: str) -> str:
    """A screenshot without its fonts from the net; any monospaced font will do."""
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL).replace(
        "Fira Code", "Fira Code, DejaVu Sans Mono, Menlo, Consolas"
    )


def main(folder: Path) -> None:
    """Draw all scenes at 120x40 into a folder."""
    os.environ.pop("NO_COLOR", None)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        workspace = starter_workspace(Path(name) / "starter")
        for scene in SCENES:
            svg = asyncio.run(picture(workspace, scene, (120, 40)))
            (folder / f"{scene.name}.svg").write_text(svg, "utf-8")
            print(folder / f"{scene.name}.svg")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
