"""The second reading: what it mends, and what it leaves alone."""

from __future__ import annotations

import pytest

from relaybench.grading.extraction import Extraction, extract


def found(text: str) -> tuple[str, bool] | None:
    """Answer and whether it was repaired."""
    result = extract(text, truncated=False)
    return (result.answer, result.repaired) if isinstance(result, Extraction) else None


@pytest.mark.parametrize(
    "text",
    [
        # (a) an opening fence after text
        "Answer:```\n7-elm\n```",
        "Answer: ```text\n7-elm\n```\nHope this helps!",
        "The `A_STR` answer: ````\n7-elm\n````\n",
        "> Answer:```\n> 7-elm\n> ```\n",
        "- Answer:```\n  7-elm\n  ```\n",
        "1. Answer:```\n7-elm\n```\nDone",
        "Step:\n10. Answer:```\n7-elm\n```\nDone",
        "## Answer:```\n7-elm\n```\n",
        "Answer:~~~\n7-elm\n~~~\n",
        "Answer:```\n7-elm",
        "```\ndraft\n```\nAnswer:```\n7-elm\n```\n",
        # (b) a closing fence after the answer
        "```\n7-elm```",
        "```\r\n7-elm``` \r\nbye",
        "~~~text\n7-elm~~~\n",
        "> ```\n> 7-elm```\n> bye\n",
        "```\ndraft```\nRather\n```\n7-elm\n```",
        # (c) one line
        "```7-elm```",
        "Answer: ``` 7-elm ```",
        "**Answer: ```7-elm```.**\n\nBye",
        "- ```7-elm```\n- bye",
        # (a) and (b)
        "Answer:```\n7-elm```\n",
    ],
)
def test_mended(text: str) -> None:
    """Each slip, alone and in quotes and lists; not in strict grading."""
    assert found(text) == ("7-elm", True)
    strict = extract(text, truncated=False, strict=True)
    assert not isinstance(strict, Extraction) or strict.answer != "7-elm"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("``` see `x` below\n7-elm\n", None),
        ("Put it between ``` and ``` please.\n7-elm", None),
        ("Use ``` for the fence\n7-elm\n", None),
        ("An escaped \\```\n7-elm\n", None),
        ("Hello~~~\nI do not know.", None),
        ("`7-elm`", None),
        ("~~~7-elm~~~", None),
        ("```` 7-elm ```", None),
        ("```   ```", None),
        ("x``` ~~~\n7-elm\n", None),
        ("as in ```x``` or ```\n7-elm\n", None),
        ("```\nuse ```x```", ("use ```x```", False)),
        ("    x:```\n    7-elm\n", None),
        # the strict reading stands where there is nothing to mend
        ("```\n7-elm\n```\nBye\n```\n", ("7-elm", False)),
        ("```\nx ```y``` z", ("x ```y``` z", False)),
        ("Use ```x``` here:\n```\n7-elm", ("7-elm", False)),
        ("```\n7-elm\n```\nas in ```x```", ("7-elm", False)),
        ("```\n7-elm\n```\nas in:```\n", ("7-elm", False)),
        ("````\n7-elm```\n````", ("7-elm```", False)),
        ("````\n7-elm```", ("7-elm```", False)),
    ],
)
def test_never_invented(text: str, expected: tuple[str, bool] | None) -> None:
    """What only looks like a slip opens, closes and changes nothing."""
    assert found(text) == expected


def test_indentation_stays() -> None:
    """Content at the margin below a list item loses nothing."""
    assert found("1. Answer:```\n7\n    elm\n```\n") == ("7\n    elm", True)


def test_span_of_a_mended_answer() -> None:
    """It excludes the fence that was glued to it."""
    text = "<think></think>So: ```7-elm```"
    result = extract(text, truncated=False)
    assert isinstance(result, Extraction)
    assert text[slice(*result.span)] == "7-elm"
    assert result.closed
