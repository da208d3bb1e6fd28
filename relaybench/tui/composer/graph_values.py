"""A composite's dependency graph as it is to be drawn, and the drawing that comes of it.

Plain values without any widget: a drawing is rows of runs of text, each with what it is (so that
it can be styled) and whose it is (so that a click can be answered).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Part(StrEnum):
    """What a run of a drawing is a part of."""

    BLANK = "blank"
    FRAME = "frame"
    LABEL = "label"
    TITLE = "title"
    DETAIL = "detail"
    DOMAIN = "domain"
    ANSWER = "answer"
    PROBLEM = "problem"
    ARROW = "arrow"
    HEAD = "head"
    INPUT = "input"


class StageName(StrEnum):
    """What becomes of the steps, from the top; also the keys of these boxes."""

    COMPOSITE = "(composite)"
    BLOAT = "(bloat)"
    ENCODING = "(encoding)"
    ANSWER = "(answer)"


@dataclass(frozen=True, slots=True)
class Feed:
    """An arrow into a step: the input that it feeds and the key of the step that it comes from.

    ``wrong``: the value that comes is not the one that the instance was made for.
    """

    slot: str
    source: str
    wrong: bool = False


@dataclass(frozen=True, slots=True)
class StepBox:
    """A step to be drawn. ``key`` is its own among all boxes, mostly its label.

    ``problems`` counts what is wrong with it; ``in_answer`` is false for one that only feeds.
    """

    key: str
    label: str
    class_name: str
    instance: str
    domain: str
    answer: str | None
    problems: int = 0
    in_answer: bool = True
    feeds: tuple[Feed, ...] = ()


@dataclass(frozen=True, slots=True)
class StageBox:
    """What is put around the steps, or asked of them; ``on`` is false where it is left out."""

    name: StageName
    title: str
    words: tuple[str, ...]
    on: bool = True
    problems: int = 0


@dataclass(frozen=True, slots=True)
class Graph:
    """Steps in listed order, and the stages under them in theirs."""

    steps: tuple[StepBox, ...]
    stages: tuple[StageBox, ...] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """Text of one style in a row, ``width`` cells wide. ``owner`` is the key of a box, or empty.

    An arrow belongs to the box that it leaves, its head and its input's name to the one it enters.
    ``faint`` is what is left out or only feeds others, ``wrong`` what cannot be right.
    """

    text: str
    width: int
    part: Part
    owner: str = ""
    faint: bool = False
    wrong: bool = False


@dataclass(frozen=True, slots=True)
class Box:
    """Where a box stands, in cells."""

    key: str
    x: int
    y: int
    width: int
    height: int

    @property
    def centre(self) -> float:
        """The middle of it across."""
        return self.x + self.width / 2

    def holds(self, x: int, y: int) -> bool:
        """Whether a cell is inside it or on its frame."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


@dataclass(frozen=True, slots=True)
class Head:
    """Where the head of an arrow stands: right above the box ``target``."""

    source: str
    target: str
    slot: str
    x: int
    y: int


class Direction(StrEnum):
    """Which way to go from a box."""

    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Drawing:
    """A graph in characters. ``loop`` is a loop whose closing arrow could not be drawn."""

    width: int
    rows: tuple[tuple[Run, ...], ...]
    boxes: tuple[Box, ...]
    heads: tuple[Head, ...] = ()
    loop: tuple[str, ...] = ()
    _by_key: dict[str, Box] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Note where each box is."""
        self._by_key.update((box.key, box) for box in self.boxes)

    @property
    def height(self) -> int:
        """Rows."""
        return len(self.rows)

    def box(self, key: str) -> Box | None:
        """The box of that key."""
        return self._by_key.get(key)

    def at(self, x: int, y: int) -> str | None:
        """The key of the box at a cell, or of the one that an arrow's head or name there enters."""
        for box in self.boxes:
            if box.holds(x, y):
                return box.key
        if 0 <= y < len(self.rows):
            for run in self.rows[y]:
                if 0 <= x < run.width:
                    return run.owner if run.part in (Part.HEAD, Part.INPUT) else None
                x -= run.width
        return None

    def text(self) -> str:
        """The drawing as lines of plain text."""
        lines = ("".join(run.text for run in row).rstrip() for row in self.rows)
        return "\n".join(lines) + "\n" if self.rows else ""

    def neighbour(self, key: str, direction: Direction) -> str:
        """The box that an arrow key leads to: beside it, or the nearest in the row above or below.

        The box itself where there is none that way; the first one for a key that is not there.
        """
        here = self.box(key)
        if here is None:
            return self.boxes[0].key if self.boxes else key
        beside = direction in (Direction.LEFT, Direction.RIGHT)
        forward = direction in (Direction.RIGHT, Direction.DOWN)
        if beside:
            row = [box for box in self.boxes if box.y == here.y]
            there = [box for box in row if (box.x > here.x) == forward and box.x != here.x]
        else:
            there = [box for box in self.boxes if (box.y > here.y) == forward and box.y != here.y]
        if not there:
            return key
        return min(
            there, key=lambda box: (abs(box.y - here.y), abs(box.centre - here.centre), box.x)
        ).key
