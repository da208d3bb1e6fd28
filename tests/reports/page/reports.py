"""Hand-built reports: a nasty run with everything that can hold of one, and a plain one."""

from __future__ import annotations

from collections.abc import Sequence

from relaybench.domain.item import Item, ItemKind
from relaybench.domain.model import ModelConfig
from relaybench.domain.results import Outcome
from relaybench.reports.comparison import comparison
from relaybench.reports.costs import cost_table
from relaybench.reports.dependence import dependence, shares_classes
from relaybench.reports.items_table import items_table
from relaybench.reports.leaderboard import leaderboard
from relaybench.reports.page.run_report import Picture, RunReport
from relaybench.store.extractors import ExtractorUse
from relaybench.store.grid import GridItem, GridStep, OutcomeGrid
from relaybench.store.item_answers import GivenAnswer, ItemAnswers
from relaybench.store.plans import RunRow
from relaybench.store.results import ConfigResult
from relaybench.store.retried import RetriedRow
from relaybench.store.wrong_answers import WrongAnswer
from tests.reports.samples import (
    ANSWER,
    HOSTILE,
    KEY,
    PROMPT,
    a_run,
    nasty_results,
    nasty_run,
    paper_results,
)

SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0H9"/></svg>'
RIGHT_TO_LEFT = "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd"


def a_grid_item(name: str, kind: ItemKind = ItemKind.COMPOSITE) -> GridItem:
    """An item of one class, as a grid has it."""
    item = Item("private", name, kind, f"{PROMPT} {name}", KEY)
    step = GridStep("A", "math/sums:one", "math", True, (), ())
    imported = kind is ItemKind.IMPORTED
    return GridItem(
        digest=item.digest,
        set_name=item.set_name,
        name=name,
        kind=kind,
        prompt_sha256=item.prompt_sha256,
        problem=name,
        steps=() if imported else (step,),
        domains=("math",),
        encoded=False,
        bloat_characters=0,
        characters=len(item.prompt),
        estimated_tokens=9,
    )


def a_grid(
    run: RunRow,
    configs: Sequence[ModelConfig],
    names: Sequence[str],
    cells: Sequence[Sequence[Outcome]],
    kind: ItemKind = ItemKind.COMPOSITE,
) -> OutcomeGrid:
    """A grid in which each config has one row of ``cells``, the outcomes of every item."""
    items = [a_grid_item(name, kind) for name in names]
    return OutcomeGrid(
        runs=(run,),
        items={item.digest: item for item in items},
        configs={config.digest: config for config in configs},
        cells={
            (item.digest, config.digest): tuple(outcomes)
            for config, outcomes in zip(configs, cells, strict=True)
            for item in items
        },
    )


def a_report(
    run: RunRow,
    results: Sequence[ConfigResult],
    grid: OutcomeGrid,
    *,
    with_answers: bool = False,
    answer: str | None = ANSWER,
    **changes: object,
) -> RunReport:
    """A report of these results with the tables that need no results file."""
    configs = [result.config for result in results]
    wrong = [
        WrongAnswer(item, ANSWER, {config.digest: 1 for config in configs}, False)
        for item in grid.items
    ]
    given = tuple(
        GivenAnswer(config.digest, 0, Outcome.WRONG, answer, True, True) for config in configs
    )
    shared = [dependence(grid)] if shares_classes(grid) else []
    report = RunReport(
        run=run,
        results=tuple(results),
        grid=grid,
        leaderboard=leaderboard(run, results),
        costs=cost_table(run, results),
        analyses=(comparison(grid, configs), items_table(grid, wrong), *shared),
        pictures=(Picture("Scores", "Bars of three models", "What the bars mean", SVG),),
        picture_notes=(),
        extractors=(ExtractorUse("fenced/2", False, 7),),
        retried=tuple(RetriedRow(config.digest, 2, 1, 6, 3) for config in configs),
        version="9.9.9",
        answers=[ItemAnswers(item, f"{PROMPT}\n<b>{HOSTILE}", (KEY,), given) for item in grid.items]
        if with_answers
        else None,
    )
    for name, value in changes.items():
        object.__setattr__(report, name, value)
    return report


def nasty_report(*, with_answers: bool = False, answer: str | None = HOSTILE) -> RunReport:
    """Six models, some simulated, failing in every way, with hostile names."""
    run, results = nasty_run(), nasty_results()
    outcome = Outcome
    cells = (
        (outcome.ERROR, outcome.ERROR),
        (outcome.CORRECT, outcome.WRONG),
        (outcome.WRONG, outcome.PENDING),
        (outcome.REFUSED, outcome.CORRECT),
        (outcome.UNPARSEABLE, outcome.UNPARSEABLE),
        (outcome.WRONG, outcome.WRONG),
    )
    names = ("relay-01", HOSTILE, RIGHT_TO_LEFT, "x" * 200)
    grid = a_grid(run, [each.config for each in results], names, cells)
    return a_report(run, results, grid, with_answers=with_answers, answer=answer)


def paper_report() -> RunReport:
    """The paper's three models over 30 items, one attempt each; nothing is odd about them."""
    run, results = a_run(), paper_results()
    cells = ((Outcome.CORRECT,), (Outcome.WRONG,), (Outcome.UNPARSEABLE,))
    names = [f"relay-{number:02}" for number in range(30)]
    grid = a_grid(run, [each.config for each in results], names, cells, ItemKind.IMPORTED)
    report = a_report(run, results, grid)
    object.__setattr__(report, "retried", ())
    return report
