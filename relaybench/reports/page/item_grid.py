"""Items down, models across: what became of every cell, in few bytes even for a big run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from relaybench.domain.results import Outcome
from relaybench.reports.escaping import html_attribute, html_text
from relaybench.reports.grid_facts import item_names
from relaybench.reports.page.frame import paragraph
from relaybench.reports.page.run_report import RunReport
from relaybench.reports.page.short_names import short_name

#: Class of our style sheet for a cell of several attempts or none.
_ALL, _SOME, _NONE, _OPEN = "r", "p", "w", "o"
#: Where an import brought nothing; nothing of it is open.
_NOT_IMPORTED: Final = "none"
_CLASSES: Final = {
    Outcome.CORRECT: _ALL,
    Outcome.WRONG: _NONE,
    Outcome.UNPARSEABLE: "u",
    Outcome.REFUSED: "u",
    Outcome.TRUNCATED: "u",
    Outcome.STALLED: "u",
    Outcome.ERROR: _OPEN,
    Outcome.PENDING: _OPEN,
}
_LEGEND: Final = {
    Outcome.CORRECT: "the answer equals the key",
    Outcome.WRONG: "an answer was read and differs",
    Outcome.UNPARSEABLE: "no final code block",
    Outcome.REFUSED: "refused or stopped for safety",
    Outcome.TRUNCATED: "cut off at a length limit",
    Outcome.STALLED: "stopped at a turn or tool limit",
    Outcome.ERROR: "failed, not scored",
    Outcome.PENDING: "no answer yet, not scored",
}


def grid_parts(report: RunReport) -> Iterator[str]:
    """The grid with its legend; models as in the leaderboard, items as in the plan."""
    grid = report.grid
    by_label = {config.label: digest for digest, config in grid.configs.items()}
    labels = [str(row[report.leaderboard.place("model")]) for row in report.leaderboard.rows]
    digests = [by_label[label] for label in labels]
    single = all(len(cell) <= 1 for cell in grid.cells.values())
    yield paragraph(
        "Each cell names the outcome of its one attempt."
        if single
        else "Each cell gives right / scored attempts of one model at one item."
        if report.run.kind == "import"
        else "Each cell gives right / scored attempts of one model at one item, or the outcome "
        "where none is scored. An asterisk marks cells in which some attempts are still open."
    )
    yield _legend(report, single)
    name = report.title("Items by models")
    yield (
        f'<div class="scroll grid" role="region" tabindex="0" aria-label="{html_attribute(name)}">'
        f'<table><caption><span>{html_text(name)}</span></caption>\n<thead><tr><th scope="col">'
        "Item</th>"
    )
    for label in labels:
        yield f'<th scope="col">{html_text(short_name(label))}</th>'
    yield "</tr></thead>\n<tbody>\n"
    nothing = _NOT_IMPORTED if report.run.kind == "import" else Outcome.PENDING.value
    for digest, name in item_names(grid).items():
        cells = "".join(
            cell(grid.cells.get((digest, each), ()), single, nothing) for each in digests
        )
        yield f"<tr><th scope=row>{html_text(short_name(name))}</th>{cells}</tr>\n"
    yield "</tbody></table></div>\n"


def cell(outcomes: Sequence[Outcome], single: bool, nothing: str = Outcome.PENDING.value) -> str:
    """One cell: a word for one attempt, else right / scored; a class only colours what it says.

    ``nothing`` stands where there is no attempt.
    """
    scored = [outcome for outcome in outcomes if outcome.scored]
    if not scored:
        word = Outcome.ERROR.value if Outcome.ERROR in outcomes else nothing
        return f"<td class={_OPEN}>{word}</td>"
    if single:
        return f"<td class={_CLASSES[scored[0]]}>{scored[0].value}</td>"
    right = scored.count(Outcome.CORRECT)
    name = _ALL if right == len(scored) else _SOME if right else _NONE
    mark = "*" if len(scored) < len(outcomes) else ""
    return f"<td class={name}>{right}/{len(scored)}{mark}</td>"


def _legend(report: RunReport, single: bool) -> str:
    if single:
        seen = {each for cell in report.grid.cells.values() for each in cell}
        entries = [(_CLASSES[o], o.value, what) for o, what in _LEGEND.items() if o in seen]
    else:
        entries = [
            (_ALL, "2/2", "all right"),
            (_SOME, "1/2", "some right"),
            (_NONE, "0/2", "none right"),
            (_OPEN, "error, pending", "nothing scored"),
        ]
    if report.run.kind == "import":
        entries = [each for each in entries if each[0] != _OPEN]
        entries.append((_OPEN, _NOT_IMPORTED, "no result was imported"))
    lines = [
        f'<li><b class="{name}">{word}</b> {html_text(what)}</li>' for name, word, what in entries
    ]
    return f'<ul class="legend">{"".join(lines)}</ul>\n'
