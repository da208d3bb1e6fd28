"""The keys of the screen Run, and the words that explain it."""

from __future__ import annotations

from typing import Final

from textual.binding import Binding, BindingType

EXPLAINS: Final = (
    "Send problems to models. Tick problems and models (space), choose forms, repeats and a "
    "budget; the estimate follows what you choose. ctrl+r starts. Simulated runs cost nothing "
    "and start at once; real ones ask first.\n\n"
    "While a run goes on its grid shows every cell: · queued, ↑ sending, ≡ queued at the "
    "provider, ∴ thinking, ⊙ searching, # running code, » answering, ↻ retry, ‖ paused turn, "
    "↷ nudged turn, ○ open; then ✓ correct, ✗ wrong, ? unparseable, ⊘ refused, … truncated, "
    "= stalled, ! error (open for a retry), ¿ unclear, ✎ by hand. Enter opens the attempt, or "
    "what was tried so far.\n\n"
    "The run goes on when you leave this screen, and as long as relaybench runs. What has "
    "arrived is stored at once: a run that was stopped, left or killed is listed among the "
    "runs with open cells, and only those cells are sent again. A run that another window or a "
    "command sends goes on elsewhere: it is followed here."
)
BINDINGS: Final[list[BindingType]] = [
    Binding("ctrl+r", "start", "Start", id="run.start", key_display="^r",
            tooltip="Start the run as chosen"),
    Binding("g", "grid", "Grid", id="run.grid", tooltip="The grid of the run shown last"),
    Binding("p", "pause", "Pause", id="run.pause",
            tooltip="Pause: send nothing for now; again: go on"),
    Binding("s", "stop", "Stop", id="run.stop",
            tooltip="Stop gently: send nothing more, let calls under way finish"),
    Binding("S", "stop_now", "Stop now", id="run.stop_now", show=False,
            tooltip="Leave at once: calls under way are lost, though billed"),
    Binding("r", "retry", "Retry", id="run.retry", tooltip="Send failed cells again"),
    Binding("r", "go_on", "Go on", id="run.go_on",
            tooltip="Go on with the run: send its open and failed cells"),
    Binding("plus,equals_sign", "faster", "Calls", id="run.faster", key_display="+-",
            tooltip="One call more at once, at each provider"),
    Binding("minus", "slower", "Fewer calls", id="run.slower", key_display="-", show=False,
            tooltip="One call less at once, at each provider"),
    Binding("c", "lanes", "Calls at once", id="run.lanes", show=False,
            tooltip="Calls at once of one provider, or of all"),
    Binding("t", "top_up", "Top up", id="run.top_up", show=False,
            tooltip="More repeats of this run"),
    Binding("n,escape", "set_up", "New", id="run.set_up", key_display="n",
            tooltip="Set another run up, or go on with one that has open cells"),
]  # fmt: skip
