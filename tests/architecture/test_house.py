"""Rules of the house that no linter knows: module sizes, names, documented commands."""

from __future__ import annotations

import re
from pathlib import Path

import click

from relaybench.cli.main import cli

ROOT = Path(__file__).resolve().parents[2]


def _modules() -> list[Path]:
    return [path for room in ("relaybench", "encoder") for path in (ROOT / room).rglob("*.py")]


def test_no_module_is_long() -> None:
    lengths = {path: len(path.read_text("utf-8").splitlines()) for path in _modules()}
    assert {str(path): n for path, n in lengths.items() if n > 350} == {}


def test_no_module_is_called_after_nothing() -> None:
    assert not [p for p in _modules() if p.stem in ("utils", "helpers", "types", "common")]


def test_every_command_and_option_is_documented_in_readme() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    for name, command in cli.commands.items():
        assert re.search(rf"`{name}\b", readme), f"README does not mention {name}"
        assert command.help
        assert command.short_help
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.help or parameter.name in ("form", "format"), parameter.name


def test_every_command_that_is_named_anywhere_exists() -> None:
    texts = [*_modules(), *ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
    named = {
        name: str(path)
        for path in texts
        for name in re.findall(
            r"`relaybench(?: --\w+ \S+)* ([a-z]\S*?)[` ]", path.read_text("utf-8")
        )
    }
    assert {name: path for name, path in named.items() if name not in cli.commands} == {}
    assert len(named) > 10


def test_no_address_of_a_package_index_is_tracked() -> None:
    for name in ("constraints.txt", "pyproject.toml", "Makefile"):
        text = (ROOT / name).read_text("utf-8")
        assert not re.search(r"index.url|find.links|https?://", text)


def test_all_constraints_pin_a_version() -> None:
    for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines():
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", line), line
