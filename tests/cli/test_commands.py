"""The list of commands against the commands themselves, and what is read off it unloaded."""

from __future__ import annotations

import importlib
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

import relaybench.cli
from relaybench.cli.commands import LISTED
from relaybench.cli.main import cli, main

NAMES = [name for listed in LISTED.values() for name in listed]


def test_every_command_is_listed_once_under_its_module_in_its_order() -> None:
    rooms = [Path(each) for each in relaybench.cli.__path__]
    modules = {path.stem for room in rooms for path in room.glob("*.py")} - {"__init__"}
    found = {}
    for name in modules:
        module = importlib.import_module(f"relaybench.cli.{name}")
        if hasattr(module, "COMMANDS"):
            found[name] = [command.name for command in module.COMMANDS]
    assert found == {module: list(listed) for module, listed in LISTED.items()}
    assert len(NAMES) == len(set(NAMES)) == len(cli.commands)


def test_help_is_what_click_makes_of_the_loaded_commands() -> None:
    context = click.Context(cli, info_name="relaybench", max_content_width=100)
    shown, made = context.make_formatter(), context.make_formatter()
    cli.format_commands(context, shown)
    click.Group.format_commands(cli, context, made)
    assert shown.getvalue() == made.getvalue()
    assert list(cli.commands) == cli.list_commands(context) == NAMES
    for name, command in cli.commands.items():
        assert command.name == name
        assert command.short_help


@pytest.mark.parametrize(
    ("typed", "incomplete", "offered"),
    [
        ([], "co", ["compose", "cohort", "costs", "compare"]),
        ([], "--w", ["--workspace"]),
        (["compose"], "a", ["add", "augment", "answer"]),
        (["compare"], "--f", ["--form", "--format"]),
    ],
)
def test_completion(typed: list[str], incomplete: str, offered: list[str]) -> None:
    shell = ShellComplete(cli, {}, "relaybench", "_RELAYBENCH_COMPLETE")
    found = shell.get_completions(typed, incomplete)
    assert [each.value for each in found] == offered
    assert all(each.help for each in found)


def test_a_name_that_is_no_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compar"]) == 2
    assert "No such command 'compar'. (Did you mean one of: 'compare', 'compose'?)" in (
        capsys.readouterr().err
    )
    assert cli.commands.get("compar") is None
