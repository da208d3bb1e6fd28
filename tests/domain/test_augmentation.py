"""Augmentations: laws, exact results, and how they are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.composing.style import standard_style
from relaybench.domain.augmentation import KINDS, augment, names, parse_augmentation
from relaybench.domain.errors import AugmentationError

TEXTS = st.text(max_size=30)
EXACT = [
    ("upper", "aB c-ß", "AB C-SS"),
    ("lower", "aB C-É", "ab c-é"),
    ("spaces-to-underscores", " a  b\t", "_a__b\t"),
    ("remove-spaces", " a  b\tc", "ab\tc"),
    ("reverse", "abc 1", "1 cba"),
    ("caesar:3", "xyz XYZ-9é", "abc ABC-9é"),
    ("caesar:25", "abc", "zab"),
    ("every:2", "abcdefg", "bdf"),
    ("every:3", "abcdefg", "cf"),
    ("every:9", "abc", ""),
    ("sort", "bA1a-B", "-1ABab"),
    ("non-letters-to-underscores", "a1 b-É", "a__b_É"),
    ("first:2", "abc", "ab"),
    ("first:9", "abc", "abc"),
    ("last:2", "abc", "bc"),
    ("last:9", "abc", "abc"),
    ("rot13", "Hello, World 9", "Uryyb, Jbeyq 9"),
]


@pytest.mark.parametrize(("written", "text", "result"), EXACT)
def test_exact_results(written: str, text: str, result: str) -> None:
    augmentation = parse_augmentation(written)
    assert augmentation.apply(text) == result
    assert str(augmentation) == written


def test_every_kind_has_an_exact_result_above_and_a_sentence() -> None:
    assert {written.split(":")[0] for written, _, _ in EXACT} == set(KINDS)
    style = standard_style()
    for written, _, _ in EXACT:
        kind = parse_augmentation(written)
        sentence = style.sentence(kind)
        assert sentence.endswith((".", ")."))
        assert "{{" not in sentence
        assert not kind.kind.takes_number or str(kind.number) in sentence
        assert kind.kind.name in names()


def test_they_are_applied_from_left_to_right() -> None:
    assert augment("a b c", ["upper", "remove-spaces", "reverse", "caesar:1"]) == "DCB"
    assert augment("a b c", []) == "a b c"


@given(TEXTS)
def test_rot13_twice_and_reverse_twice_change_nothing(text: str) -> None:
    assert augment(text, ["rot13", "rot13"]) == text
    assert augment(text, ["reverse", "reverse"]) == text


@given(TEXTS, st.integers(1, 25))
def test_caesar_and_its_rest_change_nothing(text: str, shift: int) -> None:
    assert augment(text, [f"caesar:{shift}", f"caesar:{26 - shift}"]) == text


@given(TEXTS)
def test_idempotent_kinds(text: str) -> None:
    for name in ("sort", "lower", "upper", "remove-spaces", "spaces-to-underscores"):
        assert augment(text, [name, name]) == augment(text, [name])


@given(TEXTS, st.integers(2, 40))
def test_lengths(text: str, number: int) -> None:
    for name in ("reverse", "sort", "rot13", "caesar:7", "spaces-to-underscores"):
        assert len(augment(text, [name])) == len(text)
    assert len(augment(text, ["non-letters-to-underscores"])) == len(text)
    assert len(augment(text, [f"every:{number}"])) == len(text) // number
    for name in ("first", "last"):
        assert len(augment(text, [f"{name}:{number}"])) == min(len(text), number)
    assert len(augment(text, ["remove-spaces"])) == len(text) - text.count(" ")
    cut = augment(text, [f"first:{number}"]) + text[number:]
    assert cut == text
    assert sorted(augment(text, ["sort"])) == sorted(text)


@pytest.mark.parametrize(
    ("written", "part"),
    [
        ("uper", "no augmentation is called 'uper'; there are: upper, lower"),
        ("", "no augmentation is called ''"),
        ("Upper", "no augmentation is called 'Upper'"),
        ("upper:1", "upper takes no number; write it as 'upper'"),
        ("upper:", "upper takes no number"),
        ("caesar", "caesar needs a whole number from 1 to 25, as in 'caesar:1'"),
        *((f"caesar:{bad}", "from 1 to 25") for bad in ("0", "26", "-1", "+3", " 3", "3.0", "３")),
        *((f"every:{bad}", "from 2 to 1000") for bad in ("1", "1001", "9" * 5000, "²", "1_0", "")),
        ("first:0", "first needs a whole number from 1 to 1000"),
    ],
)
def test_what_cannot_be_read(written: str, part: str) -> None:
    with pytest.raises(AugmentationError) as caught:
        parse_augmentation(written)
    assert part in str(caught.value)
