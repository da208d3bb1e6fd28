"""The panes of a run's set-up: problems, models, how it is sent, and what it may cost."""

from __future__ import annotations

from typing import Final

from textual import on
from textual.app import ComposeResult
from textual.containers import Grid, Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Button, Input, Label, Static

from relaybench.domain.problem import Variant
from relaybench.tui.run.choosing import Branch
from relaybench.tui.run.tick_tree import TickTree
from relaybench.tui.showing import line, running
from relaybench.tui.widgets.pane import Pane

#: Keys of the ticks that are no form.
STRICT, UNPRICED = "strict", "unpriced"
#: Id, label, first value and hint of each field.
_FIELDS: Final = (
    ("repeats", "Repeats", "1", "1"),
    ("at-once", "at once", "", "auto"),
    ("budget", "Budget $", "", "none"),
    ("name", "name", "", "automatic"),
)
_TICKS: Final = (
    (Variant.AS_WRITTEN.value, "as written", "per file"),
    (Variant.PLAIN.value, "plain", "nothing added"),
    (Variant.BLOATED.value, "bloated", "with context"),
    (Variant.ENCODED.value, "encoded", "nonce code"),
    (STRICT, "strict", "mend no slips"),
    (UNPRICED, "unpriced too", "uncapped"),
)
_TIPS: Final = {
    "at-once": "Calls under way at each provider at most; auto: as each model says",
    "repeats": "Attempts per item and model",
    "budget": "USD that the run may cost in all; empty: no limit",
    "name": "Name of the run; empty: its set and the moment",
    "forms": "Forms in which composites are asked; grade strictly: mend no slips in the code "
    "block; with a budget: run models without a price too",
    "start": "Start the run (ctrl+r)",
}


class Problems(Pane):
    """Problems to tick, with a filter."""

    def compose(self) -> ComposeResult:
        """Filter and tree."""
        yield Input(placeholder="type to filter", compact=True, id="problem-filter")
        yield TickTree(id="problems")

    def on_mount(self) -> None:
        """Begin in the tree."""
        self.query_one("#problems").focus()

    @on(Input.Changed)
    def _filter(self, event: Input.Changed) -> None:
        event.stop()
        self.query_one(TickTree).filter(event.value)


class Models(Pane):
    """Cohorts and models to tick."""

    def compose(self) -> ComposeResult:
        """The tree, and why it is empty where it is."""
        yield TickTree(id="models")
        yield Static(id="models-fault", classes="hidden")

    def blame(self, fault: str, *, listed: bool) -> None:
        """Say what is wrong with the files: no model is ``listed``, or they are of before."""
        self.query_one("#models").set_class(bool(fault) and not listed, "hidden")
        words = self.query_one("#models-fault", Static)
        words.set_class(listed, "-listed")
        words.set_class(not fault, "hidden")
        words.update(running(fault, "$text-error"))


class How(Pane):
    """Repeats, calls at once, budget, name; forms and other options to tick; and the start."""

    def compose(self) -> ComposeResult:
        """Fields above, ticks below."""
        with Grid(id="fields"):
            for name, label, value, hint in _FIELDS:
                yield Label(line(label))
                yield Input(value, compact=True, id=name, placeholder=hint)
        with Horizontal(id="ticks"):
            yield TickTree(id="forms")
            yield Button("Start", compact=True, id="start", variant="primary")

    def on_mount(self) -> None:
        """What can be ticked, and the usual."""
        forms = self.query_one(TickTree)
        forms.offer([Branch.leaf(key, label, note) for key, label, note in _TICKS])
        forms.tick({Variant.AS_WRITTEN.value})
        for name, tip in _TIPS.items():
            self.query_one(f"#{name}").tooltip = Content(tip)


class EstimatePane(Pane):
    """What the run will do and may cost."""

    def compose(self) -> ComposeResult:
        """A text that may be longer than the place."""
        with VerticalScroll(id="estimate-scroll"):
            yield Static(id="estimate")
