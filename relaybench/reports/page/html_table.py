"""A table in HTML: caption, scopes, a scrolling region where it may be wide, and its notes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Final

from relaybench.reports.display import display, is_silent
from relaybench.reports.escaping import html_attribute, html_text
from relaybench.reports.page.short_names import short_name, short_words
from relaybench.reports.tables import WIDE, Missing, Table

#: Draws something beside a cell's text, by the row's number; markup of ours, seen only.
Drawing = Callable[[int], str]
#: Tables of more rows scroll within a window of their own, under their headings.
_TALL: Final = 40
#: Row heads of more characters get more room.
_LONG: Final = 40
_NOTHING_DRAWN: Final[Mapping[str, Drawing]] = {}


def html_table(table: Table, level: int = WIDE) -> str:
    """Caption, rows and notes as a fragment of HTML; columns of that level and below.

    What names a row is its head. Nothing in a cell becomes markup, and every cell
    reads as in the other formats for people.
    """
    return "".join(table_parts(table, level, marked=True))


def table_parts(
    table: Table,
    level: int = WIDE,
    *,
    drawn: Mapping[str, Drawing] = _NOTHING_DRAWN,
    without: Collection[str] = (),
    marked: bool = False,
) -> Iterator[str]:
    """The same piece by piece: ``drawn`` by column key, notes ``without`` those said elsewhere.

    Where all rows are simulated the caption says so, and the rows only if ``marked``; quiet
    columns that have nothing to say stay out then, as on a terminal.
    """
    view = display(table, level, terminal=not marked)
    columns = [column for column in table.columns if column.level <= level]
    if not marked:
        columns = [column for column in columns if not is_silent(table, column)]
    title = short_words(table.title)
    drawings = [drawn.get(column.key) for column in columns]
    names = ["scroll"]
    names += ["tall"] if len(table.rows) > _TALL else []
    names += ["long"] if any(len(row[0]) > _LONG for row in view.rows if row) else []
    yield (
        f'<div class="{" ".join(names)}" role="region" tabindex="0" '
        f'aria-label="{html_attribute(title)}">'
        f"<table><caption><span>{html_text(title)}</span></caption>\n<thead><tr>"
    )
    for heading, numeric in zip(view.headings, view.numeric, strict=True):
        yield f'<th scope="col"{" class=n" if numeric else ""}>{html_text(heading)}</th>'
    yield "</tr></thead>\n<tbody>\n"
    places = [table.place(column.key) for column in columns]
    for number, (cells, row) in enumerate(zip(view.rows, table.rows, strict=True)):
        line = ["<tr>"]
        for index, cell in enumerate(cells):
            name = _class_of(view.numeric[index], isinstance(row[places[index]], Missing))
            draw = drawings[index]
            shown = html_text(short_name(cell) if view.names[index] else cell)
            shown += draw(number) if draw else ""
            if view.names[index]:
                line.append(f'<th scope="row"{name}>{shown}</th>')
            else:
                line.append(f"<td{name}>{shown}</td>")
        line.append("</tr>\n")
        yield "".join(line)
    yield "</tbody></table></div>\n"
    yield notes_list([note for note in table.notes if note not in without])


def notes_list(notes: list[str]) -> str:
    """Notes below a table as a list; nothing where there are none."""
    if not notes:
        return ""
    return (
        '<ul class="notes">'
        + "".join(f"<li>{html_text(short_words(n))}</li>" for n in notes)
        + "</ul>\n"
    )


def _class_of(numeric: bool, missing: bool) -> str:
    if numeric:
        return ' class="n m"' if missing else " class=n"
    return " class=m" if missing else ""
