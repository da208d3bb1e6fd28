"""Differences between an answer and its key: exact, in whole characters, and in bounded time."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.grading.attribution import attribute
from relaybench.grading.difference import (
    Change,
    clusters,
    differences,
    part_differences,
    spelled,
)

E, M, X = Change.EQUAL, Change.MISSING, Change.EXTRA
TEXTS = st.text(st.sampled_from("ab \u0301\u200b\u200d👩👧é漢\n\r"), max_size=12)


def of(answer: str, key: str) -> list[tuple[Change, str]]:
    return [(each.change, each.text) for each in differences(answer, key)]


@pytest.mark.parametrize(
    ("answer", "key", "segments"),
    [
        ("abc", "abc", [(E, "abc")]),
        ("", "", []),
        ("1170-GX", "1170-XX", [(E, "1170-"), (M, "X"), (X, "G"), (E, "X")]),
        ("abxc", "abc", [(E, "ab"), (X, "x"), (E, "c")]),
        ("ac", "abc", [(E, "a"), (M, "b"), (E, "c")]),
        ("42", "1764", [(M, "1764"), (X, "42")]),  # another text, not a changed one
        ("42 is the answer", "42", [(E, "42"), (X, " is the answer")]),  # whatever it has in common
        ("a: " + "x" * 9, "a: b", [(E, "a: "), (M, "b"), (X, "x" * 9)]),
        ("paris", "Paris", [(M, "P"), (X, "p"), (E, "aris")]),
        ("gnu", "GNU", [(M, "GNU"), (X, "gnu")]),
        ("e\u0301t", "ét", [(M, "é"), (X, "e\u0301"), (E, "t")]),
        ("a\u200bb", "ab", [(E, "a"), (X, "\u200b"), (E, "b")]),
    ],
)
def test_segments(answer: str, key: str, segments: list[tuple[Change, str]]) -> None:
    assert of(answer, key) == segments


@given(TEXTS, TEXTS)
def test_segments_give_both_texts_back_in_whole_characters(answer: str, key: str) -> None:
    found = of(answer, key)
    assert "".join(text for change, text in found if change is not M) == answer
    assert "".join(text for change, text in found if change is not X) == key
    assert all(text for _, text in found)
    assert "".join(clusters(answer)) == answer


def common(one: str, other: str) -> int:
    """Length of a longest common subsequence, by its definition."""
    if not one or not other:
        return 0
    if one[0] == other[0]:
        return 1 + common(one[1:], other[1:])
    return max(common(one[1:], other), common(one, other[1:]))


@given(st.text("abc", max_size=7), st.text("abc", max_size=7))
def test_as_much_as_can_be_is_equal(answer: str, key: str) -> None:
    equal = sum(len(text) for change, text in of(answer, key) if change is E)
    most = common(answer, key)
    assert equal == (most if most >= 0.4 * max(len(answer), len(key)) else ends(answer, key))


def ends(one: str, other: str) -> int:
    """How many characters both begin and end with."""
    front = begins(one, other)
    return front + begins(one[front:][::-1], other[front:][::-1])


def begins(one: str, other: str) -> int:
    """How many characters both begin with."""
    return next(n for n in range(len(one), -1, -1) if other.startswith(one[:n]))


def test_clusters_keep_marks_joiners_and_flags_together() -> None:
    assert clusters("e\u0301\u0323x") == ["e\u0301\u0323", "x"]
    assert clusters("👩\u200d👧🇫🇷🇩🇪👍🏽\r\n") == ["👩\u200d👧", "🇫🇷", "🇩🇪", "👍🏽", "\r\n"]


@pytest.mark.parametrize(
    ("answer", "key"),
    [
        ("x" * 2_000_000, "y" * 1_000_000),
        ("ab " * 100_000, "ba " * 100_000),
        ("x" * 10_000 + "y", "y" + "x" * 10_000),
    ],
)
def test_long_texts_take_bounded_time(answer: str, key: str) -> None:
    started = time.process_time()
    found = of(answer, key)
    assert time.process_time() - started < 3
    assert "".join(text for change, text in found if change is not M) == answer


def parts(answer: str) -> list[tuple[str | None, str | None, bool | None]]:
    key, values, labels = "A-B-C", ("A", "B", "C"), ("X", "Y", "Z")
    steps = attribute(answer, key, values, labels, "-")
    found = part_differences(answer, key, values, labels, "-", steps)
    return [(each.label, each.answer, each.right) for each in found]


def test_parts_are_aligned_as_the_grade_attributes_them() -> None:
    assert parts("A-D-C") == [("X", "A", True), ("Y", "D", False), ("Z", "C", True)]
    assert parts("A-B") == [
        (None, "A-B", False),
        ("X", None, None),
        ("Y", None, None),
        ("Z", None, None),
    ]
    (whole,) = part_differences("a", "b", (), (), "", {})
    assert (whole.label, whole.right) == (None, False)


def test_what_looks_alike_is_named() -> None:
    assert spelled(differences("p\u0430ris", "paris")) == (
        "U+0430 CYRILLIC SMALL LETTER A where the key has U+0061 LATIN SMALL LETTER A",
    )
    assert spelled(differences("ab\u200b", "ab")) == ("extra: U+200B ZERO WIDTH SPACE",)
    assert spelled(differences("ab", "a b")) == ("missing: U+0020 SPACE",)
    assert spelled(differences("abd", "abc")) == ()
    assert spelled(differences("漢" * 50, "ab" * 50)) == ()
