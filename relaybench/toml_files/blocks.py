"""A table of a TOML file as a block of lines, to be taken out, changed and put back whole.

A document library counts the comments between two tables to the one before; a change at the end of
that one would come to stand below them. A block ends where its own lines end: comments after a
blank line, and those right above the next header, belong to what follows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from relaybench.domain.finding import KeyPath
from relaybench.toml_files.positions import Outline, outline


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of a table and its sub-tables, counted from 0, ``end`` exclusive.

    ``top`` is where the comments right above it begin.
    """

    top: int
    start: int
    end: int


def block_of(text: str, path: KeyPath) -> Block | None:
    """Where the table ``[path]`` stands with its sub-tables.

    None where it has no header of its own, or where other tables stand among its sub-tables.
    """
    return _block(text.split("\n"), outline(text), path)


def rows_of(text: str, key: str) -> list[Block] | None:
    """Where the elements of the array of tables ``[[key]]`` stand, each with its sub-tables.

    None where there is none, or where other tables stand among the sub-tables of one.
    """
    lines, found = text.split("\n"), outline(text)
    count = len({path[1] for path, _ in found.headers if path[0] == key and len(path) > 1})
    rows = [_block(lines, found, (key, number)) for number in range(count)]
    sound = [each for each in rows if each is not None]
    return sound if sound and len(sound) == count else None


def _block(lines: list[str], found: Outline, path: KeyPath) -> Block | None:
    headers = found.headers
    inside = [n for n, (each, _) in enumerate(headers) if each[: len(path)] == path]
    if not inside or headers[inside[0]][0] != path:
        return None
    if inside != list(range(inside[0], inside[-1] + 1)):
        return None
    start = headers[inside[0]][1] - 1
    last = inside[-1] + 1
    following = headers[last][1] - 1 if last < len(headers) else len(lines)
    return Block(_above(lines, found, start), start, _end(lines, found, start + 1, following))


def _above(lines: list[str], found: Outline, start: int) -> int:
    """The first of the comment lines right above a header."""
    while start and start not in found.telling and lines[start - 1].strip():
        start -= 1
    return start


def _end(lines: list[str], found: Outline, least: int, following: int) -> int:
    """The line after the last one that says something."""
    end = following
    while end > least and end not in found.telling:
        end -= 1
    trailing = end
    while trailing < following and lines[trailing].strip():
        trailing += 1
    # Comments with a blank line after them belong to the table that they end.
    return trailing if trailing < following else end


def whole(text: str) -> Block:
    """All lines."""
    return Block(0, 0, len(text.removesuffix("\n").split("\n")) if text else 0)


def head_of(text: str) -> Block:
    """The lines of the keys that stand above the first header."""
    lines, found = text.split("\n"), outline(text)
    if not found.headers:
        return whole(text)
    header = found.headers[0][1] - 1
    if not any(line <= header for line in found.telling):
        return Block(0, 0, _above(lines, found, header))
    return Block(0, 0, _end(lines, found, 0, header))


def text_of(text: str, block: Block) -> str:
    """The lines of a block."""
    return "".join(f"{each}\n" for each in text.split("\n")[block.start : block.end])


def replaced(text: str, block: Block, new: str) -> str:
    """The text with other lines in a block's place."""
    lines = text.split("\n")
    fresh = new.rstrip("\n").split("\n") if new.strip() else []
    return "\n".join([*lines[: block.start], *fresh, *lines[block.end :]])


def removed(text: str, block: Block) -> str:
    """The text without a block and the comments right above it."""
    lines = text.split("\n")
    return "\n".join(_joined(lines[: block.top], lines[block.end :]))


def _joined(before: list[str], after: list[str]) -> list[str]:
    """What stood above and below something that is gone, with one blank line for two."""
    two = before and after and not before[-1].strip() and not after[0].strip()
    return [*before, *(after[1:] if two else after)]


def added(text: str, new: str, after: Block | None) -> str:
    """The text with a new block behind another one, or at its end."""
    newline = "\r" if "\r\n" in text else ""
    lines = text.split("\n")
    if after is None:
        while lines and not lines[-1].strip():
            lines.pop()
        head, tail = lines, [""]
    else:
        head, tail = lines[: after.end], lines[after.end :]
        if not any(each.strip() for each in tail):
            tail = [""]
        elif tail[0].strip():
            tail = [newline, *tail]
    gap = [newline] if head else []
    fresh = [f"{each}{newline}" for each in new.rstrip("\n").replace("\r", "").split("\n")]
    if head and newline and not head[-1].endswith("\r"):
        head = [*head[:-1], head[-1] + newline]
    return "\n".join([*head, *gap, *fresh, *tail])


def arranged(text: str, rows: Sequence[Block], order: Sequence[int | str]) -> str:
    """The text with the elements of an array of tables in another order.

    ``order`` has the number of each element that stays, and the text of each that is new. An
    element takes its comments along; what stands between two of them keeps its place.
    """
    newline = "\r" if "\r\n" in text else ""
    lines = (text if text.endswith("\n") else f"{text}{newline}\n").split("\n")
    out, *below = _between(lines, rows, [each for each in order if isinstance(each, int)])
    waiting = [] if any(isinstance(each, int) for each in order) else below.pop()
    apart = False
    for each in order:
        if isinstance(each, str):
            fresh = each.rstrip("\n").replace("\r", "").split("\n")
            _put(out, [f"{line}{newline}" for line in fresh], newline, apart=True)
            apart = True
        else:
            row = rows[each]
            _put(out, waiting, newline, apart=apart)
            _put(out, lines[row.top : row.end], newline, apart=apart)
            waiting, apart = below.pop(0), False
    _put(out, waiting, newline, apart=apart)
    return "\n".join(out)


def _between(lines: list[str], rows: Sequence[Block], kept: Sequence[int]) -> list[list[str]]:
    """What stands above the first element, and below each of those that are kept.

    Where none is, what stands below them all.
    """
    found = [lines[: rows[0].top]]
    if not kept:
        found.append([])
    for number, row in enumerate(rows):
        following = rows[number + 1].top if number + 1 < len(rows) else len(lines)
        gap = lines[row.end : following]
        if number in kept:
            found.append(gap)
        else:
            found[-1] = _joined(found[-1], gap)
    return found


def _put(out: list[str], lines: list[str], newline: str, *, apart: bool) -> None:
    """Put lines below others; ``apart``, or below a comment, with a blank line between them."""
    meet = out and lines and out[-1].strip() and lines[0].strip()
    if meet and (apart or out[-1].lstrip().startswith("#")):
        out.append(newline)
    out.extend(lines)
