"""A CommonMark parser for block structure alone: markdown-it-py's rules, tried by first character.

The stock parser tries every rule on every line and scans each paragraph twice; here the first
character of a line says which rules can match at all, and headings' underlines are looked for
while the paragraph is read. The blocks found are the same (a test compares the two); it is what
keeps 100,000 lines within a second or two. Raw HTML is off: ``<div>`` and ``<!--`` are text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.rules_block import (
    StateBlock,
    blockquote,
    fence,
    list_block,
    reference,
)

#: A block rule of the parser: state, first line, end line, only look -> whether it matched.
Rule = Callable[[StateBlock, int, int, bool], bool]

#: How deep quotes and lists may nest (a quote is one level, a list two) in a text of so many
#: lines; deeper ones are plain text. The parser's own limit (20) skips the rest of the text,
#: later answers included; without any its recursion would end in a RecursionError, and every
#: level of quotes reads all the lines in it again, hence the bound on the product.
MAX_LEVEL: Final = 150
_MIN_LEVEL: Final = 20
_LEVELS_TIMES_LINES: Final = 2_000_000

_HEADING: Final = re.compile(r"#{1,6}(?![^ \t])")


def max_level(lines: int) -> int:
    """How deep quotes and lists may nest in a text of ``lines`` lines."""
    return max(_MIN_LEVEL, min(MAX_LEVEL, _LEVELS_TIMES_LINES // max(1, lines)))


def line_text(state: StateBlock, number: int) -> str:
    """A line inside its quotes and lists, without indentation and line end."""
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]


def _thematic_break(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    # The stock rule walks over "- - - ... x" in Python at every level of the list that this is.
    line = line_text(state, start)
    if state.is_code_block(start) or line.strip(line[0] + " \t") or line.count(line[0]) < 3:
        return False
    if not silent:
        state.line = start + 1
    return True


def _heading(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if state.is_code_block(start) or not _HEADING.match(line_text(state, start)):
        return False
    if not silent:
        state.line = start + 1
    return True


def _is_underline(state: StateBlock, number: int) -> bool:
    line = line_text(state, number)
    return line[0] in "=-" and not line.strip(" \t").strip(line[0])


def _text(state: StateBlock, start: int, end: int) -> None:
    """Read a paragraph or an underlined heading; neither leaves a token."""
    (interrupts,) = state.md.block.ruler.getRules("paragraph")
    parent, state.parentType = state.parentType, "paragraph"  # lists ask for it
    number = start + 1
    while number < state.lineMax and not state.isEmpty(number):
        indent = state.sCount[number]
        if indent - state.blkIndent <= 3:
            if number < end and indent >= state.blkIndent and _is_underline(state, number):
                number += 1
                break
            # Below 0: a line that the quote around it has already taken for continuation.
            if indent >= 0 and interrupts(state, number, end, True):
                break
        number += 1
    state.line = number
    state.parentType = parent


def _by_first_character(fence_rule: Rule, late: tuple[Rule, ...]) -> dict[str, tuple[Rule, ...]]:
    return {
        "`": (fence_rule, *late),
        "~": (fence_rule, *late),
        ">": (blockquote,),
        "-": (_thematic_break, list_block, *late),
        "*": (_thematic_break, list_block, *late),
        "_": (_thematic_break, *late),
        "+": (list_block, *late),
        **dict.fromkeys("0123456789", (list_block, *late)),
        "#": (*late, _heading),
        "[": (*late, reference),
    }


def block_parser(fence_rule: Rule = fence, late_rule: Rule | None = None) -> MarkdownIt:
    """Build a parser that finds fenced blocks as tokens of type ``fence``.

    ``fence_rule`` finds them at the start of a line; ``late_rule`` is tried on any line that is
    no fence, quote, thematic break or list item.
    """
    late = () if late_rule is None else (late_rule,)
    openers = _by_first_character(fence_rule, late)
    # A reference never interrupts anything, and says so itself only after much work.
    interrupters = {**openers, "[": late}
    # List items don't end their list; text after it does so without being asked.
    list_enders = {
        first: tuple(rule for rule in rules if rule in (fence_rule, blockquote, _thematic_break))
        for first, rules in openers.items()
    }

    # These call the rules themselves, without helpers between: each level of nesting costs
    # three frames of the interpreter's stack as it is.
    def block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        position = state.bMarks[start] + state.tShift[start]
        if position >= state.eMarks[start]:
            return False
        rules = (interrupters if silent else openers).get(state.src[position], late)
        if rules:
            flat = state.level >= max_level(len(state.bMarks))
            for rule in rules:
                if flat and (rule is blockquote or rule is list_block):
                    continue
                if rule(state, start, end, silent):
                    return True
        if not silent:
            _text(state, start, end)
        return not silent

    def ends_list(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        position = state.bMarks[start] + state.tShift[start]
        if not silent or position >= state.eMarks[start]:
            return False
        for rule in list_enders.get(state.src[position], ()):
            if rule(state, start, end, True):
                return True
        return False

    # Of the parser's own limit nothing may be left: it would skip text.
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": 10 * MAX_LEVEL})
    parser.core.ruler.enableOnly(["block"])
    rules = parser.block.ruler
    rules.enableOnly(["code"])
    rules.push("block", block, {"alt": ["paragraph", "reference", "blockquote"]})
    rules.push("ends_list", ends_list, {"alt": ["list"]})
    return parser


STRICT: Final = block_parser()
