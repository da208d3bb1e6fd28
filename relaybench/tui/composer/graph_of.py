"""A composite's graph as it is to be drawn, from what the workbench tells of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from relaybench.tui.composer.graph_values import Feed, Graph, StageBox, StageName, StepBox

if TYPE_CHECKING:
    from relaybench.domain.finding import Finding
    from relaybench.domain.problem import Composite, Step
    from relaybench.workbench.problems.previewing import Preview

_STEP_KEY: Final = re.compile(r"steps\[(\d+)\]")
#: Which stage the first key of a finding's place belongs to, where it is in no step.
_STAGE_OF: Final[Mapping[str, StageName]] = {
    "bloat": StageName.BLOAT,
    "encoding": StageName.ENCODING,
    "answer": StageName.ANSWER,
    "separator": StageName.ANSWER,
}


def step_keys(composite: Composite) -> list[str]:
    """A key of its own for each step: its label, with its place where that is no one's alone."""
    count = Counter(step.label for step in composite.steps)
    return [
        step.label if step.label and count[step.label] == 1 else f"{step.label}#{place}"
        for place, step in enumerate(composite.steps, 1)
    ]


def place_of(composite: Composite, finding: Finding) -> str:
    """The key of the box that a finding in the composite's own file is about."""
    match = _STEP_KEY.match(finding.key)
    keys = step_keys(composite)
    if match and int(match[1]) < len(keys):
        return keys[int(match[1])]
    return _STAGE_OF.get(re.split(r"[.\[]", finding.key)[0], StageName.COMPOSITE).value


def graph_of(preview: Preview) -> Graph:
    """The graph of a composite, with what is wrong marked where it is wrong."""
    composite = preview.composite
    keys = step_keys(composite)
    own = Counter(place_of(composite, finding) for finding in preview.findings)
    by_label: dict[str, str] = {}
    for step, key in zip(composite.steps, keys, strict=True):
        by_label.setdefault(step.label, key)
    steps = tuple(
        _step_box(preview, step, key, own[key], by_label)
        for step, key in zip(composite.steps, keys, strict=True)
    )
    return Graph(steps, _stages(preview, own))


def _step_box(
    preview: Preview, step: Step, key: str, problems: int, by_label: Mapping[str, str]
) -> StepBox:
    solved = preview.steps.get(step.label)
    return StepBox(
        key=key,
        label=step.label,
        class_name=step.use.class_id,
        instance=step.use.instance_id,
        domain=step.use.domain,
        answer=solved.answer if solved else None,
        problems=problems,
        in_answer=step.label in preview.composite.answer_labels,
        feeds=tuple(
            Feed(slot, by_label.get(source, ""), _is_wrong(preview, step, slot, source))
            for slot, source in step.inputs.items()
        ),
    )


def _is_wrong(preview: Preview, step: Step, slot: str, source: str) -> bool:
    fed, feeding = preview.steps.get(step.label), preview.steps.get(source)
    return not fed or not feeding or fed.instance.data.get(slot) != feeding.answer


def _stages(preview: Preview, problems: Mapping[str, int]) -> tuple[StageBox, ...]:
    composite, item = preview.composite, preview.item
    bloat, encoding = composite.bloat, composite.encoding
    length = f"{len(preview.plain):,} characters" if preview.plain is not None else "no prompt yet"
    codes = f"{item.dictionary_size:,} codes" if item and item.encoded else "no prompt yet"
    steps = "1 step" if len(composite.steps) == 1 else f"{len(composite.steps)} steps"
    answer = composite.separator.join(composite.answer_labels) or "nothing yet"
    told: Sequence[tuple[StageName, str, tuple[str, ...], bool]] = (
        (StageName.COMPOSITE, "Composite", (steps, length), True),
        (
            StageName.BLOAT,
            "Bloat",
            (f"{bloat.characters:,} chars", f"seed {bloat.seed}") if bloat else ("none",),
            bloat is not None,
        ),
        (
            StageName.ENCODING,
            "Encoding",
            (f"seed {encoding.seed}", codes) if encoding else ("plain text",),
            encoding is not None,
        ),
        (
            StageName.ANSWER,
            "Final answer",
            (answer, "= ?" if preview.key is None else f"= {preview.key}"),
            True,
        ),
    )
    return tuple(
        StageBox(name, title, words, on, problems.get(name.value, 0))
        for name, title, words, on in told
    )
