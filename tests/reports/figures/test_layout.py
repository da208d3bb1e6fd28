"""What is drawn: no two texts overlap, nothing is cut off, whatever the names and the width."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any, Final

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from relaybench.domain.results import Outcome
from relaybench.reports.figures.drawing.scales import linear_ticks
from relaybench.reports.figures.drawing.sheet import PALE, WATERMARK
from relaybench.reports.figures.figure import Figure, FigureKind
from relaybench.reports.figures.model_results import cost_data, outcomes_data
from relaybench.reports.figures.render import drawn
from relaybench.reports.figures.style import Style, least_width
from tests.reports.figures import samples

NARROW, PAGE, POSTER = Style(3.3, 8), Style(), Style(10, 11)
#: Half a pixel at 100 pixels an inch: rounding of the measure.
_SLACK: Final = 0.5


def texts_of(canvas: Canvas) -> list[tuple[str, Bbox]]:
    """All texts of a drawing and where they stand, watermarks left out."""
    canvas.set_dpi(100)
    renderer = FigureCanvasAgg(canvas).get_renderer()  # type: ignore[no-untyped-call]
    return [
        (text.get_text(), text.get_window_extent(renderer))
        for text in canvas.findobj(Text)
        if isinstance(text, Text) and text.get_text() and text.get_gid() != WATERMARK
    ]


def check(canvas: Canvas) -> list[str]:
    """Assert that texts overlap nowhere and that all is within the sheet; returns the texts."""
    found = texts_of(canvas)
    wide, high = (inches * 100 for inches in canvas.get_size_inches())
    for text, box in found:
        assert box.x0 >= -_SLACK, text
        assert box.y0 >= -_SLACK, text
        assert box.x1 <= wide + _SLACK, text
        assert box.y1 <= high + _SLACK, text
    for (one, a), (other, b) in combinations(found, 2):
        across = min(a.x1, b.x1) - max(a.x0, b.x0)
        upward = min(a.y1, b.y1) - max(a.y0, b.y0)
        assert across <= _SLACK or upward <= _SLACK, (one, other)
    (axes,) = canvas.axes
    for line in axes.lines:
        places: Any = line.get_xydata()
        for x, y in places:
            assert -0.01 <= x <= wide / 100 + 0.01
            assert -0.01 <= y <= high / 100 + 0.01
    return [text for text, _ in found]


@pytest.mark.parametrize("style", [NARROW, PAGE, POSTER], ids=["3.3", "6.5", "10"])
def test_twelve_models_of_long_names(style: Style) -> None:
    for figure in samples.figures_of(samples.many(), simulated=True):
        texts = check(drawn(figure, style))
        assert any("SIMULATED" in text for text in texts)


@pytest.mark.parametrize("count", [1, 3])
def test_few_models_on_a_narrow_sheet(count: int) -> None:
    for figure in samples.figures_of(samples.PAPER[:count]):
        assert not any("SIMULATED" in text for text in check(drawn(figure, NARROW)))


@pytest.mark.parametrize("style", [NARROW, PAGE, POSTER], ids=["3.3", "6.5", "10"])
def test_graphs_of_two_and_thirteen_steps(style: Style) -> None:
    for steps in (2, 13):
        figure = samples.figure(FigureKind.GRAPH, samples.graph(steps))
        texts = check(drawn(figure, style))
        assert {"A", "B"} <= set(texts)
        assert "Encoding" in texts


def _places(figure: Figure, style: Style) -> list[str]:
    return check(drawn(figure, style))


def test_models_at_one_place_share_a_number_and_stand_in_a_key() -> None:
    texts = _places(samples.figure(FigureKind.COST, cost_data(samples.crowd())), PAGE)
    assert "1\u201312" in texts
    assert all(samples.long_name(index) in texts for index in range(12))
    assert "$0" in texts


def test_no_model_at_all_is_said_and_not_a_crash() -> None:
    for figure in samples.figures_of(()):
        check(drawn(figure, NARROW))


@pytest.mark.parametrize("font", [5.0, 12.5, 20.0])
def test_the_narrowest_sheet_for_its_letters_holds_everything(font: float) -> None:
    style = Style(least_width(font), font)
    many = samples.many()
    figures = samples.figures_of(many, simulated=True)
    figures.append(samples.figure(FigureKind.OVER_TIME, samples.over_time(many[:5], 5, 2)))
    for figure in figures:
        texts = check(drawn(figure, style))
        # Names may lose their middle where there is no room; our own words may not.
        cut = [text for text in texts if "\u2026" in text]
        assert not [text for text in cut if "Vendor" not in text and "set" not in text]


def test_an_axis_has_two_numbers_at_least_however_narrow() -> None:
    assert linear_ticks(30, 2) == [0, 20]
    assert linear_ticks(37.81, 2) == [0, 20]
    assert linear_ticks(4, 2) == [0, 2]  # a whole number, for attempts


def test_labels_of_a_cost_plot_lie_on_no_line() -> None:
    figure = samples.figure(FigureKind.COST, cost_data(samples.PAPER))
    for style in (NARROW, PAGE, Style(2.5, 12.5)):
        canvas = drawn(figure, style)
        texts = [(text, box) for text, box in texts_of(canvas) if not text.endswith("%")]
        (axes,) = canvas.axes
        for line in axes.lines:
            places: Any = line.get_xydata()
            if line.get_color() == PALE or len(places) < 2 or line.get_linewidth() < 0.85:
                continue  # the grid, marks, ticks and lines from labels to points
            extent = line.get_window_extent()
            for text, box in texts:
                assert not (
                    min(box.x1, extent.x1) - max(box.x0, extent.x0) > _SLACK
                    and min(box.y1, extent.y1) - max(box.y0, extent.y0) > 2 * _SLACK
                ), text


def test_a_model_has_one_mark_in_all_figures_of_a_call() -> None:
    models = samples.PAPER
    sets = samples.sets(models)
    # A model that no set of ours draws keeps its place for the others.
    fewer = replace(
        sets,
        groups=tuple(
            replace(group, points=tuple(p for p in group.points if p.model != sets.models[0]))
            for group in sets.groups
        ),
    )
    looks = []
    for kind, data in (
        (FigureKind.SETS, fewer),
        (FigureKind.OVER_TIME, samples.over_time(models, 2, 2)),
    ):
        canvas = drawn(samples.figure(kind, data), PAGE)
        (axes,) = canvas.axes
        looks.append({(line.get_marker(), str(line.get_markeredgecolor())) for line in axes.lines})
    marks = [{mark for mark, _ in look if mark != "None"} for look in looks]
    assert marks == [{"s", "^"}, {"o", "s", "^"}]


def test_several_series_over_time_have_marks_lines_and_names() -> None:
    for style in (NARROW, PAGE):
        data = samples.over_time(samples.PAPER, 3, 3)
        texts = _places(samples.figure(FigureKind.OVER_TIME, data), style)
        assert {"starter", "Published benchmark 1 (published)", "saturation (90%)"} <= set(texts)
        assert any("Hollow: published" in text for text in texts)


def test_numbers_of_outcomes_stand_in_or_under_their_segments() -> None:
    figure = next(
        each for each in samples.figures_of(samples.PAPER) if each.kind is FigureKind.OUTCOMES
    )
    texts = _places(figure, NARROW)
    for number in ("5", "1", "24", "12", "6", "13", "4"):
        assert number in texts
    assert texts.count("12") == 2  # 12 right, 12 unparseable
    assert texts.count("13") == 2  # 13 right, 13 wrong


def test_numbers_of_narrow_segments_beside_each_other_stand_apart() -> None:
    rare = {Outcome.REFUSED: 11, Outcome.TRUNCATED: 12, Outcome.STALLED: 13}
    found = samples.model("m", 1500, 2000, "1", items=3000, more=rare)
    figure = samples.figure(FigureKind.OUTCOMES, outcomes_data([found]))
    assert {"11", "12", "13", "1,500"} <= set(_places(figure, NARROW))


def test_unknown_costs_are_named_and_not_drawn() -> None:
    models = [*samples.PAPER, samples.model("Free of price", 20, 25, None)]
    figure = samples.figure(FigureKind.COST, cost_data(models))
    texts = _places(figure, PAGE)
    assert "Free of price" not in texts
    assert "Cost unknown, not drawn: Free of price." in texts
