"""Which steps are right, and when nobody can say."""

from __future__ import annotations

import pytest

from relaybench.grading.attribution import attribute


@pytest.mark.parametrize(
    ("answer", "parts", "separator", "steps"),
    [
        ("7-elm-x", ("7", "elm", "x"), "-", (True, True, True)),
        ("7-oak-x", ("7", "elm", "x"), "-", (True, False, True)),
        ("7-elm", ("7", "elm", "x"), "-", (None, None, None)),
        ("7-elm-x-y", ("7", "elm", "x"), "-", (None, None, None)),
        ("-3-elm", ("3", "elm"), "-", (None, None)),
        ("-3-oak", ("-3", "elm"), "-", (None, None)),
        ("-3-elm", ("-3", "elm"), "-", (True, True)),
        ("7oak", ("7", "elm"), "", (None, None)),
        ("7elm", ("7", "elm"), "", (True, True)),
        ("oak", ("elm",), "-", (False,)),
        ("o-ak", ("elm",), "", (False,)),
        # no part holds the separator, but the key has two readings
        ("a---c", ("a-", "b"), "--", (None, None)),
        ("", ("7", "elm"), "-", (None, None)),
        ("x", (), "-", ()),
    ],
)
def test_steps(
    answer: str, parts: tuple[str, ...], separator: str, steps: tuple[bool | None, ...]
) -> None:
    """Only what is certain."""
    labels = "ABC"[: len(parts)]
    found = attribute(answer, separator.join(parts), parts, labels, separator)
    assert found == dict(zip(labels, steps, strict=True))


def test_parts_that_are_not_the_key() -> None:
    """A corrected key with old parts says nothing about the parts."""
    assert attribute("7-elm", "8-elm", ("7", "elm"), "AB", "-") == {"A": None, "B": None}


def test_labels_must_pair_up() -> None:
    """A message of ours, not a silent cut."""
    with pytest.raises(ValueError, match="1 labels for 2 parts"):
        attribute("x", "a-b", ("a", "b"), "A", "-")
    with pytest.raises(ValueError, match="repeat: A, A"):
        attribute("x", "a-b", ("a", "b"), "AA", "-")
