"""Names of ten thousand characters do not make a page of megabytes; answers stay whole."""

from __future__ import annotations

from dataclasses import replace

from relaybench.domain.model import ModelConfig
from relaybench.domain.results import Outcome
from relaybench.reports.page.html_table import html_table
from relaybench.reports.page.sections import page
from relaybench.reports.page.short_names import short_name, short_words
from relaybench.reports.tables import Column, Kind, Table
from tests.reports.page.reports import a_grid, a_report
from tests.reports.samples import a_run, result


def test_only_names_of_more_than_200_characters_lose_their_middle() -> None:
    assert short_name("x" * 200) == "x" * 200
    cut = short_name("a" * 5_000 + "z" * 5_000)
    assert cut == "a" * 98 + " \N{HORIZONTAL ELLIPSIS} " + "z" * 98
    sentence = "Incomplete: " + "a word " * 100
    assert short_words(sentence) == sentence
    assert len(short_words(f"Incomplete: {'x' * 9_999}, {'y' * 9_999}.")) < 450


def test_a_table_shows_other_cells_whole() -> None:
    columns = (
        Column("model", "Model", Kind.TEXT, level=1, names=True),
        Column("answer", "Answer", Kind.TEXT, level=1),
    )
    text = html_table(
        Table("t", "T " + "t" * 999, columns, (("m" * 999, "n" * 999),), ("o" * 999,))
    )
    assert "n" * 999 in text
    assert not [letter for letter in "tmo" if letter * 201 in text]


def test_long_names_make_no_long_page() -> None:
    def size(*names: str) -> int:
        configs = [ModelConfig(f"m{n}", "compatible", name) for n, name in enumerate(names)]
        results = [result(config, {Outcome.CORRECT: 1}) for config in configs]
        grid = a_grid(a_run(), configs, ["relay-01"], [[Outcome.CORRECT]] * len(configs))
        report = a_report(a_run(configs=len(configs)), results, grid, pictures=())
        return sum(map(len, page(replace(report, analyses=()))))

    # Among the exact settings each stands whole once.
    assert size("a" * 10_000, "b" * 10_000) < size("a", "b") + 2 * 10_000 + 10_000
