"""An answer below its key: columns stay below each other, and marks say what differs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from relaybench.grading.difference import differences
from relaybench.reports.answer_lines import aligned, line_text
from relaybench.reports.plain_format import text_width


def lines(answer: str, key: str, width: int = 60) -> list[str]:
    return [
        line
        for row in aligned(differences(answer, key), width)
        for line in (line_text(row.key), line_text(row.answer), row.marks)
    ]


def test_marks_stand_below_what_differs() -> None:
    assert lines("GXLCM", "XXLCM") == ["XXLCM", "GXLCM", "^"]
    assert lines("ac", "abc") == ["abc", "a░c", " -"]
    assert lines("abxc", "abc") == ["ab░c", "abxc", "  +"]
    assert lines("日木語", "日本語") == ["日本語", "日木語", "  ^^"]
    assert lines("a\u200bb", "ab") == ["a░░░░░░b", "a\\u200bb", " ++++++"]
    assert lines("same", "same") == ["same", "same", ""]
    assert lines("42 is so", "42") == ["42░░░░░░", "42 is so", "  ++++++"]


@given(st.text("abc", max_size=20), st.text("abc", max_size=20))
def test_no_mark_stands_below_a_character_that_is_the_same(answer: str, key: str) -> None:
    rows = aligned(differences(answer, key), 60)
    for row in rows:
        columns = zip(line_text(row.key), line_text(row.answer), row.marks, strict=False)
        assert all((right == mine) is (mark == " ") for right, mine, mark in columns)


def test_pieces_say_which_of_them_differ() -> None:
    (row,) = aligned(differences("GXLCM", "XXLCM"), 60)
    assert row.key == (("X", True), ("XLCM", False))
    assert row.answer == (("G", True), ("XLCM", False))


def test_long_equal_pieces_lose_their_middle() -> None:
    shown = "".join(lines("a" * 5000 + "x", "a" * 5000 + "y", 100))
    assert "4,520 equal characters" in shown
    assert len(shown) < 2000
    assert "more characters" in "".join(lines("x" * 5000, "y" * 5000))


@given(st.text(max_size=20), st.text(max_size=20), st.integers(12, 40))
def test_rows_fit_and_are_of_one_width(answer: str, key: str, width: int) -> None:
    for row in aligned(differences(answer, key), width):
        above, below = line_text(row.key), line_text(row.answer)
        assert text_width(above) == text_width(below) >= len(row.marks)
        assert above.isprintable()
        assert below.isprintable()
