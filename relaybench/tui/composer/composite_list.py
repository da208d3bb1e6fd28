"""The composites of a workspace by set, with what is unsaved and what is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from relaybench.domain.literal import visible
from relaybench.tui.widgets.lines_view import LinesView, Piece

if TYPE_CHECKING:
    from relaybench.domain.finding import Finding
    from relaybench.library.load import Library
    from relaybench.tui.composer.open_composite import OpenComposite


@dataclass(frozen=True, slots=True)
class Entry:
    """A composite in the list; of a line with the name of a set ``ref`` is empty."""

    set_name: str
    ref: str = ""
    steps: int = 0
    title: str = ""
    problems: int = 0
    changed: bool = False
    private: bool = False
    contested: bool = False


def entries(
    library: Library,
    findings: Mapping[str, Sequence[Finding]],
    opened: Iterable[OpenComposite],
) -> list[Entry]:
    """All composites, those that are new and unsaved included, each set with a line of its own."""
    found = {
        ref: Entry(
            loaded.composite.set_name,
            ref,
            len(loaded.composite.steps),
            loaded.composite.title,
            len(findings.get(ref, ())),
            private=loaded.private,
        )
        for ref, loaded in library.composites.items()
    }
    for each in opened:
        known = found.get(each.ref)
        if each.changed or known is None:
            value = each.value
            found[each.ref] = Entry(
                value.set_name,
                each.ref,
                len(value.steps),
                value.title,
                known.problems if known else 0,
                changed=True,
                private=each.file.private,
                contested=each.contested,
            )
    listed: list[Entry] = []
    for ref in sorted(found, key=lambda ref: (found[ref].set_name, ref)):
        entry = found[ref]
        if not listed or listed[-1].set_name != entry.set_name:
            listed.append(Entry(entry.set_name))
        listed.append(entry)
    return listed


class CompositeList(LinesView):
    """One line for a set, one for each of its composites. Enter opens."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("d", "screen.duplicate", "Duplicate", show=False, id="composer.duplicate",
                tooltip="Copy this composite under another name"),
        Binding("x,delete", "screen.delete", "Delete", show=False, id="composer.delete",
                tooltip="Remove this composite's file; asks first"),
        Binding("u", "screen.recover", "Unsaved work", show=False, id="composer.recover",
                tooltip="Look for unsaved work that a crash left behind, or that was kept aside"),
    ]  # fmt: skip

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._entries: Sequence[Entry] = ()
        self._open = ""

    @property
    def line_count(self) -> int:
        """Sets and composites."""
        return len(self._entries)

    @property
    def chosen(self) -> str:
        """The composite that has the cursor; empty on the line of a set."""
        return self._entries[self.cursor].ref if self._entries else ""

    def show(self, listed: Sequence[Entry], is_open: str) -> None:
        """Show other entries and which one is open; the cursor stays on its composite."""
        before = self.chosen or is_open
        moved = is_open != self._open
        self._entries, self._open = listed, is_open
        wanted = is_open if moved else before
        refs = [each.ref for each in listed]
        if wanted in refs:
            self.cursor = refs.index(wanted)
        elif listed and not self.chosen:
            self.cursor = min(self.cursor + 1, len(listed) - 1)
        self.lines_changed()
        self.show_cursor()

    def line_at(self, number: int) -> list[Piece]:
        """What is on a line: its name, its marks, its title as far as there is room."""
        entry = self._entries[number]
        if not entry.ref:
            return [(visible(entry.set_name), "strong")]
        name = entry.ref.rpartition("/")[2]
        sign = "▸" if entry.ref == self._open else " "
        pieces: list[Piece] = [(f"{sign}{'*' if entry.changed else ' '}", "accent")]
        pieces += [(visible(name), ""), (f" {entry.steps}", "muted")]
        if entry.contested:
            pieces.append((" changed outside", "error"))
        if entry.problems:
            pieces.append((f" !{entry.problems}", "error"))
        if entry.private:
            pieces.append((" private", "muted"))
        return [*pieces, (f"  {visible(entry.title)}", "muted")]
