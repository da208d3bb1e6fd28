"""The key with its parts, and the facts of a composite, as texts with marks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from relaybench.tui.widgets.wrapping import Marked

if TYPE_CHECKING:
    from relaybench.reports.predictions import Prediction
    from relaybench.workbench.problems.previewing import KeyPart, Preview

Told = tuple[str, list[Marked]]


class _Writer:
    """A text that grows, with the places of what is marked in it."""

    def __init__(self) -> None:
        self.text = ""
        self.marks: list[Marked] = []

    def add(self, text: str, style: str = "") -> None:
        if style and text:
            self.marks.append(Marked(len(self.text), len(self.text) + len(text), style))
        self.text += text

    @property
    def told(self) -> Told:
        return self.text, self.marks


def no_prompt(preview: Preview) -> str:
    """What stands in place of a prompt that cannot be written yet."""
    return f"No prompt yet: {preview.blocked}."


def key_text(preview: Preview) -> Told:
    """The key, and how each step's part of it comes about."""
    out = _Writer()
    out.add("Key  ", "bold")
    out.add(preview.key if preview.key is not None else f"none yet: {preview.blocked}")
    out.add("\n")
    inner = False
    for part in preview.parts:
        if not part.in_answer and not inner:
            inner = True
            out.add("\nOnly feed other steps:\n", "$text-muted")
        _part(out, part)
    return out.told


def _part(out: _Writer, part: KeyPart) -> None:
    out.add(f"\n{part.label}", "bold $text-accent")
    out.add(f"  {part.use}\n", "$text-muted")
    if part.before is None:
        out.add(
            "   unknown: there is no such instance, or an augmentation is amiss\n", "$text-error"
        )
        return
    stages = [("as written", part.before), *part.changes]
    width = max(len(name) for name, _ in stages)
    for number, (name, text) in enumerate(stages):
        out.add(f"   {name:<{width}}  ", "$text-muted")
        out.add(text, "bold" if number == len(stages) - 1 else "")
        out.add("\n")


def facts_text(preview: Preview) -> Told:
    """What is known of the composite in numbers, and what its steps' rates predict."""
    out = _Writer()
    for name, value in _facts(preview):
        out.add(f"{name:<18}", "$text-muted")
        out.add(f"{value}\n")
    out.add("\nPredicted pass rate", "bold")
    out.add(", the product of the steps' measured rates", "$text-muted")
    out.add(" (simulated)\n" if preview.simulated else "\n", "$text-warning")
    _predictions(out, preview.predictions)
    return out.told


def _facts(preview: Preview) -> list[tuple[str, str]]:
    composite, item = preview.composite, preview.item
    steps, bloat, encoding = len(composite.steps), composite.bloat, composite.encoding
    inner = sum(step.label not in composite.answer_labels for step in composite.steps)
    facts = [
        ("Steps", f"{steps}, {inner} of them not in the answer" if inner else str(steps)),
        ("Domains", ", ".join(sorted({step.use.domain for step in composite.steps})) or "-"),
    ]
    if item is not None and preview.plain is not None:
        facts += [
            ("Characters", f"{len(item.prompt):,} as sent, {len(preview.plain):,} plain"),
            ("Estimated tokens", f"{item.estimated_tokens:,}"),
        ]
    else:
        facts.append(("Prompt", f"none yet: {preview.blocked}"))
    facts.append(
        ("Bloat", f"{bloat.characters:,} characters, seed {bloat.seed}" if bloat else "none")
    )
    if encoding is None:
        facts.append(("Encoding", "none, plain text"))
    else:
        facts.append(("Encoding", f"seed {encoding.seed}, twin share {encoding.twin_share:g}"))
        if item is not None:
            facts.append(("Substitutions", f"{item.substitutions:,}"))
            facts.append(("Dictionary size", f"{item.dictionary_size:,}"))
    if preview.unapproved:
        facts.append(("Not approved", ", ".join(preview.unapproved)))
    return facts


def _predictions(out: _Writer, predictions: Sequence[Prediction]) -> None:
    known = [each for each in predictions if each.rate is not None]
    if not known:
        out.add(
            "  unknown: no model has been measured on every step. Run the subproblems alone, as\n"
            "  targets library:DOMAIN/CLASS, or other composites of the same classes.\n",
            "$text-muted",
        )
    width = max((len(each.model) for each in known), default=0)
    for each in known:
        out.add(f"  {each.model:<{width}}  ")
        out.add(f"{100 * (each.rate or 0):5.1f} %", "bold")
        out.add(f"  n = {each.n} for the least known step, {each.basis}\n", "$text-muted")
    missing = len(predictions) - len(known)
    if known and missing:
        out.add(f"  {missing} more without rates of every step\n", "$text-muted")
