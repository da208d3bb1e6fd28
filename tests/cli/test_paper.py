"""The paper's own figures, from 90 made-up responses with its counts."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.support import Shell

#: model, effort, correct, parseable, tokens (input, cached, output), prices, expected figures
PAPER: list[dict[str, Any]] = [
    {
        "model": "Claude Opus 4.7", "effort": "Max", "right": 5, "parseable": 6,
        "tokens": (1_665_250, 31_794_679, 381_340), "prices": (5, 0.5, 25),
        "score": "16.7% [7.3, 33.6]", "hallucination": "16.7%", "cache": "95.0%",
        "parts": ("8.33", "15.90", "9.53"), "total": "33.76",
    },
    {
        "model": "Gemini 3.1 Pro", "effort": "High", "right": 12, "parseable": 18,
        "tokens": (12_902_461, 76_623, 597_718), "prices": (2, 0.2, 12),
        "score": "40.0% [24.6, 57.7]", "hallucination": "33.3%", "cache": "0.6%",
        "parts": ("25.80", "0.02", "7.17"), "total": "32.99",
    },
    {
        "model": "GPT-5.5", "effort": "xHigh", "right": 13, "parseable": 26,
        "tokens": (2_253_346, 157_568, 369_782), "prices": (5, 0.5, 30),
        "score": "43.3% [27.4, 60.8]", "hallucination": "50.0%", "cache": "6.5%",
        "parts": ("11.27", "0.08", "11.09"), "total": "22.44",
    },
]  # fmt: skip


def _share(total: int, index: int) -> int:
    """Split a total over 30 lines without losing a token."""
    return total // 30 + (index < total % 30)


def _lines(row: dict[str, Any]) -> list[dict[str, Any]]:
    lines = []
    for index in range(30):
        key = f"{index}-KEY"
        if index < row["right"]:
            response = f"Checked.\n\n```\n{key}\n```\n"
        elif index < row["parseable"]:
            response = f"```\n{index}-YEK\n```"
        else:
            response = "I could not settle part B."
        usage = dict(
            zip(
                ("input", "cached_input", "output"),
                (_share(total, index) for total in row["tokens"]),
                strict=True,
            )
        )
        prices = dict(zip(("input", "cached_input", "output"), row["prices"], strict=True))
        lines.append(
            {
                "set": "paper", "composite": f"p{index:02}", "key": key, "model": row["model"],
                "effort": row["effort"], "provider": "imported", "response": response,
                "stop_reason": "end_turn", "usage": usage, "prices": prices,
            }
        )  # fmt: skip
    return lines


@pytest.fixture
def paper_file(tmp_path: Path) -> Path:
    path = tmp_path / "paper.jsonl"
    lines = [json.dumps(line) for row in PAPER for line in _lines(row)]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def test_the_papers_table_comes_out_of_its_counts(shell: Shell, paper_file: Path) -> None:
    assert "90 lines added" in shell("import", str(paper_file), "--run", "paper").err
    again = shell("import", str(paper_file), "--run", "paper")
    assert "0 lines added, 90 known" in again.err

    board = shell("results", "paper", "--format", "md").out
    costs = shell("costs", "paper", "--format", "md").out
    exact = {
        r["model"]: r for r in csv.DictReader(io.StringIO(shell("results", "--format", "csv").out))
    }
    for row in PAPER:
        label = f"{row['model']} ({row['effort']})"
        line = next(each for each in board.splitlines() if label in each)
        assert row["score"] in line.replace("\\", "")
        assert row["hallucination"] in line
        assert row["cache"] in line
        assert row["total"] in line
        money = next(each for each in costs.splitlines() if label in each)
        for amount in (*row["parts"], row["total"]):
            assert amount in money
        for count in row["tokens"]:
            assert f"{count:,}" in money
        assert exact[label]["coverage"] == "1.0"
        assert int(exact[label]["unparseable"]) == 30 - row["parseable"]


def test_bad_lines_are_told_by_number_and_good_ones_kept(shell: Shell, tmp_path: Path) -> None:
    good = json.dumps(_lines(PAPER[0])[0])
    path = tmp_path / "mixed.jsonl"
    bad = ["{", '{"set": "s"}', "[1]", good.replace('"p00"', "3"), '{"a": NaN}']
    path.write_text("\n".join([bad[0], good, "", *bad[1:]]) + "\n", "utf-8")
    result = shell("import", str(path), ok=False)
    assert result.code == 1
    assert "1 line added, 0 known already, 5 refused" in result.err
    for number in (1, 4, 5, 6, 7):
        assert f"mixed.jsonl:{number}:" in result.err
