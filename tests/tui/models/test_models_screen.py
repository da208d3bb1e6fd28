"""Journeys on the screen Models; what counts is what stands in models.toml and the store."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input, Static

from relaybench.tui.dialogs.confirm import Confirm
from relaybench.tui.models.cohort_table import CohortTable
from relaybench.tui.models.model_form import ModelForm
from relaybench.tui.models.model_table import ModelTable
from relaybench.workbench.models.ping_history import last_pings
from relaybench.workbench.workspace import Workspace, find_workspace
from tests.tui.driving import SIZES, app_of, opened, press, settled, shown, type_text

OWN = """\
# my own models
[models.calm]
provider = "simulated"   # never fails
model = "[calm] \\u001b[31m"
effort = "high"
options = { skill = 1.0, fail = 0.0, no_block = 0.0, refuse = 0.0, truncate = 0.0 }
[models."quiet[/]"]
provider = "simulated"
model = "quiet"
options = { skill = 1.0, fail = 0.0, no_block = 0.0, refuse = 0.0, truncate = 0.0 }
[models.locked]
provider = "openai"
model = "gpt-5.5"
key_env = "LOCKED_KEY"

# cohorts of mine
[cohorts]
pair = ["calm", "quiet[/]"]  # both
"""


@pytest.fixture
def bench(workspace: Workspace) -> Workspace:
    (workspace.root / "models.toml").write_text(OWN, "utf-8")
    return workspace


def text(workspace: Workspace) -> str:
    return (workspace.root / "models.toml").read_text("utf-8")


@pytest.mark.parametrize("size", SIZES)
async def test_a_cohort_is_built_by_ticking(bench: Workspace, size: tuple[int, int]) -> None:
    async with opened(bench, size, "models") as pilot:
        table = pilot.app.screen.query_one(ModelTable)
        assert table.current == "calm"
        await press(pilot, "down", "space")  # quiet[/] first
        assert "quiet[/]" in shown(pilot)
        await press(pilot, "slash")
        await type_text(pilot, "sim-beta")
        assert table.line_count == 1
        await press(pilot, "enter", "space", "escape")
        assert table.ticked == ["quiet[/]", "sim-beta"]
        await press(pilot, "ctrl+s")
        await type_text(pilot, "not this")  # no name has a space
        await press(pilot, "enter")
        assert text(bench) == OWN
        await press(pilot, *["backspace"] * 8)
        await type_text(pilot, "mine-2")
        await press(pilot, "enter")
        assert text(bench) == OWN + 'mine-2 = ["quiet[/]", "sim-beta"]\n'
        assert app_of(pilot).desk.catalog is not None
        cohorts = pilot.app.screen.query_one(CohortTable)
        assert cohorts.line_count == 4 + 2

        # From a cohort to its ticks and back into the file, in another order.
        cohorts.focus()
        await press(pilot, "home", "enter")
        assert table.ticked == ["calm", "quiet[/]"]
        await press(pilot, "home", "space", "up", "space", "ctrl+s", "enter")
        assert 'pair = ["quiet[/]", "calm"]  # both\n' in text(bench)
        cohorts.focus()
        await press(pilot, "end", "up", "delete")  # a shipped one cannot go
        await press(pilot, "y")
        assert "cannot be removed" in app_of(pilot).notices[-1].text


@pytest.mark.parametrize("size", SIZES)
async def test_a_model_is_copied_with_another_effort(
    bench: Workspace, size: tuple[int, int]
) -> None:
    async with opened(bench, size, "models") as pilot:
        await press(pilot, "end", "up", "d")  # gpt-5-5-xhigh, shipped
        form = pilot.app.screen
        assert isinstance(form, ModelForm)
        assert form.query_one("#name", Input).value == "gpt-5-5-xhigh-2"
        form.query_one("#effort", Input).focus()
        await pilot.press("home", "shift+end", "delete")
        await type_text(pilot, "huge")
        await press(pilot, "ctrl+s")
        assert text(bench) == OWN
        assert pilot.app.screen is form  # nothing that was typed is lost
        assert "takes effort none, low" in shown(pilot).replace("\n", " ")
        await press(pilot, *["backspace"] * 4)
        await type_text(pilot, "low")
        await press(pilot, "ctrl+s")
        assert pilot.app.screen is not form
        config = bench.catalog().models["gpt-5-5-xhigh-2"]
        assert (config.effort, config.model, config.max_output_tokens) == (
            "low",
            "gpt-5.5",
            128_000,
        )
        head, tail = OWN.split("\n# cohorts of mine")
        assert text(bench).startswith(head + "\n[models.gpt-5-5-xhigh-2]\n")
        assert text(bench).endswith("\n# cohorts of mine" + tail)
        assert pilot.app.screen.query_one(ModelTable).current == "gpt-5-5-xhigh-2"

        await press(pilot, "e")
        pilot.app.screen.query_one("#concurrency", Input).focus()
        await type_text(pilot, "9")
        await press(pilot, "escape")  # asks first
        assert isinstance(pilot.app.screen, Confirm)
        await press(pilot, "n", "ctrl+s")
        assert bench.catalog().models["gpt-5-5-xhigh-2"].concurrency == 9
        await press(pilot, "delete", "y")
        assert text(bench) == OWN

        await press(pilot, "slash")
        await type_text(pilot, "shipped")
        await press(pilot, "enter", "d")
        pilot.app.screen.query_one("#name", Input).value = "another"  # the filter would hide it
        await press(pilot, "ctrl+s")
        assert pilot.app.screen.query_one(ModelTable).current == "another"
        assert pilot.app.screen.query_one("#filter", Input).value == ""


@pytest.mark.parametrize("size", SIZES)
async def test_the_simulated_cohort_is_pinged(bench: Workspace, size: tuple[int, int]) -> None:
    async with opened(bench, size, "models") as pilot:
        pilot.app.screen.query_one(CohortTable).focus()
        await press(pilot, "home", "p")  # free, so nothing is asked
        await settled(pilot)
        kept = last_pings(bench)
        assert {each.name: (each.ok, each.outcome) for each in kept.values()} == {
            "calm": (True, "pong"),
            "quiet[/]": (True, "pong"),
        }
        assert "2 of 2 answered" in app_of(pilot).notices[-1].text
        pilot.app.screen.query_one(ModelTable).focus()
        await press(pilot, "home")
        assert "✓ pinged: ok" in shown(pilot)
        assert shown(pilot).count("✓ ") >= 2


async def test_a_ping_that_costs_asks_first_and_keys_are_never_shown(tmp_path: Path) -> None:
    (tmp_path / "problems").mkdir()
    (tmp_path / "models.toml").write_text(OWN, "utf-8")
    secret = "sk-planted-0123456789"
    bench = find_workspace(tmp_path, environment={"OPENAI_API_KEY": secret})
    async with opened(bench, mode="models") as pilot:
        await press(pilot, "down", "down", "p")
        assert "LOCKED_KEY is not set" in app_of(pilot).notices[-1].text
        assert "export LOCKED_KEY" in shown(pilot)
        await press(pilot, "end", "up", "p")
        assert isinstance(pilot.app.screen, Confirm)
        assert "to $" in shown(pilot)
        assert secret not in shown(pilot)
        await press(pilot, "escape")
        assert last_pings(bench) == {}
        await press(pilot, "slash")
        await type_text(pilot, "nothing fits this")
        await press(pilot, "enter", "e", "d", "p", "space")  # no model under the cursor
        assert isinstance(pilot.app.screen.query_one(ModelTable), ModelTable)


async def test_a_file_with_a_fault_is_told_and_read_again_when_it_is_mended(
    bench: Workspace,
) -> None:
    (bench.root / "models.toml").write_text("[models.x]\nprovider = 1\n", "utf-8")
    async with opened(bench, mode="models") as pilot:
        screen = pilot.app.screen
        assert screen.query_one(ModelTable).line_count == 0
        assert "models.toml or prices.toml has a fault" in shown(pilot)
        assert "models.toml:2: models.x.provider" in app_of(pilot).notices[0].text
        await press(pilot, "e", "d", "p", "space", "ctrl+s", "delete")  # nothing breaks
        (bench.root / "models.toml").write_text(OWN, "utf-8")
        await app_of(pilot).desk.look()
        await settled(pilot)
        assert screen.query_one(ModelTable).current == "calm"
        assert "has a fault" not in shown(pilot)
        (bench.root / "models.toml").write_text(OWN + "[[broken", "utf-8")
        await app_of(pilot).look().wait()
        await settled(pilot)
        assert screen.query_one(ModelTable).current == "calm"
        assert "Models as they were before" in shown(pilot)
        assert "models.toml:" in str(screen.query_one("#models-fault", Static).content)
