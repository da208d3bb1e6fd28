"""Which block is the answer, and that nothing in it changes."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from relaybench.grading.extraction import Extraction, NoAnswer, extract
from relaybench.grading.structure import MAX_LEVEL

#: Any text at all: lone surrogates, NUL, CR and exotic separators included.
ANY = st.text(st.characters(codec=None, categories=None), max_size=60)
STRUCTURE = st.lists(
    st.sampled_from(
        (
            *("```", "~~~", "````", ">", "-", "1.", "#", "`", "x", "ans", "ans```", "```ans```"),
            *("\t", "\r", "\n", "\r\n", "<think>", "</think>", "\n", "\n", " ", "    "),
            *("```\n", "\n```\n", "a:```\n", "\0", "\ud800", "\u2028"),
        )
    ),
    max_size=25,
).map("".join)


def got(text: str, *, truncated: bool = False, strict: bool = False) -> str:
    """The answer, or the reason for none in brackets."""
    found = extract(text, truncated=truncated, strict=strict)
    return found.answer if isinstance(found, Extraction) else f"[{found.reason}]"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("```\n7-elm\n```", "7-elm"),
        ("```\n7-elm\n```\nor rather\n~~~~ text\n8-elm\n~~~~\nDone.", "8-elm"),
        ("```\n7-elm\n```\n\n```\n \n```\n", "7-elm"),
        ("```\n7-elm", "7-elm"),
        ("- a\n  - b\n\n    > ```\n    > 7-elm\n    > ```\n", "7-elm"),
        ("<div>\n```\n7-elm\n```\n</div>", "7-elm"),
        ("<!-- never closed\n```\n7-elm\n```\n", "7-elm"),
        ("    ```\n    not a fence\n    ```\n\nno", "[no code block]"),
        ("plain", "[no code block]"),
        ("It is `7-elm`.", "[no code block]"),
        ("```\n\n```", "[the only code block is empty]"),
        ("```\n\n```\n~~~\n\xa0\n~~~\n", "[all 2 code blocks are empty]"),
        ("", "[the visible text is empty]"),
        (" \n\t", "[the visible text is empty]"),
    ],
)
def test_which_block(text: str, answer: str) -> None:
    """The last block with content, wherever it stands, or a reason."""
    assert got(text) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("\n <think>\n```\ndraft\n```\n</think>\n```\n7-elm\n```", "7-elm"),
        ("<think>a</think>```\n7-elm\n```", "7-elm"),
        ("<think>a</think>\n```\n7</think>elm\n```", "7</think>elm"),
        ("<think>\n```\ndraft\n```\n", "[thinking never closed]"),
        ("<think>\n```\ndraft\n```\n</think>\n", "[the visible text is empty]"),
        ("So:\n<think>\n```\n7-elm\n```\n", "7-elm"),
        ("```\n<think>7\n```\n", "<think>7"),
    ],
)
def test_thinking(text: str, answer: str) -> None:
    """Only a text that starts as thinking has any."""
    assert got(text) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("```\n7-elm\n```\nLet me che", "7-elm"),
        ("```\n7-elm\n```", "7-elm"),
        ("```\n7-el", "[the last code block was cut off]"),
        ("```\n7-elm\n```\nNo:\n```\n8-", "[the last code block was cut off]"),
        ("```\n7-elm\n```\nNo:\n```", "[the last code block was cut off]"),
        ("A: ```7-elm``` so\n```\n8-", "[the last code block was cut off]"),
        ("```\n7-elm```\nNow I", "[the last code block was cut off]"),
        ("The answer is:```\n7-e", "[the last code block was cut off]"),
        ("So ```7-elm```\n\nLet me che", "7-elm"),
        ("7-el", "[no code block]"),
    ],
)
def test_truncated(text: str, answer: str) -> None:
    """A block that is cut off is no answer and withdraws those before it."""
    assert got(text, truncated=True) == answer


@pytest.mark.parametrize(
    "answer",
    [
        "a\0b",
        "a\rb",
        "a\tb\t c",
        "a\ud800b",
        "a\u2028b\x0bc\x0cd\x85e\x1cf",
        "\u200ba\ufeff",
        "e\u0301",
    ],
)
def test_nothing_inside_changes(answer: str) -> None:
    """What a parser would replace, expand or split at stays as it is."""
    for text in (f"Answer\r\n```\r\n{answer}\r\n```\r\n", f"```\n{answer}"):
        found = extract(text, truncated=False)
        assert isinstance(found, Extraction)
        assert found.answer == answer
        assert text[slice(*found.span)] == answer


def test_line_ends() -> None:
    """CRLF becomes LF; a lone CR ends a line, as in CommonMark, and stays."""
    assert got("```\r\na\r\n\r\nb\r\n```\r\n") == "a\n\nb"
    assert got("x\r```\ra\rb\r```\rdone") == "a\rb"


def test_tab_that_is_partly_indentation() -> None:
    """CommonMark: what is left of a tab is spaces; other tabs stay."""
    assert got("- ```\n  a\n\tb\tc\n  ```\n") == "a\n  b\tc"


def test_span_with_marks_inside() -> None:
    """The span reaches from the first to the last character of the answer."""
    text = "> ```\r\n>  7\r\n> elm \r\n> ```"
    found = extract(text, truncated=False)
    assert found == Extraction("7\nelm", (10, 18), repaired=False, closed=True)
    assert text[10:18] == "7\r\n> elm"


def test_closed() -> None:
    """Whether the end fence was there, also where the quote around the block ended."""
    for text, closed in (("```\na\n```", True), ("```\na", False), ("> ```\n> a\n\nb", False)):
        found = extract(text, truncated=False)
        assert isinstance(found, Extraction)
        assert found.closed is closed


@pytest.mark.parametrize("mark", ["> ", ">", "- ", "1. "])
def test_deep_nesting(mark: str) -> None:
    """Deeper than the parser's own limit; and too deep a line swallows nothing after it."""
    depth = 70
    inner = mark if mark.startswith(">") else " " * len(mark)
    lines = [mark * depth + "```", inner * depth + "7-elm", inner * depth + "```"]
    assert got("\n".join(lines)) == "7-elm"
    assert got(mark * (3 * MAX_LEVEL) + "x\n\n```\n7-elm\n```") == "7-elm"
    assert got(mark * (3 * MAX_LEVEL) + "x```\n\n```\n7-elm```") == "7-elm"


@pytest.mark.parametrize(
    "text",
    [
        "> " * 5000 + "x\n",
        "- " * 5000 + "x\n",
        ">" * 2_000_000,
        "`" * 300_000 + "x`\n",
        "```x`\n" * 30_000,
        "yes ~~~\n" * 30_000,
        "a line\n" * 100_000,
        "a line\n\n" * 30_000,
        "[" * 100_000,
        "\r" * 100_000,
        "words " * 300_000,
    ],
    ids=lambda text: repr(text[:8]),
)
def test_time(text: str) -> None:
    """Long and odd texts take no more than time in proportion (processor time, generous)."""
    start = time.process_time()
    assert got(f"{text}\n\n```\n7-elm\n```") == "7-elm"
    assert got(f"{text}\n\n```\n7-elm```") == "7-elm"
    assert time.process_time() - start < 8


PROSE = ANY.filter(lambda text: not any(mark in text for mark in ("`", "~", "<think>")))


@given(
    prose=PROSE, answer=ANY, fence=st.sampled_from(["`", "~"]), info=st.sampled_from(["", "c++"])
)
@example(prose="- a\r", answer="\r\n x\r\r\ny\0 \u2003", fence="`", info="")
def test_any_answer_in_any_prose(prose: str, answer: str, fence: str, info: str) -> None:
    """Wrapped in a fence longer than its own runs, every text comes back, stripped."""
    stripped = answer.replace("\r\n", "\n").strip()
    marks = fence * (3 + answer.count(fence))
    # A blank line and one at the margin end whatever quote or list the prose has opened.
    text = f"{prose}\n\nSo:\n{marks}{info}\n{answer}\n{marks}\n"
    found = extract(text, truncated=True)
    if not stripped:
        assert isinstance(found, NoAnswer)
        return
    assert isinstance(found, Extraction)
    assert (found.answer, found.repaired, found.closed) == (stripped, False, True)
    assert text[slice(*found.span)].replace("\r\n", "\n") == stripped
    if "\r\n" in stripped:  # it was CR CR LF: to take the CR of CRLF once more would change it
        return
    again = extract(f"{marks}\n{found.answer}\n{marks}", truncated=False)
    assert isinstance(again, Extraction)
    assert again.answer == found.answer


@given(STRUCTURE, st.booleans())
def test_strict_finds_no_more(text: str, truncated: bool) -> None:
    """Where the strict reading has an answer, so has the tolerant one; never an empty one."""
    strict = extract(text, truncated=truncated, strict=True)
    tolerant = extract(text, truncated=truncated)
    if isinstance(strict, Extraction):
        assert isinstance(tolerant, Extraction)
        assert tolerant == strict or tolerant.repaired
        assert not strict.repaired
    if isinstance(tolerant, Extraction):
        assert tolerant.answer
        assert tolerant.answer == tolerant.answer.strip()
        cut = text[slice(*tolerant.span)]
        assert (cut[0], cut[-1]) == (tolerant.answer[0], tolerant.answer[-1])
        assert tolerant.closed or not truncated
    else:
        assert tolerant.reason
