"""Rows of a text: nothing lost, nothing too wide, marks where they were."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from relaybench.domain.literal import literal, readable
from relaybench.tui.widgets.fitting import both_ends, fitted
from relaybench.tui.widgets.wrapping import Marked, rows_of, shown_text

TEXTS = st.text(st.one_of(st.characters(codec="utf-8"), st.sampled_from(" ab漢́😀\n")), max_size=80)


@given(TEXTS, st.integers(2, 20))
def test_rows_hold_every_character_but_the_spaces_they_break_at(text: str, width: int) -> None:
    lines = literal(text).split("\n")
    for number, line in enumerate(lines):
        rows = [row for row in rows_of(lines, width) if row[0] == number]
        assert rows[0][1] == 0
        assert rows[-1][2] == len(line)
        for before, after in itertools.pairwise(rows):
            assert line[before[2] : after[1]] in ("", " ")


@given(TEXTS, st.integers(2, 20))
def test_no_row_is_wider_than_asked_for(text: str, width: int) -> None:
    lines = literal(text).split("\n")
    for number, start, end in rows_of(lines, width):
        assert sum(cell_len(each) for each in lines[number][start:end]) <= width


def test_words_are_kept_whole_where_they_fit() -> None:
    assert [("one two three")[s:e] for _, s, e in rows_of(["one two three"], 8)] == [
        "one two",
        "three",
    ]


@given(st.text(max_size=20), st.text(max_size=20), st.text(max_size=20))
def test_marks_move_with_what_is_spelled_out(before: str, inside: str, after: str) -> None:
    mark = Marked(len(before), len(before) + len(inside), "bold")
    shown, marks = shown_text(before + inside + after, [mark])
    assert len(marks) == 1
    assert shown[marks[0].start : marks[0].end] == readable(inside).replace("\t", "    ")
    assert marks[0].style == "bold"


def test_heaps_of_marks_are_counted_and_the_unseen_is_spelled_out() -> None:
    shown, _ = shown_text("e" + "\u0301" * 1_000_000 + "\u200bx\U000e0041")
    assert shown == "e" + "\u0301" * 32 + "(+999,968 combining)\\u200bx\\U000e0041"
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467 e\u0301"
    assert shown_text(family)[0] == family


@given(TEXTS.map(lambda text: text.replace("\n", " ")), st.integers(1, 20))
def test_a_fitted_text_takes_exactly_the_room_it_is_given(text: str, room: int) -> None:
    assert cell_len(fitted(literal(text), room)) == room


@given(TEXTS.map(lambda text: text.replace("\n", " ")), st.integers(0, 20))
def test_what_is_too_long_keeps_both_ends_within_its_room(text: str, room: int) -> None:
    shown = both_ends(literal(text), room)
    assert cell_len(shown) <= room or shown == literal(text)
    assert both_ends("simulated-big-20261130-151600", 20) == "simulated-…30-151600"
    assert both_ends("provider/model-2026", 9) == "prov…2026"
    assert both_ends("short", 20) == "short"
