"""How the numbers were made: definitions with their sources, versions, settings, hashes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Final

from relaybench.domain.model import IMPORTED, ModelConfig
from relaybench.reports.escaping import html_text
from relaybench.reports.grid_facts import item_names
from relaybench.reports.model_columns import MODEL
from relaybench.reports.numbers import counted
from relaybench.reports.page.frame import definitions, paragraph
from relaybench.reports.page.html_table import table_parts
from relaybench.reports.page.run_report import RunReport
from relaybench.reports.page.short_names import short_name
from relaybench.reports.run_facts import SIMULATED_COLUMN
from relaybench.reports.run_record import config_settings
from relaybench.reports.tables import (
    NARROW,
    PAGE,
    UNKNOWN,
    Column,
    Kind,
    Missing,
    Row,
    Table,
    Value,
    as_row,
)

_TERMS: Final = (
    (
        "Pass@1",
        "Mean over items of correct / scored attempts. An answer is correct where the content of "
        "the last non-empty fenced code block of the final text equals the key, character for "
        "character; no model judges.",
    ),
    (
        "Interval of a share",
        "95% Wilson score interval (Wilson 1927). With several attempts per item the effective "
        "sample size p(1-p)/SE² takes the place of n, SE being the standard error of the mean over "
        "items, since attempts at one item are not independent.",
    ),
    (
        "Hallucination",
        "wrong / (correct + wrong): of the answers that could be read, the share that is wrong. "
        "Answers that are not parseable are outside of it, so the parse rate stands beside it.",
    ),
    (
        "pass@k and pass^k",
        "Chance that at least one of k attempts, or that all k, are right, by the unbiased "
        "estimators 1 - C(n-c,k)/C(n,k) (Chen et al. 2021) and C(c,k)/C(n,k), averaged over items.",
    ),
    (
        "Two models",
        "The unit is the problem: where it was asked in several forms (plain, bloated, encoded), "
        "its score is the mean over those that both models attempted, each the mean of its "
        "attempts. Shown is the mean difference with a 95% t interval. p is of McNemar's exact "
        "test on the problems that only one of them got right (McNemar 1947) where every problem "
        "was right or wrong throughout on both sides, else of the paired t test. Where all "
        "differences are equal there is nothing to tell how far off they may be, so there is no "
        "interval, and where some problem was right in part p is of the exact sign test over the "
        "problems that either did better at. A percentile bootstrap over problems with pairs kept "
        "together (Efron 1979) checks the interval; its seed and draws stand below the table. "
        "Scores and their intervals, in contrast, are over items.",
    ),
    (
        "Many pairs",
        "p-values that are shown together are corrected by Holm's step-down method (Holm 1979). A "
        "difference is called significant where the corrected value is below 0.05. Intervals are "
        "not corrected: each is 95% by itself.",
    ),
    (
        "Items that share subproblems",
        "Cluster-robust standard errors (Liang and Zeger 1986; for evaluations Miller 2024), with "
        "a kernel for items that share some of their classes; of the plain and the clustered "
        "interval the wider one is given.",
    ),
    (
        "Costs",
        "Sums of what every call was charged by the prices of the run, in full precision. What is "
        "not known is unknown, never 0.",
    ),
    (
        "Too little data",
        "A figure that cannot be made of so little data says so, with n; it is never 0.",
    ),
)


def method_parts(report: RunReport) -> Iterator[str]:
    """What the numbers mean and where their formulas come from, then versions and hashes."""
    yield definitions(_TERMS, "words")
    yield "<h3>Versions</h3>\n"
    yield definitions(_versions(report))
    yield "<details><summary>Items and the hashes of their prompts</summary>\n"
    yield from table_parts(item_hashes(report), PAGE)
    yield "</details>\n"


def _versions(report: RunReport) -> list[tuple[str, str]]:
    used = [
        f"{each.name}{' (strict)' if each.strict else ''}: {counted(each.grades, 'grade')}"
        for each in report.extractors
    ]
    return [
        ("Run made by", f"relaybench {report.run.version}"),
        ("Page made by", f"relaybench {report.version}"),
        ("Extraction", "; ".join(used) or "no answer is graded yet"),
    ]


_HASH_COLUMNS: Final = (
    Column("item", "Item", Kind.TEXT, "", NARROW),
    Column("prompt_sha256", "SHA-256 of the prompt", Kind.TEXT, "", NARROW),
    Column("characters", "Characters", Kind.WHOLE, "of the prompt", NARROW),
)
_NO_PROMPT: Final = Missing("not known: imported")


def item_hashes(report: RunReport) -> Table:
    """Name, hash and length of every prompt, in plan order; no hash holds a key."""
    names = item_names(report.grid)
    return Table(
        name="item_hashes",
        title=f"Prompts of run {report.run.name}",
        columns=_HASH_COLUMNS,
        rows=tuple(
            (
                names[digest],
                _NO_PROMPT if item.imported else item.prompt_sha256,
                _NO_PROMPT if item.imported else item.characters,
            )
            for digest, item in report.grid.items.items()
        ),
        notes=(
            "The hash is of the exact prompt, in UTF-8: who holds the prompt can tell that it is "
            "this one. It says nothing of the key.",
        ),
    )


def setting_parts(report: RunReport) -> Iterator[str]:
    """What each model was asked with, secrets removed, and the prices that were charged."""
    yield paragraph(
        "Exactly what each model config asks for. Keys are never stored; what is named like a "
        "secret is removed, and so is whatever in an address is neither its host nor a usual part "
        "of a path such as v1."
    )
    for config in report.grid.configs.values():
        yield f"<h3>{html_text(short_name(config.label))}</h3>\n"
        yield definitions(_settings(config))
    yield '<h3 id="prices">Prices</h3>\n'
    yield from table_parts(price_table(report), PAGE)


def _settings(config: ModelConfig) -> list[tuple[str, str]]:
    shown = [("name in models.toml", config.name), ("config hash", config.digest)]
    if config.harness == IMPORTED:
        return [*shown, ("settings", "not known: imported")]
    for name, value in config_settings(config).items():
        if value is None or value == [] or value == {}:
            continue
        if name == "options" and isinstance(value, Mapping):
            shown += [(f"option {key}", _said(each)) for key, each in value.items()]
        else:
            shown.append((name.replace("_", " "), _said(value)))
    return shown


def _said(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return ", ".join(value)
    return json.dumps(value, ensure_ascii=False, default=str)


_PRICES: Final = (
    ("input", "Input"),
    ("cached_input", "Cached input"),
    ("cache_write", "Cache write"),
    ("cache_write_1h", "Cache write, 1 h"),
    ("output", "Output"),
)
_PRICE_COLUMNS: Final = (
    SIMULATED_COLUMN,
    MODEL,
    Column("above", "Above input tokens", Kind.TOKENS, "tokens", NARROW),
    *(Column(key, f"{name} ($/M)", Kind.PRICE, "USD per million", NARROW) for key, name in _PRICES),
    Column("fees", "Tool fees ($ per use)", Kind.TEXT, "USD per use", NARROW),
    Column("as_of", "As of", Kind.TEXT, "", NARROW),
    Column("source", "Source", Kind.TEXT, "", NARROW),
)


def price_table(report: RunReport) -> Table:
    """The prices of the run, a row a model and tier, with their day and source."""
    how = report.how_simulated
    rows: list[Row] = []
    for config in report.grid.configs.values():
        prices = config.prices
        shared: dict[str, Value] = {
            "simulated": how.of(config),
            "model": config.label,
            "above": UNKNOWN,
            **{key: UNKNOWN for key, _ in _PRICES},
            "fees": Missing("none"),
            "as_of": UNKNOWN,
            "source": Missing("not given"),
        }
        if prices is None:
            rows.append(as_row(_PRICE_COLUMNS, shared))
            continue
        if prices.tool_fees:
            fees = (f"{name} {fee}" for name, fee in prices.tool_fees.items())
            shared["fees"] = ", ".join(fees)
        if prices.as_of:
            shared["as_of"] = prices.as_of.isoformat()
        if prices.source:
            shared["source"] = prices.source + (f" ({prices.note})" if prices.note else "")
        for tier in prices.tiers:
            values = {key: getattr(tier, key) for key, _ in _PRICES}
            known = {key: UNKNOWN if each is None else each for key, each in values.items()}
            rows.append(as_row(_PRICE_COLUMNS, {**shared, "above": tier.above, **known}))
    return Table(
        name="prices",
        title=report.title("Prices"),
        columns=_PRICE_COLUMNS,
        rows=tuple(rows),
        notes=("USD per million tokens, frozen when the run was planned or priced again.",),
        simulated=report.simulated,
    )
