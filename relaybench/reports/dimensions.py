"""By what items are told apart in a breakdown: domains, steps, form, length of the prompt, ..."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final

from relaybench.domain.errors import UsageError
from relaybench.domain.item import Form, ItemKind
from relaybench.reports.run_facts import several_forms_notes
from relaybench.store.grid import GridItem, OutcomeGrid
from relaybench.store.pooling import comparable

#: Lengths of prompts are split here unless told otherwise: the paper's 15,000 characters.
DEFAULT_BANDS: Final = (15_000,)
#: The group of items of which it is not known, because they were made elsewhere.
UNKNOWN_GROUP: Final = "unknown"

_KINDS: Final = {
    ItemKind.COMPOSITE: "composite",
    ItemKind.SINGLE: "single subproblem",
    ItemKind.IMPORTED: "imported",
}


class Dimension(StrEnum):
    """What a breakdown may go by."""

    DOMAIN = "domain"
    CLASS = "class"
    STEPS = "steps"
    ENCODED = "encoded"
    BLOAT = "bloat"
    FORM = "form"
    LENGTH = "length"
    SET = "set"
    KIND = "kind"

    @property
    def overlapping(self) -> bool:
        """Whether one item may be in several of its groups."""
        return self in (Dimension.DOMAIN, Dimension.CLASS)

    @property
    def of_forms(self) -> bool:
        """Whether it is about the forms that one problem may be asked in."""
        return self in (Dimension.ENCODED, Dimension.BLOAT, Dimension.FORM, Dimension.LENGTH)


#: What tables call them.
HEADINGS: Final = {
    Dimension.DOMAIN: "Domain",
    Dimension.CLASS: "Class",
    Dimension.STEPS: "Steps",
    Dimension.ENCODED: "Encoding",
    Dimension.BLOAT: "Bloat",
    Dimension.FORM: "Form",
    Dimension.LENGTH: "Prompt",
    Dimension.SET: "Set",
    Dimension.KIND: "Kind",
}


def check_bands(edges: Sequence[int]) -> tuple[int, ...]:
    """Edges of length bands in characters, rising; UsageError for none, or one below 1."""
    if not edges or min(edges) < 1:
        raise UsageError("length bands need edges of 1 character or more, such as 5000,15000")
    return tuple(sorted(set(edges)))


def groups(
    items: Iterable[GridItem], by: Dimension, edges: Sequence[int] = DEFAULT_BANDS
) -> dict[str, list[GridItem]]:
    """Items by the groups they are in, in natural order, ``unknown`` last.

    ``edges`` are those of ``check_bands``; a prompt as long as an edge is below it. An item is in
    every domain and class that it has.
    """
    found: dict[tuple[bool, int, str], list[GridItem]] = {}
    for item in items:
        for number, label in _labels(item, by, edges):
            found.setdefault((label is None, number, label or ""), []).append(item)
    return {
        # Quoted where a user calls something so: it is not what is not known.
        UNKNOWN_GROUP if none else f'"{label}"' if label == UNKNOWN_GROUP else label: members
        for (none, _, label), members in sorted(found.items(), key=lambda pair: pair[0])
    }


def varies(grid: OutcomeGrid, by: Dimension, edges: Sequence[int] = DEFAULT_BANDS) -> bool:
    """Whether the items differ in it, so that its rows hold different items."""
    found = {frozenset(_labels(item, by, edges)) for item in grid.items.values()}
    return len(found) > 1


def _labels(
    item: GridItem, by: Dimension, edges: Sequence[int]
) -> Sequence[tuple[int, str | None]]:
    """A group's place among others and its label, for each group that an item is in.

    The label is None where it is not known.
    """
    unknown = [(0, None)]
    match by:
        case Dimension.SET:
            return [(0, item.set_name)]
        case Dimension.KIND:
            return [(list(_KINDS).index(item.kind), _KINDS[item.kind])]
        case Dimension.DOMAIN:
            return [(0, name) for name in sorted(set(item.domains))] or unknown
        case Dimension.CLASS:
            return [(0, name) for name in item.classes] or unknown
    if item.form is None:
        return unknown
    match by:
        case Dimension.STEPS:
            return [(len(item.steps), str(len(item.steps)))]
        case Dimension.ENCODED:
            return [(int(item.encoded), "encoded" if item.encoded else "not encoded")]
        case Dimension.BLOAT:
            padded = item.bloat_characters > 0
            return [(int(padded), "with bloat" if padded else "without bloat")]
        case Dimension.FORM:
            return [(list(Form).index(item.form), item.form.value)]
        case Dimension.LENGTH:
            return [_band(item.characters, edges)]


def _band(characters: int, edges: Sequence[int]) -> tuple[int, str]:
    place = sum(characters > edge for edge in edges)
    if place == len(edges):
        return place, f"over {edges[-1]:,} characters"
    if place == 0:
        return place, f"up to {edges[0]:,} characters"
    return place, f"{edges[place - 1] + 1:,} to {edges[place]:,} characters"


def forms_note(grid: OutcomeGrid) -> list[str]:
    """That some items are one problem in several forms, so that they are not independent."""
    items = comparable(grid).items.values()
    return several_forms_notes(len(items), len({item.problem for item in items}))
