"""The keys of the composer, and the words that explain it."""

from __future__ import annotations

from typing import Final

from textual.binding import Binding, BindingType

EXPLAINS: Final = (
    "A composite is 2 to 13 steps, each an instance of a class, wired so that answers feed inputs. "
    "The graph shows them in layers; ▼ with a name is an input that is fed, a dashed box only "
    "feeds others, !2 counts findings. Below the steps stands what becomes of them: composite "
    "prompt, bloat, encoding, final answer; select one of these to change its settings.\n\n"
    "Add steps with a: type to filter, Enter adds. Bind with b: a step that would make a loop or a "
    "wrong key is shown with the reason. Enter on a box goes to the inspector, Enter on a line "
    "there changes it. Every change can be undone, and nothing is written until ^s.\n\n"
    "The tabs below (^PgDn, ^PgUp) follow each change: plain prompt, the exact text that is sent, "
    "the key with its parts, findings (Enter goes to the place) and facts. Where the screen is "
    "small, l and i open the lists and the inspector, z shows graph or tabs alone."
)


def _key(
    keys: str,
    action: str,
    name: str,
    tooltip: str,
    *,
    show: bool = False,
    display: str = "",
    priority: bool = False,
) -> Binding:
    identity = action.partition("(")[0].replace("_", "-")
    return Binding(
        keys, action, name, show=show, id=f"composer.{identity}.{keys.partition(',')[0]}",
        tooltip=tooltip, key_display=display or None, priority=priority,
    )  # fmt: skip


EDITING_KEYS: Final[list[BindingType]] = [
    # With priority: what is typed behind it is for the filter, and no keys of the graph.
    _key(
        "a", "add", "Add", "Add a step: pick an instance of the library", show=True, priority=True
    ),
    _key("b", "bind", "Bind", "Feed an input of the step from another step", show=True),
    _key("g", "augment", "Augment", "Ask for one more change of the step's answer", show=True),
    _key("s", "swap", "Swap", "Let the step use another instance"),
    _key("x,delete", "remove", "Remove", "Take the step out", show=True),
    _key("u", "unbind", "Unbind", "Let an input show its own data again"),
    _key("r", "relabel", "Relabel", "Give the step another label; inputs and answer follow"),
    _key("left_square_bracket,shift+up", "move(-1)", "Move up", "Move the step up the list"),
    _key("right_square_bracket,shift+down", "move(1)", "Move down", "Move the step down the list"),
    _key("o", "bloat", "Bloat on/off", "Fabricated context before the problem, on or off"),
    _key("e", "encode", "Encoding on/off", "Ask in the nonce code or in plain text"),
    _key("n", "new(False)", "New", "Begin a new composite"),
    _key("N", "new(True)", "New private", "Begin one below problems/private, which git ignores"),
    _key("ctrl+s", "save", "Save", "Save this composite", show=True, display="^s"),
    _key("ctrl+z", "undo", "Undo", "Take the last change back", display="^z"),
    _key("ctrl+y,ctrl+shift+z", "redo", "Redo", "Do again what was undone", display="^y"),
    _key("ctrl+r", "revert", "Revert", "Back to what is saved; can be undone", display="^r"),
    # With priority: graph and texts would scroll sideways by them.
    _key(
        "ctrl+pagedown",
        "turn(1)",
        "Tabs",
        "Next of the tabs below (^PgUp: the one before)",
        show=True,
        display="^PgDn",
        priority=True,
    ),
    _key("ctrl+pageup", "turn(-1)", "Tab before", "The tab before", display="^PgUp", priority=True),
    _key("t", "turn(1)", "Next tab", "Next of the tabs below"),
    _key("T", "turn(-1)", "Tab before", "The tab before"),
    _key("l", "side('left')", "Lists", "Show or hide composites and library"),
    _key("i", "side('right')", "Inspector", "Show or hide the inspector"),
    _key("z", "zoom", "Zoom", "Graph or tabs alone, and back"),
    _key("escape", "back", "Back", "Back to the graph"),
]
