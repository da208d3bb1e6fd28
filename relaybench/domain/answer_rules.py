"""What a class's own rules forbid in its answers.

Rules are sentences for a model to read. Those that say something a program can hold an answer
against are recognised where the whole sentence has one of the forms below; anything finer is
written as ``pattern``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

_Check = Callable[[str], bool]

_ANSWER: Final = r"(?:(?:give|write|put|format) (?:your |the )?(?:answer|result|date|name) )?"
_GIVE: Final = r"(?:(?:give|write|use|answer with) )?"

#: A whole rule (small letters, no full stop) -> what it wants of every answer, and its check.
#: Only whole sentences count: a phrase inside a longer rule may speak of a part of the answer.
_SENTENCES: Final[tuple[tuple[str, str, _Check], ...]] = (
    (
        rf"(?:{_GIVE}|{_ANSWER}as )an? (?:integer|whole number)",
        "an integer",
        lambda a: bool(re.fullmatch(r"[+-]?[0-9]+", a)),
    ),
    (rf"{_GIVE}(?:only )?digits(?: only)?", "digits only", lambda a: a.isascii() and a.isdigit()),
    (
        rf"(?:{_ANSWER}|{_GIVE})(?:in |use )?(?:all caps|all capitals|upper case|uppercase)"
        r"(?: letters)?(?: only)?",
        "no small letters",
        lambda a: a == a.upper(),
    ),
    (
        rf"(?:{_ANSWER}|{_GIVE})(?:in |use )?(?:lower case|lowercase|small letters)"
        r"(?: letters)?(?: only)?",
        "no capitals",
        lambda a: a == a.lower(),
    ),
    (
        rf"{_ANSWER}(?:without|use no|no) spaces|replace (?:any|all|each) spaces? "
        r"(?:with|by) (?:an? |one )?underscores?",
        "no spaces",
        lambda a: not re.search(r"\s", a),
    ),
    (rf"{_GIVE}(?:ascii characters only|ascii only|no non-ascii characters)", "ASCII", str.isascii),
    (
        rf"{_ANSWER}as yyyymmdd",
        "a date as YYYYMMDD",
        lambda a: bool(re.fullmatch(r"\d{4}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])", a, re.ASCII)),
    ),
    (
        rf"{_ANSWER}as yyyy-mm-dd",
        "a date as YYYY-MM-DD",
        lambda a: bool(re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])", a, re.ASCII)),
    ),
)


def broken_rules(answer: str, rules: Sequence[str]) -> list[str]:
    """Name what the answer breaks: ``'"Give an integer." wants an integer'`` for each rule."""
    broken = []
    for rule in rules:
        sentence = rule.strip().rstrip(".").lower()
        for form, wants, holds in _SENTENCES:
            if re.fullmatch(form, sentence) and not holds(answer):
                broken.append(f"its rule “{rule}” wants {wants}")
    return broken


def unfit_form(answer: str) -> str | None:
    """Say why no code block could ever give this answer back exactly, or None where one can."""
    if not answer:
        return "is empty"
    if any(char in answer for char in "\n\r\v\f\x85\u2028\u2029"):
        return "has a line break"
    if "```" in answer or "~~~" in answer:
        return "holds a code fence"
    if answer != answer.strip():
        return "begins or ends with white space, which is cut off before comparing"
    if any(ord(char) < 32 or 127 <= ord(char) < 160 for char in answer):
        return "holds a control character"
    return None
