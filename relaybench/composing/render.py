"""Write the prompt of a composite, or of one subproblem on its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from relaybench.composing.solve import (
    Classes,
    SolvedStep,
    final_example,
    solve,
)
from relaybench.composing.style import Style
from relaybench.domain.augmentation import augment, parse_augmentation
from relaybench.domain.problem import Composite, Instance, ProblemClass
from relaybench.domain.slots import fill


def _names(labels: Sequence[str]) -> str:
    names = [f"{label}_STR" for label in labels]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _step_text(solved: SolvedStep, style: Style) -> str:
    step, problem = solved.step, solved.problem
    values = dict(solved.instance.data)
    for name, label in step.inputs.items():
        values[name] = style.write("composite.bound", label=label)
    lines = [fill(problem.prompt, values)]
    if problem.rules:
        lines.append(style.write("step.rules", rules=" ".join(problem.rules)))
    if step.augment:
        sentences = [style.sentence(parse_augmentation(text)) for text in step.augment]
        lines.append(" ".join([style.texts["step.augment_first"], *sentences]))
    lines.append(style.write("step.let", label=step.label, example=solved.example))
    return "\n".join(lines)


def _may_hold_letters(solved: SolvedStep) -> bool:
    """Judged over all instances of the class, so that the sentence gives no single key away."""
    answers = [solved.problem.example, *(each.answer for each in solved.problem.instances)]
    return any(map(str.isalpha, "".join(augment(each, solved.step.augment) for each in answers)))


def _answer_text(composite: Composite, solved: Mapping[str, SolvedStep], style: Style) -> str:
    labels = composite.answer_labels
    form = composite.separator.join(f"{label}_STR" for label in labels)
    paragraphs = [
        style.write("composite.format", form=form, example=final_example(composite, solved))
    ]
    rules = []
    if composite.separator:
        shown = composite.separator if composite.separator != " " else "one space"
        rules.append(style.write("composite.exact", labels=_names(labels), separator=shown))
    else:
        rules.append(style.write("composite.exact_unjoined", labels=_names(labels)))
    cased = [label for label in labels if _may_hold_letters(solved[label])]
    uncased = [label for label in labels if label not in cased]
    if cased:
        rules.append(style.write("composite.cased", labels=_names(cased)))
    if uncased:
        rules.append(style.write("composite.uncased", labels=_names(uncased)))
    if any(each.problem.rules for each in solved.values()):
        rules.append(style.texts["composite.rules_scope"])
    inner = [label for label in solved if label not in labels]
    if inner:
        rules.append(style.write("composite.inner", labels=_names(inner)))
    rules.append(style.texts["composite.last"])
    return "\n".join([*paragraphs, " ".join(rules)])


def plain_prompt(composite: Composite, classes: Classes, style: Style) -> str:
    """The composite as plain text: steps in dependency order, tools, answer format, rules.

    The composite must have passed lint.
    """
    solved = solve(composite, classes)
    paragraphs = [_step_text(each, style) for each in solved.values()]
    paragraphs.append(style.texts["composite.tools"])
    paragraphs.append(_answer_text(composite, solved, style))
    return "\n\n".join(paragraphs) + "\n"


def single_prompt(problem: ProblemClass, instance: Instance, style: Style) -> str:
    """One subproblem asked on its own, so that its pass rate can be measured."""
    lines = [fill(problem.prompt, dict(instance.data))]
    if problem.rules:
        lines.append(style.write("step.rules", rules=" ".join(problem.rules)))
    rest = [
        style.texts["composite.tools"],
        style.write("single.format", example=problem.example),
        f"{style.texts['single.exact']} {style.texts['composite.last']}",
    ]
    return "\n\n".join(["\n".join(lines), *rest]) + "\n"
