"""Undo and redo for whatever is edited as a value."""

from __future__ import annotations

from typing import Final, Generic, TypeVar

T = TypeVar("T")

#: How many changes can be undone.
_DEPTH: Final = 500


class History(Generic[T]):
    """A value that changes step by step, back and forth. The values must be immutable.

    Keep the file that a value came from out of it: undoing must not bring an old file back.
    """

    def __init__(self, value: T, depth: int = _DEPTH) -> None:
        self._depth = depth
        self._past: list[tuple[T, str]] = []  # a value, and what was done to it
        self._future: list[tuple[T, str]] = []
        self._value = value
        self._saved = value
        self._joining = False

    @property
    def value(self) -> T:
        """The value now."""
        return self._value

    @property
    def changed(self) -> bool:
        """Whether the value differs from the one last saved."""
        return self._value != self._saved

    @property
    def undoes(self) -> str:
        """What ``undo`` would take back; empty: nothing."""
        return self._past[-1][1] if self._past else ""

    @property
    def redoes(self) -> str:
        """What ``redo`` would do again; empty: nothing."""
        return self._future[-1][1] if self._future else ""

    def do(self, value: T, what: str, *, join: bool = False) -> bool:
        """Change the value; ``what`` names the change, as in "delete instance". Says if it did.

        With ``join`` it is one step together with the change before, if that has the same name
        and nothing came between: so a text that is typed is undone as a whole.
        """
        if value == self._value:
            return False
        joined = join and self._joining and bool(self._past) and self._past[-1][1] == what
        if not joined:
            self._past.append((self._value, what))
            del self._past[: -self._depth]
        self._value = value
        self._future.clear()
        self._joining = True
        return True

    def undo(self) -> T:
        """Take the last change back, if there is one; returns the value now."""
        if self._past:
            value, what = self._past.pop()
            self._future.append((self._value, what))
            self._value = value
            self._joining = False
        return self._value

    def redo(self) -> T:
        """Do again what was undone last, if anything; returns the value now."""
        if self._future:
            value, what = self._future.pop()
            self._past.append((self._value, what))
            self._value = value
            self._joining = False
        return self._value

    @property
    def last_saved(self) -> T:
        """The value as it was last saved."""
        return self._saved

    def saved(self, value: T | None = None, *, asked: T | None = None) -> None:
        """The value was saved, and reads as ``value`` there where that is given.

        ``asked`` is the value that was to be saved: what was changed while it was being written
        stays, and is not saved.
        """
        self._saved = self._value if value is None else value
        if asked is None or asked == self._value:
            self._value = self._saved
        self._joining = False
