"""The keys of the screen Library, and the words that explain it."""

from __future__ import annotations

from typing import Final

from textual.binding import Binding, BindingType

EXPLAINS: Final = (
    "Subproblems are written here. A class is one prompt with {{slots}} and the rules for the "
    "form of its answer; an instance is the data for the slots and the answer.\n\n"
    "At the left the library: n begins a class, r renames one (composites that use it "
    "follow), / filters. Enter opens what has the cursor. * marks unsaved changes, ✗ errors, "
    "! warnings.\n\n"
    "^PgDn goes from the class to its instances and on. There Enter edits a cell: Enter takes it, "
    "Tab takes it and goes on (a status changes by Enter alone), ^j opens a window for several "
    "lines. A {{name}} in the prompt is a column at once.\n\n"
    "Findings and the exact prompt follow as you type; Enter on a finding goes to its place. "
    "Nothing is written until ^s, but what is unsaved is kept in a recovery file beside the "
    "problem file, and offered after a crash (u in the tree looks for it)."
)
BINDINGS: Final[list[BindingType]] = [
    Binding("ctrl+s", "save", "Save", id="library.save", key_display="^s",
            tooltip="Save the class"),
    Binding("ctrl+z", "undo", "Undo", show=False, id="library.undo", key_display="^z",
            tooltip="Take the last change back (in a text: that of the text)"),
    Binding("ctrl+y", "redo", "Redo", show=False, id="library.redo", key_display="^y",
            tooltip="Do again what was undone"),
    Binding("ctrl+r", "revert", "Revert", show=False, id="library.revert", key_display="^r",
            tooltip="Back to what is saved; can be undone"),
    Binding("ctrl+o", "edit_outside", "Editor", show=False, id="library.editor",
            key_display="^o", tooltip="Open the file in $EDITOR, and read it again"),
    Binding("slash", "filter", "Filter", id="library.filter", key_display="/",
            tooltip="Type to filter the library"),
    Binding("escape", "back", "Back", show=False, id="library.back",
            tooltip="Clear the filter, or back to the tree"),
    # With priority: lists and texts would scroll sideways by them.
    Binding("ctrl+pagedown", "step(1)", "Panes", id="library.next", priority=True,
            key_display="^PgDn", tooltip="Go to the next pane (^PgUp: the one before)"),
    Binding("ctrl+pageup", "step(-1)", "Pane before", show=False, id="library.previous",
            key_display="^PgUp", priority=True, tooltip="Go to the pane before"),
    Binding("f11", "step(1)", "Next pane", show=False, id="library.next_f",
            tooltip="Go to the next pane"),
    Binding("f10", "step(-1)", "Pane before", show=False, id="library.previous_f",
            tooltip="Go to the pane before"),
    Binding("f12", "go_to_pane('findings-pane')", "Findings", show=False,
            id="library.findings", tooltip="Go to the findings"),
]  # fmt: skip
