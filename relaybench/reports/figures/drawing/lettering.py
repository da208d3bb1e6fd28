"""Text in figures: how wide it is, what of it the font lacks, and how it is made to fit.

Only the font that matplotlib brings along is used, so that all machines draw the same.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import matplotlib
from matplotlib.font_manager import FontProperties
from matplotlib.ft2font import FT2Font, LoadFlags

from relaybench.domain.literal import visible

POINTS: Final = 72.0
#: Height of a line of text in font sizes.
LEADING: Final = 1.25
#: Stands for a letter that the font lacks.
SUBSTITUTE: Final = "\u25a1"
ELLIPSIS: Final = "\u2026"
_MEASURED_AT: Final = 100.0
#: Hinting makes text a little wider in pixels than its outlines are.
_HINTED: Final = 1.03


@cache
def _path(bold: bool) -> Path:
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return Path(matplotlib.get_data_path()) / "fonts" / "ttf" / name


@cache
def _font(bold: bool) -> FT2Font:
    font = FT2Font(str(_path(bold)))
    font.set_size(_MEASURED_AT, POINTS)
    return font


@cache
def _letters(bold: bool) -> frozenset[int]:
    return frozenset(_font(bold).get_charmap())


@cache
def _advance(character: str, bold: bool) -> float:
    """Width of a letter in points at the size of measure."""
    glyph = _font(bold).load_char(ord(character), LoadFlags.NO_HINTING)
    return glyph.linearHoriAdvance / 65536


def font(size: float, *, bold: bool = False) -> FontProperties:
    """The font in a size in points."""
    return FontProperties(fname=str(_path(bold)), size=size)


def width(text: str, size: float, *, bold: bool = False) -> float:
    """Width in inches of a text that ``drawable`` gave."""
    advances = sum(_advance(each, bold) for each in text)
    return advances * size / _MEASURED_AT / POINTS * _HINTED


def line_height(size: float) -> float:
    """Height in inches of a line of that size in points."""
    return size * LEADING / POINTS


def drawable(text: str) -> str:
    """A foreign text on one line: control characters spelled out, missing letters as boxes.

    Marks that would pile up on a letter are boxes too, so that what is drawn stays in its line.
    """
    both = _letters(False) & _letters(True)
    return "".join(
        each if ord(each) in both and not unicodedata.category(each).startswith("M") else SUBSTITUTE
        for each in visible(text)
    )


def shortened(text: str, room: float, size: float, *, bold: bool = False) -> str:
    """A text that fits into ``room`` inches; where it is too long its middle gives way."""
    if width(text, size, bold=bold) <= room:
        return text

    def short(kept: int) -> str:
        head, tail = text[: (kept + 1) // 2], text[len(text) - kept // 2 :]
        return f"{head.rstrip()}{ELLIPSIS}{tail.lstrip()}"

    kept = bisect(range(1, len(text)), room, key=lambda kept: width(short(kept), size, bold=bold))
    return short(kept) if kept else ELLIPSIS


def wrapped(
    text: str, room: float, size: float, lines: int, *, bold: bool = False
) -> tuple[str, ...]:
    """A text in at most so many lines of ``room`` inches, broken at spaces where there are any.

    Where it does not fit it is shortened in its middle.
    """
    found = _broken(text, room, size, bold)
    if len(found) <= lines:
        return found
    total = room * lines
    for share in (0.97, 0.9, 0.8, 0.7, 0.6, 0.5):
        found = _broken(shortened(text, total * share, size, bold=bold), room, size, bold)
        if len(found) <= lines:
            return found
    return (shortened(text, room, size, bold=bold),)


def _broken(text: str, room: float, size: float, bold: bool) -> tuple[str, ...]:
    lines: list[str] = []
    line, used = "", 0.0
    for word in _pieces(text):
        long = width(word.rstrip(), size, bold=bold)
        if line and used + long > room:
            lines.append(line.rstrip())
            line, used = "", 0.0
        if long <= room:
            line += word
            used += width(word, size, bold=bold)
            continue
        for letter in word:
            wide = width(letter, size, bold=bold)
            if line and used + wide > room:
                lines.append(line.rstrip())
                line, used = "", 0.0
            line += letter
            used += wide
    if line.strip() or not lines:
        lines.append(line.rstrip())
    return tuple(lines)


def _pieces(text: str) -> Iterable[str]:
    """Words with the spaces behind them; a hyphen, slash or underscore ends one too."""
    piece = ""
    for index, letter in enumerate(text):
        piece += letter
        following = text[index + 1 : index + 2]
        if letter in " -/_" and following not in ("", " "):
            yield piece
            piece = ""
    if piece:
        yield piece


def told_apart(texts: Sequence[str]) -> list[str]:
    """Texts with a number behind those that look the same: ``□□ #1`` and ``□□ #2``."""
    counts = Counter(texts)
    met: Counter[str] = Counter()
    found = []
    for text in texts:
        met[text] += 1
        found.append(f"{text} #{met[text]}" if counts[text] > 1 else text)
    return found


def name_lines(names: Sequence[str], room: float, size: float, lines: int) -> list[tuple[str, ...]]:
    """Foreign names, each in a few lines of ``room`` inches; no two different ones look alike."""
    each_once = list(dict.fromkeys(names))
    found = dict(zip(each_once, _lines_apart(each_once, room, size, lines), strict=True))
    return [found[name] for name in names]


def _lines_apart(
    names: Sequence[str], room: float, size: float, lines: int
) -> list[tuple[str, ...]]:
    plain = told_apart([drawable(name) for name in names])
    found = [wrapped(name, room, size, lines) for name in plain]
    counts = Counter(found)
    if max(counts.values(), default=0) < 2:
        return found
    # The middle that gave way was all that two names differed by: numbers take its place.
    met: Counter[tuple[str, ...]] = Counter()
    apart = []
    for name, lines_of in zip(plain, found, strict=True):
        met[lines_of] += 1
        if counts[lines_of] < 2:
            apart.append(lines_of)
            continue
        mark = f" #{met[lines_of]}"
        less = room * lines * 0.9 - width(mark, size)
        apart.append(wrapped(shortened(name, less, size) + mark, room, size, lines))
    return apart


def short_names(names: Sequence[str], room: float, size: float) -> list[str]:
    """Foreign names on a line of ``room`` inches each; no two different ones look alike."""
    return ["".join(lines) for lines in name_lines(names, room, size, 1)]
