"""The list of commands, in the order of the work, and a group that loads each by its name.

``relaybench --help`` and a shell that completes a command show this list as it stands here; the
module of a command is loaded when the command itself is asked for. What is said of a command in
the list is said here alone: it is given to the command when that is loaded.
"""

from __future__ import annotations

from collections import UserDict
from typing import TYPE_CHECKING, Any, Final

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

#: Module of ``relaybench.cli``: what is said of each command in its tuple ``COMMANDS``.
LISTED: Final = {
    "authoring": {
        "init": "Make a workspace with one small example.",
        "list": "List sets and composites, or classes.",
        "check": "Judge problem files: what is wrong, where, how to mend it.",
        "show": "Print the exact text that is sent for a problem.",
        "answer": "Correct the answer of an instance in its file.",
    },
    "editing": {
        "new": "Begin a class: a file to be filled in.",
        "duplicate": "Copy a class or an instance under another name.",
        "rename": "Rename a class or an instance; composites that use it follow.",
        "status": "Mark instances as draft, approved or retired.",
        "delete": "Remove an instance, or a class, that no composite uses.",
    },
    "composing_settings": {
        "compose": "Wire a composite: add, bind, swap, augment, bloat, encode.",
    },
    "models": {"models": "List models, cohorts, prices, and whether keys are present."},
    "model_editing": {
        "model": "Add, copy, change or remove a model in your models.toml.",
        "cohort": "Write or remove a cohort in your models.toml.",
    },
    "pinging": {"ping": "Try models with one tiny prompt: key, model id, tools, effort."},
    "running": {
        "run": "Send problems to models, grade the answers, print the tables.",
        "demo": "Try it: simulated providers, free and offline, in seconds.",
    },
    "manual": {"manual": "Models with only a web page: prompts out, pasted answers in."},
    "outcomes": {
        "runs": "List runs and how far each has come.",
        "results": "Print the leaderboard of a run, or the scores of several.",
        "costs": "Print prices, tokens and costs of a run.",
    },
    "comparing": {
        "compare": "Compare models pair by pair on the same problems.",
        "breakdown": "Break scores down by domain, class, steps, form or length.",
        "effects": "Show what encoding and bloat do to each model's score.",
        "repeats": "Show pass@k, pass^k and how far repeats lie apart.",
        "dependence": "Show intervals that allow for items sharing classes.",
    },
    "examining": {
        "steps": "Print which steps of composites fail, and what they predict.",
        "items": "Print what is odd about items: nobody solves it, suspect key …",
    },
    "exporting": {
        "export": "Write all tables and attempts of a run to files.",
        "datasette-metadata": "Print what Datasette shows beside a results file.",
    },
    "figuring": {"figures": "Draw the figures of runs, each with a caption."},
    "publishing": {"report": "Write a run as one self-contained page."},
    "attempts": {"attempts": "List the attempts of a run."},
    "attempt_detail": {"attempt": "Show one attempt in full."},
    "triaging": {"triage": "Mark whose fault an attempt's outcome is."},
    "judging": {
        "grade": "Grade the answers of a run again; tell what changed.",
        "import": "Take in results made elsewhere (JSON lines).",
    },
    "repricing": {"reprice": "Compute the costs of a run anew, with other prices."},
    "parsing": {"parse": "Read a saved response and print what is made of it."},
}
_MODULES: Final = {name: module for module, listed in LISTED.items() for name in listed}
_SAID: Final = {name: said for listed in LISTED.values() for name, said in listed.items()}


class CommandsByName(UserDict[str, Any]):
    """All commands by name; one is loaded when it is taken out, and names alone load none."""

    def __init__(self) -> None:
        super().__init__(dict.fromkeys(_MODULES))

    def __getitem__(self, name: str) -> click.Command:
        """The command of that name; raises KeyError where there is none."""
        if self.data[name] is None:
            self.data[name] = _load(name)
        command: click.Command = self.data[name]
        return command


def _load(name: str) -> click.Command:
    from importlib import import_module

    module = import_module(f"relaybench.cli.{_MODULES[name]}")
    command: click.Command = next(each for each in module.COMMANDS if each.name == name)
    command.short_help = _SAID[name]
    return command


class InOrder(click.Group):
    """Lists commands in the order of the work, not of the alphabet."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order in which the commands were added."""
        return list(self.commands)


class ListedCommands(InOrder):
    """The group of all commands: what lists of them show is read off the list, loading none."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The part of --help that lists the commands."""
        with formatter.section("Commands"):
            formatter.write_dl(list(_SAID.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Commands that begin so, then what any command completes: its options."""
        from click.shell_completion import CompletionItem

        begun = [
            CompletionItem(name, help=said)
            for name, said in _SAID.items()
            if name.startswith(incomplete)
        ]
        return begun + click.Command.shell_complete(self, ctx, incomplete)
