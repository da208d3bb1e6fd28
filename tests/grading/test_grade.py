"""From response to verdict."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.domain.completion import StopReason
from relaybench.domain.results import Grade, Outcome
from relaybench.grading.extraction import EXTRACTOR, STRICT_EXTRACTOR
from relaybench.grading.grade import grade

ANSWERED = "So:\n```\n7-elm\n```\n"


def verdict(
    text: str = ANSWERED,
    stop: StopReason = StopReason.END,
    *,
    refusal: str | None = None,
    raw: str | None = "raw-word",
    strict: bool = False,
) -> Grade:
    """Grade against the key 7-elm."""
    return grade(
        text=text,
        stop_reason=stop,
        raw_stop_reason=raw,
        refusal=refusal,
        key="7-elm",
        parts=("7", "elm"),
        labels=("A", "B"),
        separator="-",
        strict=strict,
    )


@pytest.mark.parametrize(
    ("stop", "outcome", "note"),
    [
        (StopReason.END, Outcome.CORRECT, ""),
        (StopReason.STOP_SEQUENCE, Outcome.CORRECT, ""),
        (
            StopReason.MAX_TOKENS,
            Outcome.CORRECT,
            "cut off by the output limit after the answer's code block had closed",
        ),
        (StopReason.OTHER, Outcome.ERROR, "unknown stop reason: 'raw-word'"),
        (
            StopReason.PENDING,
            Outcome.ERROR,
            "the response is not finished (stop reason: 'raw-word')",
        ),
        (StopReason.REFUSAL, Outcome.REFUSED, "the model refused (stop reason: 'raw-word')"),
        (
            StopReason.BLOCKED,
            Outcome.REFUSED,
            "a safety system stopped the prompt or the answer (stop reason: 'raw-word')",
        ),
        (
            StopReason.PAUSE,
            Outcome.STALLED,
            "the turn was paused and not continued (stop reason: 'raw-word')",
        ),
        (
            StopReason.LIMIT,
            Outcome.STALLED,
            "the limit of continuations or tools was reached (stop reason: 'raw-word')",
        ),
        (
            StopReason.TOOL_USE,
            Outcome.STALLED,
            "the model waited for a tool that nobody ran (stop reason: 'raw-word')",
        ),
    ],
)
def test_how_it_ended(stop: StopReason, outcome: Outcome, note: str) -> None:
    """The same right answer under every stop reason."""
    found = verdict(stop=stop)
    assert (found.outcome, found.note) == (outcome, note)
    assert (found.answer is None) == (outcome is not Outcome.CORRECT)


def test_every_stop_reason_has_its_outcome() -> None:
    """None is forgotten: a new one must fail here, not be scored in silence."""
    assert {verdict(stop=stop).outcome for stop in StopReason} == {
        Outcome.CORRECT,
        Outcome.ERROR,
        Outcome.REFUSED,
        Outcome.STALLED,
    }


def test_refusal_field() -> None:
    """It counts under any stop reason but an unknown one; an empty one says nothing."""
    found = verdict(refusal="I can't.")
    assert (found.outcome, found.note) == (Outcome.REFUSED, "the response carries a refusal")
    assert verdict(refusal="no", stop=StopReason.MAX_TOKENS).outcome is Outcome.REFUSED
    assert verdict(refusal="no", stop=StopReason.PAUSE).outcome is Outcome.REFUSED
    assert verdict(refusal="no", stop=StopReason.OTHER).outcome is Outcome.ERROR
    assert verdict(refusal="").outcome is Outcome.CORRECT


def test_unknown_without_a_word() -> None:
    """No raw stop reason is said in words, not as None."""
    assert verdict(stop=StopReason.OTHER, raw=None).note == "unknown stop reason: none given"


def test_wrong() -> None:
    """Everything a reviewer needs."""
    assert verdict("```\n7-oak\n```") == Grade(
        outcome=Outcome.WRONG,
        answer="7-oak",
        extractor=EXTRACTOR,
        span=(4, 9),
        steps={"A": True, "B": False},
    )


@pytest.mark.parametrize("answer", ["7-Elm", "7-elm.", "7\u2010elm", "7 - elm", "\u200b7-elm"])
def test_nothing_but_equality_is_right(answer: str) -> None:
    """Not even the nearest miss."""
    found = verdict(f"```\n{answer}\n```")
    assert (found.outcome, found.answer) == (Outcome.WRONG, answer)


def test_near_miss() -> None:
    """Wrong, flagged, and the difference named."""
    found = verdict("```\n7-ELM\n```")
    assert (found.outcome, found.near_miss) == (Outcome.WRONG, True)
    assert found.note == "differs only in letter case"


def test_repaired_and_strict() -> None:
    """Strict grading has no mending, and says so in the extractor's name."""
    found = verdict("So: ```7-elm```")
    assert (found.outcome, found.repaired) == (Outcome.CORRECT, True)
    assert found.note == "fences of the code block were mended"
    found = verdict("So: ```7-elm```", strict=True)
    assert (found.outcome, found.extractor) == (Outcome.UNPARSEABLE, STRICT_EXTRACTOR)
    assert (found.answer, found.steps, found.note) == (None, {}, "no code block")


def test_truncated() -> None:
    """Cut off inside the last block: no answer, whatever stood before."""
    found = verdict(ANSWERED + "Better:\n```\n8-e", StopReason.MAX_TOKENS)
    assert (found.outcome, found.answer) == (Outcome.TRUNCATED, None)
    assert found.note == "the last code block was cut off"
    found = verdict("```\n8-elm\n```\nHm", StopReason.MAX_TOKENS)
    assert found.outcome is Outcome.WRONG


@given(st.text(st.characters(codec=None, categories=None), min_size=1))
def test_the_key_itself_is_right(key: str) -> None:
    """Any key without surrounding white space, wrapped, is correct throughout."""
    key = key.replace("\r\n", "\n").strip() or "x"
    marks = "`" * (3 + key.count("`"))
    found = grade(
        text=f"So:\n{marks}\n{key}\n{marks}\n",
        stop_reason=StopReason.END,
        raw_stop_reason="stop",
        refusal=None,
        key=key,
        parts=(key,),
        labels=("A",),
        separator="",
    )
    assert (found.outcome, found.steps, found.near_miss) == (Outcome.CORRECT, {"A": True}, False)
