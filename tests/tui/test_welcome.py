"""The first start: what is offered, and that nothing is written that nobody asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from relaybench.domain.item import text_digest
from relaybench.tui.app import WorkbenchApp
from relaybench.tui.dialogs.pick import Pick
from relaybench.tui.dialogs.tour import CARDS, TourCard
from relaybench.workbench.runs.demonstrating import FirstStart, first_start
from relaybench.workbench.workspace import Workspace, find_workspace
from tests.tui.driving import SIZES, press, settled, shown


def files(root: Path) -> list[str]:
    return sorted(str(each.relative_to(root)) for each in root.rglob("*"))


@pytest.mark.parametrize("size", SIZES)
async def test_the_tour_has_five_cards_over_their_screens_and_writes_nothing(
    workspace: Workspace, size: tuple[int, int]
) -> None:
    before = files(workspace.root)
    app = WorkbenchApp(workspace, greets=True)
    async with app.run_test(size=size, notifications=True) as pilot:
        await settled(pilot)
        assert isinstance(app.screen, Pick)
        assert "Run the demo" in shown(pilot)
        await press(pilot, "down", "enter")
        for card in CARDS:
            assert isinstance(app.screen, TourCard)
            assert app.current_mode == card.mode
            assert card.title in shown(pilot)
            await press(pilot, "enter")
        assert not isinstance(app.screen, TourCard)
    assert files(workspace.root) == before
    assert len(CARDS) == 5


async def test_where_there_is_no_workspace_one_is_made_only_when_asked_for(tmp_path: Path) -> None:
    app = WorkbenchApp(find_workspace(tmp_path, environment={}), greets=True)
    async with app.run_test(notifications=True) as pilot:
        await settled(pilot)
        assert files(tmp_path) == []
        await press(pilot, "enter")
        await settled(pilot)
        assert app.desk.problems is not None
        assert app.desk.problems.library.classes
    assert (tmp_path / "problems").is_dir()


async def test_unsaved_work_comes_before_the_welcome(workspace: Workspace) -> None:
    kept = workspace.root / "problems/library/math/.divisor-sum.toml.recover"
    text = kept.with_name("divisor-sum.toml").read_text("utf-8")
    changed = text.replace("Sum", "The sum", 1)
    assert changed != text
    base = f"# Unsaved work of relaybench, based on {text_digest(text)}.\n"
    kept.write_text(base + changed, "utf-8")
    app = WorkbenchApp(workspace, greets=True)
    async with app.run_test(notifications=True) as pilot:
        await settled(pilot)
        assert "divisor-sum.toml was found" in shown(pilot)
        assert len(app.screen_stack) == 2
        await press(pilot, "down", "enter")
        seen = shown(pilot)
        assert seen.index('-title = "Sum') < seen.index('+title = "The sum')
        assert "[[instances]]" not in seen, "what is the same is not shown"
        await press(pilot, "escape", "down", "enter")
        assert "The sum" in shown(pilot), "all of it"
        await press(pilot, "escape", "up", "up", "enter")
        assert "Welcome to relaybench" in shown(pilot)
        assert app.work_screens[0].unsaved() == ["math/divisor-sum"]


def test_keys_or_results_end_the_offers(workspace: Workspace, tmp_path: Path) -> None:
    assert first_start(workspace) is FirstStart.NO_KEYS
    with_key = find_workspace(workspace.root, environment={"OPENAI_API_KEY": "k"})
    assert first_start(with_key) is FirstStart.KNOWN
    workspace.database.touch()
    assert first_start(workspace) is FirstStart.KNOWN
    assert first_start(find_workspace(tmp_path, environment={})) is FirstStart.NO_WORKSPACE
