"""Keys of the screen Attempt, and what `?` says of it."""

from __future__ import annotations

from typing import Final

from textual.binding import Binding

EXPLAINS: Final = """\
One attempt in full: what was asked, what the model said and did, and how its answer was graded.

The list holds the attempts of a run in the plan's order (f narrows it: wrong ones, near misses, \
one model, a triage mark, another run). Moving in the list opens an attempt at once; n and N go \
to the next and previous wrong answer from anywhere. Enter goes to the text, Escape back. ^PgDn \
and ^PgUp change the tab of the attempt; the first letter of a tab goes straight to it.

Answer sets the answer below the key, step by step. Under what differs stands ^ for another \
character, - for a missing one, + for one too many; what does not print is spelled out, and \
characters that only look alike are named. A near miss (~) is wrong only by case, white space, \
Unicode form or invisible characters.

x, k and m mark whose fault an outcome is: the extractor's, the key's or the model's. A mark is a \
note for you and changes no outcome. Where the key itself is wrong, K corrects it in its problem \
file and offers to grade the run again; nothing is sent, and old grades stay in the trail.
"""

BINDINGS: Final = [
    Binding(
        "n", "wrong(1)", "Wrong", id="attempt.next-wrong", tooltip="The next wrong answer below"
    ),
    Binding(
        "N",
        "wrong(-1)",
        "Previous wrong",
        show=False,
        id="attempt.previous-wrong",
        tooltip="The wrong answer before",
    ),
    Binding(
        "right_square_bracket",
        "step(1)",
        "Next",
        show=False,
        id="attempt.next",
        tooltip="The next attempt of the list",
    ),
    Binding(
        "left_square_bracket",
        "step(-1)",
        "Previous",
        show=False,
        id="attempt.previous",
        tooltip="The attempt before in the list",
    ),
    Binding(
        "f",
        "narrow",
        "Filter",
        id="attempt.filter",
        tooltip="Narrow the list: outcome, model, near misses, triage, run",
    ),
    Binding(
        "F",
        "widen",
        "All attempts",
        show=False,
        id="attempt.all",
        tooltip="Show all attempts of the list again",
    ),
    Binding(
        "v",
        "near_misses",
        "Near misses",
        show=False,
        id="attempt.near-misses",
        tooltip="Only near misses, with what each misses by; again: all",
    ),
    Binding(
        "x",
        "mark('extractor')",
        "Extractor",
        id="attempt.extractor-fault",
        tooltip="Mark as the extractor's fault, with a note",
    ),
    Binding(
        "k",
        "mark('key')",
        "Key",
        id="attempt.key-fault",
        tooltip="Mark as the key's fault, with a note",
    ),
    Binding(
        "m",
        "mark('model')",
        "Model",
        id="attempt.model-fault",
        tooltip="Mark as the model's fault, with a note",
    ),
    Binding(
        "u",
        "unmark",
        "Take mark back",
        show=False,
        id="attempt.clear-mark",
        tooltip="Take the triage mark back",
    ),
    Binding(
        "K",
        "fix_key",
        "Fix key",
        id="attempt.fix-key",
        tooltip="Correct the key in its problem file, then grade again",
    ),
    Binding(
        "g",
        "regrade",
        "Grade again",
        show=False,
        id="attempt.regrade",
        tooltip="Grade this run again by keys that were corrected since",
    ),
    Binding(
        "y",
        "copy",
        "Copy answer",
        show=False,
        id="attempt.copy",
        tooltip="Copy the answer to the clipboard",
    ),
    Binding(
        "h",
        "thinking",
        "Thinking",
        show=False,
        id="attempt.thinking",
        tooltip="Show or hide the thinking in the transcript",
    ),
    Binding(
        "slash",
        "search",
        "Search",
        show=False,
        id="attempt.search",
        tooltip="Search in the text that is shown",
    ),
    Binding(
        "l",
        "list",
        "List on/off",
        show=False,
        id="attempt.list",
        tooltip="Hide or show the list, for more room",
    ),
    *(
        Binding(
            name[0],
            f"tab({name!r})",
            name.capitalize(),
            show=False,
            id=f"attempt.{name}",
            tooltip=f"Show: {what}",
        )
        for name, what in (
            ("answer", "the answer against the key, and how it was graded"),
            ("transcript", "what the model said and did"),
            ("prompt", "the exact text that was sent"),
            ("calls", "every call: tokens, cost, retries, waits, errors"),
            ("raw", "request and response of a call as they were sent"),
        )
    ),
    # With priority: texts and tables would scroll sideways by them.
    *(
        Binding(
            key,
            f"turn({by})",
            name,
            show=False,
            id=f"attempt.{name.lower().replace(' ', '-')}",
            tooltip=what,
            key_display=display,
            priority=True,
        )
        for key, by, name, what, display in (
            ("ctrl+pagedown", 1, "Next tab", "The next tab of the attempt", "^PgDn"),
            ("ctrl+pageup", -1, "Tab before", "The tab before", "^PgUp"),
        )
    ),
    Binding(
        "escape",
        "to_list",
        "To the list",
        show=False,
        id="attempt.to-list",
        tooltip="Back to the list",
    ),
]
