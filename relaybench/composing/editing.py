"""Edits of a composite: each gives a new value, or says in an EditError why it cannot be.

A composite may be unfinished between edits, so only what no further edit could make sound is
refused here; the rest is for ``lint`` to tell. What ties steps together is in ``wiring``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from typing import Final, TypeVar

from relaybench.composing.solve import Classes
from relaybench.domain.answer_rules import unfit_form
from relaybench.domain.augmentation import parse_augmentation
from relaybench.domain.errors import AugmentationError, EditError
from relaybench.domain.problem import (
    ID_PATTERN,
    LABEL_PATTERN,
    MAX_BLOAT,
    MAX_STEPS,
    Bloat,
    Composite,
    Encoding,
    InstanceRef,
    Step,
)

#: The fabricated context of the paper, where nobody asks for another length.
USUAL_BLOAT: Final = Bloat(7813, 1)
_LARGEST_SEED = 2**63 - 1
_T = TypeVar("_T")
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def find_step(composite: Composite, label: str) -> Step:
    """The step of that label; raises EditError that names those there are."""
    for step in composite.steps:
        if step.label == label:
            return step
    there = ", ".join(step.label for step in composite.steps) or "none yet"
    raise EditError(f"{composite.ref} has no step {label!r}; there are: {there}")


def with_step(composite: Composite, label: str, change: Callable[[Step], Step]) -> Composite:
    """The composite with one step changed; raises EditError where it has no such step."""
    find_step(composite, label)
    return replace(
        composite,
        steps=tuple(change(each) if each.label == label else each for each in composite.steps),
    )


def free_label(composite: Composite) -> str:
    """The next label that no step has: A to Z, then AA, AB and so on."""
    taken = {step.label for step in composite.steps}
    return next(label for label in map(_label, count()) if label not in taken)


def _label(number: int) -> str:
    label = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, len(_LETTERS))
        label = _LETTERS[letter] + label
    return label


def _checked_label(composite: Composite, label: str) -> str:
    if not LABEL_PATTERN.fullmatch(label):
        raise EditError(f"{label!r} cannot be a label; use a capital, then capitals and digits")
    if any(step.label == label for step in composite.steps):
        raise EditError(f"a step is labelled {label} already")
    return label


def check_use(
    composite: Composite, use: InstanceRef, classes: Classes, replacing: str | None = None
) -> None:
    """Raise EditError where a step cannot use an instance: unknown, or a second of its class.

    The step ``replacing`` does not count, since it is to make room.
    """
    problem = classes.get(use.class_ref)
    if problem is None:
        raise EditError(f"there is no class {use.class_ref!r}")
    if problem.instance(use.instance_id) is None:
        has = ", ".join(each.id for each in problem.instances) or "none yet"
        raise EditError(f"{problem.ref} has no instance {use.instance_id!r}; it has: {has}")
    for step in composite.steps:
        if step.use.class_ref == use.class_ref and step.label != replacing:
            raise EditError(
                f"step {step.label} uses the class {use.class_ref} already; a composite holds at "
                f"most one instance of a class. Swap the instance of step {step.label}, or use "
                "another class"
            )


def add_step(
    composite: Composite, use: InstanceRef, classes: Classes, label: str | None = None
) -> Composite:
    """Put a step at the end, under the next free label unless one is given.

    Where the answer names its labels, the new one comes last in it.
    """
    if len(composite.steps) >= MAX_STEPS:
        raise EditError(f"a composite has at most {MAX_STEPS} steps, and {composite.ref} has them")
    check_use(composite, use, classes)
    new = free_label(composite) if label is None else _checked_label(composite, label)
    return replace(
        composite,
        steps=(*composite.steps, Step(new, use)),
        answer=(*composite.answer, new) if composite.answer else (),
    )


def remove_step(composite: Composite, label: str) -> Composite:
    """Take a step out; inputs that were bound to it are unbound, and the answer goes without it."""
    find_step(composite, label)
    kept = [step for step in composite.steps if step.label != label]
    return replace(
        composite,
        steps=tuple(
            replace(step, inputs={k: v for k, v in step.inputs.items() if v != label})
            for step in kept
        ),
        answer=tuple(each for each in composite.answer if each != label),
    )


def relabel(composite: Composite, label: str, new: str) -> Composite:
    """Give a step another label; inputs bound to it and the answer follow."""
    find_step(composite, label)
    if new == label:
        return composite
    _checked_label(composite, new)

    def named(old: str) -> str:
        return new if old == label else old

    return replace(
        composite,
        steps=tuple(
            replace(
                step,
                label=named(step.label),
                inputs={name: named(source) for name, source in step.inputs.items()},
            )
            for step in composite.steps
        ),
        answer=tuple(map(named, composite.answer)),
    )


def move_step(composite: Composite, label: str, by: int) -> Composite:
    """Move a step down the list by so many places, up for a negative number.

    The final answer follows the list unless the composite names its labels.
    """
    step = find_step(composite, label)
    steps = moved(composite.steps, composite.steps.index(step), by, f"step {label}")
    return replace(composite, steps=steps)


def moved(values: Sequence[_T], at: int, by: int, name: str) -> tuple[_T, ...]:
    """The values with one moved; raises EditError where its new place would be outside."""
    if not 0 <= at + by < len(values):
        raise EditError(f"{name} cannot be moved further {'down' if by > 0 else 'up'}")
    order = list(values)
    order.insert(at + by, order.pop(at))
    return tuple(order)


def set_augment(composite: Composite, label: str, augment: Sequence[str]) -> Composite:
    """Set the augmentations of a step, applied from left to right; bad ones are refused.

    Inputs bound to the step stay bound even where the new answer does not fit them: ``lint``
    tells, since the next augmentation may mend it.
    """
    for text in augment:
        try:
            parse_augmentation(text)
        except AugmentationError as error:
            raise EditError(str(error)) from error
    return with_step(composite, label, lambda step: replace(step, augment=tuple(augment)))


def set_separator(composite: Composite, separator: str) -> Composite:
    """Set what joins the answers of the steps; empty joins them without anything between."""
    if separator != separator.strip() and separator != " ":
        raise EditError(
            f"the separator {separator!r} begins or ends with white space, which a reader of the "
            "prompt cannot see; only one space alone may be"
        )
    reason = unfit_form(f"x{separator}x")
    if reason:
        raise EditError(f"the separator {separator!r} {reason}, so no answer could be compared")
    return replace(composite, separator=separator)


def set_answer(composite: Composite, labels: Sequence[str]) -> Composite:
    """Set the labels that make the final answer, in order; none means all steps as listed."""
    for index, label in enumerate(labels):
        find_step(composite, label)
        if label in labels[:index]:
            raise EditError(f"the final answer names step {label!r} twice")
    listed = tuple(step.label for step in composite.steps)
    return replace(composite, answer=() if tuple(labels) == listed else tuple(labels))


def set_bloat(composite: Composite, bloat: Bloat | None) -> Composite:
    """Set the fabricated context before the problem; None takes it away."""
    if bloat and not 1 <= bloat.characters <= MAX_BLOAT:
        raise EditError(f"bloat is 1 to {MAX_BLOAT:,} characters, not {bloat.characters:,}")
    if bloat:
        _check_seed(bloat.seed)
    return replace(composite, bloat=bloat)


def set_encoding(composite: Composite, encoding: Encoding | None) -> Composite:
    """Set the nonce code; None asks in plain text."""
    if encoding:
        _check_seed(encoding.seed)
        if not 0 <= encoding.twin_share <= 1:
            raise EditError(f"the twin share is from 0 to 1, not {encoding.twin_share}")
    return replace(composite, encoding=encoding)


def _check_seed(seed: int) -> None:
    if not 0 <= seed <= _LARGEST_SEED:
        raise EditError(f"a seed is a whole number from 0 to {_LARGEST_SEED}, not {seed}")


def set_title(composite: Composite, title: str) -> Composite:
    """Set the title, one line for people; empty takes it away."""
    if len(title.splitlines()) > 1:
        raise EditError("a title is one line")
    return replace(composite, title=title.strip())


def set_style(composite: Composite, style: str) -> Composite:
    """Set the wording by its name; whether there is such a style is for ``lint`` to tell."""
    if not ID_PATTERN.fullmatch(style):
        raise EditError(f"{style!r} cannot be the name of a style")
    return replace(composite, style=style)
