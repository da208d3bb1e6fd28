"""The second, tolerant reading: CommonMark with three slips of models mended.

(a) An opening fence glued to the end of a line of text, as when two parts of a response are
joined without a line break; (b) a closing fence glued to the end of the answer; (c) a whole
answer between triple backticks on one line. The slips are block rules of the same parser, so
that quotes, lists and indentation keep their meaning.

It never invents: a run of backticks opens nothing if another run follows it on the line (but for
(c)), if more than one word follows it, or if a backslash stands before it; tildes glued to text
(``hello~~~``) open something only if it is closed as well.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from markdown_it.rules_block import StateBlock, fence

from relaybench.grading.structure import block_parser, line_text

_RUN: Final = re.compile(r"`{3,}|~{3,}")
_BACKTICKS: Final = re.compile(r"`{3,}")
_ONE_WORD: Final = re.compile(r"[ \t]*[^\s`]*[ \t]*")
#: What may follow a one-line answer: the end of its sentence or of bold type.
_AFTER_ONE_LINE: Final = re.compile(r"[.!*_]{0,4}[ \t]*")


class _Opening(NamedTuple):
    marker: str
    length: int


class _End(NamedTuple):
    content_end: int  # the line after the last line of content
    next_line: int
    closed: bool
    tail: int  # characters of the last line of content that are the closing fence


def _one_line(line: str) -> tuple[int, int] | None:
    """Slip (c): where the content between two equal runs of backticks starts and ends."""
    runs = list(_BACKTICKS.finditer(line))
    if len(runs) != 2 or len(runs[0][0]) != len(runs[1][0]):
        return None
    start, end = runs[0].end(), runs[1].start()
    if not line[start:end].strip() or not _AFTER_ONE_LINE.fullmatch(line, runs[1].end()):
        return None
    return start, end


def _glued_opening(line: str) -> _Opening | None:
    """Slip (a): a run after text, followed by nothing but at most one word of info."""
    runs = list(_RUN.finditer(line))
    if len(runs) != 1 or not line[: runs[0].start()].strip():
        return None
    run = runs[0]
    rest = line[run.end() :]
    if line[run.start() - 1] in "\\`~" or not _ONE_WORD.fullmatch(rest):
        return None
    if run[0][0] == "~" and rest.strip():
        return None
    return _Opening(run[0][0], len(run[0]))


def _glued_end(line: str, opening: _Opening) -> int | None:
    """Slip (b): where a closing run after text starts, if it is the only run of the line."""
    body = line.rstrip(" \t")
    if not body.endswith(opening.marker * opening.length):
        return None
    start = len(body.rstrip(opening.marker))
    if not body[:start].strip() or body[start - 1] == "\\" or opening.marker * 3 in body[:start]:
        return None
    return start


def _find_end(state: StateBlock, start: int, end: int, opening: _Opening, outdented: bool) -> _End:
    number = start
    while True:
        number += 1
        if number >= end:
            return _End(number, number, False, 0)
        line = line_text(state, number)
        if line and state.sCount[number] < state.blkIndent and not outdented:
            return _End(number, number, False, 0)  # the list item or quote is over
        body = line.rstrip(" \t")
        if (
            len(body) >= opening.length
            and not body.strip(opening.marker)
            and not state.is_code_block(number)
        ):
            return _End(number, number + 1, True, 0)
        run = _glued_end(line, opening)
        if run is not None:
            return _End(number + 1, number + 1, True, len(line) - run)


def _push(state: StateBlock, start: int, found: _End, *, indent: int, mended: bool) -> None:
    content = state.getLines(start + 1, found.content_end, indent, True)
    if found.tail:
        content = content[: -found.tail - 1] + "\n"
    token = state.push("fence", "code", 0)
    token.content = content
    token.map = [start, found.next_line]
    token.meta = {
        "closed": found.closed,
        "mended": mended or found.tail > 0,
        "tail": found.tail,
    }
    state.line = found.next_line


def _fence(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A proper opening fence, whose closing one may be glued to the answer."""
    if not fence(state, start, end, True):
        return False
    if not silent:
        line = line_text(state, start)
        opening = _Opening(line[0], len(line) - len(line.lstrip(line[0])))
        found = _find_end(state, start, end, opening, outdented=False)
        _push(state, start, found, indent=state.sCount[start], mended=False)
    return True


def _glued_fence(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A line with an opening fence after text, or with a whole answer between fences."""
    if state.is_code_block(start):
        return False
    line = line_text(state, start)
    if "```" not in line and "~~~" not in line:
        return False
    span = _one_line(line)
    if span is not None:
        if not silent:
            token = state.push("fence", "code", 0)
            token.content = line[span[0] : span[1]] + "\n"
            token.map = [start, start + 1]
            tail = len(line) - span[1]
            token.meta = {"closed": True, "mended": True, "tail": tail, "inline": True}
            state.line = start + 1
        return True
    opening = _glued_opening(line)
    if opening is None:
        return False
    if silent:
        return True
    # "1. The answer is:```" is mostly followed by lines at the margin, not in the list item:
    # what would have continued its paragraph is content then.
    after = start + 1
    outdented = (
        after < end and not state.isEmpty(after) and 0 <= state.sCount[after] < state.blkIndent
    )
    found = _find_end(state, start, end, opening, outdented)
    if opening.marker == "~" and not found.closed:
        return False
    _push(state, start, found, indent=0 if outdented else state.blkIndent, mended=True)
    return True


TOLERANT: Final = block_parser(_fence, _glued_fence)
