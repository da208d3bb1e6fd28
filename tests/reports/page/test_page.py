"""The whole page: its order, its structure, what it says by itself and what it keeps to itself."""

from __future__ import annotations

import base64
from dataclasses import replace
from decimal import Decimal

import pytest

from relaybench.domain.literal import visible
from relaybench.domain.model import ModelConfig
from relaybench.domain.results import Outcome
from relaybench.reports.cost_notes import price_source_notes
from relaybench.reports.grid_facts import item_names
from relaybench.reports.leaderboard import leaderboard
from relaybench.reports.leaderboard_notes import hallucination_note
from relaybench.reports.page.caveats import caveats, retried_table
from relaybench.reports.page.frame import MARKER, POLICY
from relaybench.reports.page.item_grid import cell, grid_parts
from relaybench.reports.page.method import item_hashes
from relaybench.reports.page.run_report import RunReport
from relaybench.reports.page.scores import outcome_table
from relaybench.reports.page.sections import page
from relaybench.reports.page.short_names import short_words
from relaybench.reports.page.summary import headline
from relaybench.store.retried import RetriedRow
from tests.reports.page.reader import PageReader
from tests.reports.page.reports import (
    RIGHT_TO_LEFT,
    SVG,
    a_grid,
    a_report,
    nasty_report,
    paper_report,
)
from tests.reports.samples import CANARIES, HOSTILE, KEY, PROMPT, a_run, result

SECTIONS = [
    "Summary",
    "Leaderboard",
    "Costs",
    "Figures",
    "Outcomes",
    "Analyses",
    "Items by models",
    "Caveats",
    "Method",
    "Settings",
]


def written(report: RunReport) -> str:
    return "".join(page(report))


@pytest.fixture(scope="module")
def nasty() -> str:
    return written(nasty_report())


@pytest.fixture(scope="module")
def read(nasty: str) -> PageReader:
    return PageReader(nasty)


def test_the_structure_is_sound(read: PageReader) -> None:
    assert read.complaints == []
    assert read.language == "en"
    assert read.title == "Run paper"
    assert all(read.tags[each] == 1 for each in ("h1", "header", "nav", "main", "footer"))
    assert [text for level, text in read.headings if level == 2] == ["Contents", *SECTIONS]
    assert read.links[0] == "#content"


def test_sections_stand_in_order_in_the_contents_too(read: PageReader) -> None:
    inside = [link for link in read.links[1:] if not link.startswith("#analysis")]
    assert inside[: len(SECTIONS)] == [
        "#summary",
        "#leaderboard",
        "#costs",
        "#figures",
        "#outcomes",
        "#analyses",
        "#grid",
        "#caveats",
        "#method",
        "#settings",
    ]


def test_nothing_can_run_and_nothing_is_loaded(nasty: str, read: PageReader) -> None:
    policies = [each for each in read.meta if each.get("http-equiv")]
    assert [each["content"] for each in policies] == [POLICY]
    assert dict(each.split(" ", 1) for each in POLICY.split("; ")) == {
        "default-src": "'none'",  # scripts, frames, fonts, connections: all there is
        "style-src": "'unsafe-inline'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    assert "<script" not in nasty
    assert MARKER in nasty[:2_000]
    assert read.sources == [f"data:image/svg+xml;base64,{base64.b64encode(SVG).decode()}"]


def test_hostile_text_is_literal(nasty: str, read: PageReader) -> None:
    assert visible(HOSTILE) in read.words
    assert "\x1b" not in nasty
    assert "\u202e" not in nasty
    assert "<b>`x`" not in nasty
    assert f"<bdi>{RIGHT_TO_LEFT}</bdi>" in nasty
    nasty.encode()


def test_simulated_results_are_called_so_loudly(nasty: str) -> None:
    assert '<p class="loud"><strong>SIMULATED.</strong> Some results' in nasty
    assert "loud" not in written(paper_report()).partition("</style>")[2]


def test_neither_keys_nor_prompts_nor_answers_leave_unasked(nasty: str) -> None:
    for canary in CANARIES:
        assert canary not in nasty
    assert 'id="answers"' not in nasty


def test_answers_stand_there_where_asked_for() -> None:
    text = written(nasty_report(with_answers=True))
    read = PageReader(text)
    assert read.complaints == []
    assert [text for _, text in read.headings][-1] == "Prompts, keys and answers"
    assert "CONFIDENTIAL." in read.words
    assert text.count("<details><summary>private/") == 4
    assert f"<pre>\n{PROMPT}\n&lt;b&gt;" in text  # line breaks stay, markup does not
    assert f"<code>{KEY}</code>" in text
    row = next(row for table in read.tables for row in table if row[-1] == visible(HOSTILE))
    assert row[1:3] == ["1", "wrong, repaired, near miss"]
    assert "<td class=m>none</td>" in written(nasty_report(with_answers=True, answer=None))


def test_the_same_results_give_the_same_bytes() -> None:
    assert written(nasty_report()) == written(nasty_report())


def test_the_headline_is_computed() -> None:
    assert headline(paper_report()) == [
        "Best score: GPT-5.5 (xHigh) with 43.3% [27.4, 60.8] pass@1 (95% interval in brackets).",
        # Every item is right for the first model and wrong for the others.
        "Of 3 pairwise differences over 30 problems, 2 are significant at the 5% level after "
        "Holm's correction (Claude Opus 4.7 (Max) above Gemini 3.1 Pro (High) by 100.0 points; "
        "Claude Opus 4.7 (Max) above GPT-5.5 (xHigh) by 100.0 points).",
        "Total cost: $89.19.",
        "Coverage: all 90 planned attempts scored.",
    ]


def test_the_headline_of_an_unfinished_run_says_what_is_not_known() -> None:
    best, differences, cost, coverage = headline(nasty_report())
    assert best.startswith("Best score, shared by 2 models: tiered-1 (high) with 62.5% [")
    assert ", unpriced with 62.5% [" in best  # whose interval is another one
    assert "none is significant" in differences or "significant at the 5% level" in differences
    assert cost.startswith("Total cost: unknown; $")
    assert coverage.startswith("Coverage: 36 of 48 planned attempts scored (75.0%), 4 ended in")


def test_ties_share_the_first_place_and_no_score_is_none() -> None:
    run = a_run(items=2, configs=2)
    configs = [ModelConfig(name, "compatible", name) for name in ("a", "b")]
    results = [result(each, {Outcome.CORRECT: 1, Outcome.WRONG: 1}, planned=2) for each in configs]
    grid = a_grid(run, configs, ["x", "y"], [[Outcome.CORRECT], [Outcome.CORRECT]])
    said = headline(a_report(run, results, grid))
    assert said[0].startswith("Best score, shared by 2 models: a, b, with 50.0% [")
    assert said[1].startswith(
        "Of 1 pairwise difference over 2 problems, none is significant at the 5% level:"
    )
    empty = [result(each, {}, planned=2) for each in configs]
    said = headline(a_report(run, empty, replace(grid, cells={})))
    assert said[0] == "No attempt is scored yet, so there is no score."
    assert said[1].startswith("No pair of models")
    assert "0 of 4 planned attempts scored (0.0%)" in said[-1]


def in_forms() -> RunReport:
    """Three items, of which two are one problem: plain and encoded; two models."""
    run = a_run(items=3, configs=2)
    configs = [ModelConfig(name, "compatible", name) for name in ("a", "b")]
    results = [result(each, {Outcome.CORRECT: 3}, planned=3) for each in configs]
    grid = a_grid(run, configs, ["x", "y", "z"], [[Outcome.CORRECT], [Outcome.CORRECT]])
    x, y, z = grid.items.values()
    items = (x, replace(y, name="x", problem="x", encoded=True), z)
    return a_report(run, results, replace(grid, items={item.digest: item for item in items}))


def test_items_of_one_problem_are_told_apart_and_counted_once() -> None:
    report = in_forms()
    said = headline(report)
    assert said[1].startswith("Of 1 pairwise difference over 2 problems, none")
    (caveat,) = [each for each in caveats(report) if each.name == "Problems in several forms"]
    assert caveat.notes[0].startswith("The 3 items are 2 problems in several forms")
    names = ["private/x (plain)", "private/x (encoded)", "private/z"]
    assert [row[0] for row in item_hashes(report).rows] == names
    text = written(report)
    assert all(text.count(f"<th scope=row>{name}</th>") == 1 for name in names)
    board = leaderboard(report.run, report.results, 2)
    assert caveat.notes[0] in board.notes
    assert caveat.notes[0] not in leaderboard(report.run, report.results, 3).notes


def test_items_that_share_name_and_form_are_numbered() -> None:
    grid = in_forms().grid
    alike = {digest: replace(item, name="x") for digest, item in grid.items.items()}
    assert list(item_names(replace(grid, items=alike)).values()) == [
        "private/x (plain) (1)", "private/x (encoded)", "private/x (plain) (2)",
    ]  # fmt: skip


def test_the_page_shows_the_bootstrap_of_which_its_note_speaks() -> None:
    report = in_forms()
    cells = dict(report.grid.cells)
    cells[next(iter(cells))] = (Outcome.WRONG,)
    grid = replace(report.grid, cells=cells)
    text = written(a_report(report.run, report.results, grid))
    assert "Bootstrap: 95% percentile interval" in text
    assert "Bootstrap [95% CI]" in text


def test_caveats_are_said_where_they_hold_and_only_there() -> None:
    names = [caveat.name for caveat in caveats(nasty_report())]
    assert names == [
        "Simulated results",
        "Incomplete models",
        "Open or disputed items",
        "Uneven repeats",
        "Suspect keys",
        "Repaired answers, near misses or strict extraction",
        "Few independent groups for shared classes",
        "Retried attempts",
        "Unknown, unsaved or replaced costs",
        "Estimates before the run",
    ]
    clean = paper_report()
    clean = replace(clean, analyses=clean.analyses[:1])  # no item's key is suspect
    assert [caveat.name for caveat in caveats(clean)] == ["Imported results"]
    real = replace(clean, grid=replace(clean.grid, items={}, cells={}))
    assert caveats(real) == []
    assert "None of these holds here" in written(real)


def test_what_the_page_says_hangs_on_no_words_of_its_tables() -> None:
    report = nasty_report()
    silent = replace(
        report,
        leaderboard=replace(report.leaderboard, notes=()),
        costs=replace(report.costs, notes=()),
        analyses=tuple(replace(table, notes=()) for table in report.analyses),
    )
    assert caveats(silent) == caveats(report)
    assert outcome_table(silent) == outcome_table(report)
    assert hallucination_note(report.run.repeats > 1) in outcome_table(silent).notes
    assert hallucination_note(report.run.repeats > 1) in report.leaderboard.notes


def test_where_prices_come_from_stands_under_settings_alone(read: PageReader) -> None:
    report = nasty_report()
    sources = price_source_notes(report.results)
    assert sources
    assert set(sources) <= set(report.costs.notes)
    assert not any(visible(note) in read.words for note in sources)


def test_none_of_the_caveats_is_forgotten_where_none_holds() -> None:
    clean = paper_report()
    clean = replace(clean, grid=replace(clean.grid, items={}, cells={}), analyses=())
    (sentence,) = [line for line in written(clean).split("<p>") if "None of these holds" in line]
    everything = caveats(nasty_report()) + caveats(paper_report())
    for caveat in everything:
        assert caveat.name[1:] in sentence


def test_a_caveat_is_said_once(nasty: str, read: PageReader) -> None:
    for caveat in caveats(nasty_report()):
        for note in caveat.notes:
            assert read.words.count(visible(short_words(note))) == 1, note
    assert '<a href="#caveats">' in nasty.partition("<main")[2]


def test_answers_of_another_model_and_strict_extraction_are_caveats() -> None:
    report = paper_report()
    first, *rest = report.results
    served = replace(first, others={"other-model": 3})
    report = replace(report, run=a_run(strict=True), results=(served, *rest))
    found = {caveat.name: " ".join(caveat.notes) for caveat in caveats(report)}
    assert "other-model (3)" in found["Answers from another model than asked"]
    assert "Strict extraction" in found["Repaired answers, near misses or strict extraction"]


def test_retried_attempts_stand_beside_the_others() -> None:
    report = paper_report()
    one, two, _ = report.configs
    report = replace(
        report, retried=(RetriedRow(one.digest, 4, 1, 26, 13), RetriedRow(two.digest, 0, 0, 30, 12))
    )
    table = retried_table(report)
    assert [table.value(0, key) for key in ("retried", "retried_n", "first", "first_n")] == [
        0.25,
        4,
        0.5,
        26,
    ]
    assert table.value(0, "retried_low") == pytest.approx(0.0456, abs=1e-4)
    assert table.value(1, "retried_n") == 0
    found = {caveat.name: caveat.notes for caveat in caveats(report)}
    assert found["Retried attempts"][0].startswith("4 of 60 scored attempts needed more than one")
    assert "Retried attempts of run paper" in written(report)


@pytest.mark.parametrize(
    ("outcomes", "single", "expected"),
    [
        ((Outcome.CORRECT,), True, "<td class=r>correct</td>"),
        ((Outcome.REFUSED,), True, "<td class=u>refused</td>"),
        ((Outcome.ERROR,), True, "<td class=o>error</td>"),
        ((), True, "<td class=o>pending</td>"),
        ((Outcome.CORRECT, Outcome.WRONG), False, "<td class=p>1/2</td>"),
        ((Outcome.CORRECT, Outcome.CORRECT), False, "<td class=r>2/2</td>"),
        ((Outcome.WRONG, Outcome.UNPARSEABLE), False, "<td class=w>0/2</td>"),
        ((Outcome.CORRECT, Outcome.ERROR), False, "<td class=r>1/1*</td>"),
        ((Outcome.PENDING, Outcome.ERROR), False, "<td class=o>error</td>"),
        ((Outcome.PENDING,), False, "<td class=o>pending</td>"),
    ],
)
def test_a_cell_says_in_text_what_became_of_it(
    outcomes: tuple[Outcome, ...], single: bool, expected: str
) -> None:
    assert cell(outcomes, single) == expected


def test_nothing_of_an_import_is_open() -> None:
    report = paper_report()
    grid, first = report.grid, report.configs[0].digest
    cells = {place: found for place, found in grid.cells.items() if place[1] != first}
    place = next(iter(cells))
    cells[place] = cells[place] * 2
    run = replace(report.run, kind="import")
    report = replace(report, run=run, grid=replace(grid, runs=(run,), cells=cells))
    said = "".join(grid_parts(report))
    assert "<td class=o>none</td>" in said
    assert "no result was imported" in said
    assert "pending" not in said
    assert "still open" not in said
    assert "Uneven repeats" in [caveat.name for caveat in caveats(report)]


def test_the_grid_has_a_row_an_item_and_a_column_a_model(read: PageReader) -> None:
    grid = next(table for table in read.tables if table[0][0] == "Item" and len(table[0]) == 7)
    report = nasty_report()
    order = [str(row[report.leaderboard.place("model")]) for row in report.leaderboard.rows]
    assert grid[0][1:] == [visible(each) for each in order]
    by_model = dict(zip(order, grid[1][1:], strict=True))
    labels = [config.label for config in report.configs]
    assert [by_model[label] for label in labels] == ["error", "1/2", "0/1*", "1/2", "0/2", "0/2"]
    assert len(grid) == 1 + 4


def test_versions_hashes_and_settings_without_secrets() -> None:
    report = paper_report()
    secret = ModelConfig(
        "x",
        "compatible",
        "x",
        base_url="https://me:SECRET-1@host.example/SECRET-6/v1?key=SECRET-2",
        key_env="SECRET_3",
        options={"api_key": "SECRET-4", "temperature": Decimal("0.3"), "a": {"token": "SECRET-5"}},
    )
    results = [result(secret, {Outcome.CORRECT: 30})]
    grid = a_grid(a_run(), [secret], ["relay-01"], [[Outcome.CORRECT]])
    report = a_report(a_run(configs=1), results, grid, pictures=(), picture_notes=("No figures.",))
    read = PageReader(written(report))
    assert "SECRET" not in read.words
    assert "https://host.example/[removed]/v1" in read.words
    for said in ("0.3", "relaybench 9.9.9", "fenced/2: 7 grades"):
        assert said in read.words
    assert next(iter(grid.items.values())).prompt_sha256 in read.words
    assert "No figures." in read.words
    assert read.tags["img"] == 0


def test_a_long_list_of_items_shows_the_odd_ones() -> None:
    report = paper_report()
    items = report.analyses[1]
    place = items.place("flags")
    plain = [(*row[:place], "", *row[place + 1 :]) for row in items.rows]
    long = replace(items, rows=(*items.rows[:3], *(plain * 7)))
    assert len(long.rows) > 200
    text = written(replace(report, analyses=(long,)))
    assert f"Shown are the 3 of {len(long.rows)} items with a flag." in text


def test_a_big_grid_takes_few_bytes() -> None:
    configs = [ModelConfig(f"m{n}", "compatible", f"model-{n}") for n in range(20)]
    run = a_run(items=300, configs=20, repeats=5)
    cells = [[Outcome.CORRECT] * 3 + [Outcome.WRONG] * 2] * 20
    grid = a_grid(run, configs, [f"relay-{n}" for n in range(300)], cells)
    results = [
        result(each, {Outcome.CORRECT: 900, Outcome.WRONG: 600}, planned=1500) for each in configs
    ]
    report = replace(a_report(run, results, grid), analyses=())
    text = written(report)
    body = text[text.index('id="grid"') : text.index('id="caveats"')]
    assert len(body) / (300 * 20) < 30  # bytes a cell
    assert text.count("3/5") == 6_000
