"""A tree in which leaves and whole branches are ticked; what is typed above it filters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from relaybench.domain.literal import visible
from relaybench.tui.run.choosing import Branch, Tick, matching
from relaybench.tui.widgets.lines_view import LinesView, Piece


class TickTree(LinesView):
    """Branches of any size; only what is unfolded has lines."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "tick", "Tick", id="ticks.tick",
                tooltip="Tick or untick, a branch with all that is below it"),
        Binding("right,l", "unfold", "Unfold", show=False, id="ticks.unfold",
                tooltip="Unfold the branch, or go down"),
        Binding("left,h", "fold", "Fold", show=False, id="ticks.fold",
                tooltip="Fold the branch, or go up to it"),
        Binding("a", "untick", "Untick all", show=False, id="ticks.untick",
                tooltip="Untick all"),
    ]  # fmt: skip

    class Changed(Message):
        """Other leaves are ticked."""

        def __init__(self, tree: TickTree) -> None:
            super().__init__()
            self.tree = tree

        @property
        def control(self) -> TickTree:
            """The tree."""
            return self.tree

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.branches: tuple[Branch, ...] = ()
        self.ticked: set[str] = set()
        self._unfolded: set[str] = set()
        self._words: tuple[str, ...] = ()
        self._lines: list[tuple[int, Branch]] = []

    @property
    def line_count(self) -> int:
        """How many branches and leaves are unfolded."""
        return len(self._lines)

    def offer(self, branches: Sequence[Branch]) -> None:
        """Show other branches; ticks of leaves that are still there stay."""
        self.branches = tuple(branches)
        gone = self.ticked - self._known()
        self.ticked -= gone
        self._list()
        if gone:
            self.post_message(self.Changed(self))

    def _known(self) -> set[str]:
        return {leaf for branch in self.branches for leaf in branch.leaves}

    def filter(self, words: str) -> None:
        """Show only what fits all words, unfolded."""
        self._words = tuple(words.split())
        self._list()

    def tick(self, leaves: Iterable[str]) -> None:
        """Tick exactly these leaves, as far as they are there."""
        self.ticked = set(leaves) & self._known()
        self.refresh()
        self.post_message(self.Changed(self))

    def _list(self) -> None:
        before = self._lines[self.cursor][1].key if self._lines else None
        shown = self.branches
        if self._words:
            found = (matching(branch, self._words) for branch in self.branches)
            shown = tuple(branch for branch in found if branch is not None)
        self._lines = list(self._below(shown, 0))
        keys = [branch.key for _, branch in self._lines]
        if before in keys:
            self.cursor = keys.index(before)
        self.lines_changed()

    def _below(self, branches: Sequence[Branch], depth: int) -> Iterator[tuple[int, Branch]]:
        for branch in branches:
            yield depth, branch
            if self._is_open(branch):
                yield from self._below(branch.children, depth + 1)

    def _is_open(self, branch: Branch) -> bool:
        return bool(branch.children) and (bool(self._words) or branch.key in self._unfolded)

    def line_at(self, number: int) -> list[Piece]:
        """Sign, tick, name, and what is noted about it."""
        depth, branch = self._lines[number]
        tick = branch.tick(self.ticked)
        sign = ("▾ " if self._is_open(branch) else "▸ ") if branch.children else "  "
        style = "" if tick is Tick.NONE else "strong"
        pieces = [("  " * depth + sign, "muted"), (f"[{tick.value}] ", style)]
        pieces.append((visible(branch.label), style))
        if branch.note:
            pieces.append((f"  {visible(branch.note)}", "muted"))
        return pieces

    def clicked(self, number: int, x: int) -> bool:
        """A click on the sign folds and unfolds, anywhere else it ticks."""
        depth, branch = self._lines[number]
        self.go_to(number)
        if branch.children and x < 2 * depth + 2:
            self._set_open(branch, not self._is_open(branch))
        else:
            self.action_tick()
        return True

    def action_choose(self) -> None:
        """Enter ticks too."""
        self.action_tick()

    def action_tick(self) -> None:
        """Tick or untick what has the cursor."""
        if not self._lines:
            return
        branch = self._lines[self.cursor][1]
        if branch.tick(self.ticked) is Tick.ALL:
            self.ticked -= branch.leaves
        else:
            self.ticked |= branch.leaves
        self.refresh()
        self.post_message(self.Changed(self))

    def action_untick(self) -> None:
        """Untick all."""
        self.tick(())

    def _set_open(self, branch: Branch, unfolded: bool) -> None:
        (self._unfolded.add if unfolded else self._unfolded.discard)(branch.key)
        self._list()

    def action_unfold(self) -> None:
        """Unfold what has the cursor, or go down."""
        if not self._lines:
            return
        branch = self._lines[self.cursor][1]
        if branch.children and not self._is_open(branch):
            self._set_open(branch, True)
        else:
            self.go_to(self.cursor + 1)

    def action_fold(self) -> None:
        """Fold what has the cursor, or go up to what it is in."""
        if not self._lines:
            return
        depth, branch = self._lines[self.cursor]
        if self._is_open(branch) and not self._words:
            self._set_open(branch, False)
            return
        above = (n for n in range(self.cursor, -1, -1) if self._lines[n][0] < depth)
        self.go_to(next(above, self.cursor))
