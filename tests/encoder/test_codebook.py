"""Codes, case twins, and dictionary lines."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import pairwise, product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from encoder import (
    CAPACITY,
    Codebook,
    DamagedDictionaryError,
    EncoderError,
    Entry,
    OutOfCodesError,
    SettingError,
    make_codebook,
    parse_codebook,
)
from tests.encoder.texts import LAWS, seeds

SPELLINGS = 26**3


@cache
def ideographs() -> list[str]:
    """Make more distinct words than there are codes."""
    return ["".join(letters) for letters in product(map(chr, range(0x4E00, 0x4E38)), repeat=3)]


def numbered(size: int) -> list[str]:
    """Return that many distinct words."""
    return ideographs()[:size]


@LAWS
@given(st.integers(0, 300), seeds, st.floats(0, 1))
@example(1, 0, 1.0)
@example(2, 0, 0.001)
@example(3, 0, 1.0)
@example(5, -1, 1.0)
def test_codes_are_distinct_letters_with_enough_twins(size: int, seed: int, share: float) -> None:
    """The laws of a codebook, and that twins are not handed out needlessly."""
    tokens = numbered(size)
    book = make_codebook(tokens, seed=seed, twin_share=share)
    codes = [code for code, _ in book.entries]
    assert all(re.fullmatch("[A-Za-z]{3}", code) for code in codes)
    assert len(set(codes)) == len(codes) == len(book) == size
    assert sorted(token for _, token in book.entries) == tokens
    families = Counter(map(str.lower, codes))
    twins = sum(families[code.lower()] > 1 for code in codes)
    assert book.twins == twins
    if size > 1:
        assert twins >= share * size
    assert twins <= share * size + 2
    assert parse_codebook(book.text) == book


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("size", [SPELLINGS, SPELLINGS + 1, 23_435, 30_001, CAPACITY])
def test_large_codebooks(size: int, share: float) -> None:
    """The laws hold where spellings run short, up to the last code."""
    book = make_codebook(numbered(size), seed=3, twin_share=share)
    assert len({code for code, _ in book.entries}) == size
    assert book.twins >= share * size


def test_one_token_too_many() -> None:
    """Longer codes are not made up."""
    with pytest.raises(OutOfCodesError, match=r"140,609 distinct tokens.*only 140,608 codes"):
        make_codebook(numbered(CAPACITY + 1), seed=0)


def test_the_order_of_the_tokens_makes_no_difference() -> None:
    """Neither order nor repetition of the tokens counts."""
    tokens = numbered(100)
    assert make_codebook(tokens, seed=1) == make_codebook([*tokens[::-1], *tokens], seed=1)


@pytest.mark.parametrize("seed", [0, 1, -1, 2**64 + 1, pytest.param(10**5000, id="huge")])
def test_seeds_differ(seed: int) -> None:
    """Any integer is a seed, and its sign counts."""
    book = make_codebook(numbered(30), seed=seed)
    assert book == make_codebook(numbered(30), seed=seed)
    assert book != make_codebook(numbered(30), seed=seed + 2)


def test_order_and_twins_are_drawn() -> None:
    """Neither the dictionary's order nor who gets a twin follows from the tokens alone."""
    tokens = numbered(40)
    orders, twins = set(), Counter[str]()
    for seed in range(60):
        book = make_codebook(tokens, seed=seed)
        orders.add(tuple(token for _, token in book.entries))
        families = Counter(code.lower() for code, _ in book.entries)
        twins.update(token for code, token in book.entries if families[code.lower()] > 1)
        neighbours = pairwise(book.entries)
        assert sum(a.code.lower() == b.code.lower() for a, b in neighbours) <= 5
    assert len(orders) == 60
    assert set(twins) == set(tokens)
    assert 15 <= min(twins.values()) <= max(twins.values()) <= 45


@pytest.mark.parametrize("share", [-0.01, 1.01, float("nan"), float("inf")])
def test_a_share_outside_its_range(share: float) -> None:
    """The message gives the range and the share."""
    with pytest.raises(SettingError, match="from 0 to 1, not"):
        make_codebook(["a"], seed=0, twin_share=share)


@pytest.mark.parametrize("token", ["`", ":", "<", ">", "\0", "\u200b", "\u0301", "\ud800", "it's"])
@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_a_line_may_name_any_token(token: str, end: str) -> None:
    """Marks of the notation and invisible characters are tokens too."""
    assert parse_codebook(f"<AvY> : {token}{end}").entries == (("AvY", token),)


def test_codes_that_differ_in_case_differ() -> None:
    """Case twins are two codes."""
    book = parse_codebook("<avy> : a\n<AvY> : b\n")
    assert book.entries == (("avy", "a"), ("AvY", "b"))
    assert book.twins == 2


def test_an_empty_dictionary() -> None:
    """No tokens need no lines."""
    assert parse_codebook("") == Codebook(()) == make_codebook([], seed=1)
    assert Codebook(()).text == ""


@pytest.mark.parametrize(
    "line",
    [
        *("", " ", "<AvY>", "<AvY> : ", "<AvY> :word", "<AvY>: word", "<AvY>  : word"),
        *(" <AvY> : word", "<AvY> : two words", "<AvY> : a<AvX> : b c", "<Av> : a", "<AvYz> : a"),
        *("<Av1> : a", "<Av\u00e9> : a", "AvY : a", "<AvY> : \u2028", "<AvY> : a\x85", "word"),
    ],
)
def test_malformed_lines(line: str) -> None:
    """The message gives the line's number and content."""
    with pytest.raises(DamagedDictionaryError) as caught:
        parse_codebook(f"<abc> : x\n{line}\n<abd> : y\n", first_line=10)
    message = str(caught.value)
    assert message.startswith(f"line 11 is no dictionary entry: {line!r}; write it as <code> :")
    assert "\n" not in message


def test_a_long_malformed_line_is_cut() -> None:
    """A message stays short however long the line."""
    with pytest.raises(DamagedDictionaryError, match=r"'x{40}\.\.\.'"):
        parse_codebook("x" * 10_000)


def test_a_code_given_twice() -> None:
    """The message gives both lines."""
    with pytest.raises(
        DamagedDictionaryError, match=r"<abc> is on line 4 and again on line 6.*remove one"
    ):
        parse_codebook("<abc> : x\n<abC> : y\n<abc> : z\n", first_line=4)


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ([("abcd", "x")], r"entry 1: 'abcd' is no code"),
        ([("abc", "x"), ("ab\u0131", "y")], r"entry 2: .* is no code"),
        ([("abc", "")], r"entry 1: '' is no token"),
        ([("abc", "a b")], r"entry 1: 'a b' is no token"),
        ([("abc", "a\n")], r"entry 1: 'a\\n' is no token"),
        ([("abc", "x"), ("abd", "y"), ("abc", "z")], r"entries 1 and 3 both have the code <abc>"),
    ],
)
def test_codebooks_put_together_by_hand(entries: list[tuple[str, str]], message: str) -> None:
    """Entries that no dictionary line could say are refused."""
    with pytest.raises(EncoderError, match=message):
        Codebook(tuple(Entry(*entry) for entry in entries))
