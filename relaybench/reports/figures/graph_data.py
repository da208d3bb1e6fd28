"""A composite's dependency graph, from what was frozen with its item."""

from __future__ import annotations

from collections.abc import Sequence

from relaybench.domain.errors import UnknownNameError, UsageError
from relaybench.domain.item import ItemKind
from relaybench.domain.problem import Composite
from relaybench.reports.figures.figure import GraphData, GraphInput, GraphStep
from relaybench.reports.numbers import listed
from relaybench.store.grid import GridItem


def wired(item: GridItem) -> bool:
    """Whether the wiring of its steps was kept with it."""
    return len(item.steps) > 1 and any(step.inputs for step in item.steps)


def drawable(item: GridItem, composite: Composite | None) -> bool:
    """Whether its wiring is known: kept, or that of a composite with the very same steps."""
    if wired(item):
        return True
    return (
        item.kind is ItemKind.COMPOSITE
        and len(item.steps) > 1
        and composite is not None
        and [(step.label, str(step.use)) for step in composite.steps]
        == [(step.label, step.use) for step in item.steps]
    )


def graph_data(item: GridItem, composite: Composite | None = None) -> GraphData:
    """The graph of an item; ``composite`` of the library helps out where no wiring was kept.

    Raises UsageError where the wiring is not known.
    """
    if not drawable(item, composite):
        raise UsageError(f"{item.ref}: {_why_not(item, composite)}")
    wiring = [(step.label, step.inputs, step.augment) for step in item.steps]
    if not wired(item) and composite is not None:
        wiring = [
            (step.label, tuple(step.inputs.items()), step.augment) for step in composite.steps
        ]
    return GraphData(
        ref=item.ref,
        steps=tuple(
            GraphStep(
                label=step.label,
                class_name=step.class_ref.rpartition("/")[2],
                domain=step.domain,
                augment=augment,
                in_answer=step.in_answer,
            )
            for step, (_, _, augment) in zip(item.steps, wiring, strict=True)
        ),
        inputs=tuple(
            GraphInput(source, label, name)
            for label, inputs, _ in wiring
            for name, source in inputs
        ),
        bloat_characters=item.bloat_characters,
        encoded=item.encoded,
    )


def _why_not(item: GridItem, composite: Composite | None) -> str:
    if item.imported:
        return "it was imported, so its steps are not known"
    if len(item.steps) < 2:
        return "it is a single subproblem, not a composite of steps"
    if composite is None:
        return (
            "it was stored before the wiring of steps was kept, and the workspace has no such "
            "composite any more; put its file back into problems/sets, or run it again"
        )
    return (
        "it was stored before the wiring of steps was kept, and the composite of that name has "
        "other steps now; put its old file back into problems/sets, or run it again"
    )


def choose_item(
    items: Sequence[GridItem], composites: dict[str, Composite], wanted: str | None
) -> GridItem:
    """The item to draw: the one of that name, or the first one whose wiring is known.

    Of several forms of a composite the one with the most around it is taken. Raises
    UnknownNameError for a name that is not there, UsageError where no wiring is known.
    """
    if wanted is None:
        for item in items:
            if drawable(item, composites.get(item.ref)):
                return _fullest(items, item.ref, composites)
        raise UsageError(
            f"no graph can be drawn: {items[0].ref}: "
            f"{_why_not(items[0], composites.get(items[0].ref))}"
            if items
            else "no graph can be drawn: the run has no items"
        )
    if wanted not in {item.ref for item in items}:
        known = listed(list(dict.fromkeys(item.ref for item in items)))
        raise UnknownNameError(f"no item of these runs is called {wanted!r}; there are: {known}")
    return _fullest(items, wanted, composites)


def _fullest(items: Sequence[GridItem], ref: str, composites: dict[str, Composite]) -> GridItem:
    forms = [item for item in items if item.ref == ref]
    fit = [item for item in forms if drawable(item, composites.get(ref))] or forms
    return max(fit, key=lambda item: (item.encoded, item.bloat_characters))
