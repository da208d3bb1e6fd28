"""Undo and redo."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from relaybench.workbench.problems.history import History


def test_there_and_back() -> None:
    history = History("a")
    assert not history.changed
    assert history.do("b", "first")
    assert not history.do("b", "nothing")
    history.do("c", "second")
    assert (history.undoes, history.redoes) == ("second", "")
    assert history.undo() == "b"
    assert (history.undoes, history.redoes) == ("first", "second")
    assert history.undo() == "a"
    assert not history.changed
    assert history.undo() == "a"
    assert history.redo() == "b"
    history.do("d", "third")
    assert history.redo() == "d"
    assert history.undo() == "b"


def test_what_is_typed_is_one_step() -> None:
    history = History("")
    for text in ("h", "hi"):
        history.do(text, "title", join=True)
    history.do("hi!", "prompt", join=True)
    assert history.undo() == "hi"
    history.do("ho", "title", join=True)  # not the same step as before the undo
    assert history.undo() == "hi"
    assert history.undo() == ""


def test_saving_is_remembered_and_ends_a_step() -> None:
    history = History("")
    history.do("x ", "title", join=True)
    history.saved("x")
    assert (history.value, history.changed) == ("x", False)
    history.do("xy", "title", join=True)
    assert (history.value, history.changed) == ("xy", True)
    assert (history.undo(), history.changed) == ("x", False)
    assert (history.undo(), history.changed) == ("", True)


@given(st.lists(st.integers(0, 3) | st.sampled_from(["undo", "redo"])))
def test_undo_and_redo_are_inverse(steps: list[int | str]) -> None:
    history = History(0, depth=5)
    for step in steps:
        if isinstance(step, int):
            history.do(step, "set")
        if step == "undo" and history.undoes:
            before = history.value
            history.undo()
            assert history.redo() == before
            history.undo()
        if step == "redo" and history.redoes:
            before = history.value
            history.redo()
            assert history.undo() == before
            history.redo()
    undone = 0
    while history.undoes:
        history.undo()
        undone += 1
    assert undone <= 5
