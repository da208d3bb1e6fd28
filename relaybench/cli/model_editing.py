"""Commands that change the workspace's own models.toml: models and cohorts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from relaybench.cli.output import say

if TYPE_CHECKING:
    from relaybench.cli.main import Place
    from relaybench.workbench.models.model_editing import Saved

_Command = TypeVar("_Command", bound=Callable[..., Any])


def _settings(command: _Command) -> _Command:
    """The options by which settings are given."""
    for option in reversed(
        (
            click.option("--effort", help="Its effort, or a note of it for a manual model."),
            click.option("--tools", help="Its server tools, with commas between; '' for none."),
            click.option("--harness", help="single or persistent."),
            click.option("--concurrency", type=int, help="Calls at once."),
            click.option(
                "--set",
                "sets",
                multiple=True,
                metavar="KEY=VALUE",
                help="Any other setting, as TOML writes it (repeatable): options.verbosity=low.",
            ),
            click.option(
                "--unset", "unsets", multiple=True, metavar="KEY", help="Take a setting out."
            ),
        )
    ):
        command = option(command)
    return command


def _changes(options: dict[str, Any]) -> dict[str, Any]:
    from relaybench.workbench.models.setting_text import read_setting

    changes: dict[str, Any] = {
        key: options[key]
        for key in ("effort", "harness", "concurrency")
        if options[key] is not None
    }
    if options["tools"] is not None:
        names = (name.strip() for name in options["tools"].split(","))
        changes["tools"] = [name for name in names if name]
    for text in options["sets"]:
        key, value = read_setting(text)
        _put(changes, key, value)
    for text in options["unsets"]:
        value = None
        first, *inner = text.split(".")
        for key in reversed(inner):
            value = {key: value}
        _put(changes, first, value)
    return changes


def _put(changes: dict[str, Any], key: str, value: Any) -> None:
    before = changes.get(key)
    if isinstance(before, dict) and isinstance(value, dict):
        for name, each in value.items():
            _put(before, name, each)
    else:
        changes[key] = value


@click.group()
def model() -> None:
    """Change the workspace's own models.toml; its comments and all else in it stay.

    Shipped models are never changed. What would be read back with a fault, or what no provider
    could be sent, is refused and nothing is written.
    """


@model.command("add")
@click.argument("name")
@click.option("--provider", required=True, help="Whose it is; manual for one with only a web page.")
@click.option("--id", "model_id", required=True, help="The provider's id of the model.")
@_settings
@click.pass_obj
def add(place: Place, /, name: str, provider: str, model_id: str, **options: Any) -> None:
    """Write a new model NAME."""
    from relaybench.workbench.models.model_editing import add_model

    settings = {"provider": provider, "model": model_id, **_changes(options)}
    _tell(add_model(place.workspace, name, settings), "added")


@model.command("copy")
@click.argument("name")
@click.argument("new")
@_settings
@click.pass_obj
def copy(place: Place, /, name: str, new: str, **options: Any) -> None:
    """Write the model NAME once more, as NEW, with the settings that are given changed."""
    from relaybench.workbench.models.model_editing import copy_model

    _tell(copy_model(place.workspace, name, new, _changes(options)), "added")


@model.command("change")
@click.argument("name")
@_settings
@click.pass_obj
def change(place: Place, /, name: str, **options: Any) -> None:
    """Change settings of the model NAME; of a shipped one a model of your own takes its place."""
    from relaybench.workbench.models.model_editing import change_model

    changes = _changes(options)
    if not changes:
        raise click.UsageError("say what to change, such as --effort high")
    _tell(change_model(place.workspace, name, changes), "changed")


@model.command("remove")
@click.argument("name")
@click.pass_obj
def remove(place: Place, name: str) -> None:
    """Take the model NAME of your own out; stored results of it stay."""
    from relaybench.workbench.models.model_editing import remove_model

    _tell(remove_model(place.workspace, name), "removed")


@click.group()
def cohort() -> None:
    """Name a list of models, in the order in which tables show them."""


@cohort.command("set")
@click.argument("name")
@click.argument("models", nargs=-1, required=True)
@click.pass_obj
def set_members(place: Place, name: str, models: tuple[str, ...]) -> None:
    """Make MODELS the cohort NAME, a new one or in place of what it was."""
    from relaybench.workbench.models.model_editing import save_cohort

    _tell(save_cohort(place.workspace, name, models), "saved")


@cohort.command("remove")
@click.argument("name")
@click.pass_obj
def remove_members(place: Place, name: str) -> None:
    """Take the cohort NAME of your own out; its models stay."""
    from relaybench.workbench.models.model_editing import remove_cohort

    _tell(remove_cohort(place.workspace, name), "removed")


def _tell(saved: Saved, what: str) -> None:
    say(f"models.toml: {saved.name} {what}")
    for note in saved.notes:
        say(f"note: {note}")


COMMANDS = (model, cohort)
