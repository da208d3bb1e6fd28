"""Draw a composite's dependency graph in characters, as a paper's figure shows it.

Steps in layers with arrows downward, each named for the input that it feeds; under them what
becomes of all steps together: the composite prompt, bloat, encoding, the final answer. The same
graph in the same room gives the same drawing. Where arrows cross, the one across runs behind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rich.cells import cell_len

from relaybench.domain.literal import visible
from relaybench.tui.composer.canvas import DOWN, UP, Canvas, fitted
from relaybench.tui.composer.graph_layout import WIDEST, Layout, lay_out, shown_name, without_loops
from relaybench.tui.composer.graph_values import (
    Box,
    Drawing,
    Feed,
    Graph,
    Head,
    Part,
    StageBox,
    StageName,
    StepBox,
)
from relaybench.tui.composer.routing import tracks

BOX_HEIGHT: Final = 5
_STAGE_GAP: Final = 3
_WIDEST_STAGE: Final = 60
#: Two letters for a domain, since a box has no room for its name.
DOMAIN_MARKS: Final[Mapping[str, str]] = {
    "visual-reasoning": "VR",
    "coding": "CO",
    "math": "MA",
    "information-extraction": "IE",
    "problem-solving": "PS",
    "general-knowledge": "GK",
    "data-analysis": "DA",
}
_FRAME: Final = "┌─┐│└┘"
_FAINT_FRAME: Final = "┌┄┐┆└┘"


def draw(graph: Graph, room: int) -> Drawing:
    """Draw a graph, not wider than ``room`` cells wherever one box in a row can be that narrow.

    Nothing here raises for what a file may say: of a loop all but the closing arrow is drawn.
    """
    feeds, loop = without_loops(graph)
    layout = lay_out(graph, feeds, room)
    sizes = [_stage_width(stage, True) for stage in graph.stages]
    under = sum(sizes) + _STAGE_GAP * (len(sizes) - 1)
    in_a_row = under <= max(room, layout.width)
    if not in_a_row:
        under = max(_stage_width(stage, False) for stage in graph.stages)
        under = min(under, max(room, layout.width))
    width = max(layout.width, under)
    canvas, boxes, heads = Canvas(), list[Box](), list[Head]()
    y = 0
    if loop:
        text = fitted(f"loop: {' -> '.join(loop)}", max(width, NARROW_LINE))
        canvas.write(0, 0, text, Part.PROBLEM, wrong=True)
        width, y = max(width, cell_len(text)), 2
    shift = (width - layout.width) // 2
    y = _draw_steps(canvas, graph, feeds, _shifted(layout, shift), y, boxes, heads)
    if graph.stages:
        start = (width - under) // 2
        places = _stage_places(sizes, start, under, in_a_row)
        y = _draw_stages(canvas, graph, places, width, y, boxes)
    return Drawing(width, canvas.rows(width, y), tuple(boxes), tuple(heads), loop)


#: Room for the words of a loop above a drawing that is narrower.
NARROW_LINE: Final = 40


def _shifted(layout: Layout, by: int) -> Layout:
    """The layout, moved to the right."""
    for row in layout.rows:
        row.boxes = {key: (left + by, width) for key, (left, width) in row.boxes.items()}
        row.lanes = {source: column + by for source, column in row.lanes.items()}
    return Layout(
        layout.rows,
        {place: column + by for place, column in layout.ports.items()},
        [[net.shifted(by) for net in nets] for nets in layout.channels],
        layout.width,
    )


def _draw_steps(
    canvas: Canvas,
    graph: Graph,
    feeds: Mapping[str, Sequence[Feed]],
    layout: Layout,
    y: int,
    boxes: list[Box],
    heads: list[Head],
) -> int:
    """All steps and arrows from row ``y`` on; returns the row under them."""
    steps = {step.key: step for step in graph.steps}
    for number, row in enumerate(layout.rows):
        nets = layout.channels[number] if number < len(layout.channels) else []
        leaving = {net.source: net.top for net in nets}
        if number:
            y = _draw_channel(canvas, layout, number - 1, y)
        for source, column in row.lanes.items():
            canvas.down(column, y, y + BOX_HEIGHT, source)
        for key, (left, width) in row.boxes.items():
            boxes.append(Box(key, left, y, width, BOX_HEIGHT))
            _draw_step(canvas, steps[key], left, y, width)
            if key in leaving:
                canvas.write(leaving[key], y + BOX_HEIGHT - 1, "┬", Part.FRAME, key)
            for feed in feeds[key]:
                port = layout.ports[key, feed.slot]
                heads.append(Head(feed.source, key, feed.slot, port, y - 1))
                canvas.write(port, y - 1, "▼", Part.HEAD, key, wrong=feed.wrong)
                canvas.write(port + 1, y - 1, shown_name(feed), Part.INPUT, key, wrong=feed.wrong)
        y += BOX_HEIGHT
    return y


def _draw_channel(canvas: Canvas, layout: Layout, number: int, y: int) -> int:
    """The arrows under a row from its lower edge on; returns the row of the next boxes' tops."""
    nets = layout.channels[number]
    track = tracks(nets)
    bottom = y + max(track.values(), default=-1) + 2
    for net in nets:
        if net.straight:
            canvas.down(net.top, y, bottom, net.source)
            continue
        turn = y + track[net.source]
        canvas.down(net.top, y, turn, net.source)
        canvas.line(net.top, turn, UP, net.source)
        canvas.across(*net.span, turn, net.source)
        for column in net.bottoms:
            canvas.line(column, turn, DOWN, net.source)
            canvas.down(column, turn + 1, bottom, net.source)
    return bottom


def _frame(
    canvas: Canvas, key: str, place: tuple[int, int, int, int], faint: bool, problems: int
) -> None:
    x, y, width, height = place
    corner, flat, right, side, low, low_right = _FAINT_FRAME if faint else _FRAME
    mark = fitted(f" !{problems} ", width - 4) if problems else ""
    lead = width - 3 - cell_len(mark)
    canvas.write(x, y, corner + flat * lead, Part.FRAME, key, faint=faint)
    canvas.write(x + 1 + lead, y, mark, Part.PROBLEM, key, wrong=True)
    canvas.write(x + width - 2, y, flat + right, Part.FRAME, key, faint=faint)
    for row in range(y + 1, y + height - 1):
        canvas.write(x, row, side, Part.FRAME, key, faint=faint)
        canvas.write(x + 1, row, " " * (width - 2), Part.DETAIL, key, faint=faint)
        canvas.write(x + width - 1, row, side, Part.FRAME, key, faint=faint)
    for column in range(x, x + width):
        char = low if column == x else low_right if column == x + width - 1 else flat
        canvas.write(column, y + height - 1, char, Part.FRAME, key, faint=faint)


def _draw_step(canvas: Canvas, step: StepBox, x: int, y: int, width: int) -> None:
    key, faint, room = step.key, not step.in_answer, width - 4
    _frame(canvas, key, (x, y, width, BOX_HEIGHT), faint, step.problems)
    label = fitted(step.label, max(room // 2, 1))
    _inside(canvas, x + 2, y + 1, room, key, (label, Part.LABEL), (step.class_name, Part.TITLE))
    mark = DOMAIN_MARKS.get(step.domain, "??")
    instance = fitted(step.instance, room - len(mark) - 1)
    instance += " " * (room - len(mark) - 1 - cell_len(instance))
    _inside(canvas, x + 2, y + 2, room, key, (instance, Part.DETAIL), (mark, Part.DOMAIN))
    answer = "= ?" if step.answer is None else f"= {step.answer}"
    _inside(canvas, x + 2, y + 3, room, key, (answer, Part.ANSWER))


def _inside(canvas: Canvas, x: int, y: int, room: int, key: str, *texts: tuple[str, Part]) -> None:
    """Write texts one after the other into a row of a box, over its blank cells."""
    end = x + room + 1
    canvas.write(x - 1, y, " ", Part.DETAIL, key)
    for text, part in texts:
        shown = fitted(text, end - 1 - x)
        canvas.write(x, y, shown, part, key)
        x += cell_len(shown)
        if x < end:
            canvas.write(x, y, " ", Part.DETAIL, key)
            x += 1
    if x < end:
        canvas.write(x, y, " " * (end - x), Part.DETAIL, key)


def _stage_texts(stage: StageBox, in_a_row: bool) -> tuple[str, ...]:
    """The lines under a stage's title; above one another there is one line, with the title."""
    return stage.words if in_a_row else (", ".join(stage.words),)


def _stage_width(stage: StageBox, in_a_row: bool) -> int:
    words = _stage_texts(stage, in_a_row)
    if in_a_row:
        return min(max(cell_len(visible(each)) for each in (stage.title, *words)), WIDEST) + 4
    return min(cell_len(stage.title) + 2 + cell_len(visible(words[0])), _WIDEST_STAGE) + 4


def _stage_places(
    sizes: Sequence[int], start: int, under: int, in_a_row: bool
) -> list[tuple[int, int, int]]:
    """Left, width and number of the row of each stage."""
    places, x = [], start
    for number, size in enumerate(sizes):
        if in_a_row:
            places.append((x, size, 0))
            x += size + _STAGE_GAP
        else:
            places.append((start, under, number))
    return places


def _draw_stages(
    canvas: Canvas,
    graph: Graph,
    places: Sequence[tuple[int, int, int]],
    width: int,
    y: int,
    boxes: list[Box],
) -> int:
    """The line under all steps and the stages below it; returns the row under them."""
    in_a_row = places[-1][2] == 0
    middle = places[0][0] + places[0][1] // 2
    key = StageName.COMPOSITE.value
    if graph.steps:
        line = "╰" + "─" * (middle - 1) + "┬" + "─" * (width - middle - 2) + "╯"
        canvas.write(0, y, line, Part.FRAME, key)
        canvas.write(middle, y + 1, "▼", Part.HEAD, key)
        y += 2
    height = max(len(stage.words) for stage in graph.stages) + 3 if in_a_row else 3
    for index, (stage, (x, wide, number)) in enumerate(zip(graph.stages, places, strict=True)):
        top = y + number * (height + 1)
        boxes.append(Box(stage.name.value, x, top, wide, height))
        _draw_stage(canvas, stage, (x, top, wide, height), in_a_row)
        if index + 1 < len(places):
            name, after = stage.name.value, graph.stages[index + 1].name.value
            if in_a_row:
                at = top + height // 2
                canvas.write(x + wide - 1, at, "├", Part.FRAME, name, faint=not stage.on)
                canvas.write(x + wide, at, "─" * (_STAGE_GAP - 1), Part.ARROW, name)
                canvas.write(x + wide + _STAGE_GAP - 1, at, "▶", Part.HEAD, after)
            else:
                low = top + height - 1
                canvas.write(middle, low, "┬", Part.FRAME, name, faint=not stage.on)
                canvas.write(middle, low + 1, "▼", Part.HEAD, after)
    return y + (places[-1][2] + 1) * (height + 1) - 1


def _draw_stage(
    canvas: Canvas, stage: StageBox, place: tuple[int, int, int, int], in_a_row: bool
) -> None:
    x, y, width, _ = place
    name = stage.name.value
    _frame(canvas, name, place, not stage.on, stage.problems)
    lines = [
        (words, Part.ANSWER if words.startswith("= ") else Part.DETAIL)
        for words in _stage_texts(stage, in_a_row)
    ]
    if not in_a_row:
        _inside(canvas, x + 2, y + 1, width - 4, name, (f"{stage.title} ", Part.TITLE), *lines)
        return
    _inside(canvas, x + 2, y + 1, width - 4, name, (stage.title, Part.TITLE))
    for row, (words, part) in enumerate(lines):
        _inside(canvas, x + 2, y + 2 + row, width - 4, name, (words, part))
