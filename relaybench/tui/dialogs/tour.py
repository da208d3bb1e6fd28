"""The tour: five cards, each over the screen that it speaks of. It writes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Static

from relaybench.tui.dialogs.dialog import Dialog
from relaybench.tui.showing import line, running


@dataclass(frozen=True, slots=True)
class Card:
    """One step of the tour: over which screen it stands, and what it says."""

    mode: str
    title: str
    text: str


CARDS: Final = (
    Card(
        "library",
        "Subproblems live in the library",
        "A class is one prompt with slots; its instances fill the slots and have an answer each. "
        "What is wrong with a problem is said while you type, with the place and the way to mend "
        "it. Everything is a TOML file that you may edit by hand as well. On every screen ? "
        "explains the keys and ^p finds all actions.",
    ),
    Card(
        "composer",
        "The composer wires them together",
        "Each step is an instance. Bind an input to another step's answer and the graph shows the "
        "arrow; a binding that would make a loop or a wrong key is refused with the reason. The "
        "tabs below hold the exact prompt as it is sent, bloat and code included.",
    ),
    Card(
        "run",
        "A run is items x models x repeats",
        "Tick sets and models, read what it will cost, start. Every cell shows what its model is "
        "doing right now. Answers are stored before anything looks at them; a run that was "
        "stopped, or died, goes on where it was and pays for nothing twice.",
    ),
    Card(
        "results",
        "Results are computed from stored answers",
        "Scores come with their intervals, costs with what is not known, and models are compared "
        "on the same items. The export writes the same tables for a paper.",
    ),
    Card(
        "attempt",
        "Any answer can be opened",
        "Prompt, transcript, the answer against the key step by step, every call and its cost. "
        "A key that is wrong can be corrected here and old runs graded again: nothing is sent.",
    ),
)


class TourCard(Dialog[int]):
    """One card; returns how far to go on: 1, -1, or 0 to leave."""

    DEFAULT_CSS = """
    TourCard {
        align: center bottom;
        background: $background 25%;
    }
    TourCard > .dialog {
        width: 76;
        margin-bottom: 1;
        border: round $accent;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "go_on(0)", "Leave", id="tour.leave", tooltip="End the tour"),
        Binding("right,space,n", "go_on(1)", "Next", id="tour.next", tooltip="Next card"),
        Binding("left,p", "go_on(-1)", "Back", id="tour.back", tooltip="Card before"),
    ]

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number

    def compose(self) -> ComposeResult:
        """Title, text, buttons."""
        card = CARDS[self._number]
        with Vertical(classes="dialog"):
            head = f"{self._number + 1} of {len(CARDS)}  {card.title}"
            yield Static(line(head, "bold"), classes="question")
            yield Static(running(card.text))
            with Horizontal(classes="buttons"):
                yield Button("Leave", id="leave")
                if self._number:
                    yield Button("Back", id="back")
                last = self._number == len(CARDS) - 1
                yield Button("Done" if last else "Next", id="next", variant="primary")

    def on_mount(self) -> None:
        """Enter goes on."""
        self.query_one("#next").focus()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        self.action_go_on({"leave": 0, "back": -1}.get(event.button.id or "", 1))

    def action_go_on(self, steps: int) -> None:
        """Leave this card."""
        self.dismiss(steps)
