"""Notes name tabs and keys of the screen, wherever the reports name commands."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import relaybench.reports
from relaybench.cli.commands import LISTED
from relaybench.reports.run_facts import several_forms_notes
from relaybench.tui.results.screen_words import screen_words

_NAMES = "|".join(name for listed in LISTED.values() for name in listed)
_COMMAND = re.compile(rf"relaybench ({_NAMES})\b|--[a-z]")
#: What this screen cannot do, or does not show.
_COMMANDS_ALONE = (
    "relaybench reprice",
    "under another --run name",
    "run --resume RUN --repeats 3",  # of the table of repeats
)


def _texts() -> Iterator[str]:
    """Every text in the sources of the reports; what is put into one stands as a name."""
    folder = Path(relaybench.reports.__file__).parent
    for path in folder.glob("*.py"):  # those of tables: files and pages are no screen
        if path.name.startswith("datasette"):
            continue
        tree = ast.parse(path.read_text("utf-8"))
        words = {
            id(node.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Expr)  # docstrings
        }
        inner = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)
                 for part in node.values}  # fmt: skip
        for node in ast.walk(tree):
            if id(node) in words or id(node) in inner:
                continue
            if isinstance(node, ast.JoinedStr):
                yield "".join(
                    str(part.value) if isinstance(part, ast.Constant) else "x"
                    for part in node.values
                )
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def test_no_note_sends_the_user_out_to_a_command_for_what_is_here() -> None:
    named = [each for each in _texts() if _COMMAND.search(each) and " " in each]
    named = [each for each in named if not re.fullmatch(r"relaybench \w+", each)]  # names of files
    assert len(named) > 8
    left = {each: screen_words(each) for each in named}
    for text in left.values():
        for known in _COMMANDS_ALONE:
            text = text.replace(known, "")
        assert not _COMMAND.search(text), text


def test_notes_name_tabs_and_keys() -> None:
    [note] = several_forms_notes(5, 3)
    assert screen_words(note).endswith(
        "The tab Compare counts problems, Breakdown by form tells the forms apart, Effects "
        "compares them."
    )
    again = "Grade again before comparing: relaybench grade 'my run' --corrected-keys; relaybench "
    assert screen_words(f"{again}grade two --corrected-keys") == (
        "Grade again before comparing: run 'my run' by g on one of its attempts; run two by g on "
        "one of its attempts"
    )
    assert screen_words("as it was") == "as it was"
