"""A table of a TOML file as a block of lines, to be taken out, changed and put back whole.

A document library counts the comments between two tables to the one before; a change at the end of
that one would come to stand below them. A block ends where its own lines end: comments after a
blank line, and those right above the next header, belong to what follows.
"""

from __future__ import annotations

from dataclasses import dataclass

from relaybench.domain.finding import KeyPath
from relaybench.toml_files.positions import header_lines


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
    headers = header_lines(text)
    inside = [n for n, (each, _) in enumerate(headers) if each[: len(path)] == path]
    if not inside or headers[inside[0]][0] != path:
        return None
    if inside != list(range(inside[0], inside[-1] + 1)):
        return None
    lines = text.split("\n")
    start = headers[inside[0]][1] - 1
    last = inside[-1] + 1
    following = headers[last][1] - 1 if last < len(headers) else len(lines)
    return Block(_above(lines, start), start, _end(lines, start, following))


def _above(lines: list[str], start: int) -> int:
    """The first of the comment lines right above a header."""
    while start and lines[start - 1].lstrip().startswith("#"):
        start -= 1
    return start


def _end(lines: list[str], start: int, following: int) -> int:
    """The line after the last one that is neither blank nor a comment."""
    end = following
    while end > start + 1 and not lines[end - 1].partition("#")[0].strip():
        end -= 1
    trailing = end
    while trailing < following and lines[trailing].strip():
        trailing += 1
    # Comments with a blank line after them belong to the table that they end.
    return trailing if trailing < following else end


def text_of(text: str, block: Block) -> str:
    """The lines of a block."""
    return "\n".join(text.split("\n")[block.start : block.end]) + "\n"


def replaced(text: str, block: Block, new: str) -> str:
    """The text with other lines in a block's place."""
    lines = text.split("\n")
    return "\n".join([*lines[: block.start], *new.rstrip("\n").split("\n"), *lines[block.end :]])


def removed(text: str, block: Block) -> str:
    """The text without a block and the comments right above it."""
    lines = text.split("\n")
    before, after = lines[: block.top], lines[block.end :]
    if before and after and not before[-1].strip() and not after[0].strip():
        after = after[1:]
    return "\n".join([*before, *after])


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
