"""Hostile text in every place where text of authors and models is shown."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot
from textual.widgets import DataTable, TabbedContent, Tree

from relaybench.tui.messages import OpenAttempt, OpenClass, OpenComposite, OpenResults, OpenTarget
from relaybench.tui.modes import MODES
from relaybench.workbench.workspace import Workspace
from tests.tui.driving import SIZES, app_of, opened, press, settled, shown
from tests.tui.hostile import SECRET, hostile_workspace

_COMMANDS = [*range(0x20), *range(0x7F, 0xA0), 0x202E, 0x2066, 0x2028, 0x200E]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return hostile_workspace(tmp_path_factory.mktemp("hostile") / "ws")


def check(pilot: Pilot[int], where: str) -> str:
    """What is shown holds nothing that could command a terminal, nor a key."""
    text = shown(pilot)
    bad = {hex(ord(each)) for each in text if ord(each) in _COMMANDS and each != "\n"}
    assert not bad, f"{where}: {bad}"
    assert SECRET not in text, where
    assert SECRET not in pilot.app.export_screenshot(), where
    return text


async def every_tab(pilot: Pilot[int], where: str) -> str:
    """All tabs of the screen, the first rows of its tables, its trees opened."""
    seen = check(pilot, where)
    for tree in pilot.app.screen.query(Tree):
        tree.root.expand_all()
    for table in pilot.app.screen.query(DataTable):
        if table.row_count:
            table.move_cursor(row=table.row_count - 1)
    await settled(pilot)
    seen += check(pilot, where)
    for tabs in pilot.app.screen.query(TabbedContent):
        for pane in tabs.query("TabPane"):
            if pane.id and pane.parent is not None and pane in tabs.query("TabPane"):
                try:
                    tabs.active = pane.id
                except ValueError:  # a pane of tabs inside these
                    continue
                await settled(pilot)
                seen += check(pilot, f"{where}, {pane.id}")
    return seen


TARGETS: dict[str, OpenTarget] = {
    "library": OpenClass("math/hostile", "one"),
    "composer": OpenComposite("hostile/one"),
    "results": OpenResults("hostile"),
    "attempt": OpenAttempt(1, (1, 2)),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("mode", [mode.name for mode in MODES])
async def test_every_screen_shows_it_literally(
    mode: str, size: tuple[int, int], hostile: Workspace
) -> None:
    async with opened(hostile, size, mode) as pilot:
        target = TARGETS.get(mode)
        if target is not None:
            await app_of(pilot).open_target(target)
            await settled(pilot)
        seen = await every_tab(pilot, mode)
        await press(pilot, "f8")
        check(pilot, f"{mode}, help")
        if mode in ("library", "composer", "attempt"):
            assert "[red]" in seen or "[A-Z]+" in seen or "\\x1b" in seen
