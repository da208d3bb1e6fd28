"""Metadata for Datasette, so that ``datasette results.db`` explains itself.

Datasette 0.x reads all of it by ``-m``; from 1.0 on the queries among it need ``-c`` as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from relaybench.reports.datasette_views import VIEWS
from relaybench.reports.datasette_words import TABLES, TableWords
from relaybench.reports.json_format import to_json

#: Tells our metadata from any other.
TITLE: Final = "relaybench results"
_DESCRIPTION: Final = (
    "Results of private prompt benchmarks, written by relaybench. It holds prompts, answer keys "
    "and responses: show it to nobody who must not see them. Where results says simulated, they "
    "are made up and say nothing about any real model. Empty means unknown or not reported, "
    "never 0."
)

QUERIES: Final[Mapping[str, Mapping[str, str]]] = {
    "leaderboard_of_a_run": {
        "title": "Leaderboard of a run",
        "description": "Share of correct answers by model, best first. For intervals: relaybench "
        "results RUN.",
        "sql": "select model, results, scored, correct, round(100.0 * share_correct, 1) as "
        "percent_correct, round(100.0 * hallucination_rate, 1) as percent_hallucinated, "
        "planned - scored as not_scored\nfrom leaderboard\nwhere run = :run\n"
        "order by share_correct desc",
    },
    "wrong_answers": {
        "title": "Wrong answers",
        "description": "What was answered instead of the key, the most frequent first: the same "
        "wrong answer of many models makes the key suspect.",
        "sql": "select item, answer, key, count(*) as times, count(distinct model) as models, "
        "max(near_miss) as near_miss\nfrom attempt_details\n"
        "where run = :run and outcome = 'wrong'\n"
        "group by item, answer, key\norder by models desc, times desc, item",
    },
    "cost_by_model": {
        "title": "Cost by model",
        "description": "USD by model over all runs; empty where a part is unknown.",
        "sql": "select results, model, count(*) as runs, case when count(*) = count(total_usd) "
        "then round(sum(total_usd), 4) end as total_usd, sum(output_tokens) as output_tokens\n"
        "from costs\ngroup by results, model\norder by results, total_usd desc",
    },
    "open_attempts": {
        "title": "Attempts without an answer",
        "description": "Attempts that ended in an error and may be tried again.",
        "sql": "select attempt, run, item, model, repeat, error_kind, error_message, call_count\n"
        "from attempt_details\nwhere outcome = 'error'\norder by attempt desc",
    },
}


def metadata(database: str) -> dict[str, object]:
    """Titles, descriptions and queries for a results file; ``database`` is its name's stem."""
    tables = {name: _table(words) for name, words in {**VIEWS, **TABLES}.items()}
    return {
        "title": TITLE,
        "description": _DESCRIPTION,
        "databases": {
            database: {
                "title": TITLE,
                "description": _DESCRIPTION,
                "tables": tables,
                "queries": {name: dict(query) for name, query in QUERIES.items()},
            }
        },
    }


def _table(words: TableWords) -> dict[str, object]:
    shown: dict[str, object] = {
        "title": words.title,
        "description": words.description,
        "columns": dict(words.columns),
    }
    if words.label:
        shown["label_column"] = words.label
    if words.sortable:
        shown["sortable_columns"] = list(words.sortable)
    if words.sort:
        shown["sort_desc"] = words.sort
    if words.facets:
        shown["facets"] = list(words.facets)
    if words.size:
        shown["size"] = words.size
    if words.hidden:
        shown["hidden"] = True
    return shown


def metadata_json(database: str) -> str:
    """``metadata`` as a JSON text that ends in a line break."""
    return to_json(metadata(database), indent=2) + "\n"
