"""Notes of the reports in words for this screen: tabs and keys where they name commands.

The reports' notes are made for whoever prints or exports a table, and tell what to run next. What
can be done here is said by what it is called here; what only a command does keeps its command.
"""

from __future__ import annotations

import re
from typing import Final

_NAME: Final = r"(?:'(?:[^']|'\"'\"')*'|[^\s;)]+)"  # as ``shlex.quote`` writes it
_WORDS: Final = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"relaybench compare --form takes one form alone, relaybench effects compares the forms",
         "The tab Effects compares the forms"),
        (r"relaybench compare counts problems", "The tab Compare counts problems"),
        (r"relaybench breakdown --by form", "Breakdown by form"),
        (r"relaybench effects compares", "Effects compares"),
        (r"with --variant plain --variant bloated --variant encoded",
         "in the forms plain, bloated and encoded (F4)"),
        (r"--variant bloated would tell them", "the form bloated would tell them"),
        (rf"\(relaybench attempts {_NAME} --outcome wrong --item {_NAME}\)", "(Enter on the item)"),
        (rf"correct it in its problem file, then: relaybench grade {_NAME} --corrected-keys",
         "open an attempt at the item and press K: that corrects its problem file and grades "
         "the run again"),
        (rf"relaybench grade ({_NAME}) --corrected-keys", r"run \1 by g on one of its attempts"),
        (r"; --resume asks for it", "; r on its grid (F4) asks for it"),
        (r"relaybench run library:, then name both runs here",
         "run single subproblems (F4), then tick both runs here"),
    )
)  # fmt: skip


def screen_words(note: str) -> str:
    """A note in the words of the screen."""
    for pattern, words in _WORDS:
        note = pattern.sub(words, note)
    return note
