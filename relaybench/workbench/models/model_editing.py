"""Change the workspace's own models and cohorts; what is shipped is never changed.

Everything is tried out before it is written: what ``models.toml`` would be read as, with the same
faults by file, line and key, and whether the adapter could honour the settings.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from relaybench.catalog.load import FILE_NAME, read_draft, shipped_models
from relaybench.catalog.reading import CatalogPart
from relaybench.composing.style import load_style
from relaybench.domain.errors import (
    CatalogError,
    RelaybenchError,
    SettingRejected,
    UnknownNameError,
    UsageError,
)
from relaybench.domain.model import ModelConfig
from relaybench.providers.registry import check_config
from relaybench.workbench.instructing import switched_off, with_instructions
from relaybench.workbench.models.own_models import OwnModels
from relaybench.workbench.workspace import Workspace

#: A name that can be typed as a word of a command and written without quotes nearly everywhere.
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_UNSAVED: Final = "nothing was saved"


@dataclass(frozen=True, slots=True)
class Saved:
    """What was written: the name, and notes on what else follows from it, each a sentence."""

    name: str
    notes: tuple[str, ...] = ()


def settings_of(workspace: Workspace, name: str) -> dict[str, Any]:
    """The settings of a model as its models.toml writes them, those left out left out.

    Raises UnknownNameError.
    """
    return _settings_of(OwnModels.read(workspace.root), name)


def _settings_of(own: OwnModels, name: str) -> dict[str, Any]:
    tables = {**_shipped("models"), **own.table("models")}
    if name not in tables:
        raise UnknownNameError(f"no model is called {name!r}; there are: {', '.join(tables)}")
    return {str(key): _writable(value) for key, value in dict(tables[name]).items()}


def _shipped(kind: str) -> Mapping[str, Any]:
    found = shipped_models().data.get(kind, {})
    return found if isinstance(found, Mapping) else {}


def _writable(value: Any) -> Any:
    """A value as the file's writer takes it: exact decimals become floats of the same digits."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, Mapping):
        return {str(key): _writable(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_writable(each) for each in value]
    return value


def add_model(workspace: Workspace, name: str, settings: Mapping[str, Any]) -> Saved:
    """Write a new model into the workspace's models.toml.

    Raises UsageError for a name that is taken or none, CatalogError with file, line and key for
    what would be read back with a fault, UsageError for what no adapter can honour; then nothing
    is written.
    """
    own = OwnModels.read(workspace.root)
    _refuse_name(name, {**_shipped("models"), **own.table("models")}, "model")
    return _save_model(workspace, own, name, dict(settings))


def copy_model(
    workspace: Workspace, name: str, new: str, changes: Mapping[str, Any] | None = None
) -> Saved:
    """Write a model under a new name with some settings changed; None takes a setting out.

    Raises as ``add_model``, and UnknownNameError.
    """
    own = OwnModels.read(workspace.root)
    _refuse_name(new, {**_shipped("models"), **own.table("models")}, "model")
    settings = _merged(_settings_of(own, name), changes or {})
    return _save_model(workspace, own, new, settings)


def change_model(workspace: Workspace, name: str, changes: Mapping[str, Any]) -> Saved:
    """Change settings of a model; None takes one out.

    A shipped model is not changed: one of the same name is written into the workspace's own file,
    where it counts instead. Raises as ``add_model``, and UnknownNameError.
    """
    own = OwnModels.read(workspace.root)
    before = _settings_of(own, name)
    if name in own.table("models"):
        return _save_model(workspace, own, name, changes)
    return _save_model(workspace, own, name, _merged(before, changes))


def _merged(settings: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(settings)
    for key, value in changes.items():
        if value is None:
            merged.pop(key, None)
        elif isinstance(value, Mapping) and isinstance(merged.get(key), Mapping):
            merged[key] = _merged(merged[key], value)
        else:
            merged[key] = value
    return merged


def _save_model(
    workspace: Workspace, own: OwnModels, name: str, changes: Mapping[str, Any]
) -> Saved:
    text = own.with_model(name, {key: _writable(value) for key, value in changes.items()})
    part = _read_back(own, text)
    config = _instructed(workspace, part.models[name])
    try:
        check_config(config)
    except SettingRejected as error:
        raise UsageError(f"{error}; {_UNSAVED}") from error
    notes = []
    if name in _shipped("models"):
        notes.append(
            f"{name} is shipped; yours of the same name in {FILE_NAME} counts instead of it"
        )
    notes += _same_as(workspace, config)
    own.save(text)
    return Saved(name, tuple(notes))


def _read_back(own: OwnModels, text: str) -> CatalogPart:
    try:
        return read_draft(own.path, text)[1]
    except CatalogError as error:
        raise CatalogError(f"{error}\n{_UNSAVED}") from error


def _instructed(workspace: Workspace, config: ModelConfig) -> ModelConfig:
    if not switched_off(config):
        return config
    return with_instructions(config, load_style("standard", workspace.styles))


def _same_as(workspace: Workspace, config: ModelConfig) -> list[str]:
    """Say which other models are the same one: they cannot be in one run."""
    try:
        known = workspace.catalog().models.values()
    except RelaybenchError:
        return []  # what is wrong elsewhere is told wherever models are read
    same = [each.name for each in known if each.digest == config.digest]
    others = [each for each in same if each != config.name]
    if not others:
        return []
    return [
        f"{config.name} and {', '.join(others)} send the same: names, prices, time limits and "
        "concurrency make no other model, so that they cannot be in one run"
    ]


def remove_model(workspace: Workspace, name: str) -> Saved:
    """Take an own model out of models.toml; the comments right above it go with it.

    Raises UsageError where it is shipped, or where a cohort names it and no shipped one of the
    name is left; UnknownNameError.
    """
    own = OwnModels.read(workspace.root)
    shipped = name in _shipped("models")
    if name not in own.table("models"):
        if shipped:
            raise UsageError(f"{name} is shipped with relaybench and cannot be removed")
        _settings_of(own, name)
    using = [
        cohort
        for cohort, members in {**_shipped("cohorts"), **own.table("cohorts")}.items()
        if name in members
    ]
    if using and not shipped:
        raise UsageError(
            f"{name} is in the cohort{'' if len(using) == 1 else 's'} {', '.join(using)}; take it "
            f"out there first; {_UNSAVED}"
        )
    text = own.without_model(name)
    _read_back(own, text)
    own.save(text)
    return Saved(name, (f"the shipped {name} counts again",) if shipped else ())


def save_cohort(workspace: Workspace, name: str, members: Sequence[str]) -> Saved:
    """Write a cohort of these models, in this order, into models.toml.

    Raises UsageError for a name that cannot be one, no members or one twice; UnknownNameError.
    """
    own = OwnModels.read(workspace.root)
    known = {**_shipped("models"), **own.table("models")}
    cohorts = {**_shipped("cohorts"), **own.table("cohorts")}
    if name not in cohorts:
        _refuse_name(name, {}, "cohort")
    if not members:
        raise UsageError("a cohort has at least one model")
    for member in members:
        if member not in known:
            raise UnknownNameError(f"no model is called {member!r}; there are: {', '.join(known)}")
    twice = [each for number, each in enumerate(members) if each in members[:number]]
    if twice:
        raise UsageError(f"{twice[0]} is named twice; once will do")
    text = own.with_cohort(name, members)
    _read_back(own, text)
    own.save(text)
    hides = name in _shipped("cohorts")
    return Saved(name, (f"{name} is shipped; yours counts instead of it",) if hides else ())


def remove_cohort(workspace: Workspace, name: str) -> Saved:
    """Take an own cohort out of models.toml; its models stay.

    Raises UsageError for a shipped one, UnknownNameError.
    """
    own = OwnModels.read(workspace.root)
    shipped = _shipped("cohorts")
    if name not in own.table("cohorts"):
        if name in shipped:
            raise UsageError(f"the cohort {name} is shipped with relaybench and cannot be removed")
        known = ", ".join({**shipped, **own.table("cohorts")})
        raise UnknownNameError(f"no cohort is called {name!r}; there are: {known}")
    text = own.with_cohort(name, None)
    _read_back(own, text)
    own.save(text)
    return Saved(name, (f"the shipped cohort {name} counts again",) if name in shipped else ())


def unfit_name(name: str, taken: Mapping[str, object], what: str) -> str | None:
    """Why a name will not do for a new model or cohort, or None."""
    if not _NAME.fullmatch(name):
        return f"a {what}'s name is a letter or digit, then letters, digits, '.', '_' and '-'"
    return f"a {what} is called {name} already" if name in taken else None


def _refuse_name(name: str, taken: Mapping[str, object], what: str) -> None:
    reason = unfit_name(name, taken, what)
    if reason:
        raise UsageError(f"{reason}; {_UNSAVED}")
