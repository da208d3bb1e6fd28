"""The answer key: each step's answer after its augmentations, and the final answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from relaybench.domain.augmentation import augment
from relaybench.domain.graph import dependency_order
from relaybench.domain.problem import Composite, Instance, ProblemClass, Step

Classes = Mapping[str, ProblemClass]


@dataclass(frozen=True, slots=True)
class SolvedStep:
    """A step with its class and instance, its answer before and after augmentation."""

    step: Step
    problem: ProblemClass
    instance: Instance
    raw_answer: str
    answer: str
    example: str


def resolve(step: Step, classes: Classes) -> tuple[ProblemClass, Instance] | None:
    """Find the class and instance that a step uses; None where either does not exist."""
    problem = classes.get(step.use.class_ref)
    instance = problem.instance(step.use.instance_id) if problem else None
    return (problem, instance) if problem and instance else None


def solve_step(step: Step, problem: ProblemClass, instance: Instance) -> SolvedStep:
    """Work out one step's answer. Raises AugmentationError for an augmentation unknown to us."""
    return SolvedStep(
        step,
        problem,
        instance,
        instance.answer,
        augment(instance.answer, step.augment),
        augment(problem.example, step.augment),
    )


def upstream(composite: Composite) -> dict[str, tuple[str, ...]]:
    """For each label the labels that it takes input from."""
    return {step.label: tuple(step.inputs.values()) for step in composite.steps}


def solve(composite: Composite, classes: Classes) -> dict[str, SolvedStep]:
    """Work out every step of a composite that lint has passed, in dependency order."""
    by_label = {step.label: step for step in composite.steps}
    solved: dict[str, SolvedStep] = {}
    for label in dependency_order(list(by_label), upstream(composite)):
        found = resolve(by_label[label], classes)
        if found is None:
            raise KeyError(str(by_label[label].use))
        solved[label] = solve_step(by_label[label], *found)
    return solved


def final_answer(composite: Composite, solved: Mapping[str, SolvedStep]) -> str:
    """Join the steps' answers as the composite asks for."""
    return composite.separator.join(solved[label].answer for label in composite.answer_labels)


def final_example(composite: Composite, solved: Mapping[str, SolvedStep]) -> str:
    """The example of the whole answer's form, from the steps' own examples."""
    return composite.separator.join(solved[label].example for label in composite.answer_labels)
