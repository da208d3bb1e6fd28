"""A new run as it is chosen, by a command line or on screen: problems, forms, models, options."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Final

from relaybench.domain.errors import PlanError
from relaybench.domain.problem import Variant
from relaybench.workbench.problems.selecting import Selection, select
from relaybench.workbench.runs.planning import Proposal, RunOptions, propose
from relaybench.workbench.workspace import Workspace

_NAMED_DRAFTS: Final = 5


@dataclass(frozen=True, slots=True)
class RunChoice:
    """What a new run is to be; targets as ``select`` takes them, models and cohorts by name.

    ``name`` None: one with the moment in it.
    """

    targets: tuple[str, ...] = ()
    variants: tuple[Variant, ...] = (Variant.AS_WRITTEN,)
    cohorts: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    repeats: int = 1
    name: str | None = None
    strict: bool = False
    options: RunOptions = RunOptions()  # noqa: RUF009 (frozen)


def plan(workspace: Workspace, choice: RunChoice, chosen: Selection | None = None) -> Proposal:
    """Plan a new run. Nothing is written or sent.

    ``chosen`` is what ``select`` gave for these targets and variants, where it is known already.
    Raises UnknownNameError, ProblemError, PlanError or UsageError with the reason.
    """
    configs = workspace.catalog().choose(choice.cohorts, choice.models)
    if chosen is None:
        chosen = select(workspace, choice.targets, choice.variants)
    return propose(
        workspace,
        chosen.items,
        configs,
        repeats=choice.repeats,
        name=choice.name,
        strict=choice.strict,
        options=choice.options,
        notes=_notes(chosen),
    )


def _notes(chosen: Selection) -> list[str]:
    """What is odd about the chosen problems, though it does not keep them from being run."""
    notes = [f"{each.file} line {each.line} {each.key}: {each.problem}" for each in chosen.warnings]
    if chosen.unapproved:
        drafts = ", ".join(chosen.unapproved[:_NAMED_DRAFTS])
        more = len(chosen.unapproved) - _NAMED_DRAFTS
        notes.append(f"not approved: {drafts}" + (f" and {more} more" if more > 0 else ""))
    if chosen.same_text:
        variants = "variant" if chosen.same_text == 1 else "variants"
        notes.append(f"{chosen.same_text} {variants} of the same text as another: once")
    return notes


def read_repeats(text: str) -> int:
    """A number of repeats as typed; PlanError for what is none. Empty: 1."""
    return _whole(text, "repeats", 1)


def read_concurrency(text: str) -> int | None:
    """Calls at once as typed; PlanError for what is no number. Empty: as the models say."""
    return _whole(text, "calls at once", 0) or None if text.strip() else None


def read_budget(text: str) -> Decimal:
    """An amount of USD as typed, with or without a dollar sign; PlanError for what is none."""
    try:
        amount = Decimal(text.strip().removeprefix("$"))
    except InvalidOperation as error:
        raise PlanError(f"{text!r} is not an amount of USD, such as 12.50") from error
    if not amount.is_finite() or amount <= 0:
        raise PlanError("a budget is above 0")
    return amount


def _whole(text: str, what: str, default: int) -> int:
    text = text.strip()
    if not text:
        return default
    if not (text.isascii() and text.isdigit()) or not 1 <= int(text) <= 1000:
        raise PlanError(f"{text!r} is no number of {what}: give one from 1 to 1000")
    return int(text)
