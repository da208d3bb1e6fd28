"""The Library screen, by keyboard: what stands in the files afterwards."""

from __future__ import annotations

import json
import tomllib

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from relaybench.tui.dialogs.ask import Ask
from relaybench.tui.dialogs.pick import Pick
from relaybench.tui.library import panes
from relaybench.tui.messages import OpenClass
from relaybench.tui.screens.library import LibraryScreen
from relaybench.tui.widgets.editor import Editor
from relaybench.workbench.problems.authoring import check
from relaybench.workbench.problems.saving import recoveries
from relaybench.workbench.workspace import Workspace
from tests.tui.driving import SIZES, app_of, burst, opened, press, settled, shown, type_text

HOSTILE = "x[/red] [bold]\x1b]0;t\x07\x9b1m\x00 [A-Z]+ \u202eabc"
NUMERAL = "coding/roman-numeral"
FIRST = "problems/sets/example/first.toml"


def screen_of(pilot: Pilot[int]) -> LibraryScreen:
    screen = next(each for each in app_of(pilot).work_screens if each.MODE == "library")
    assert isinstance(screen, LibraryScreen)
    return screen


def told(workspace: Workspace, name: str) -> dict[str, object]:
    return tomllib.loads((workspace.root / name).read_text("utf-8"))


async def open_class(pilot: Pilot[int], ref: str, instance: str | None = None) -> LibraryScreen:
    pilot.app.screen.post_message(OpenClass(ref, instance))
    await settled(pilot)
    return screen_of(pilot)


@pytest.mark.parametrize("size", SIZES)
async def test_a_new_class_with_two_instances(workspace: Workspace, size: tuple[int, int]) -> None:
    async with opened(workspace, size) as pilot:
        await press(pilot, "n")
        assert isinstance(pilot.app.screen, Ask)
        pilot.app.screen.query_one(Input).value = "math/digit-sum"
        await press(pilot, "enter")
        screen = screen_of(pilot)
        assert pilot.app.focused is screen.query_one("#prompt", Editor)
        assert not (workspace.root / "problems/library/math/digit-sum.toml").exists()
        await type_text(pilot, "Sum the digits of {{n}}.")
        await press(pilot, "tab")
        await type_text(pilot, "Give an integer.")
        await press(pilot, "tab")
        await type_text(pilot, "77")
        screen.panes.go(panes.TABLE)
        await settled(pilot)
        await press(pilot, "right", "enter")
        await type_text(pilot, "19")
        await press(pilot, "tab")  # takes the cell and edits the next one
        await type_text(pilot, "10")
        await press(pilot, "enter", "right", "enter", "d")  # approved, and copied as a draft
        await press(pilot, "right", "right", "enter")
        assert screen.panes.instances.table.column == 2
        await type_text(pilot, "11")
        await press(pilot, "enter", "left", "enter")
        await type_text(pilot, "29")
        await press(pilot, "enter", "ctrl+s")
        assert screen.unsaved() == []
    file = told(workspace, "problems/library/math/digit-sum.toml")
    assert file["prompt"] == "Sum the digits of {{n}}.\n"
    assert file["rules"] == ["Give an integer."]
    assert file["instances"] == [
        {"id": "first", "data": {"n": "19"}, "answer": "10", "status": "approved"},
        {"id": "first-2", "data": {"n": "29"}, "answer": "11", "status": "draft"},
    ]
    assert check(workspace).findings == ()
    assert recoveries(workspace) == []


@pytest.mark.parametrize("size", SIZES)
async def test_keys_that_come_all_at_once_go_where_they_are_meant(
    workspace: Workspace, size: tuple[int, int]
) -> None:
    async with opened(workspace, size) as pilot:
        screen = await open_class(pilot, NUMERAL)
        screen.panes.form.go_to("rules")
        await settled(pilot)
        await burst(pilot, *"Be. ", "tab", *"MM", "tab", *"[A-Z]+", "shift+tab", "end", "I")
        assert screen.current is not None
        now = screen.current.value
        assert now.rules[0].startswith("Be. ")
        assert (now.example, now.pattern) == ("MMXXIVMMI", "[MDCLXVI]+[A-Z]+")
        screen.panes.go(panes.TABLE)
        await settled(pilot)
        await burst(pilot, "n", *"ten", "tab", *"10", "tab", *"X", "tab")
        last = len(now.instances)
        assert pilot.app.focused is screen.panes.instances.table
        assert screen.panes.instances.table.cursor == last
        await burst(pilot, "n", *"old", "tab", *"20", "enter")
        await burst(pilot, "up", "right", "enter", *"XI", "tab")
        now = screen.current.value
        rows = [(one.id, dict(one.data), one.answer, one.status.value) for one in now.instances]
        assert rows[last:] == [
            ("ten", {"number": "10"}, "XI", "draft"),  # nobody said that it is approved
            ("old", {"number": "20"}, "", "draft"),
        ]
        # Tab went on to the id of the next row; what cannot be an id is to be mended.
        await burst(pilot, *"A b", "enter")
        assert isinstance(pilot.app.screen, Ask)
        assert pilot.app.screen.query_one(Input).value == "A b"
        pilot.app.screen.query_one(Input).value = "a-b"
        await press(pilot, "enter")
        assert screen.current.value.instances[-1].id == "a-b"


async def test_a_status_is_never_changed_by_a_cursor_that_was_left_on_it(
    workspace: Workspace,
) -> None:
    async with opened(workspace, SIZES[0]) as pilot:
        screen = await open_class(pilot, NUMERAL)
        screen.panes.go(panes.TABLE)
        await press(pilot, "end")
        table = screen.panes.instances.table
        assert table.column_name == "status"
        await press(pilot, "home")
        assert table.column_name == "id"
        await press(pilot, "end")
        await open_class(pilot, "math/divisor-sum")
        screen.panes.go(panes.TABLE)
        await press(pilot, "enter", "escape")
        assert table.column_name == "id"
        assert screen.unsaved() == []


@pytest.mark.parametrize("size", SIZES)
async def test_a_key_is_fixed_where_a_finding_points(
    workspace: Workspace, size: tuple[int, int]
) -> None:
    path = workspace.root / "problems/library/coding/roman-numeral.toml"
    before = path.read_text("utf-8").replace("[[instances]]", "# mine\n[[instances]]", 1)
    path.write_text(before.replace('"MCLXX"', '"MCLX"'), "utf-8")
    async with opened(workspace, size) as pilot:
        screen = await open_class(pilot, NUMERAL)
        screen.panes.form.query_one("#example", Input).value = "MCLX"
        await settled(pilot)
        found = [each.code for each in screen.panes.findings.shown]
        assert "example-is-key" in found
        await press(pilot, "f12", "enter")  # to the first one
        assert pilot.app.focused is screen.panes.instances.table
        table = screen.panes.instances.table
        assert (table.cursor, table.column) == (0, 2)
        await press(pilot, "enter", "end", "X")
        assert path.read_text("utf-8") != before  # nothing is written while somebody types
        await press(pilot, "enter")
        assert [each.code for each in screen.panes.findings.shown] == []
        assert "Prompt" in shown(pilot)
        screen.panes.form.query_one("#example", Input).value = "MMXXIV"
        await settled(pilot)
        await press(pilot, "ctrl+s")
    assert path.read_text("utf-8") == before
    assert check(workspace).findings == ()


@pytest.mark.parametrize("size", SIZES)
async def test_a_renamed_class_takes_its_composite_along(
    workspace: Workspace, size: tuple[int, int]
) -> None:
    async with opened(workspace, size) as pilot:
        screen = await open_class(pilot, "math/divisor-sum")
        await press(pilot, "escape", "x")  # is used, and not removed
        assert "is used by example/first" in app_of(pilot).notices[-1].text
        await press(pilot, "r")
        assert isinstance(pilot.app.screen, Ask)
        pilot.app.screen.query_one(Input).value = "data-analysis/sums"
        await press(pilot, "enter")
        assert screen.current is not None
        assert screen.current.ref == "data-analysis/sums"
        await press(pilot, "right", "down", "r")  # an instance that the composite uses
        pilot.app.screen.query_one(Input).value = "small"
        await press(pilot, "enter")
        assert screen.unsaved() == []
    steps = told(workspace, FIRST)["steps"]
    assert isinstance(steps, list)
    assert steps[0]["use"] == "data-analysis/sums:small"
    assert not (workspace.root / "problems/library/math/divisor-sum.toml").exists()
    assert check(workspace).findings == ()


@pytest.mark.parametrize("size", SIZES)
async def test_what_a_crash_left_unsaved_is_offered(
    workspace: Workspace, size: tuple[int, int]
) -> None:
    path = workspace.root / "problems/library/coding/roman-numeral.toml"
    before = path.read_text("utf-8")
    async with opened(workspace, size) as pilot:
        screen = await open_class(pilot, NUMERAL)
        await type_text(pilot, "Please. ")
        assert screen.unsaved() == [NUMERAL]
        await press(pilot, "ctrl+q")
        assert isinstance(pilot.app.screen, Pick)  # quitting asks
        await press(pilot, "escape")
        app_of(pilot).keep_recoveries()  # as when it crashes
    assert path.read_text("utf-8") == before
    async with opened(workspace, size) as pilot:
        assert isinstance(pilot.app.screen, Pick)
        await settled(pilot)
        assert "roman-numeral" in shown(pilot)
        await press(pilot, "enter")
        screen = screen_of(pilot)
        assert screen.current is not None
        assert screen.current.value.prompt.startswith("Please. Write")
        assert screen.unsaved() == [NUMERAL]
        assert pilot.app.focused is screen.query_one("#prompt", Editor)  # opened
        await press(pilot, "escape", "ctrl+z")
        assert screen.unsaved() == []
        await press(pilot, "ctrl+y", "ctrl+s")
    assert path.read_text("utf-8") == before.replace("Write", "Please. Write", 1)
    assert recoveries(workspace) == []


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("answer", ["mine", "theirs", "both"])
async def test_a_change_from_outside(
    workspace: Workspace, size: tuple[int, int], answer: str
) -> None:
    path = workspace.root / "problems/library/coding/roman-numeral.toml"
    before = path.read_text("utf-8")
    theirs = before.replace('"Roman numeral"', '"Theirs"')
    async with opened(workspace, size) as pilot:
        screen = await open_class(pilot, NUMERAL)
        path.write_text(before + "# seen\n", "utf-8")
        await screen.desk.look()
        await settled(pilot)
        assert "changed outside" in app_of(pilot).notices[-1].text  # and nobody asks
        screen.panes.form.query_one("#example", Input).value = "MM"
        await settled(pilot)
        path.write_text(theirs, "utf-8")
        await screen.desk.look()
        await settled(pilot)
        assert isinstance(pilot.app.screen, Pick)
        await press(pilot, *["down"] * ["mine", "theirs", "both"].index(answer), "enter")
        assert screen.unsaved() == ([NUMERAL] if answer == "mine" else [])
        await press(pilot, "ctrl+s")
        mine = before.replace('"MMXXIV"', '"MM"')
        assert path.read_text("utf-8") == (mine if answer == "mine" else theirs)
        found = recoveries(workspace)
        assert [each.outdated for each in found] == [True] * (answer == "both")
        if found:
            await press(pilot, "escape", "u", "enter")
            assert screen.current is not None
            assert screen.current.value.example == "MM"
            await press(pilot, "ctrl+s")
            assert path.read_text("utf-8") == mine
            assert recoveries(workspace) == []


async def test_instances_are_copied_retired_removed_and_brought_back(workspace: Workspace) -> None:
    path = workspace.root / "problems/library/math/divisor-sum.toml"
    before = path.read_text("utf-8")
    async with opened(workspace) as pilot:
        screen = await open_class(pilot, "math/divisor-sum", "seven-hundred-seventy")
        assert screen.panes.instances.table.cursor == 1
        await press(pilot, "up", "x")
        assert "is used by example/first" in app_of(pilot).notices[-1].text
        await press(pilot, "down", "d", "t", "up", "x")
        assert screen.current is not None
        rows = [(one.id, one.status.value) for one in screen.current.value.instances]
        assert rows == [
            ("three-hundred-sixty", "approved"),
            ("seven-hundred-seventy-2", "retired"),
        ]
        await press(pilot, "ctrl+z", "ctrl+z", "ctrl+z")
        assert screen.unsaved() == []
        await press(pilot, "ctrl+y", "ctrl+r", "ctrl+s")
    assert path.read_text("utf-8") == before


async def test_what_is_typed_stays_with_its_class(workspace: Workspace) -> None:
    """Messages of a form may come when another class is shown already."""
    async with opened(workspace) as pilot:
        screen = await open_class(pilot, NUMERAL)
        await press(pilot, "escape")
        screen.panes.form.query_one("#title", Input).value = "Numerals"
        screen.panes.outline.go_to(3)
        await settled(pilot)
        assert screen.current is not None
        assert screen.current.ref == "math/divisor-sum"
        assert screen.unsaved() == [NUMERAL]
        screen.panes.go(panes.TABLE)
        await press(pilot, "right", "right", "enter", "5")
        screen.panes.outline.focus()  # takes the cell as another class is opened
        screen.panes.outline.go_to(1)
        await settled(pilot)
        assert screen.current.ref == NUMERAL
        opened_now = {each.ref: each.value for each in screen.opened.by_path.values()}
        assert opened_now[NUMERAL].title == "Numerals"
        assert opened_now[NUMERAL].instances[0].answer == "MCLXX"
        assert opened_now["math/divisor-sum"].instances[0].answer == "5"


async def test_filtering_and_a_file_that_cannot_be_read(workspace: Workspace) -> None:
    broken = workspace.root / "problems/library/math/broken.toml"
    broken.write_text('title = "x\n', "utf-8")
    async with opened(workspace) as pilot:
        screen = screen_of(pilot)
        await press(pilot, "slash")
        await type_text(pilot, "seventy")
        rows = shown(pilot)
        assert "one-thousand-one-hundred-s" in rows
        assert "three-hundred-sixty" not in rows
        await press(pilot, "escape", "slash")
        await type_text(pilot, "broken")
        await press(pilot, "enter")
        await press(pilot, "enter")
        assert pilot.app.focused is screen.panes.findings
        assert [each.code for each in screen.panes.findings.shown] == ["toml"]
        assert "cannot be read" in shown(pilot)


async def test_two_thousand_instances_are_no_burden(workspace: Workspace) -> None:
    path = workspace.root / "problems/library/math/divisor-sum.toml"
    row = '[[instances]]\nid = "n-{0}"\ndata = {{ n = "{0}" }}\nanswer = "{0}1"\n'
    path.write_text(path.read_text("utf-8") + "".join(row.format(n) for n in range(2000)), "utf-8")
    async with opened(workspace) as pilot:
        screen = await open_class(pilot, "math/divisor-sum", "n-1999")
        assert screen.panes.instances.table.cursor == 2001
        assert "n-1999" in shown(pilot)
        await press(pilot, "escape", "right", "end", "slash")
        await type_text(pilot, "n-77")
        assert screen.panes.outline.line_count == 13
        screen.panes.go(panes.CLASS)
        await type_text(pilot, "Hello ")
        assert screen.current is not None
        assert screen.current.value.prompt.startswith("Hello ")


async def test_a_class_with_hostile_text_is_shown_and_kept(workspace: Workspace) -> None:
    path = workspace.root / "problems/library/math/divisor-sum.toml"
    text = path.read_text("utf-8").replace('"Sum of divisors"', json.dumps(HOSTILE + "\r\n"))
    text = text.replace('"1728"', json.dumps(HOSTILE)).replace(
        '"770"', json.dumps("a\r\n" + HOSTILE)
    )
    path.write_text(text, "utf-8")
    async with opened(workspace, (80, 24)) as pilot:
        screen = await open_class(pilot, "math/divisor-sum", "seven-hundred-seventy")
        assert "x[/red] [bold]\\x1b]0;t" in shown(pilot)
        assert screen.unsaved() == []  # to look at it is no change
        await press(pilot, "right", "enter", "ctrl+s")  # a window, since it has lines
        await press(pilot, "right", "enter", "enter")
        for each in (panes.CLASS, panes.PREVIEW, panes.FINDINGS, panes.TREE):
            screen.panes.go(each)
            await settled(pilot)
        assert screen.unsaved() == []
    assert path.read_text("utf-8") == text
