"""Which step may feed which input of another, and edits that bind, unbind and swap.

A binding fits where it makes no loop, and where the value that the instance was made for is the
final answer of the step that is to feed it; anything else would make the key wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from relaybench.composing.editing import check_use, find_step, with_step
from relaybench.composing.solve import Classes, SolvedStep, resolve, solve_step, upstream
from relaybench.domain.errors import AugmentationError, EditError
from relaybench.domain.problem import Composite, InstanceRef, Step
from relaybench.domain.slots import slots_in


@dataclass(frozen=True, slots=True)
class Source:
    """A step that might feed an input: its final answer, None where it has none yet.

    ``refusal`` says why it cannot, and is empty where it fits.
    """

    label: str
    answer: str | None
    refusal: str = ""


def solved_alone(composite: Composite, classes: Classes) -> dict[str, SolvedStep]:
    """Every step whose own answer can be worked out, whatever is wrong with the others."""
    found: dict[str, SolvedStep] = {}
    for step in composite.steps:
        parts = resolve(step, classes)
        if parts is not None:
            try:
                found[step.label] = solve_step(step, *parts)
            except AugmentationError:
                continue
    return found


def slots_of(step: Step, classes: Classes) -> tuple[str, ...]:
    """Names of the inputs that a step's template uses, in order; none for an unknown class."""
    problem = classes.get(step.use.class_ref)
    return slots_in(problem.prompt, problem.inputs) if problem else ()


def loop_of(composite: Composite, label: str, source: str) -> tuple[str, ...]:
    """The loop that feeding ``label`` from ``source`` would close, or nothing.

    Labels in the direction of the arrows, the first repeated at the end: ``A, B, A``.
    """
    graph = upstream(composite)
    paths: list[tuple[str, ...]] = [(source,)]
    seen = {source}
    while paths:
        path = paths.pop(0)
        if path[0] == label:
            return (*path, label)
        for feeding in graph.get(path[0], ()):
            if feeding not in seen:
                seen.add(feeding)
                paths.append((feeding, *path))
    return ()


def _misfit(
    composite: Composite, solved: Mapping[str, SolvedStep], label: str, slot: str, source: str
) -> str:
    """Why the values on both ends of a binding do not belong together; nothing if they do."""
    if source not in solved:
        return f"the answer of step {source} is not known: its instance or an augmentation is amiss"
    if label not in solved:
        return f"the instance of step {label} is not known, or an augmentation of it is amiss"
    fed, answer = solved[label], solved[source].answer
    own = fed.instance.data.get(slot)
    if own == answer:
        return ""
    if own is None:
        return (
            f"{fed.step.use} has no {slot} of its own, so nothing shows that its answer belongs to "
            f"{answer!r}, which step {source} gives"
        )
    reason = (
        f"the key would be wrong: step {source} gives {answer!r}, but the answer of "
        f"{fed.step.use} was made for {slot} = {own!r}"
    )
    others = [each.id for each in fed.problem.instances if each.data.get(slot) == answer]
    if others:
        return f"{reason}; swap step {label} to {', '.join(others)}, made for {answer!r}"
    return f"{reason}; no instance of {fed.problem.ref} is made for {answer!r}"


def refusal(composite: Composite, classes: Classes, label: str, slot: str, source: str) -> str:
    """Why a step cannot feed an input of another; empty where it can."""
    loop = loop_of(composite, label, source)
    if loop:
        return f"the steps would wait for each other in a loop: {' -> '.join(loop)}"
    return _misfit(composite, solved_alone(composite, classes), label, slot, source)


def possible_bindings(
    composite: Composite, classes: Classes, label: str, slot: str
) -> tuple[Source, ...]:
    """All other steps as sources of an input, those that fit first, else in listed order.

    Raises EditError for a step or input that does not exist.
    """
    _check_slot(find_step(composite, label), slot, classes)
    solved = solved_alone(composite, classes)
    sources = [
        Source(
            step.label,
            solved[step.label].answer if step.label in solved else None,
            refusal(composite, classes, label, slot, step.label),
        )
        for step in composite.steps
        if step.label != label
    ]
    return tuple(sorted(sources, key=lambda each: bool(each.refusal)))


def _check_slot(step: Step, slot: str, classes: Classes) -> None:
    slots = slots_of(step, classes)
    if slot not in slots:
        has = ", ".join(slots) or "no inputs"
        raise EditError(f"step {step.label} ({step.use}) has no input {slot!r}; it has: {has}")


def bind(composite: Composite, classes: Classes, label: str, slot: str, source: str) -> Composite:
    """Feed an input of a step from another step, in place of whatever fed it.

    Raises EditError where the input or a step does not exist, for a loop, and where the key
    would be wrong.
    """
    _check_slot(find_step(composite, label), slot, classes)
    find_step(composite, source)
    reason = refusal(composite, classes, label, slot, source)
    if reason:
        raise EditError(f"{label}.{slot} cannot be bound to {source}: {reason}")
    return with_step(
        composite, label, lambda step: replace(step, inputs={**step.inputs, slot: source})
    )


def unbind(composite: Composite, label: str, slot: str) -> Composite:
    """Show an input's own data again; raises EditError where it is not bound."""
    step = find_step(composite, label)
    if slot not in step.inputs:
        bound = ", ".join(step.inputs) or "none of its inputs"
        raise EditError(f"input {slot!r} of step {label} is not bound; bound: {bound}")
    kept = {name: source for name, source in step.inputs.items() if name != slot}
    return with_step(composite, label, lambda each: replace(each, inputs=kept))


def swap(composite: Composite, classes: Classes, label: str, use: InstanceRef) -> Composite:
    """Let a step use another instance, of its class or of another one.

    Label and augmentations stay. Bindings into and out of the step stay where they still fit and
    go where they don't (``lost_bindings`` tells which).
    """
    find_step(composite, label)
    check_use(composite, use, classes, replacing=label)
    changed = with_step(composite, label, lambda step: replace(step, use=use))
    solved = solved_alone(changed, classes)

    def kept(step: Step) -> dict[str, str]:
        slots = slots_of(step, classes)
        return {
            slot: source
            for slot, source in step.inputs.items()
            if label not in (step.label, source)
            or (slot in slots and not _misfit(changed, solved, step.label, slot, source))
        }

    return replace(changed, steps=tuple(replace(step, inputs=kept(step)) for step in changed.steps))


def lost_bindings(before: Composite, after: Composite) -> tuple[str, ...]:
    """Bindings that an edit took away, as ``B.base from A``; those of removed steps apart."""
    now = {step.label: step.inputs for step in after.steps}
    return tuple(
        f"{step.label}.{slot} from {source}"
        for step in before.steps
        if step.label in now
        for slot, source in step.inputs.items()
        if slot not in now[step.label]
    )
