"""What a log of Inspect AI must hold, written by hand from its published form: a small checker."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any
from zipfile import ZipFile

_SCORES = {"C", "I"}
_STOPPED = {"stop", "max_tokens", "model_length", "tool_calls", "content_filter", "unknown"}


def member(path: Path, name: str) -> Any:
    """One JSON document of a log."""
    with ZipFile(path) as archive:
        return json.loads(archive.read(name))


def samples(path: Path) -> list[Any]:
    """All samples of a log, in the order of the archive."""
    with ZipFile(path) as archive:
        names = [name for name in archive.namelist() if name.startswith("samples/")]
        return [json.loads(archive.read(name)) for name in names]


def check_log(path: Path) -> None:
    """Fail unless a file is a whole log whose parts agree."""
    with ZipFile(path) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        assert len(names) == len(set(names))
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    header, summaries = member(path, "header.json"), member(path, "summaries.json")
    check_header(header)
    start = member(path, "_journal/start.json")
    assert {key: header[key] for key in ("version", "eval", "plan")} == start
    found = samples(path)
    for sample in found:
        check_text(sample)
        check_sample(sample, header["eval"])
        assert f"samples/{sample['id']}_epoch_{sample['epoch']}.json" in names
    assert len({sample["uuid"] for sample in found}) == len(found)
    keys = ("id", "epoch", "uuid", "metadata", "model_usage")
    assert [[each[key] for key in keys] for each in summaries] == [
        [each[key] for key in keys] for each in found
    ]
    check_reductions(member(path, "reductions.json"), found)
    check_results(header["results"], found)


def check_header(header: Any) -> None:
    """Identity and settings."""
    check_text(header)
    assert header["version"] == 2
    assert header["status"] in ("success", "cancelled")
    spec = header["eval"]
    for key in ("eval_id", "run_id", "task_id", "task", "model"):
        assert isinstance(spec[key], str)
        assert spec[key]
    datetime.fromisoformat(spec["created"])
    assert spec["config"]["epochs"] >= 1
    assert len(set(spec["dataset"]["sample_ids"])) == spec["dataset"]["samples"]
    for key in ("started_at", "completed_at"):
        assert header["stats"][key] == "" or datetime.fromisoformat(header["stats"][key])


def check_sample(sample: Any, spec: Any) -> None:
    """One attempt."""
    assert sample["id"] in spec["dataset"]["sample_ids"]
    assert 1 <= sample["epoch"] <= spec["config"]["epochs"]
    assert isinstance(sample["input"], str)
    assert isinstance(sample["target"], str)
    assert (sample["error"] is None) == (sample["scores"] is not None)
    assert [each["role"] for each in sample["messages"]][:1] == ["user"]
    assert len({each["id"] for each in sample["messages"]}) == len(sample["messages"])
    assert {each["role"] for each in sample["messages"]} <= {"user", "assistant"}
    for choice in sample["output"]["choices"]:
        assert choice["message"] in sample["messages"]
        assert choice["stop_reason"] in _STOPPED
    if sample["error"] is not None:
        assert set(sample["error"]) == {"message", "traceback", "traceback_ansi"}
    for score in (sample["scores"] or {}).values():
        assert score["value"] in _SCORES
    for usage in sample["model_usage"].values():
        assert all(value is None or value >= 0 for value in usage.values())
        assert usage["total_tokens"] >= usage["input_tokens"] + usage["output_tokens"]


def check_reductions(reductions: Any, found: list[Any]) -> None:
    """The mean over the repeats of each item."""
    values: dict[str, list[float]] = {}
    for sample in found:
        for score in (sample["scores"] or {}).values():
            values.setdefault(sample["id"], []).append(float(score["value"] == "C"))
    assert {each["sample_id"]: each["value"] for each in reductions[0]["samples"]} == {
        name: sum(scores) / len(scores) for name, scores in values.items()
    }


def check_results(results: Any, found: list[Any]) -> None:
    """The scores of the whole log are those of its samples."""
    scored = [sample for sample in found if sample["scores"] is not None]
    assert results["completed_samples"] == len(scored)
    outcomes: dict[str, int] = {}
    for sample in found:
        outcome = sample["metadata"]["outcome"]
        outcomes[outcome] = outcomes.get(outcome, 0) + 1
        right = outcome == "correct"
        assert all((each["value"] == "C") == right for each in (sample["scores"] or {}).values())
    counted = {name: count for name, count in results["metadata"]["outcomes"].items() if count}
    assert counted == outcomes
    metrics = results["scores"][0]["metrics"]
    assert all(each["name"] == name for name, each in metrics.items())
    assert ("accuracy" in metrics) == bool(scored)


def check_text(value: Any) -> None:
    """No text holds a lone surrogate, which no pydantic model takes."""
    if isinstance(value, str):
        value.encode("utf-8")
    elif isinstance(value, dict):
        for key, each in value.items():
            check_text(key)
            check_text(each)
    elif isinstance(value, list):
        for each in value:
            check_text(each)
