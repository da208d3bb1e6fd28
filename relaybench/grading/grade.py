"""The verdict on one response: outcome, answer, near miss, which steps are right (DESIGN, 6 and 7).

Grading is ``==`` and nothing else. How the response ended is looked at first: what did not end
with an answer is never read as one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from relaybench.domain.completion import StopReason
from relaybench.domain.results import Grade, Outcome
from relaybench.grading.attribution import attribute
from relaybench.grading.extraction import EXTRACTOR, STRICT_EXTRACTOR, NoAnswer, extract
from relaybench.grading.near_miss import describe, is_near_miss

_STALLED: Final = {
    StopReason.PAUSE: "the turn was paused and not continued",
    StopReason.LIMIT: "the limit of continuations or tools was reached",
    StopReason.TOOL_USE: "the model waited for a tool that nobody ran",
}
#: Characters of a refusal that a note repeats.
_SAID: Final = 160
_REFUSED: Final = {
    StopReason.REFUSAL: "the model refused",
    StopReason.BLOCKED: "a safety system stopped the prompt or the answer",
}


def _without_answer(
    stop_reason: StopReason, raw_stop_reason: str | None, refusal: str | None
) -> tuple[Outcome, str] | None:
    """Outcome and note of a response that is not read; None if it is to be read."""
    raw = "none given" if raw_stop_reason is None else repr(raw_stop_reason)
    if stop_reason is StopReason.OTHER:
        return Outcome.ERROR, f"unknown stop reason: {raw}"
    if stop_reason is StopReason.PENDING:
        return Outcome.ERROR, f"the response is not finished (stop reason: {raw})"
    if stop_reason in _REFUSED:
        # The provider's category, or the words of the refusal, say which kind it was.
        said = f": {refusal[:_SAID]}" if refusal else ""
        return Outcome.REFUSED, f"{_REFUSED[stop_reason]} (stop reason: {raw}){said}"
    if refusal:
        return Outcome.REFUSED, "the response carries a refusal"
    if stop_reason in _STALLED:
        return Outcome.STALLED, f"{_STALLED[stop_reason]} (stop reason: {raw})"
    return None


def grade(
    *,
    text: str,
    stop_reason: StopReason,
    raw_stop_reason: str | None,
    refusal: str | None,
    key: str,
    parts: Sequence[str],
    labels: Sequence[str],
    separator: str,
    strict: bool = False,
) -> Grade:
    """Grade one response.

    ``text`` is ``Completion.final_text``, ``parts`` and ``labels`` the item's answer parts and
    their labels in order. Steps are given where there is an answer to attribute. ValueError if
    parts and labels don't pair up.
    """
    extractor = STRICT_EXTRACTOR if strict else EXTRACTOR
    ended = _without_answer(stop_reason, raw_stop_reason, refusal)
    if ended is not None:
        return Grade(outcome=ended[0], answer=None, extractor=extractor, note=ended[1])

    truncated = stop_reason is StopReason.MAX_TOKENS
    found = extract(text, truncated=truncated, strict=strict)
    if isinstance(found, NoAnswer):
        outcome = Outcome.TRUNCATED if truncated else Outcome.UNPARSEABLE
        return Grade(outcome=outcome, answer=None, extractor=extractor, note=found.reason)

    right = found.answer == key
    near = is_near_miss(found.answer, key)
    notes: list[str] = []
    if truncated:
        notes.append("cut off by the output limit after the answer's code block had closed")
    if found.repaired:
        notes.append("fences of the code block were mended")
    if near:
        notes.append(describe(found.answer, key))
    return Grade(
        outcome=Outcome.CORRECT if right else Outcome.WRONG,
        answer=found.answer,
        extractor=extractor,
        span=found.span,
        repaired=found.repaired,
        near_miss=near,
        steps=attribute(found.answer, key, parts, labels, separator),
        note="; ".join(notes),
    )
