"""What the screen Manual says of itself, and its keys."""

from __future__ import annotations

from typing import Final

from textual.binding import Binding

NOTHING: Final = "No run has a manual model"
NEXT_STEP: Final = (
    "For a model that has only a web page: on Models (F3) press n and give it the provider "
    "manual, then start a run with it (F4). Nothing is sent for it: its cells wait here.\n\n"
    "Or: relaybench model add chat --provider manual --id gpt-6\n"
    "    relaybench run SET --model chat"
)
EXPLAINS: Final = (
    "For models that have only a web page. c copies the prompt exactly as it is, to be pasted "
    "there; over SSH too, where the terminal takes it (OSC 52). Where it does not, f writes "
    "the prompt into a file and says where.\n\n"
    "Paste the model's whole answer into the field and press ^s: it is stored, then graded, "
    "as an attempt of the run like any other. An answer that is stored is never overwritten; "
    "n goes on to the next open cell. What is not graded is kept in a file of .prompts/ and here "
    "again at the next start.\n\n"
    "Tokens and cost are what the page tells; left empty they are unknown, never 0."
)
BINDINGS: Final = (
    Binding("c", "copy", "Copy prompt", id="manual.copy", tooltip="Copy the exact prompt"),
    Binding("f", "file", "To file", id="manual.file", tooltip="Write the prompt into a file"),
    Binding(
        "ctrl+s",
        "grade",
        "Grade",
        id="manual.grade",
        priority=True,
        tooltip="Store the pasted answer and grade it",
    ),
    Binding("n", "next", "Next open", id="manual.next", tooltip="The next cell that is open"),
    Binding("r", "run", "Run", id="manual.run", tooltip="Choose another run"),
    Binding(
        "o",
        "attempt",
        "Open attempt",
        show=False,
        id="manual.attempt",
        tooltip="The answered cell's attempt in full",
    ),
    Binding(
        "escape",
        "back",
        "To the list",
        show=False,
        id="manual.back",
        tooltip="Back to the list of cells",
    ),
)
