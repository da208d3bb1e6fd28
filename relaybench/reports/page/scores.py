"""Leaderboard, costs, outcomes: the page's first tables, with scores drawn beside their numbers."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Final

from relaybench.domain.literal import visible
from relaybench.domain.results import Outcome
from relaybench.reports.cost_notes import price_source_notes
from relaybench.reports.escaping import html_attribute, html_text
from relaybench.reports.leaderboard_notes import hallucination_note
from relaybench.reports.page.frame import paragraph
from relaybench.reports.page.html_table import Drawing, table_parts
from relaybench.reports.page.run_report import RunReport
from relaybench.reports.page.short_names import short_words
from relaybench.reports.tables import NARROW, PAGE, WIDE, Missing, Table

_OUTCOME_NOTE: Final = (
    "Every attempt has one outcome. Scored are correct, wrong (an answer was read and differs from "
    "the key), unparseable (finished without a final code block), refused, truncated (at a length "
    "limit) and stalled (at a turn or tool limit). Errors and pending attempts are not scored."
)
_FIRST: Final = ("simulated", "model")
_RATES: Final = ("hallucination", "hallucination_low", "hallucination_high", "parse_rate")


def leaderboard_parts(report: RunReport, said: Collection[str]) -> Iterator[str]:
    """The leaderboard with its intervals drawn; every other column folded away."""
    board = report.leaderboard
    yield from table_parts(
        board, PAGE, drawn={"pass_at_1": interval_drawing(board, "pass_at_1")}, without=said
    )
    yield "<details><summary>All columns of the leaderboard</summary>\n"
    yield from table_parts(replace(board, notes=()), WIDE)
    yield "</details>\n"


def interval_drawing(table: Table, key: str) -> Drawing:
    """Draws a share and its interval on an axis from 0 to 1; nothing where it is missing."""
    column = table.columns[table.place(key)]

    def draw(row: int) -> str:
        ends = (column.low, column.high)
        values = [table.value(row, each) for each in (key, *ends) if each]
        if len(values) < 3 or any(isinstance(value, Missing | str) for value in values):
            return ""
        middle, low, high = (f"{4 + 192 * float(value):.1f}" for value in values)  # type: ignore[arg-type]
        return (
            '<svg class="ci" viewBox="0 0 200 10" preserveAspectRatio="none" aria-hidden="true" '
            f'focusable="false"><path class="axis" d="M4 5H196M4 1V9M100 1V9M196 1V9"/>'
            f'<path d="M{low} 5H{high}"/><path class="dot" d="M{middle} 1V9"/></svg>'
        )

    return draw


def cost_parts(report: RunReport, said: Collection[str]) -> Iterator[str]:
    """Prices, tokens and costs by bucket; where each price comes from stands under Settings."""
    without = {*said, *price_source_notes(report.results)}
    yield from table_parts(report.costs, PAGE, without=without)
    yield '<p class="small"><a href="#prices">Day and source of each price</a></p>\n'


def outcome_table(report: RunReport) -> Table:
    """Attempts by outcome, hallucination and parse rate, a row a model, best score first."""
    board = report.leaderboard
    outcomes = [each.value for each in Outcome]
    keys = [*_FIRST, "planned", *outcomes, *_RATES]
    columns = [column for key in keys for column in board.columns if column.key == key]
    places = [board.place(column.key) for column in columns]
    shown = [
        replace(column, level=min(column.level, NARROW))
        if column.key in (*outcomes, "planned")
        else column
        for column in columns
    ]
    return Table(
        name="outcomes",
        title=report.title("Outcomes"),
        columns=tuple(shown),
        rows=tuple(tuple(row[place] for place in places) for row in board.rows),
        notes=(_OUTCOME_NOTE, hallucination_note(report.run.repeats > 1)),
        simulated=board.simulated,
    )


def outcome_parts(report: RunReport, said: Collection[str]) -> Iterator[str]:
    """The outcomes."""
    yield from table_parts(outcome_table(report), PAGE, without=said)


def picture_parts(report: RunReport, said: Collection[str]) -> Iterator[str]:
    """All figures as pictures within the page, and why some are not there."""
    above = {visible(note) for note in said}  # as captions have them
    for picture in report.pictures:
        data = b64encode(picture.svg).decode("ascii")
        lines = [line.strip() for line in picture.caption.splitlines()]
        more = [
            line for line in lines if line and line not in {visible(f"{picture.title}."), *above}
        ]
        yield (
            f'<figure><img alt="{html_attribute(short_words(picture.alt))}" '
            f'src="data:image/svg+xml;base64,{data}">\n'
            f"<figcaption><p><strong>{html_text(picture.title)}</strong></p>"
            f"{''.join(paragraph(line) for line in more)}</figcaption></figure>\n"
        )
    for note in report.picture_notes:
        yield paragraph(note)
