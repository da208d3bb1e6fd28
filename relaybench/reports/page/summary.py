"""The first thing on the page: what was run, and what came out in a few computed sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from relaybench.domain.money import sum_known
from relaybench.domain.results import Outcome
from relaybench.reports.display import display
from relaybench.reports.numbers import counted, listed, percent, points, usd
from relaybench.reports.page.frame import definitions, paragraph
from relaybench.reports.page.run_report import RunReport
from relaybench.reports.run_facts import Simulated, unpriced
from relaybench.reports.tables import NARROW, Table

#: Below this a corrected p-value counts as significant.
LEVEL: Final = 0.05
#: That many differences are named.
_NAMED: Final = 2


def summary_parts(report: RunReport) -> Iterator[str]:
    """What was run as a list of facts, then the headline."""
    yield definitions(_facts(report))
    yield '<div class="lead">\n'
    for sentence in headline(report):
        yield paragraph(sentence)
    yield "</div>\n"


def _facts(report: RunReport) -> list[tuple[str, str]]:
    run = report.run
    sets = list(dict.fromkeys(item.set_name for item in report.grid.items.values()))
    how = report.how_simulated
    if how is Simulated.NONE:
        what = "imported: made elsewhere" if run.kind == "import" else "sent to real models"
    else:
        what = f"{how.value}: made-up results" if how is Simulated.ALL else how.value
    when = run.created_at[:16].replace("T", " ")
    return [
        ("Run", run.name),
        ("Started" if run.kind != "import" else "Imported", f"{when} UTC"),
        ("Results", what),
        ("Version", f"relaybench {run.version}"),
        ("Sets" if len(sets) != 1 else "Set", listed(sets)),
        ("Size", _size(report)),
    ]


def _size(report: RunReport) -> str:
    run = report.run
    parts = [
        counted(run.items, "item"),
        counted(run.configs, "model"),
        counted(run.repeats, "repeat"),
    ]
    return f"{' × '.join(parts)}: {counted(run.planned, 'attempt')}"


def headline(report: RunReport) -> list[str]:
    """The outcome in sentences, each computed from rows: score, differences, cost, coverage."""
    return [
        *_best(report.leaderboard),
        *_differences(report.analysis("comparison")),
        _cost(report),
        _coverage(report),
    ]


def _best(board: Table) -> list[str]:
    shown = display(board, NARROW)
    place = [column.key for column in board.columns if column.level <= NARROW].index("pass_at_1")
    scores = [row[board.place("pass_at_1")] for row in board.rows]
    known = [float(score) for score in scores if isinstance(score, float | int)]
    if not known:
        return ["No attempt is scored yet, so there is no score."]
    best = [
        (str(board.value(n, "model")), shown.rows[n][place])
        for n, score in enumerate(scores)
        if isinstance(score, float | int) and score == max(known)
    ]
    names = [name for name, _ in best]
    said = {text for _, text in best}
    if len(best) == 1:
        return [f"Best score: {names[0]} with {said.pop()} pass@1 (95% interval in brackets)."]
    shared = f"Best score, shared by {len(best):,} models: "
    if len(said) == 1:
        return [f"{shared}{listed(names)}, with {said.pop()} pass@1 (95% interval in brackets)."]
    # One score may rest on different numbers of attempts.
    each = listed([f"{name} with {text}" for name, text in best])
    return [f"{shared}{each} pass@1 (95% intervals in brackets)."]


def _differences(table: Table | None) -> list[str]:
    """How many paired differences are more than noise, from the table of comparisons."""
    if table is None or not table.rows:
        return []
    tested, better = list[int](), list[tuple[float, str]]()
    for row in range(len(table.rows)):
        p, difference = table.value(row, "p_adjusted"), table.value(row, "difference")
        n = table.value(row, "n")
        if not (
            isinstance(p, float | int)
            and isinstance(difference, float | int)
            and isinstance(n, int)
        ):
            continue
        tested.append(n)
        if p < LEVEL:
            a, b = str(table.value(row, "model_a")), str(table.value(row, "model_b"))
            first, second = (a, b) if difference > 0 else (b, a)
            size = abs(float(difference))
            better.append((size, f"{first} above {second} by {points(size)[1:]} points"))
    if not tested:
        return ["No pair of models has two problems in common, so no difference can be tested."]
    problems = counted(max(tested), "problem")
    if min(tested) < max(tested):
        problems = f"{min(tested):,} to {problems}"
    pairs = f"{counted(len(tested), 'pairwise difference')} over {problems}"
    rule = f"at the {LEVEL:.0%} level" + (" after Holm's correction" if len(tested) > 1 else "")
    if not better:
        return [f"Of {pairs}, none is significant {rule}: this run does not rank these models."]
    verb = "is" if len(better) == 1 else "are"
    better.sort(key=lambda each: -each[0])
    named = "; ".join(said for _, said in better[:_NAMED])
    which = f"the largest: {named}" if len(better) > _NAMED else named
    return [f"Of {pairs}, {len(better):,} {verb} significant {rule} ({which})."]


def _cost(report: RunReport) -> str:
    known = [each.cost.total for each in report.results if each.cost.total is not None]
    without = unpriced(report.results)
    if not without:
        return f"Total cost: {usd(sum_known(tuple(known)))}."
    if not known:
        return "Total cost: unknown, since no model's cost is known."
    partly = usd(sum(known[1:], known[0]))
    return f"Total cost: unknown; {partly} without {listed(without)}, whose cost is not known."


def _coverage(report: RunReport) -> str:
    planned = sum(each.planned for each in report.results)
    scored = sum(each.scored for each in report.results)
    if planned == scored:
        return f"Coverage: all {counted(planned, 'planned attempt')} scored."
    open_ = [each.config.label for each in report.results if each.scored < each.planned]
    errors = sum(each.count(Outcome.ERROR) for each in report.results)
    rest = f", {errors:,} ended in an error" if errors else ""
    return (
        f"Coverage: {scored:,} of {counted(planned, 'planned attempt')} scored "
        f"({percent(scored / planned)}%){rest}. Incomplete, so that scores may change: "
        f"{listed(open_)}."
    )
