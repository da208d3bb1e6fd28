"""Datasette's metadata: every table, view and column is described, and the package takes it."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from relaybench.reports.datasette import QUERIES, metadata, metadata_json
from relaybench.reports.datasette_views import VIEWS
from relaybench.reports.datasette_words import TABLES
from relaybench.store.database import Connection


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty results file with all its tables, of a name with signs in it."""
    path = tmp_path_factory.mktemp("datasette") / "my results-1.db"
    Connection(path).close()
    return path


def schema(path: Path) -> dict[str, list[str]]:
    """The columns of every table and view of a file."""
    with closing(sqlite3.connect(path)) as raw:
        names = raw.execute(
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') "
            "AND name NOT LIKE 'sqlite_%'"
        ).fetchall()
        return {
            name: [row[1] for row in raw.execute(f'PRAGMA table_info("{name}")')]
            for (name,) in names
        }


def tables_of(path: Path) -> dict[str, Any]:
    """What the metadata say of its tables."""
    document = json.loads(metadata_json(path.stem))
    (name,) = document["databases"]
    assert name == path.stem
    tables = document["databases"][name]["tables"]
    assert isinstance(tables, dict)
    return tables


def undescribed(found: dict[str, list[str]], tables: dict[str, Any]) -> list[str]:
    """Tables and columns without words, and words without tables and columns."""
    columns = {f"{table}.{column}" for table, names in found.items() for column in names}
    described = {
        f"{table}.{column}" for table, words in tables.items() for column in words["columns"]
    }
    return sorted(columns ^ described) + sorted(found.keys() ^ tables.keys())


def test_everything_is_described_and_nothing_else(database: Path) -> None:
    tables = tables_of(database)
    assert undescribed(schema(database), tables) == []
    for words in tables.values():
        assert words["title"]
        assert words["description"].endswith(".")
        assert all(text and not text.endswith(".") for text in words["columns"].values())


def test_a_new_column_needs_a_description(database: Path, tmp_path: Path) -> None:
    path = tmp_path / "changed.db"
    path.write_bytes(database.read_bytes())
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("ALTER TABLE attempts ADD COLUMN mood TEXT")
        raw.execute("CREATE TABLE moods (id INTEGER)")
    missing = undescribed(schema(path), tables_of(database))
    assert missing == ["attempts.mood", "moods.id", "moods"]


def test_units_are_in_the_words() -> None:
    columns = [
        pair for words in (*TABLES.values(), *VIEWS.values()) for pair in words.columns.items()
    ]
    for name, text in columns:
        if name.endswith("_usd") or name.startswith("cost_") or name == "budget":
            assert "USD" in text or name == "cost_per", name
        if name.endswith("_at"):
            assert "(UTC)" in text, name
        if name.endswith("_s"):
            assert "(seconds)" in text, name
        if name.endswith("_tokens"):
            assert "(tokens" in text, name


def test_what_points_to_columns_points_to_some() -> None:
    for words in (*TABLES.values(), *VIEWS.values()):
        for name in (words.label, words.sort, *words.facets, *words.sortable):
            assert name is None or name in words.columns
    for words in VIEWS.values():  # a view cannot be sorted by what is not named
        assert words.sort is None or words.sort in words.sortable


@pytest.mark.parametrize("name", QUERIES)
def test_queries_run(database: Path, name: str) -> None:
    sql = QUERIES[name]["sql"]
    with closing(sqlite3.connect(database)) as raw:
        names = dict.fromkeys(re.findall(r":(\w+)", sql), "none")
        assert raw.execute(sql, names).fetchall() == []


def test_the_metadata_is_the_same_every_time_and_safe_to_print() -> None:
    text = metadata_json("results")
    assert text == metadata_json("results")
    assert text.isascii()
    assert metadata("a")["databases"] != metadata("b")["databases"]


def test_the_real_package_takes_it(database: Path) -> None:
    app = pytest.importorskip(
        "datasette.app", reason="datasette is not installed: pip install datasette"
    )

    async def pages() -> None:
        document = metadata(database.stem)
        given: dict[str, Any] = {"files": [str(database)], "metadata": document}
        try:  # from 1.0 on the queries belong into its configuration
            datasette = app.Datasette(**given, config=document)
        except TypeError:
            datasette = app.Datasette(**given)
        await datasette.invoke_startup()
        for path in (
            "/",
            f"/{database.stem}",
            *(f"/{database.stem}/{name}" for name in schema(database)),
        ):
            answer = await datasette.client.get(path.replace(" ", "~20"), follow_redirects=True)
            assert answer.status_code == 200, path
            assert "relaybench results" in answer.text or "<dt>" in answer.text
        for name in QUERIES:
            where = f"/{database.stem}/{name}?run=none".replace(" ", "~20")
            answer = await datasette.client.get(where, follow_redirects=True)
            assert answer.status_code == 200, name
            assert QUERIES[name]["title"] in answer.text

    asyncio.run(pages())
