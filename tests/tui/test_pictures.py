"""Pictures of each screen in two sizes, held against stored ones.

Where a change is meant, ``make snapshots`` writes them anew: look at the difference.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from relaybench.workbench.workspace import Workspace
from tests.tui.driving import SIZES
from tests.tui.scenes import SCENES, Scene, picture, starter_workspace

STORED = Path(__file__).parent / "pictures"


@pytest.fixture(scope="module")
def starter(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return starter_workspace(tmp_path_factory.mktemp("pictures") / "starter")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
async def test_the_screen_looks_as_it_did(
    scene: Scene, size: tuple[int, int], starter: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR")
    path = STORED / f"{scene.name}-{size[0]}x{size[1]}.svg"
    svg = await picture(starter, scene, size)
    if os.environ.get("RELAYBENCH_UPDATE_GOLDEN") == "1":
        path.parent.mkdir(exist_ok=True)
        path.write_text(svg, "utf-8")
    if svg != path.read_text("utf-8"):
        path.with_suffix(".new.svg").write_text(svg, "utf-8")  # git-ignored, to look at
    assert svg == path.read_text("utf-8"), f"look at {path.with_suffix('.new.svg')}"
