"""The demo: ten composites wherever it is run, and nothing of them among the user's problems."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import pytest

from relaybench.workbench.problems.starting import init_workspace
from relaybench.workbench.runs.demonstrating import demo_workspace, propose_demo
from relaybench.workbench.workspace import Workspace, find_workspace

ROOT = Path(__file__).parents[3]


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    init_workspace(tmp_path / "ws")
    return demo_workspace(find_workspace(tmp_path / "ws", environment={}))


def test_a_workspace_without_the_starter_set_runs_the_one_that_is_shipped(
    workspace: Workspace,
) -> None:
    before = sorted(workspace.root.rglob("*"))
    proposal = propose_demo(workspace)
    assert [each.ref for each in proposal.items] == [
        f"starter/relay-{number:02}" for number in range(1, 11)
    ]
    assert len(proposal.cells) == len(proposal.items) * len(proposal.configs) == 40
    assert sorted(workspace.root.rglob("*")) == before


def test_a_starter_set_of_the_users_own_is_run_instead(workspace: Workspace) -> None:
    sets = workspace.root / "problems" / "sets"
    shutil.copytree(sets / "example", sets / "starter")
    assert [each.ref for each in propose_demo(workspace).items] == ["starter/first"]


def test_the_package_carries_the_starter_set_where_the_demo_looks_for_it() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    carried = build["targets"]["wheel"]["force-include"]
    assert carried == {
        each: f"relaybench/starter/{each}" for each in ("problems/library", "problems/sets/starter")
    }
    assert all((ROOT / each).is_dir() for each in carried)
