"""The form of a model's settings: texts from settings, changes from texts."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from relaybench.domain.errors import UsageError
from relaybench.domain.model import ModelConfig, Prices, PriceTier
from relaybench.store.pings import PingRow
from relaybench.tui.models.form import FIELDS, changes, text_of
from relaybench.tui.models.model_page import cohort_page, model_page
from relaybench.tui.models.model_rows import ModelRow, model_rows, tools_text
from relaybench.workbench.models.model_facts import facts_of
from relaybench.workbench.workspace import Workspace

SETTINGS: Mapping[str, Any] = {
    "provider": "openai",
    "model": "m",
    "tools": ["a", "b"],
    "concurrency": 3,
    "options": {"x": 1, "y": "two"},
    "instructions": "Be\nbrief. ",
    "blocked_domains": [],
}


def texts(settings: Mapping[str, Any], **typed: str) -> dict[str, str]:
    return {each.key: text_of(each, settings) for each in FIELDS} | typed


def test_what_nobody_touched_is_no_change() -> None:
    assert changes(SETTINGS, texts(SETTINGS)) == {}
    assert changes({}, texts({})) == {}
    shown = texts(SETTINGS)
    assert (shown["tools"], shown["concurrency"], shown["blocked_domains"]) == ("a, b", "3", "none")
    assert shown["options"] == '{ x = 1, y = "two" }'


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ({"effort": " high "}, {"effort": "high"}),
        ({"tools": "none"}, {"tools": []}),
        ({"tools": ""}, {"tools": None}),
        ({"tools": "b ,c,"}, {"tools": ["b", "c"]}),
        ({"concurrency": "7"}, {"concurrency": 7}),
        ({"concurrency": "many"}, {"concurrency": "many"}),  # refused where it is read back
        ({"options": "{ x = 2 }"}, {"options": {"x": 2, "y": None}}),
        ({"options": ""}, {"options": None}),
        ({"instructions": " Be. \n"}, {"instructions": " Be. \n"}),
        ({"model": "[red]"}, {"model": "[red]"}),
    ],
)
def test_what_was_typed_becomes_a_change(typed: dict[str, str], found: dict[str, Any]) -> None:
    assert changes(SETTINGS, texts(SETTINGS, **typed)) == found


def test_options_are_a_table() -> None:
    for text in ("x", "1", "[1]", "{ x = }"):
        with pytest.raises(UsageError):
            changes(SETTINGS, texts(SETTINGS, options=text))


def test_a_row_says_all_in_words_and_signs() -> None:
    config = ModelConfig("n", "openai", "m", tools=("web_search",), key_env="A_KEY")
    now = datetime(2026, 11, 30, 12, tzinfo=UTC).isoformat()
    ping = PingRow(config.digest, "n", False, "auth: wrong", 1.0, None, now)
    cells = ModelRow(config, False, True, ping).cells(tick=2, pinging=False)
    assert cells["key"][0] == "✗ missing"
    assert cells["price"][0] == "unknown"
    assert cells["ping"][0].startswith("✗ ")
    assert cells["tick"][0] == "2"
    assert cells["tools"][0] == "1 of 2"
    priced = ModelConfig("p", "openai", "m", prices=Prices((PriceTier(output=Decimal(2)),)))
    cells = ModelRow(priced, True, False).cells(tick=None, pinging=True)
    assert (cells["price"][0], cells["key"][0]) == ("?/2.00", "✓ present")
    assert cells["ping"][0] == "… under way"
    assert tools_text(ModelConfig("c", "compatible", "m")) == "-"
    extra = ModelConfig("c", "openai", "m", tools=("web_search", "code_interpreter", "shell"))
    assert tools_text(extra) == "all +1"


def test_rows_and_pages_of_a_workspace(tmp_path: Path) -> None:
    (tmp_path / "models.toml").write_text(
        '[models."[b]"]\nprovider = "manual"\nmodel = "\\u001b[2J"\n[cohorts]\nc = ["[b]"]\n',
        "utf-8",
    )
    workspace = Workspace(tmp_path, tmp_path / "r.db", {"OPENAI_API_KEY": "sk-secret"})
    catalog = workspace.catalog()
    rows = model_rows(catalog, workspace.environment, {})
    assert rows[0].config.name == "[b]"  # one's own first
    found = [row.config.name for row in rows if row.fits("OPENAI present")]
    assert found == ["gpt-5-5-xhigh"]
    for row in rows:
        facts = facts_of(row.config, key="present: X", catalog=catalog)
        text = model_page(row, facts, width=40).text
        assert "sk-secret" not in text
        assert "\x1b" not in text
        assert "prices" in text
    assert "export ANTHROPIC_API_KEY=…" in "".join(
        model_page(row, {}).text for row in rows if row.key is False
    )
    assert "\\x1b[2J" in cohort_page("c", catalog, rows).text
