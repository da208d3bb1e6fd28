"""The drawn graph: boxes apart, every arrow traceable from its head to its source, all literal."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from relaybench.tui.composer.graph_drawing import draw
from relaybench.tui.composer.graph_layout import shown_name
from relaybench.tui.composer.graph_values import (
    Box,
    Direction,
    Drawing,
    Feed,
    Graph,
    Head,
    Part,
    StageBox,
    StageName,
    StepBox,
)
from relaybench.tui.composer.routing import Net, tracks

LABELS = "ABCDEFGHIJKLM"
STAGES = (
    StageBox(StageName.COMPOSITE, "Composite", ("13 steps", "2,310 characters")),
    StageBox(StageName.BLOAT, "Bloat", ("none",), on=False),
    StageBox(StageName.ENCODING, "Encoding", ("seed 7", "512 codes")),
    StageBox(StageName.ANSWER, "Final answer", ("A-B-C", "= 13-abc-zz")),
)
#: Where each line leads from a cell, as steps in x and y.
SIDES = {
    "│": "UD", "┬": "DLR", "┴": "ULR", "├": "UDR", "┤": "UDL", "┼": "UDLR",
    "┌": "DR", "┐": "DL", "└": "UR", "┘": "UL", "─": "LR",
}  # fmt: skip
MOVES = {"U": (0, -1), "D": (0, 1), "L": (-1, 0), "R": (1, 0)}
BACK = {"U": "D", "D": "U", "L": "R", "R": "L"}
Cell = tuple[int, int]


def step(label: str, *feeds: tuple[str, str], text: str = "lattice-paths") -> StepBox:
    into = tuple(Feed(slot, source) for slot, source in feeds)
    return StepBox(label, label, text, f"i-{text}", "math", f"9{text}", feeds=into)


def chain(length: int) -> Graph:
    pairs = itertools.pairwise(LABELS[:length])
    return Graph((step("A"), *(step(b, ("n", a)) for a, b in pairs)), STAGES)


def star(slots: int) -> Graph:
    feeds = [(f"slot{n}", LABELS[n]) for n in range(slots)]
    return Graph((*(step(LABELS[n]) for n in range(slots)), step(LABELS[slots], *feeds)), STAGES)


def fan(width: int) -> Graph:
    return Graph((step("A"), *(step(each, ("days", "A")) for each in LABELS[1:width])), STAGES)


DIAMOND = Graph(
    (
        step("A"),
        step("B", ("x", "A")),
        step("C", ("seed", "A")),
        step("D", ("left", "B"), ("right", "C"), ("again", "A")),
    ),
    STAGES,
)


@st.composite
def graphs(make: st.DrawFn) -> Graph:
    """Any wiring of up to 13 steps, every arrow from an earlier one to a later one."""
    count = make(st.integers(1, 13))
    order = make(st.permutations(LABELS[:count]))
    steps = []
    for place, label in enumerate(order):
        sources = make(st.lists(st.sampled_from(order[:place]), max_size=4)) if place else []
        text = make(st.text(st.characters(), max_size=12))
        feeds = [(f"{text[:5]}{number}", each) for number, each in enumerate(sources)]
        steps.append(step(label, *feeds, text=text))
    return Graph(tuple(sorted(steps, key=lambda each: each.label)), STAGES)


def cells(drawing: Drawing) -> dict[Cell, str]:
    """Characters of arrows and frames by their place."""
    found = {}
    for y, row in enumerate(drawing.rows):
        x = 0
        for run in row:
            assert cell_len(run.text) == run.width
            if run.part in (Part.ARROW, Part.FRAME):
                found.update({(x + at, y): char for at, char in enumerate(run.text)})
            x += run.width
        assert x == drawing.width
    return found


def sources_of(drawing: Drawing, lines: Mapping[Cell, str], head: Head) -> set[str]:
    """Follow an arrow upward from its head, through all that it is joined to, to its boxes."""
    heads = {(each.x, each.y) for each in drawing.heads}
    lower = {
        (x, box.y + box.height - 1): box.key
        for box in drawing.boxes
        for x in range(box.x, box.x + box.width)
    }
    found, seen = set(), set()
    todo = [((head.x, head.y - 1), "U")]
    while todo:
        place, going = todo.pop()
        if (place, going) in seen or (going == "D" and place in heads):
            continue
        seen.add((place, going))
        char = lines.get(place, " ")
        sides = SIDES.get(char, "")
        if char == "│" and going in "LR":  # it runs behind one that goes down
            sides = going
        else:
            assert BACK[going] in sides, (place, going, char)
        if place in lower:
            assert char == "┬"
            found.add(lower[place])
            continue
        for side in sides:
            dx, dy = MOVES[side]
            todo.append(((place[0] + dx, place[1] + dy), side))
    return found


def check(graph: Graph, drawing: Drawing) -> None:
    lines = cells(drawing)
    keys = [each.key for each in graph.steps] + [each.name.value for each in graph.stages]
    assert sorted(box.key for box in drawing.boxes) == sorted(keys)
    for one, other in itertools.combinations(drawing.boxes, 2):
        assert apart(one, other), (one, other)
    for head in drawing.heads:
        target = drawing.box(head.target)
        assert target is not None
        assert head.y == target.y - 1
        assert target.x < head.x < target.x + target.width - 1
        assert drawing.at(head.x, head.y) == head.target
        assert sources_of(drawing, lines, head) == {head.source}
    arrows = {(feed.source, each.key, feed.slot) for each in graph.steps for feed in each.feeds}
    assert {(head.source, head.target, head.slot) for head in drawing.heads} == arrows
    for each in graph.steps:
        box = drawing.box(each.key)
        assert box is not None
        for feed in each.feeds:
            head = next(h for h in drawing.heads if (h.target, h.slot) == (each.key, feed.slot))
            shown = [run.text for run in drawing.rows[head.y] if run.part is Part.INPUT]
            assert shown_name(feed) in shown


def apart(one: Box, other: Box) -> bool:
    return (
        one.x + one.width < other.x
        or other.x + other.width < one.x
        or one.y + one.height < other.y
        or other.y + other.height < one.y
    )


@settings(max_examples=50, deadline=None)
@given(graphs(), st.integers(20, 130))
def test_every_arrow_can_be_followed_and_nothing_overlaps(graph: Graph, room: int) -> None:
    drawing = draw(graph, room)
    check(graph, drawing)
    assert draw(graph, room) == drawing


@pytest.mark.parametrize("room", [30, 58, 78, 120, 200])
@pytest.mark.parametrize(
    "graph", [chain(2), chain(13), star(3), star(12), fan(13), DIAMOND, Graph((step("A"),))]
)
def test_known_shapes(graph: Graph, room: int) -> None:
    check(graph, draw(graph, room))


@pytest.mark.parametrize("room", [58, 78, 120])
@pytest.mark.parametrize("graph", [chain(13), fan(13), DIAMOND])
def test_graphs_of_common_shapes_fit_across(graph: Graph, room: int) -> None:
    assert draw(graph, room).width <= room


def test_a_chain_runs_straight_down_and_wastes_no_row() -> None:
    drawing = draw(chain(13), 78)
    assert {head.x for head in drawing.heads} == {drawing.heads[0].x}
    assert drawing.box("M") == Box("M", drawing.boxes[0].x, 12 * 6, 23, 5)


def test_a_drawing_of_two_steps() -> None:
    graph = Graph(
        (
            StepBox("A", "A", "days-lived", "lovelace", "general-knowledge", "13500"),
            StepBox(
                "B",
                "B",
                "power-tower",
                "from-lovelace",
                "math",
                None,
                problems=2,
                in_answer=False,
                feeds=(Feed("base", "A", wrong=True),),
            ),
        ),
        (StageBox(StageName.ANSWER, "Final answer", ("A", "= 13500")),),
    )
    assert draw(graph, 78).text() == "\n".join(
        (
            " ┌───────────────────┐",
            " │ A days-lived      │",
            " │ lovelace       GK │",
            " │ = 13500           │",
            " └─────────┬─────────┘",
            "           ▼!base",
            " ┌┄┄┄┄┄┄┄┄┄┄┄┄┄┄ !2 ┄┐",
            " ┆ B power-tower     ┆",
            " ┆ from-lovelace  MA ┆",
            " ┆ = ?               ┆",
            " └┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┘",
            "╰───────────┬──────────╯",
            "            ▼",
            "    ┌──────────────┐",
            "    │ Final answer │",
            "    │ A            │",
            "    │ = 13500      │",
            "    └──────────────┘",
            "",
        )
    )


def test_a_loop_is_told_and_the_rest_of_it_drawn() -> None:
    graph = Graph((step("A", ("x", "C")), step("B", ("x", "A")), step("C", ("x", "B"))))
    drawing = draw(graph, 60)
    assert len(drawing.loop) == 4
    assert drawing.loop[0] == drawing.loop[-1]
    assert drawing.text().startswith(f"loop: {' -> '.join(drawing.loop)}\n")
    assert len(drawing.heads) == 2
    itself = draw(Graph((step("A", ("x", "A"), ("y", "Q")),)), 60)
    assert itself.loop == ("A", "A")
    assert itself.heads == ()


def test_hostile_names_stay_literal_and_in_their_cells() -> None:
    hostile = "[/red]\x1b[31m\x00\u202e漢字👩‍👩‍👧‍👦"
    graph = Graph((step("A", text=hostile), step("B", (hostile[:9], "A"), text=hostile)), STAGES)
    text = draw(graph, 78).text()
    assert "[/red]\\x1b" in text
    assert not set(text) & set("\x1b\x00\u202e\u200d")
    check(graph, draw(graph, 78))


def test_arrow_keys_reach_every_box() -> None:
    for graph in (chain(13), star(12), fan(13), DIAMOND):
        drawing = draw(graph, 78)
        reached, todo = {drawing.boxes[0].key}, [drawing.boxes[0].key]
        while todo:
            key = todo.pop()
            for direction in Direction:
                found = drawing.neighbour(key, direction)
                if found not in reached:
                    reached.add(found)
                    todo.append(found)
        assert reached == {box.key for box in drawing.boxes}
    assert drawing.neighbour("gone", Direction.UP) == drawing.boxes[0].key
    assert drawing.neighbour("A", Direction.UP) == "A"
    assert drawing.neighbour("B", Direction.RIGHT) == "C"


def test_crossing_nets_take_the_order_of_tracks_that_crosses_least() -> None:
    assert tracks([Net("A", 10, (30,)), Net("B", 20, (40,))]) == {"B": 0, "A": 1}
    assert tracks([Net("A", 0, (4,)), Net("B", 10, (14,))]) == {"A": 0, "B": 0}
    assert tracks([Net("A", 5, (5,))]) == {}
