"""Which figures are made, which are left out and why, and what all captions must say."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from relaybench.domain.errors import UsageError
from relaybench.domain.results import Outcome
from relaybench.reports.figures.build import Sources, build
from relaybench.reports.figures.figure import FigureKind, Share
from relaybench.reports.figures.published import PublishedScore
from relaybench.store.grid import OutcomeGrid
from tests.reports.figures.test_series import ALPHA, MAY, OPEN, a_grid

NOTHING = a_grid("2026-05-01", {("one/a", ALPHA): OPEN, ("one/b", ALPHA): (Outcome.ERROR,)})


def sources(grid: OutcomeGrid, *published: PublishedScore) -> Sources:
    """Sources of one run without costs."""
    return Sources((grid,), grid, ((),), {}, published=published)


def test_where_nothing_is_scored_only_open_outcomes_are_drawn() -> None:
    gathered = build(sources(NOTHING))
    assert [figure.kind for figure in gathered.figures] == [FigureKind.OUTCOMES]
    assert [kind.value for kind in gathered.missing] == [
        "graph",
        "sets",
        "over-time",
        "hallucination",
        "cost",
        "scores",
    ]
    assert "sets: no attempt is scored yet; it can be drawn when one is" in gathered.left_out
    with pytest.raises(UsageError, match="no attempt is scored yet"):
        build(sources(NOTHING), [FigureKind.SCORES])
    with pytest.raises(UsageError, match=r"nothing can be drawn: hallucination: .*; scores: no"):
        build(sources(NOTHING), [FigureKind.SCORES, FigureKind.HALLUCINATION])


def test_published_scores_are_drawn_before_any_of_ours() -> None:
    undated = PublishedScore("GPQA", "m", Share(0.5))
    kinds = [FigureKind.SETS, FigureKind.OVER_TIME]
    assert build(sources(NOTHING, undated), kinds).missing == (FigureKind.OVER_TIME,)
    dated = replace(undated, when=date(2026, 1, 1))
    assert build(sources(NOTHING, dated), kinds).missing == ()


def test_n_of_several_forms_of_one_problem_is_qualified() -> None:
    kinds = [FigureKind.SETS, FigureKind.OVER_TIME]
    plain = build(sources(MAY), kinds).figures
    items = {digest: replace(item, problem="p") for digest, item in MAY.items.items()}
    forms = build(sources(replace(MAY, items=items)), kinds).figures
    for figure, other in zip(plain, forms, strict=True):
        assert "several forms" not in figure.caption
        assert "3 items are 1 problem in several forms" in other.caption
