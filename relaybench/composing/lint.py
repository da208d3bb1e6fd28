"""What keeps a composite from having one right key: faults for its author, none for a good one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from encoder import bloat
from relaybench.composing.render import plain_prompt
from relaybench.composing.solve import (
    Classes,
    SolvedStep,
    final_answer,
    final_example,
    resolve,
    solve,
    upstream,
)
from relaybench.composing.style import Style
from relaybench.domain.answer_rules import unfit_form
from relaybench.domain.augmentation import parse_augmentation
from relaybench.domain.errors import AugmentationError
from relaybench.domain.finding import Fault, KeyPath, Severity
from relaybench.domain.graph import find_cycle, unused_labels
from relaybench.domain.problem import (
    MAX_STEPS,
    MIN_STEPS,
    Composite,
    Status,
    Step,
)
from relaybench.domain.slots import slots_in


def lint(composite: Composite, classes: Classes, style: Style | None) -> list[Fault]:
    """Judge a composite against the classes it uses. ``style`` None: its wording is missing.

    The later checks need what the earlier ones make sure of, so a composite whose graph is
    broken is told that first.
    """
    faults = [*_graph_faults(composite), *_step_faults(composite, classes)]
    if style is None:
        faults.append(
            Fault(
                ("style",),
                "unknown-style",
                f"there is no usable style {composite.style!r}",
                f"write problems/styles/{composite.style}.toml, or leave style out",
            )
        )
    if any(fault.severity is Severity.ERROR for fault in faults) or not _solvable(composite):
        return faults
    solved = solve(composite, classes)
    faults += _bound_faults(composite, solved)
    faults += _key_faults(composite, solved)
    if style and not any(fault.severity is Severity.ERROR for fault in faults):
        key = final_answer(composite, solved)
        faults += _leak_faults(key, plain_prompt(composite, classes, style), ("steps",))
        faults += _wrapping_faults(key, composite, style)
    return faults


def _solvable(composite: Composite) -> bool:
    """Whether steps have labels of their own and name instances; the file reader says if not."""
    labels = {step.label for step in composite.steps if step.label}
    return len(labels) == len(composite.steps) and all(s.use.domain for s in composite.steps)


def _graph_faults(composite: Composite) -> Iterator[Fault]:
    labels = [step.label for step in composite.steps]
    count = len(labels)
    if not MIN_STEPS <= count <= MAX_STEPS:
        yield Fault(
            ("steps",),
            "step-count",
            f"a composite has {MIN_STEPS} to {MAX_STEPS} steps, this one has {count}",
            "add or remove [[steps]]",
        )
    for index, step in enumerate(composite.steps):
        for name, label in step.inputs.items():
            if label not in labels:
                yield Fault(
                    ("steps", index, "inputs", name),
                    "unknown-label",
                    f"input {name} is bound to step {label!r}, which does not exist",
                    f"bind it to one of: {', '.join(each for each in labels if each)}",
                )
    for index, label in enumerate(composite.answer):
        if label not in labels:
            yield Fault(
                ("answer", index),
                "unknown-label",
                f"the final answer names step {label!r}, which does not exist",
                f"use one of: {', '.join(each for each in labels if each)}",
            )
        elif label in composite.answer[:index]:
            yield Fault(
                ("answer", index),
                "duplicate-id",
                f"the final answer names step {label!r} twice",
                "take one of them out",
            )
    graph = upstream(composite)
    loop = find_cycle(graph)
    if loop:
        index = labels.index(loop[0]) if loop[0] in labels else 0
        yield Fault(
            ("steps", index, "inputs"),
            "cycle",
            f"the steps wait for each other in a loop: {' -> '.join(loop)}",
            "unbind one of these inputs",
        )
    for label in unused_labels(labels, graph, composite.answer_labels):
        yield Fault(
            ("steps", labels.index(label)),
            "unused-step",
            f"the final answer does not depend on step {label!r}",
            "add it to answer, bind another step's input to it, or remove it",
        )


def _step_faults(composite: Composite, classes: Classes) -> Iterator[Fault]:
    seen: dict[str, str] = {}
    for index, step in enumerate(composite.steps):
        path: KeyPath = ("steps", index)
        for number, text in enumerate(step.augment):
            try:
                parse_augmentation(text)
            except AugmentationError as error:
                yield Fault(
                    (*path, "augment", number),
                    "bad-augmentation",
                    str(error),
                    "write it like that, or take it out",
                )
        if not step.use.domain:
            continue  # the file reader has said that ``use`` names nothing
        found = resolve(step, classes)
        if found is None:
            yield _unknown_use(step, path, classes)
            continue
        problem, instance = found
        if problem.ref in seen:
            yield Fault(
                (*path, "use"),
                "class-twice",
                f"steps {seen[problem.ref]} and {step.label} both use the class {problem.ref}",
                "a composite holds at most one instance of a class: use another class",
            )
        seen.setdefault(problem.ref, step.label)
        if instance.status is Status.RETIRED:
            yield Fault(
                (*path, "use"),
                "retired",
                f"{step.use} is retired",
                "use another instance",
                Severity.WARNING,
            )
        slots = slots_in(problem.prompt, problem.inputs)
        for name in step.inputs:
            if name not in slots:
                has = ", ".join(slots) or "no inputs"
                yield Fault(
                    (*path, "inputs", name),
                    "dangling-input",
                    f"{problem.ref} has no input {name!r}",
                    f"it has: {has}",
                )


def _unknown_use(step: Step, path: KeyPath, classes: Classes) -> Fault:
    problem = classes.get(step.use.class_ref)
    if problem is None:
        near = sorted(ref for ref in classes if ref.startswith(f"{step.use.domain}/"))
        known = f"that domain has: {', '.join(near)}" if near else "check the domain's name"
        return Fault(
            (*path, "use"), "unknown-class", f"there is no class {step.use.class_ref!r}", known
        )
    has = ", ".join(each.id for each in problem.instances) or "none yet"
    return Fault(
        (*path, "use"),
        "unknown-instance",
        f"{problem.ref} has no instance {step.use.instance_id!r}",
        f"it has: {has}",
    )


def _bound_faults(composite: Composite, solved: dict[str, SolvedStep]) -> Iterator[Fault]:
    for index, step in enumerate(composite.steps):
        data = solved[step.label].instance.data
        for name, label in step.inputs.items():
            given, own = solved[label].answer, data.get(name)
            if own is None:
                yield Fault(
                    ("steps", index, "inputs", name),
                    "bound-value",
                    f"step {label} gives {given!r}, but {step.use} has no {name} of its own, so "
                    f"nothing shows that its answer belongs to that",
                    f"add {name} to the instance's data, with the value its answer was made for",
                )
            elif given != own:
                yield Fault(
                    ("steps", index, "inputs", name),
                    "bound-value",
                    f"step {label} gives {given!r}, but the key of step {step.label} was made "
                    f"for {name} = {own!r}",
                    f"choose an instance whose {name} is {given!r}, or change step {label}",
                )


def _key_faults(composite: Composite, solved: dict[str, SolvedStep]) -> Iterator[Fault]:
    for index, step in enumerate(composite.steps):
        each = solved[step.label]
        path: KeyPath = ("steps", index, "augment" if step.augment else "use")
        reason = unfit_form(each.answer) if step.augment else None
        if reason:
            yield Fault(
                path,
                "key-form",
                f"the answer of step {step.label} after its augmentations, {each.answer!r}, "
                f"{reason}",
                "change the augmentations",
            )
        if step.augment and (reason := unfit_form(each.example)):
            yield Fault(
                path,
                "key-form",
                f"the example of step {step.label} after its augmentations, {each.example!r}, "
                f"{reason}",
                "change the augmentations, or the example of the class",
            )
        if each.example == each.answer:
            yield Fault(
                path,
                "example-is-key",
                f"the example of step {step.label} is its answer {each.answer!r}",
                "choose another example in the class, or other augmentations",
            )
    key = final_answer(composite, solved)
    reason = unfit_form(key)
    if reason:
        yield Fault(("separator",), "key-form", f"the key {key!r} {reason}", "change the separator")
    if key == final_example(composite, solved):
        yield Fault(
            ("answer",), "example-is-key", "the example of the answer is the key", "change it"
        )


def _place(key: str, text: str) -> int | None:
    """Where the key stands as a word of its own: 9 does not leak because of a 1975."""
    found = re.search(rf"(?<!\w){re.escape(key)}(?!\w)", text)
    return found.start() if found else None


def _wrapping_faults(key: str, composite: Composite, style: Style) -> Iterator[Fault]:
    """The key must not stand in what is put before the problem either."""
    padding = composite.bloat
    if padding and _place(key, bloat(padding.characters, padding.seed)) is not None:
        yield Fault(
            ("bloat", "seed"),
            "key-leak",
            f"the key {key!r} stands in the fabricated context",
            "change the seed of the bloat, the separator or an augmentation",
        )
    wrapping = (style.texts["encoding.before"], style.texts["encoding.after"])
    if any(_place(key, text) is not None for text in wrapping):
        yield Fault(
            ("style",),
            "key-leak",
            f"the key {key!r} stands in the instructions of an encoded prompt",
            "change the wording, the separator or an augmentation",
        )


def _leak_faults(key: str, prompt: str, path: KeyPath) -> Iterator[Fault]:
    at = _place(key, prompt)
    if at is not None:
        line = prompt.count("\n", 0, at) + 1
        yield Fault(
            path,
            "key-leak",
            f"the key {key!r} stands in the prompt, in its line {line}",
            "change the wording, the separator or an augmentation",
        )
