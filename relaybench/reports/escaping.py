"""Text of models and authors made harmless in each format: literal, on one line, in full view.

What cannot be seen (control characters, escape sequences, bidi overrides, zero-width and odd
spaces, lone surrogates) is shown as an escape such as ``\\x1b``, everywhere but in JSON, which
has escapes of its own and keeps text exactly.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from relaybench.domain.literal import visible

# --- CSV ---------------------------------------------------------------------------------------

_NUMBER: Final = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")
#: What a spreadsheet set to another language takes for the end of a cell: it splits at ; or TAB,
#: and then our quotes in the middle of its cell mean nothing, so that a line break splits too.
_SEPARATORS: Final = ";\t\r\n"
_MINUS_SIGN: Final = "\u2212"
#: What must be looked at closely; nearly every text of a big export is done with here.
_SUSPECT: Final = re.compile(r"""(?:^|[;\t\r\n])[\s"']*[=+\-@]|^[\t\r\n]|[^\x00-\x7f]""")


def _is_formula_sign(character: str) -> bool:
    # NFKC maps the full-width, small and raised forms to the plain signs.
    return character == _MINUS_SIGN or unicodedata.normalize("NFKC", character) in set("=+-@")


def defused(text: str) -> str:
    """Text that no spreadsheet takes for a formula.

    An apostrophe goes before a text that begins with ``= + - @`` (in any width, after white space
    or quotes too), TAB, CR or LF, and before such a sign that follows ``;``, TAB or a line break
    further on. A text that is nothing but a number stays as it is.
    """
    if not _SUSPECT.search(text) or _NUMBER.fullmatch(text):
        return text
    leading = text.startswith(("\t", "\r", "\n"))
    pieces: list[str] = []
    fresh, inner = True, False  # whether a cell may begin here, and whether it is a later one
    for character in text:
        if fresh and _is_formula_sign(character):
            if inner:
                pieces.append("'")
            else:
                leading = True
        pieces.append(character)
        if character in _SEPARATORS:
            fresh = inner = True
        else:
            fresh = fresh and (character.isspace() or character in "\"'")
    return ("'" if leading else "") + "".join(pieces)


def csv_text(text: str) -> str:
    """A text as a CSV cell holds it: visible but for TAB and line breaks, and defused."""
    return defused(visible(text, keep="\t\r\n"))


# --- Markdown ----------------------------------------------------------------------------------

_MARKDOWN: Final = {
    **{each: "\\" + each for each in "\\`*_[]#!~|$"},
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
}


def markdown_text(text: str) -> str:
    """A text that Markdown (GitHub's too) shows literally on one line, in a table cell as well."""
    return "".join(_MARKDOWN.get(each, each) for each in visible(text))


# --- LaTeX -------------------------------------------------------------------------------------

_LATEX: Final = {
    "\\": r"\textbackslash{}",
    **{each: "\\" + each for each in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    # By its place in the font: \textquotedbl is not there in the default encoding.
    '"': r"\symbol{34}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    # After a row's end these two would be an argument of it.
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    # Two of them would become another character.
    "-": "-{}",
    ",": ",{}",
    # What pdfLaTeX has in its mathematics only.
    "\u2265": r"\ensuremath{\geq}",
    "\u2264": r"\ensuremath{\leq}",
    "\u2192": r"\ensuremath{\rightarrow}",
    "\u2212": r"\ensuremath{-}",
}
_LIGATURES: Final = re.compile(r"(-\{\}|,\{\})(?!\1)")


def latex_text(text: str) -> str:
    """A text that LaTeX sets literally, in a table cell or a paragraph."""
    escaped = "".join(_LATEX.get(each, each) for each in visible(text))
    # Braces are only needed between two of the same.
    return _LIGATURES.sub(lambda found: found[1][0], escaped)


# --- HTML --------------------------------------------------------------------------------------

_HTML: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}
_HTML_SPECIAL: Final = re.compile("[&<>\"']")
_RIGHT_TO_LEFT: Final = (
    "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
)
#: Words written from right to left: on their own they would reorder what stands beside them.
_RTL_WORDS: Final = re.compile(f"[{_RIGHT_TO_LEFT}]+(?: +[{_RIGHT_TO_LEFT}]+)*")


def html_attribute(text: str, keep: str = "") -> str:
    """A text for a double-quoted HTML attribute: visible, on one line, no markup.

    ``keep`` are characters that do not print and yet stay as they are.
    """
    return _HTML_SPECIAL.sub(lambda found: _HTML[found[0]], visible(text, keep))


def html_text(text: str, keep: str = "") -> str:
    """A text that HTML shows literally between tags; right-to-left words cannot move others.

    ``keep`` as in ``html_attribute``: ``"\\n\\t"`` for a text of several lines in ``<pre>``.
    """
    escaped = html_attribute(text, keep)
    if escaped.isascii():
        return escaped
    return _RTL_WORDS.sub(lambda found: f"<bdi>{found[0]}</bdi>", escaped)
