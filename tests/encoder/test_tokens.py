"""Splitting and joining."""

from __future__ import annotations

import sys
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given

from encoder.letters import letter_class
from encoder.tokens import is_space, join, split
from tests.encoder.texts import LAWS, texts


@LAWS
@given(texts)
def test_joining_is_the_inverse(text: str) -> None:
    """Splitting loses nothing."""
    assert join(split(text)) == text


@LAWS
@given(texts)
def test_pieces_follow_the_rules(text: str) -> None:
    """Words are letters and maximal; all else stands alone."""
    kinds = []
    for piece in split(text):
        assert piece
        if is_space(piece):
            kinds.append("space")
        elif len(piece) > 1 or piece.isalpha():
            assert piece.isalpha()
            kinds.append("word")
        else:
            kinds.append("symbol")
    if sys.version_info < (3, 12):  # later ones have letters that are too new for a word
        for pair in pairwise(kinds):
            assert pair not in [("word", "word"), ("space", "space")]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", []),
        ("The the THE", ["The", " ", "the", " ", "THE"]),
        ("2021", ["2", "0", "2", "1"]),
        ("Qwen3 4th", ["Qwen", "3", " ", "4", "th"]),
        ("it's `a_b`^2", ["it", "'", "s", " ", "`", "a", "_", "b", "`", "^", "2"]),
        (" \r\n\tx", [" \r\n\t", "x"]),
        ("caf\u00e9 e\u0301", ["caf\u00e9", " ", "e", "\u0301"]),
        ("x\u00b2y \u2167", ["x", "\u00b2", "y", " ", "\u2167"]),
        ("\u0661\u0662", ["\u0661", "\u0662"]),
        ("\u4e00\u4e8c3", ["\u4e00\u4e8c", "3"]),
        ("a\u200bb", ["a", "\u200b", "b"]),
        ("\ud800\udc00", ["\ud800", "\udc00"]),
        ("\U00010400\U00010401!", ["\U00010400\U00010401", "!"]),
        ("a\u2028b\x1cc", ["a", "\u2028", "b", "\x1c", "c"]),
        ("<AvY>", ["<", "AvY", ">"]),
    ],
)
def test_examples(text: str, pieces: list[str]) -> None:
    """The rules, case by case."""
    assert split(text) == pieces


def test_letters_are_those_of_the_oldest_supported_python() -> None:
    """The pinned table is right, and newer Pythons only add to it."""
    inside = letter_class()
    pinned: set[str] = set()
    for start in range(0, len(inside), 3):
        first, dash, last = tuple(inside[start : start + 3])
        assert dash == "-"
        pinned.update(map(chr, range(ord(first), ord(last) + 1)))
    known = {chr(point) for point in range(sys.maxunicode + 1) if chr(point).isalpha()}
    assert pinned <= known
    assert len(pinned) == 131_756
    if unicodedata.unidata_version == "14.0.0":
        assert pinned == known


def test_a_letter_newer_than_the_table_is_a_symbol_on_every_python() -> None:
    """Else the same seed would give other bytes on another Python."""
    newer = "\U00031350"  # a CJK character of Unicode 15.0
    assert split(f"a{newer}{newer}b") == ["a", newer, newer, "b"]
