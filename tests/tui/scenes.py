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
from textual.widgets import Input, TextArea

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
from relaybench.workbench.problems.selecting import select
from relaybench.workbench.runs.planning import RunOptions, propose
from relaybench.workbench.runs.running import carry_out
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
    target: OpenTarget | Callable[[Workspace], OpenTarget] | None = None
    more: Callable[[Pilot[int]], Awaitable[None]] | None = None


def _a_wrong_answer(workspace: Workspace) -> OpenTarget:
    """One whose steps are partly right, among all of the run."""
    with closing(sqlite3.connect(workspace.database)) as connection:
        ids = [n for (n,) in connection.execute("SELECT id FROM attempts WHERE run_id = 1")]
        wrong = connection.execute(
            "SELECT attempt_id FROM grades WHERE outcome = 'wrong' AND steps LIKE '%true%' "
            "ORDER BY attempt_id"
        ).fetchone()
    return OpenAttempt(wrong[0], ids)


SCENES: Final = (
    Scene("library", "library", OpenClass("math/definite-integral")),
    Scene("composer", "composer", OpenComposite("starter/relay-03")),
    Scene("models", "models"),
    Scene("run", "run", OpenRun(RUN)),
    Scene("results", "results", OpenResults(RUN)),
    Scene("attempt", "attempt", _a_wrong_answer),
    Scene("manual", "manual", OpenManual("by-hand")),
)


def starter_workspace(folder: Path) -> Workspace:
    """The starter set, a demo run of it, and a run that waits for answers by hand."""
    shutil.copytree(
        ROOT / "problems", folder / "problems", ignore=shutil.ignore_patterns("private")
    )
    (folder / "models.toml").write_text(_MANUAL.lstrip(), "utf-8")
    workspace = find_workspace(folder, environment={})
    _run(workspace, RUN, "starter", workspace.catalog().cohort("simulated"))
    _run(workspace, "by-hand", "starter/relay-01", (workspace.catalog().model("web-chat"),))
    _stop_the_clock(workspace.database)
    _renumber(workspace.database)
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


def _renumber(database: Path) -> None:
    """Number attempts and what hangs on them by item and model, not by who answered first."""
    orders = {
        "attempts": "SELECT id FROM attempts ORDER BY run_id, item_id, model_config_id, repeat",
        "calls": "SELECT id FROM calls ORDER BY attempt_id, number",
        "grades": "SELECT id FROM grades ORDER BY attempt_id, id",
    }
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        tables = [
            name
            for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type='table'")
        ]
        for owner, order in orders.items():
            places = [(owner, "id")] + [
                (table, key[3])
                for table in tables
                for key in connection.execute(f'PRAGMA foreign_key_list("{table}")').fetchall()
                if key[2] == owner
            ]
            old = [n for (n,) in connection.execute(order)]
            for table, column in places:  # by way of negative numbers, so that none meet
                for new, number in enumerate(old, 1):
                    connection.execute(
                        f'UPDATE "{table}" SET "{column}" = ? WHERE "{column}" = ?', (-new, number)
                    )
                connection.execute(
                    f'UPDATE "{table}" SET "{column}" = -"{column}" WHERE "{column}" < 0'
                )


async def picture(workspace: Workspace, scene: Scene, size: tuple[int, int]) -> str:
    """The scene as an SVG of its own, without fonts from elsewhere."""
    async with opened(workspace, size, scene.mode, watch=False) as pilot:
        if scene.target is not None:
            target = scene.target(workspace) if callable(scene.target) else scene.target
            await app_of(pilot).open_target(target)
            await settled(pilot)
        if scene.more is not None:
            await scene.more(pilot)
            await settled(pilot)
        for field in pilot.app.screen.query("TextArea, Input"):
            assert isinstance(field, TextArea | Input)
            field.cursor_blink = False  # else the picture hangs on when it was taken
        await pilot.pause()
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
