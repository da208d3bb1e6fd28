"""The tree of domains, classes and instances, drawn line by line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from rich.cells import cell_len
from textual.binding import Binding, BindingType
from textual.message import Message

from relaybench.domain.literal import visible
from relaybench.tui.library.outline import Entry, Kind, Row, rows
from relaybench.tui.widgets.lines_view import LinesView, Piece

#: From how many cells on titles stand beside names.
_WIDE_ENOUGH = 40
#: What is said of a file that cannot be read.
_BROKEN = "cannot be read"


class LibraryTree(LinesView):
    """Rows of an outline; unfolds and folds, and keeps its place when the library changes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,l", "unfold", "Unfold", show=False, id="tree.unfold", tooltip="Unfold"),
        Binding("left,h", "fold", "Fold", show=False, id="tree.fold",
                tooltip="Fold, or go to what it is in"),
        Binding("space", "turn", "Fold/unfold", show=False, id="tree.turn",
                tooltip="Fold or unfold"),
        Binding("n", "screen.new_class(False)", "New class", id="library.new-class",
                tooltip="Begin a new class in this domain"),
        Binding("N", "screen.new_class(True)", "New private class", show=False,
                id="library.new-private-class",
                tooltip="Begin a new class below problems/private, which git ignores"),
        Binding("d", "screen.duplicate", "Duplicate", show=False, id="library.duplicate",
                tooltip="Copy the class or instance under another name"),
        Binding("r", "screen.rename", "Rename", id="library.rename",
                tooltip="Rename the class or instance; composites that use it follow"),
        Binding("t", "screen.retire", "Retire", show=False, id="library.retire",
                tooltip="Retire the instance, or all of the class; again: back to draft"),
        Binding("x,delete", "screen.remove", "Remove", show=False, id="library.remove",
                tooltip="Remove the instance, or the class with its file; not while it is used"),
        Binding("u", "screen.recover", "Unsaved work", show=False, id="library.recover",
                tooltip="Look for unsaved work that a crash left behind, or that was kept aside"),
    ]  # fmt: skip

    class Listed(Message):
        """Other rows are shown: ``count`` classes of ``total``."""

        def __init__(self, count: int, total: int) -> None:
            super().__init__()
            self.count, self.total = count, total

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._entries: Sequence[Entry] = ()
        self._rows: list[Row] = []
        self._unfolded: set[str | Path] = set()
        self._words = ""
        self._fresh = True

    @property
    def line_count(self) -> int:
        """How many rows are unfolded."""
        return len(self._rows)

    @property
    def row(self) -> Row | None:
        """The row that has the cursor."""
        return self._rows[self.cursor] if self._rows else None

    def show(self, listed: Sequence[Entry]) -> None:
        """Show other entries; what was unfolded stays so, and the cursor where it was."""
        self._entries = listed
        if self._fresh and listed:
            self._fresh = False
            self._unfolded.update(each.domain for each in listed)
            self._list()
            self.go_to(1, tell=False)
        self._list()

    def filter(self, words: str) -> None:
        """Show only what has all these words."""
        self._words = words
        self._list()
        if words:
            classes = [n for n, row in enumerate(self._rows) if row.kind is not Kind.DOMAIN]
            named = [n for n in classes if words.casefold().strip() in self._rows[n].name]
            self.go_to(next(iter([*named, *classes]), 0))

    def _list(self) -> None:
        before = self.row
        self._rows = rows(self._entries, self._unfolded, self._words)
        if before is not None:
            same = (n for n, row in enumerate(self._rows) if row.same_as(before))
            self.cursor = next(same, self.cursor)
        self.lines_changed()
        classes = {row.path for row in self._rows if row.kind is not Kind.DOMAIN}
        self.post_message(self.Listed(len(classes), len(self._entries)))

    def find(self, path: Path, instance: int | None = None) -> None:
        """Put the cursor on a class or one of its instances, without telling anybody."""
        entry = next((each for each in self._entries if each.path == path), None)
        if entry is None:
            return
        self._unfolded.add(entry.domain)
        if instance is not None:
            self._unfolded.add(path)
        self._list()
        for number, row in enumerate(self._rows):
            if row.path == path and row.instance == instance and row.kind is not Kind.DOMAIN:
                self.go_to(number, tell=False)
                return

    def action_turn(self) -> None:
        """Fold or unfold what has the cursor."""
        if self.row is not None and self.row.open is not None:
            self._set_open(self.row, not self.row.open)

    def action_unfold(self) -> None:
        """Unfold what has the cursor, or go into it."""
        if self.row is None:
            return
        if self.row.open is False:
            self._set_open(self.row, True)
        elif self.row.open:
            self.go_to(self.cursor + 1)

    def action_fold(self) -> None:
        """Fold what has the cursor, or go to what it is in."""
        row = self.row
        if row is None:
            return
        if row.open:
            self._set_open(row, False)
            return
        above = (n for n in range(self.cursor, -1, -1) if self._rows[n].depth < row.depth)
        self.go_to(next(above, self.cursor))

    def _set_open(self, row: Row, is_open: bool) -> None:
        name = row.path or row.name
        (self._unfolded.add if is_open else self._unfolded.discard)(name)
        self._list()

    def clicked(self, number: int, x: int) -> bool:
        """A click at the sign before a name folds or unfolds."""
        row = self._rows[number]
        if row.open is None or x > row.depth * 2 + 1:
            return False
        self._set_open(row, not row.open)
        return True

    def action_choose(self) -> None:
        """A domain is unfolded, a class or instance is opened."""
        if self.row is not None and self.row.kind is Kind.DOMAIN:
            self.action_turn()
        else:
            super().action_choose()

    def line_at(self, number: int) -> list[Piece]:
        """A row: its sign, name, count and marks at the right."""
        row = self._rows[number]
        sign = {None: "  ", True: "▾ ", False: "▸ "}[row.open]
        left: list[Piece] = [("  " * row.depth + sign, "muted")]
        if row.changed:
            left.append(("*", "accent"))
        left.append((visible(row.name), _NAME_STYLES.get(row.kind, "muted" if row.retired else "")))
        if row.kind in (Kind.DOMAIN, Kind.CLASS):
            left.append((f" {row.count}", "muted"))
        if row.private:
            left.append((" private", "muted"))
        if row.kind is Kind.BROKEN:
            left.append((f" {_BROKEN}", "error"))
        if row.kind is Kind.INSTANCE and row.title != "approved":
            left.append((f" {row.title}", "muted"))
        right = _marks(row)
        return _apart(left, right, self._title(row), self.size.width)

    def _title(self, row: Row) -> str:
        return visible(row.title) if row.kind is Kind.CLASS else ""


_NAME_STYLES = {Kind.DOMAIN: "strong", Kind.BROKEN: "error"}


def _marks(row: Row) -> list[Piece]:
    pieces: list[Piece] = []
    if row.marks.errors:
        pieces.append((f" ✗{row.marks.errors}", "error"))
    if row.marks.warnings:
        pieces.append((f" !{row.marks.warnings}", "warning"))
    return pieces


def _apart(left: list[Piece], right: list[Piece], title: str, width: int) -> list[Piece]:
    """Marks at the right edge; a title between where there is room for some of it."""
    used = sum(cell_len(text) for text, _ in left)
    kept = sum(cell_len(text) for text, _ in right) + (1 if right else 0)
    room = width - used - kept
    if room < 0:
        left = _cut(left, width - kept)
        room = width - kept - sum(cell_len(text) for text, _ in left)
    if title and width >= _WIDE_ENOUGH and room > 14:
        shown = title if cell_len(title) <= room - 2 else f"{title[: room - 3]}…"
        while cell_len(shown) > room - 2:
            shown = f"{shown[:-2]}…"
        left = [*left, (f"  {shown}", "muted")]
        room -= cell_len(shown) + 2
    return [*left, (" " * max(room, 0), ""), *right]


def _cut(pieces: list[Piece], width: int) -> list[Piece]:
    kept: list[Piece] = []
    for text, style in pieces:
        if cell_len(text) > width - 1:
            while text and cell_len(text) > width - 1:
                text = text[:-1]
            return [*kept, (f"{text}…", style)]
        kept.append((text, style))
        width -= cell_len(text)
    return kept
