"""What counts as nearly right, and how the difference is named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.grading.near_miss import describe, fold, is_near_miss

ANY = st.text(st.characters(codec=None, categories=None), max_size=20)


@pytest.mark.parametrize(
    ("answer", "key", "note"),
    [
        ("ELM-7", "elm-7", "differs only in letter case"),
        ("Straße", "STRASSE", "differs only in letter case"),
        ("lib:\u200bcore", "lib:core", "U+200B ZERO WIDTH SPACE at position 5"),
        (
            "7\xa0km",
            "7 km",
            "U+00A0 NO-BREAK SPACE at position 2 where the key has U+0020 SPACE",
        ),
        ("7km", "7 km", "U+0020 SPACE missing, at position 2 of the key"),
        ("a\x07b", "ab", "U+0007 at position 2"),
        (
            "x\ufe0f\u00ad",
            "x",
            "U+FE0F VARIATION SELECTOR-16 at position 2; U+00AD SOFT HYPHEN at position 3",
        ),
        (
            "a b c d e",
            "abcde",
            "U+0020 SPACE at position 2; U+0020 SPACE at position 4; "
            "U+0020 SPACE at position 6; and 1 more",
        ),
        (
            "cafe\u0301",
            "caf\xe9",
            "differs only in Unicode form (composed or decomposed characters)",
        ),
        (
            "\uff17-elm",
            "7-elm",
            "differs only in compatible forms of characters: U+FF17 FULLWIDTH DIGIT SEVEN at "
            "position 1 where the key has U+0037 DIGIT SEVEN",
        ),
        (
            "E\u200blm",
            "elm",
            "differs only in letter case, Unicode form or invisible characters: U+0045 LATIN "
            "CAPITAL LETTER E at position 1 where the key has U+0065 LATIN SMALL LETTER E",
        ),
    ],
)
def test_near(answer: str, key: str, note: str) -> None:
    """Near, with the difference in words."""
    assert is_near_miss(answer, key)
    assert describe(answer, key) == note


@pytest.mark.parametrize(
    ("answer", "key"),
    [
        ("7-elm", "7-elm"),
        ("7-elm", "8-elm"),
        ("7elm", "7-elm"),
        ("\u201cyes\u201d", '"yes"'),
        ("e", "\xe9"),
    ],
)
def test_not_near(answer: str, key: str) -> None:
    """An equal answer is no miss; another symbol, quote or accent is not near."""
    assert not is_near_miss(answer, key)


@given(
    ANY, st.sampled_from("\u200b\xad\ufe0f\u2060 \xa0\t\0\ufeff\u034f\u3164"), st.integers(0, 20)
)
def test_hidden_characters_never_matter(text: str, hidden: str, at: int) -> None:
    """One more hidden character anywhere: near, and named."""
    longer = text[:at] + hidden + text[at:]
    assert fold(longer) == fold(text) == fold(fold(text))
    assert is_near_miss(longer, text)
    assert describe(longer, text)
    assert describe(text, longer)
