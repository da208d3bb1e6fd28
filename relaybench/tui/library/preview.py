"""The prompt of an instance as it would be sent, worked out in a thread while it is typed."""

from __future__ import annotations

from dataclasses import dataclass

from relaybench.composing.estimate import estimate_tokens
from relaybench.composing.render import single_prompt
from relaybench.domain.errors import ProblemError
from relaybench.domain.problem import ProblemClass
from relaybench.workbench.problems.authoring import Styles


@dataclass(frozen=True, slots=True)
class Preview:
    """The prompt of an instance asked on its own; ``about`` says what it is, or why there is none.

    ``tokens`` is an estimate.
    """

    text: str
    about: str
    tokens: int = 0


def preview_of(problem: ProblemClass, index: int, styles: Styles) -> Preview:
    """The exact prompt of an instance as it would be sent on its own."""
    if not 0 <= index < len(problem.instances):
        return Preview("", "add an instance to see its prompt")
    style = styles.get("standard")
    if isinstance(style, ProblemError):
        return Preview("", f"there is no prompt: {style}")
    instance = problem.instances[index]
    text = single_prompt(problem, instance, style)
    return Preview(text, f"{problem.ref}:{instance.id}", estimate_tokens(text))
