"""The answer in a response: the content of the last non-empty fenced code block (DESIGN, 7).

Visible text is the whole text, unless it starts with ``<think>``: then what follows the first
``</think>``. CRLF in the answer becomes LF and white space (``str.isspace``) at both ends goes;
nothing else changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from relaybench.grading.blocks import Block, Reading
from relaybench.grading.slips import TOLERANT
from relaybench.grading.structure import STRICT

#: Name and version of the rules below, kept with every grade; raise it when an answer may change.
EXTRACTOR: Final = "code_block/1"
#: The same without the second, tolerant reading.
STRICT_EXTRACTOR: Final = "code_block-strict/1"

_OPEN: Final = "<think>"
_CLOSE: Final = "</think>"


@dataclass(frozen=True, slots=True)
class Extraction:
    """An answer and where it stood.

    ``span`` holds character offsets into the given text, end exclusive. Inside it stand the
    answer's characters, and besides them only what is not content: CR of CRLF, marks of quotes,
    and indentation. ``repaired``: found by the tolerant reading alone; ``closed``: its fence was.
    """

    answer: str
    span: tuple[int, int]
    repaired: bool
    closed: bool


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """No answer, and why in words."""

    reason: str


ExtractionResult: TypeAlias = Extraction | NoAnswer


def visible_start(text: str) -> int | None:
    """Where the visible text starts; None if the text starts as thinking that never closes."""
    begin = len(text) - len(text.lstrip().lstrip("\ufeff").lstrip())  # a byte order mark is nothing
    if not text.startswith(_OPEN, begin):
        return 0
    end = text.find(_CLOSE, begin)
    return None if end < 0 else end + len(_CLOSE)


def extract(text: str, *, truncated: bool, strict: bool = False) -> ExtractionResult:
    """Find the answer in ``text``.

    ``truncated``: the response hit its output limit, so that a last block without an end is cut
    off and nothing is an answer (an earlier block was withdrawn by it). ``strict`` goes without
    the second, tolerant reading.
    """
    start = visible_start(text)
    if start is None:
        return NoAnswer("thinking never closed")
    visible = text[start:]
    if not visible.strip():
        return NoAnswer("the visible text is empty")
    if "```" not in visible and "~~~" not in visible:
        return NoAnswer("no code block")

    reading = Reading(visible, STRICT)
    plain = _choose(reading, truncated=truncated)
    last = next(reading.from_the_end(), None)
    cut_off = last is not None and not last.closed
    doubtful = isinstance(plain, NoAnswer) or cut_off
    if strict or not doubtful or (truncated and cut_off):
        return _placed(plain, start, repaired=False)
    mended = _choose(Reading(visible, TOLERANT), truncated=truncated)
    if isinstance(mended, NoAnswer):
        # Mending made nothing better: what the plain reading says stands, unless the text was
        # cut off inside a block that only the tolerant reading sees.
        return _placed(mended if len(reading) == 0 else plain, start, repaired=False)
    if isinstance(plain, Block) and (plain.content, plain.span) == (mended.content, mended.span):
        return _placed(plain, start, repaired=False)
    return _placed(mended, start, repaired=True)


def _choose(reading: Reading, *, truncated: bool) -> Block | NoAnswer:
    for number, block in enumerate(reading.from_the_end()):
        if truncated and number == 0 and not block.closed:
            return NoAnswer("the last code block was cut off")
        if block.content:
            return block
    if len(reading) == 0:
        return NoAnswer("no code block")
    if len(reading) == 1:
        return NoAnswer("the only code block is empty")
    return NoAnswer(f"all {len(reading)} code blocks are empty")


def _placed(found: Block | NoAnswer, start: int, *, repaired: bool) -> ExtractionResult:
    if isinstance(found, NoAnswer):
        return found
    span = (found.span[0] + start, found.span[1] + start)
    return Extraction(found.content, span, repaired, found.closed)
