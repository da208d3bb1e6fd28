"""The lists at the left: runs to look at, and what to keep of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from relaybench.domain.literal import visible
from relaybench.reports.filters import Filters
from relaybench.tui.results.run_rows import RunEntry
from relaybench.tui.results.shelf import Known
from relaybench.tui.showing import line
from relaybench.tui.widgets.fitting import both_ends

#: Cells at the left of an entry on which a click ticks it.
_TICK_CELLS = 4
#: Cells of an entry before the list was laid out.
_WIDTH = 31


class TickList(OptionList):
    """A list whose entries are ticked by space or by a click on their box."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "tick", "Tick", show=False, id="results.tick", tooltip="Tick or untick"),
    ]

    class Ticked(Message):
        """An entry was ticked or unticked; ``key`` is its id."""

        def __init__(self, ticks: TickList, key: str) -> None:
            super().__init__()
            self.ticks, self.key = ticks, key

        @property
        def control(self) -> TickList:
            """The list, for ``@on`` with a selector."""
            return self.ticks

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._clicked_at: int | None = None

    @property
    def current(self) -> str | None:
        """The id of the entry under the cursor."""
        if self.highlighted is None:
            return None
        return self.get_option_at_index(self.highlighted).id

    def action_tick(self) -> None:
        """Tick the entry under the cursor, or untick it."""
        if self.current is not None:
            self.post_message(self.Ticked(self, self.current))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Remember where, for the click that follows."""
        self._clicked_at = event.x

    def clicked(self, *, on_box: bool = False) -> bool:
        """Whether the choice just made was a click, and (``on_box``) one that ticks."""
        at, self._clicked_at = self._clicked_at, None
        return at is not None and (not on_box or at < _TICK_CELLS)

    def fill(self, options: Sequence[Option]) -> None:
        """Show these entries; the cursor stays on the one that it is on."""
        at, scrolled = self.current, self.scroll_y
        self.clear_options()
        self.add_options(options)
        ids = [option.id for option in options]
        if options:
            first = next((n for n, option in enumerate(options) if not option.disabled), None)
            self.highlighted = ids.index(at) if at in ids else first
        self.scroll_to(y=scrolled, animate=False)


class RunList(TickList):
    """The runs: enter shows one, space puts several together."""

    def show(self, runs: Sequence[RunEntry], chosen: Collection[str]) -> None:
        """Show runs, those that are looked at marked."""
        room = (self.scrollable_content_region.width or _WIDTH) - _TICK_CELLS
        self.fill([Option(_run(each, each.name in chosen, room), id=each.name) for each in runs])


def _run(run: RunEntry, chosen: bool, room: int) -> Content:
    box = line("[x] " if chosen else "[ ] ", "bold $text-primary" if chosen else "$text-muted")
    name = line(both_ends(visible(run.name), room), "bold" if chosen else "")
    below = line(f"    {run.when[5:]} {run.size} {run.state}", "$text-muted")
    return Content("\n").join([box + name, below])


class FilterList(TickList):
    """Sets, domains and models: those that are ticked are kept, all of a kind where none is."""

    def show(self, known: Known, filters: Filters) -> None:
        """Show what there is to choose from."""
        options: list[Option] = []
        for kind, names, kept in (
            ("set", known.sets, filters.sets),
            ("domain", known.domains, filters.domains),
            ("model", known.models, filters.models),
        ):
            if not names:
                continue
            options.append(Option(line(f"{kind}s", "$text-muted"), disabled=True))
            for name in names:
                box = "[x] " if name in kept else "[ ] "
                style = "bold $text-primary" if name in kept else ""
                options.append(Option(line(box + name, style), id=f"{kind} {name}"))
        self.fill(options)


def toggled(filters: Filters, key: str) -> Filters:
    """The filters after an entry of the list was ticked or unticked."""
    kind, _, name = key.partition(" ")

    def turned(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(each for each in names if each != name) if name in names else (*names, name)

    return Filters(
        models=turned(filters.models) if kind == "model" else filters.models,
        sets=turned(filters.sets) if kind == "set" else filters.sets,
        domains=turned(filters.domains) if kind == "domain" else filters.domains,
    )


def kept_words(filters: Filters) -> str:
    """What is kept, in a few words for the headline."""
    parts = []
    for kind, names in (
        ("set", filters.sets),
        ("domain", filters.domains),
        ("model", filters.models),
    ):
        if names:
            parts.append(names[0] if len(names) == 1 else f"{len(names)} {kind}s")
    return f"only {', '.join(parts)}" if parts else ""
