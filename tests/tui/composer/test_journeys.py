"""What authors do in the composer, from the first key to the file."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from relaybench.tui.composer.graph_view import GraphView
from relaybench.tui.composer.inspector import Inspector
from relaybench.tui.composer.picker import Filter, InstancePicker
from relaybench.tui.composer.tabs import Tabs
from relaybench.tui.dialogs.pick import Pick
from relaybench.tui.library.panes import CLASS, TABLE
from relaybench.tui.screens.composer import ComposerScreen
from relaybench.tui.screens.library import LibraryScreen
from relaybench.tui.widgets.long_text import LongText
from relaybench.workbench.problems.authoring import check
from relaybench.workbench.problems.saving import recoveries
from relaybench.workbench.workspace import Workspace
from tests.tui.driving import SIZES, app_of, burst, opened, press, settled, shown, type_text

both_sizes = pytest.mark.parametrize("size", SIZES)


def screen_of(pilot: Pilot[int]) -> ComposerScreen:
    screen = pilot.app.screen
    assert isinstance(screen, ComposerScreen)
    return screen


def saved(workspace: Workspace, name: str) -> dict[str, Any]:
    path = workspace.root / "problems" / "sets" / f"{name}.toml"
    return tomllib.loads(path.read_text("utf-8"))


async def tab_text(pilot: Pilot[int], name: str) -> str:
    screen = screen_of(pilot)
    screen.query_one(Tabs).go_to(name)
    await settled(pilot)
    return screen.query_one(f"#{name}", LongText).text


def offered(pilot: Pilot[int]) -> str:
    """What the list of a dialog offers and refuses."""
    options = pilot.app.screen.query_one(OptionList).options
    return "\n".join(str(option.prompt) for option in options)


async def begin_pair(pilot: Pilot[int]) -> None:
    """A new composite of the two example classes, not wired yet."""
    await press(pilot, "n", "ctrl+u")
    await type_text(pilot, "mine/pair")
    await press(pilot, "enter")
    await type_text(pilot, "divisor 360")
    await press(pilot, "enter", "ctrl+u")
    await type_text(pilot, "roman one-thousand")
    await press(pilot, "enter", "escape")


@both_sizes
async def test_two_steps_are_composed_bound_and_saved(
    workspace: Workspace, size: tuple[int, int]
) -> None:
    async with opened(workspace, size, "composer") as pilot:
        await begin_pair(pilot)
        screen = screen_of(pilot)
        assert screen.current is not None
        assert [step.label for step in screen.current.value.steps] == ["A", "B"]
        assert "A_STR as a Roman" not in await tab_text(pilot, "plain")
        await press(pilot, "b")
        await press(pilot, "enter")
        assert screen.current.value.steps[1].inputs == {"number": "A"}
        assert "A_STR as a Roman" in await tab_text(pilot, "plain")
        assert "▼number" in screen.query_one(GraphView).drawing.text()
        await press(pilot, "g")
        await type_text(pilot, "reverse")
        await press(pilot, "enter", "e", "o")
        assert "<" in await tab_text(pilot, "sent")
        assert screen.unsaved() == ["mine/pair"]
        assert not (workspace.root / "problems/sets/mine/pair.toml").exists()
        await press(pilot, "ctrl+s")
        assert screen.unsaved() == []
    told = saved(workspace, "mine/pair")
    assert told["steps"] == [
        {"label": "A", "use": "math/divisor-sum:three-hundred-sixty"},
        {
            "label": "B",
            "use": "coding/roman-numeral:one-thousand-one-hundred-seventy",
            "inputs": {"number": "A"},
            "augment": ["reverse"],
        },
    ]
    assert told["bloat"] == {"characters": 7813, "seed": 1}
    assert check(workspace).findings == ()
    assert list((workspace.root / "problems").rglob(".*.recover")) == []


@both_sizes
async def test_a_loop_and_a_wrong_key_are_refused_with_the_reason(
    workspace: Workspace, size: tuple[int, int]
) -> None:
    async with opened(workspace, size, "composer") as pilot:
        screen = screen_of(pilot)
        assert screen.current is not None
        before = screen.current.value
        await press(pilot, "home", "b")
        assert isinstance(pilot.app.screen, Pick)
        assert "in a loop: A -> B -> A" in offered(pilot)
        await press(pilot, "enter", "escape")
        assert screen.current.value == before
        await begin_pair(pilot)
        await press(pilot, "s")
        await type_text(pilot, "three-thousand")
        await press(pilot, "enter")
        wrong = screen.current.value
        await press(pilot, "b")
        assert "the key would be wrong: step A gives '1170'" in offered(pilot)
        assert "was made for number = '3999'; swap step B to one-thousand" in offered(pilot)
        await press(pilot, "enter", "escape")
        assert screen.current.value == wrong


@both_sizes
async def test_every_change_is_undone_and_done_again(
    workspace: Workspace, size: tuple[int, int]
) -> None:
    async with opened(workspace, size, "composer") as pilot:
        screen = screen_of(pilot)
        each = screen.current
        assert each is not None
        await press(pilot, "end", "home")
        values = [each.value]
        for keys in (("r",), ("u",), ("e",), ("x",)):
            await press(pilot, "down" if keys == ("u",) else "home", *keys)
            if keys == ("r",):
                await press(pilot, "ctrl+u")
                await type_text(pilot, "FIRST")
                await press(pilot, "enter")
            values.append(each.value)
        assert len(set(map(repr, values))) == 5
        for value in reversed(values[:-1]):
            await press(pilot, "ctrl+z")
            assert each.value == value
        assert screen.unsaved() == []
        for value in values[1:]:
            await press(pilot, "ctrl+y")
            assert each.value == value
        assert screen.unsaved() == ["example/first"]
        await press(pilot, "ctrl+z", "home", "right", "r", "ctrl+u")
        await type_text(pilot, "LAST")
        await press(pilot, "enter")
        assert screen.selected_step is not None  # still the one that was relabelled
        assert screen.selected_step.label == "LAST"


def thirteen(workspace: Workspace) -> None:
    """A chain of thirteen steps, each bound to the one before."""
    library = workspace.root / "problems" / "library" / "math"
    steps = []
    for number in range(13):
        (library / f"add-{number}.toml").write_text(
            f'id = "add-{number}"\ndomain = "math"\ntitle = "[red]Add[/b]"\n'
            "prompt = 'What is {{n}} plus 1?'\nexample = '7777'\n"
            f"[[instances]]\nid = \"i\"\ndata = {{ n = '{100 + number}' }}\n"
            f"answer = '{101 + number}'\nstatus = 'approved'\n"
        )
        label = "ABCDEFGHIJKLM"[number]
        bound = f'inputs = {{ n = "{"ABCDEFGHIJKLM"[number - 1]}" }}\n' if number else ""
        steps.append(f'[[steps]]\nlabel = "{label}"\nuse = "math/add-{number}:i"\n{bound}')
    path = workspace.root / "problems" / "sets" / "big" / "chain.toml"
    path.parent.mkdir()
    path.write_text('id = "chain"\ntitle = "[/red] \\u001b[31m"\n' + "".join(steps))


@both_sizes
async def test_thirteen_steps_scroll_and_can_be_walked(
    workspace: Workspace, size: tuple[int, int]
) -> None:
    thirteen(workspace)
    async with opened(workspace, size, "composer") as pilot:
        screen = screen_of(pilot)
        assert screen.current is not None
        assert screen.current.ref == "big/chain"
        graph = screen.query_one(GraphView)
        assert graph.drawing.height > graph.size.height
        await press(pilot, "home", *["down"] * 12)
        assert screen.current.selected == "M"
        assert "M add-12" in shown(pilot)
        assert "A add-0" not in shown(pilot)
        box = graph.drawing.box("M")
        assert box is not None
        x = box.x + 3 + (graph.room - graph.drawing.width) // 2
        y = box.y - int(graph.scroll_y) - 2
        await pilot.click(GraphView, offset=(x, y))
        await settled(pilot)
        assert screen.current.selected == "L"
        await press(pilot, "enter")
        inspector = screen.query_one(Inspector)
        assert inspector.has_focus
        await press(pilot, *["down"] * 5)
        assert inspector.line is not None
        assert (inspector.line.action, inspector.line.argument) == ("bind", "n")
        assert check(workspace).findings == ()


async def test_unsaved_work_comes_back_and_other_changes_are_noticed(workspace: Workspace) -> None:
    path = workspace.root / "problems/sets/example/first.toml"
    async with opened(workspace, (120, 40), "composer") as pilot:
        await press(pilot, "e")
        app_of(pilot).keep_recoveries()
    async with opened(workspace, (120, 40)) as pilot:
        assert "problems/sets/example/first.toml was found" in shown(pilot)
        await press(pilot, "y")  # to the Composer
        await press(pilot, "enter")  # restore
        screen = screen_of(pilot)
        each = screen.current
        assert each is not None
        assert each.value.encoding is not None
        path.write_text(path.read_text() + "\n[bloat]\ncharacters = 99\n")
        await app_of(pilot).desk.look()
        await settled(pilot)
        assert each.contested
        await press(pilot, "ctrl+s", "down", "enter")  # take theirs
        after = each.value
        assert after.encoding is None
        assert after.bloat is not None
        assert screen.unsaved() == []
        await press(pilot, "e")
        app_of(pilot).keep_recoveries()
        assert len(recoveries(workspace)) == 1
        await press(pilot, "ctrl+z")
    assert recoveries(workspace) == []  # what was undone is not offered


async def test_a_composite_is_copied_and_deleted_from_the_list(workspace: Workspace) -> None:
    sets = workspace.root / "problems/sets/example"
    async with opened(workspace, (120, 40), "composer") as pilot:
        await press(pilot, "l", "l", "d", "enter")
        assert screen_of(pilot).current is not None
        assert (sets / "first-copy.toml").exists()
        screen = screen_of(pilot)
        assert screen.current is not None
        assert screen.current.ref == "example/first-copy"
        await press(pilot, "l", "l", "x")
        await press(pilot, "y")
        assert not (sets / "first-copy.toml").exists()
        assert (sets / "first.toml").exists()


async def test_typing_sifts_the_library_and_a_used_class_is_refused(workspace: Workspace) -> None:
    async with opened(workspace, (120, 40), "composer") as pilot:
        screen = screen_of(pilot)
        await press(pilot, "a")
        await type_text(pilot, "roman")
        assert screen.query_one(InstancePicker).line_count == 2
        assert screen.current is not None
        before = screen.current.value
        await press(pilot, "down", "enter")
        assert screen.current.value == before
        assert "step B uses the class" in app_of(pilot).notices[-1].text


@both_sizes
async def test_what_is_typed_behind_the_key_that_adds_is_for_the_filter(
    workspace: Workspace, size: tuple[int, int]
) -> None:
    sets = workspace.root / "problems/library/math"
    other = (sets / "divisor-sum.toml").read_text("utf-8").replace("divisor-sum", "extra-sum")
    (sets / "extra-sum.toml").write_text(other, "utf-8")
    async with opened(workspace, size, "composer") as pilot:
        screen = screen_of(pilot)
        assert screen.current is not None
        before = screen.current.value
        await burst(pilot, "a", *"extr")  # each of these would do something to the graph
        assert screen.current.value == before
        await type_text(pilot, "a-sum:three")
        assert screen.query_one(InstancePicker).line_count == 1
        await press(pilot, "enter")
        assert [str(step.use) for step in screen.current.value.steps[2:]] == [
            "math/extra-sum:three-hundred-sixty"
        ]
        assert screen.query_one(Filter).value == ""  # for the next one


@both_sizes
async def test_what_is_unsaved_in_the_library_is_seen_and_picked(
    workspace: Workspace, size: tuple[int, int]
) -> None:
    async with opened(workspace, size) as pilot:
        await press(pilot, "n")
        pilot.app.screen.query_one(Input).value = "math/digit-sum"
        await press(pilot, "enter")
        await type_text(pilot, "Sum the digits of {{n}}.")
        library = app_of(pilot).screen
        assert isinstance(library, LibraryScreen)
        library.panes.go(TABLE)
        await settled(pilot)
        await press(pilot, "right", "enter")
        await type_text(pilot, "19")
        await press(pilot, "tab")
        await type_text(pilot, "10")
        await press(pilot, "enter", "f2")
        screen = screen_of(pilot)
        assert "unsaved" not in shown(pilot)
        await press(pilot, "a")
        await type_text(pilot, "digit-sum")
        await press(pilot, "enter", "escape")
        assert screen.current is not None
        assert [step.use.class_id for step in screen.current.value.steps][2:] == ["digit-sum"]
        assert "with unsaved changes of math/digit-sum" in shown(pilot)
        assert "Sum the digits of 19." in await tab_text(pilot, "plain")
        assert screen.preview is not None
        codes = {each.code for each in screen.preview.findings}
        assert "unknown-class" not in codes
        await press(pilot, "ctrl+s")
        told = [each.text for each in app_of(pilot).notices[-2:]]
        assert "uses unsaved changes of math/digit-sum: save them too" in told[0]
        assert "is saved, with 1 error in it" in told[1]  # by the files as they are
        assert [each.code for each in check(workspace).findings] == ["unknown-class"]
        await press(pilot, "f1")
        library.panes.go(CLASS)
        await settled(pilot)
        library.panes.form.go_to("prompt")
        await type_text(pilot, "Now: ")
        await press(pilot, "f2")
        assert "Now: " in await tab_text(pilot, "plain")
        await press(pilot, "f1")
        library.panes.go(TABLE)
        await press(pilot, "r", "ctrl+u")
        await type_text(pilot, "nineteen")
        await press(pilot, "enter")
        await press(pilot, "y")  # saved first: a file names the instance
        await press(pilot, "f2")
        assert "with unsaved" not in shown(pilot)
        assert "Now: " in await tab_text(pilot, "plain")
        await press(pilot, "ctrl+pagedown")
        assert screen.query_one(Tabs).current == "sent"
    assert saved(workspace, "example/first")["steps"][2]["use"] == "math/digit-sum:nineteen"
    assert not any(each.code.startswith("unknown") for each in check(workspace).findings)
