"""What is asked before models.toml is changed. Each gives what was written, None for nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from relaybench.tui.dialogs.ask import Ask
from relaybench.tui.dialogs.confirm import Confirm
from relaybench.tui.models.model_form import ModelForm, Save
from relaybench.workbench.models.model_editing import (
    add_model,
    change_model,
    copy_model,
    remove_cohort,
    remove_model,
    save_cohort,
    settings_of,
    unfit_name,
)

if TYPE_CHECKING:
    from relaybench.tui.work_screen import WorkScreen
    from relaybench.workbench.models.model_editing import Saved


async def save_ticked(screen: WorkScreen, members: Sequence[str]) -> Saved | None:
    """Ask for a name and save these models as a cohort, in their order."""
    cohorts = screen.desk.catalog.cohorts if screen.desk.catalog else {}
    own = screen.desk.catalog.own_cohorts if screen.desk.catalog else ()
    same = [name for name, known in cohorts.items() if name in own and set(known) == set(members)]

    def check(name: str) -> str | None:
        return None if name in cohorts else unfit_name(name, {}, "cohort")

    question = Ask(
        f"Save as a cohort: {', '.join(members)}",
        value=same[0] if same else "",
        hint="a name; a cohort that has it already gets these members instead",
        check=check,
    )
    name = await screen.app.push_screen_wait(question)
    if name is None:
        return None
    return await _changed(screen, partial(save_cohort, screen.desk.workspace, name, list(members)))


async def edit(screen: WorkScreen, name: str) -> Saved | None:
    """Change settings of a model."""
    own = screen.desk.catalog is not None and name in screen.desk.catalog.own
    hint = "" if own else f"{name} is shipped: this writes one of yours under its name"
    save = partial(change_model, screen.desk.workspace)
    return await _form(screen, f"Change {name}", save, like=name, name=name, hint=hint)


async def duplicate(screen: WorkScreen, name: str) -> Saved | None:
    """Copy a model under another name, with other settings."""

    def save(new: str, changed: Mapping[str, Any]) -> Saved:
        return copy_model(screen.desk.workspace, name, new, changed)

    return await _form(screen, f"Copy of {name}", save, like=name, name=f"{name}-2", named=True)


async def new(screen: WorkScreen) -> Saved | None:
    """A model from nothing."""
    hint = "provider manual: a model that has only a web page"
    save = partial(add_model, screen.desk.workspace)
    return await _form(screen, "New model", save, hint=hint, named=True)


async def _form(
    screen: WorkScreen,
    title: str,
    save: Save,
    *,
    like: str | None = None,
    name: str = "",
    named: bool = False,
    hint: str = "",
) -> Saved | None:
    settings: dict[str, Any] = {}
    if like is not None:
        with screen.reporting("the model cannot be edited"):
            settings = await asyncio.to_thread(settings_of, screen.desk.workspace, like)
        if not settings:
            return None
    form = ModelForm(title, settings, save, name=name, named=named, hint=hint)
    return await screen.app.push_screen_wait(form)


async def remove(screen: WorkScreen, name: str, *, cohort: bool) -> Saved | None:
    """Take a model or a cohort out, after a question."""
    what = f"cohort {name}" if cohort else f"model {name}"
    details = "Its models stay." if cohort else "Stored results of it stay."
    question = Confirm(f"Take {what} out of models.toml?", yes="Remove", details=details)
    if not await screen.app.push_screen_wait(question):
        return None
    take_out = remove_cohort if cohort else remove_model
    return await _changed(screen, partial(take_out, screen.desk.workspace, name))


async def _changed(screen: WorkScreen, change: Callable[[], Saved]) -> Saved | None:
    saved: Saved | None = None
    with screen.reporting("models.toml was not changed"):
        saved = await asyncio.to_thread(change)
    return saved
