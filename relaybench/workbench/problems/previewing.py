"""Everything that is to be seen of a composite while it is edited: prompts, key, findings, facts.

All of it comes from the same functions that freeze an item for a run, so that what is shown is
what would be sent. It is cheap enough for every change, but not for an event loop.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from encoder import EncoderError
from relaybench.composing.freeze import freeze
from relaybench.composing.render import plain_prompt
from relaybench.composing.solve import SolvedStep, final_answer
from relaybench.composing.style import Style
from relaybench.composing.wiring import solved_alone
from relaybench.domain.augmentation import augment
from relaybench.domain.errors import ProblemError
from relaybench.domain.finding import Finding
from relaybench.domain.graph import find_cycle
from relaybench.domain.item import Item
from relaybench.domain.problem import Composite, Status
from relaybench.library.load import Library
from relaybench.reports.predictions import MeasuredRates, Prediction, predictions
from relaybench.workbench.problems.authoring import Styles
from relaybench.workbench.problems.drafts import CompositeDraft
from relaybench.workbench.problems.overlay import findings_about, overlaid

_NOTHING_MEASURED: Final = MeasuredRates()


@dataclass(frozen=True, slots=True)
class KeyPart:
    """One step's part of the key: the answer as written, then after each augmentation.

    ``before`` is None where the instance does not exist. ``in_answer``: it stands in the key.
    """

    label: str
    use: str
    before: str | None
    changes: tuple[tuple[str, str], ...]
    in_answer: bool

    @property
    def after(self) -> str | None:
        """The answer after all augmentations."""
        return self.changes[-1][1] if self.changes else self.before


@dataclass(frozen=True, slots=True)
class Preview:
    """A composite as it would be sent and graded, as far as that can be told.

    ``plain`` and ``item`` (as written: bloated and encoded where the file says so) are None where
    ``blocked`` says why. ``steps`` holds those that can be worked out on their own.
    """

    composite: Composite
    steps: Mapping[str, SolvedStep]
    parts: tuple[KeyPart, ...]
    findings: tuple[Finding, ...]
    plain: str | None = None
    item: Item | None = None
    key: str | None = None
    blocked: str = ""
    unapproved: tuple[str, ...] = ()
    predictions: tuple[Prediction, ...] = ()
    simulated: bool = False


def preview(
    draft: CompositeDraft,
    library: Library,
    styles: Styles,
    measured: MeasuredRates = _NOTHING_MEASURED,
) -> Preview:
    """What a draft would be if it were saved now; never raises for what it says.

    Other drafts count where they were put into the library (``overlay.with_drafts``).
    """
    composite = draft.composite
    try:
        after = overlaid(library, [draft])
        findings = findings_about(after, styles, draft)
    except ProblemError as error:
        after = library
        cannot = Finding(draft.file.shown, 0, "", "cannot-save", str(error), "mend it by hand")
        findings = sorted(error.findings) or [cannot]
    classes = after.problems()
    steps = solved_alone(composite, classes)
    blocked = _blocked(composite, steps)
    style = styles.get(composite.style)
    plain, item, key = None, None, None
    if not blocked:
        key = final_answer(composite, steps)
    if isinstance(style, ProblemError):
        blocked = blocked or str(style)
    elif not blocked:
        plain = plain_prompt(composite, classes, style)
        item, blocked = _frozen(composite, after, style)
    return Preview(
        composite=composite,
        steps=steps,
        parts=_parts(composite, steps),
        findings=tuple(findings),
        plain=plain,
        item=item,
        key=key,
        blocked=blocked,
        unapproved=tuple(
            str(each.step.use)
            for each in steps.values()
            if each.instance.status is not Status.APPROVED
        ),
        predictions=predictions(measured, [str(step.use) for step in composite.steps]),
        simulated=measured.simulated,
    )


def _frozen(composite: Composite, library: Library, style: Style) -> tuple[Item | None, str]:
    try:
        return freeze(composite, library.problems(), style), ""
    except EncoderError as error:
        return None, f"the prompt cannot be encoded: {error}"


def _blocked(composite: Composite, steps: Mapping[str, SolvedStep]) -> str:
    """Why no prompt can be written; empty where one can, sound or not."""
    labels = [step.label for step in composite.steps]
    if not labels:
        return "there are no steps yet"
    if len(set(labels)) < len(labels):
        return "two steps have one label"
    unknown = [step for step in composite.steps if step.label not in steps]
    if unknown:
        return f"step {unknown[0].label} has no instance, or an augmentation that there is not"
    named = [*composite.answer_labels, *(up for s in composite.steps for up in s.inputs.values())]
    lost = [label for label in named if label not in steps]
    if lost:
        return f"there is no step {lost[0]}"
    loop = find_cycle({step.label: tuple(step.inputs.values()) for step in composite.steps})
    return f"the steps wait for each other in a loop: {' -> '.join(loop)}" if loop else ""


def _parts(composite: Composite, steps: Mapping[str, SolvedStep]) -> tuple[KeyPart, ...]:
    """Parts in the order of the final answer, then the steps that only feed others."""
    in_answer = composite.answer_labels
    order = sorted(
        composite.steps,
        key=lambda step: in_answer.index(step.label) if step.label in in_answer else len(in_answer),
    )
    return tuple(
        KeyPart(
            step.label,
            str(step.use),
            steps[step.label].raw_answer if step.label in steps else None,
            _changes(steps[step.label]) if step.label in steps else (),
            step.label in in_answer,
        )
        for step in order
    )


def _changes(solved: SolvedStep) -> tuple[tuple[str, str], ...]:
    names = solved.step.augment
    texts = accumulate(names, lambda text, name: augment(text, [name]), initial=solved.raw_answer)
    return tuple(zip(names, list(texts)[1:], strict=True))
