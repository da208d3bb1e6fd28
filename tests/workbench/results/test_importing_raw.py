"""Raw responses that were saved elsewhere: read as the adapters read them, errors never taken."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from relaybench.domain.results import Outcome
from relaybench.store.text import unpack
from relaybench.workbench.results.import_line import ImportResult
from relaybench.workbench.results.importing import ImportReport, import_results
from relaybench.workbench.results.raw_line import parse_raw_line
from relaybench.workbench.workspace import Workspace
from tests.providers import anthropic_samples, google_support
from tests.providers.support import WIRE, body, chunk, expected, needs_wire, stream
from tests.workbench.support import make_workspace, stored

PONG = "```\n42\n```"
USAGE = {"input_tokens": 1000, "output_tokens": 200}
MESSAGE = anthropic_samples.message(
    anthropic_samples.thinking(),
    anthropic_samples.call(1),
    anthropic_samples.result(1),
    anthropic_samples.text(PONG),
    usage=USAGE | {"server_tool_use": {"web_search_requests": 1}},
)
RESPONSE = {
    "id": "resp_1", "object": "response", "status": "completed", "model": "gpt-5.5-2026-04-23",
    "output": [{"id": "msg_1", "type": "message", "role": "assistant", "status": "completed",
                "content": [{"type": "output_text", "text": PONG, "annotations": []}]}],
    "usage": {"input_tokens": 1000, "input_tokens_details": {"cached_tokens": 400},
              "output_tokens": 200, "output_tokens_details": {"reasoning_tokens": 150},
              "total_tokens": 1200},
}  # fmt: skip
CHAT = stream(chunk(PONG, model="served"), chunk(None, "stop", model="served"))
GOOD: dict[str, tuple[str, object]] = {
    "anthropic": ("anthropic", MESSAGE),
    "openai": ("openai", RESPONSE),
    "google": (
        "google",
        google_support.chunk(google_support.text(PONG), finish="STOP", usage=google_support.USAGE),
    ),
    "google array": (
        "google",
        [
            google_support.chunk(google_support.text(PONG)),
            google_support.chunk(finish="STOP", usage=google_support.USAGE),
        ],
    ),
    "compatible": ("compatible", body(PONG)),
    "anthropic events": ("anthropic", anthropic_samples.streamed(MESSAGE).decode()),
    "chat events": ("compatible", CHAT.decode()),
}


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return make_workspace(tmp_path)


def line(**changes: object) -> str:
    plain = {"set": "s", "composite": "c", "key": "42", "model": "m", "provider": "anthropic"}
    return json.dumps(plain | changes)


def take(workspace: Workspace, *lines: str, run: str = "r") -> ImportReport:
    path = workspace.root / "answers.jsonl"
    path.write_text("\n".join(lines), "utf-8")
    return import_results(workspace, path, run, raw=True)


def row(workspace: Workspace) -> Mapping[str, Any]:
    with stored(workspace) as s:
        (found,) = s.on.rows("SELECT * FROM attempts JOIN calls ON attempts.id = attempt_id")
        return dict(found)


@pytest.mark.parametrize("form", GOOD)
@pytest.mark.parametrize("way", ["response", "text", "file"])
def test_every_form_is_read_graded_and_kept(workspace: Workspace, form: str, way: str) -> None:
    provider, response = GOOD[form]
    text = response if isinstance(response, str) else json.dumps(response)
    match way:
        case "file":
            (workspace.root / "saved").mkdir()
            (workspace.root / "saved" / "one.body").write_text(text, "utf-8")
            given: dict[str, object] = {"response_file": "saved/one.body"}
        case "text":
            given = {"response": text}
        case _:
            given = {"response": response}
    report = take(workspace, line(provider=provider, **given))
    assert (report.added, report.bad) == (1, ())
    found = row(workspace)
    assert found["outcome"] == Outcome.CORRECT.value
    assert found["response_raw"] == text
    assert found["served_model"]
    with stored(workspace) as s:
        (config,) = s.plan.configs.values()
        assert (config.provider, config.model, config.harness) == (provider, "m", "imported")


def test_what_the_body_says_is_taken_from_it(workspace: Workspace) -> None:
    take(workspace, line(response=MESSAGE, model="claude-opus-4-7", status=200))
    found = row(workspace)
    assert (found["raw_stop_reason"], found["http_status"]) == ("end_turn", 200)
    assert (found["input"], found["output"]) == (1000, 200)
    with stored(workspace) as s:
        (event,) = s.on.rows("SELECT * FROM tool_events")
        assert (event["kind"], event["detail"]) == ("web_search", "question 1")
        # 1000 x $5 + 200 x $25 a million and one search at $0.01, by the price book.
        assert s.results[0].cost.total == Decimal("0.02")
        (config,) = s.plan.configs.values()
        assert config.prices is not None
        assert "Anthropic" in config.prices.source


def test_prices_of_the_line_win_over_the_book(workspace: Workspace) -> None:
    prices = {"input": 1, "output": 1}
    model = "gpt-5.5"
    given = line(
        response=RESPONSE, provider="openai", model=model, prices=prices | {"cached_input": 0}
    )
    assert take(workspace, given).added == 1
    with stored(workspace) as s:
        assert s.results[0].cost.total == Decimal("0.0008")
    plain = line(response=RESPONSE, provider="openai", model=model)
    assert take(workspace, plain, run="book").added == 1
    with stored(workspace, "book") as s:
        # 600 x $5 + 400 x $0.50 + 200 x $30 a million.
        assert s.results[0].cost.total == Decimal("0.0092")
    unknown = line(response=RESPONSE, provider="openai", model="nobody-knows-it")
    assert take(workspace, unknown, run="unknown").added == 1
    with stored(workspace, "unknown") as s:
        assert s.results[0].cost.total is None


def test_a_file_imported_twice_adds_nothing(workspace: Workspace) -> None:
    lines = [
        line(response=MESSAGE, model="claude-opus-4-7"),
        line(response=MESSAGE, model="claude-opus-4-7"),
        line(response=RESPONSE, provider="openai", model="gpt-5.5", repeat=3),
    ]
    assert take(workspace, *lines).added == 3
    # The price book has moved on since: what was stored stays, and nothing is refused.
    (workspace.root / "prices.toml").write_text(
        '[[prices]]\nprovider = "anthropic"\nmodels = ["claude-opus-4-7"]\ninput = 1.0\n'
        'output = 1.0\nas_of = 2026-11-30\nsource = "new"\n',
        "utf-8",
    )
    report = take(workspace, *lines)
    assert (report.added, report.known, report.bad) == (0, 3, ())
    with stored(workspace) as s:
        prices = {config.model: config.prices for config in s.plan.configs.values()}
        opus = prices["claude-opus-4-7"]
        assert opus is not None
        assert opus.source != "new"


def test_without_a_model_the_served_one_counts(workspace: Workspace) -> None:
    given = json.loads(line(response=MESSAGE))
    del given["model"]
    assert take(workspace, json.dumps(given)).added == 1
    with stored(workspace) as s:
        assert [each.model for each in s.plan.configs.values()] == ["claude-opus-4-7"]
    nameless = {key: value for key, value in MESSAGE.items() if key != "model"}
    given["response"] = nameless
    report = take(workspace, json.dumps(given), run="n")
    assert "model is missing, and the response names none" in report.bad[0].problem


def test_refusals_and_limits_are_outcomes(workspace: Workspace) -> None:
    refused = anthropic_samples.message(anthropic_samples.text("No."), stop="refusal")
    cut = anthropic_samples.message(anthropic_samples.text(PONG), stop="max_tokens")
    strange = anthropic_samples.message(anthropic_samples.text(PONG), stop="sunspots")
    blocked = {"promptFeedback": {"blockReason": "SAFETY"}, "modelVersion": "g"}
    report = take(
        workspace,
        line(composite="a", response=refused),
        line(composite="b", response=cut),
        line(composite="c", response=strange),
        line(composite="d", response=blocked, provider="google"),
    )
    assert (report.added, report.bad) == (4, ())
    with stored(workspace) as s:
        rows = s.on.rows("SELECT outcome FROM attempts ORDER BY id")
        assert [each["outcome"] for each in rows] == ["refused", "correct", "error", "refused"]


ERROR = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
BAD: dict[str, tuple[dict[str, object], str]] = {
    "an error": ({"response": ERROR}, "no answer but an error (server): Overloaded"),
    "an error by its status": (
        {"response": {"error": {"message": "slow"}}, "status": 429},
        "no answer but an error (rate_limit)",
    ),
    "html": ({"response": "<html>busy</html>"}, "no answer but an error"),
    "nothing": ({"response": ""}, "no answer but an error"),
    "an empty object": ({"response": {}}, "no answer but an error"),
    "half a body": ({"response": json.dumps(MESSAGE)[:-40]}, "no answer but an error"),
    "a cut stream": (
        {"response": anthropic_samples.streamed(MESSAGE, done=False).decode()},
        "no answer but an error",
    ),
    "pending": (
        {"response": RESPONSE | {"status": "in_progress", "output": []}, "provider": "openai"},
        "is not finished",
    ),
    "usage beside it": (
        {"response": MESSAGE, "usage": {"input": 1}},
        "usage cannot stand beside a raw response, which says it itself; leave it out",
    ),
    "both beside it": (
        {"response": MESSAGE, "usage": {"input": 1}, "stop_reason": "end_turn"},
        "stop_reason and usage cannot stand beside",
    ),
    "no response": ({}, "either as response or as response_file"),
    "two responses": ({"response": MESSAGE, "response_file": "x"}, "either as response or"),
    "a number": ({"response": 42}, "response:"),
    "no provider": ({"response": MESSAGE, "provider": None}, "provider:"),
    "a strange provider": ({"response": MESSAGE, "provider": "simulated"}, "provider:"),
    "a strange status": ({"response": MESSAGE, "status": 42}, "status:"),
    "an unknown key": ({"response": MESSAGE, "extra": 1}, "extra is not a key of a line"),
    "no file": ({"response_file": "none.json"}, "response_file: there is no file"),
    "a folder": ({"response_file": "problems"}, "response_file: there is no file"),
    "a file elsewhere": ({"response_file": "../secret.json"}, "does not lie beside the import"),
    "an absolute file": ({"response_file": "/etc/passwd"}, "does not lie beside the import"),
    "a windows path": ({"response_file": "..\\secret.json"}, "does not lie beside the import"),
    "a NUL in a name": ({"response_file": "a\0b"}, "response_file:"),
    "an empty name": ({"response_file": ""}, "response_file:"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_answer_is_a_bad_line(workspace: Workspace, name: str) -> None:
    changes, says = BAD[name]
    (workspace.root.parent / "secret.json").write_text(json.dumps(MESSAGE), "utf-8")
    report = take(workspace, line(composite="a", response=MESSAGE), line(**changes))
    assert report.added == 1
    ((number, problem),) = [(each.number, each.problem) for each in report.bad]
    assert number == 2
    assert says in problem


def test_without_raw_a_body_is_only_text(workspace: Workspace) -> None:
    path = workspace.root / "answers.jsonl"
    path.write_text(line(response=json.dumps(MESSAGE)) + "\n" + line(response=MESSAGE), "utf-8")
    report = import_results(workspace, path, "r")
    assert report.added == 1
    assert "response:" in report.bad[0].problem
    assert row(workspace)["outcome"] == Outcome.UNPARSEABLE.value


def test_a_line_of_a_batchs_results(workspace: Workspace) -> None:
    one = {"custom_id": "x", "result": {"type": "succeeded", "message": MESSAGE}}
    failed = {"custom_id": "y", "result": {"type": "errored", "error": ERROR}}
    both = f"{json.dumps(one)}\n{json.dumps(one | {'custom_id': 'z'})}"
    report = take(workspace, line(response=one), line(response=failed), line(response=both))
    assert report.added == 1
    assert "no answer but an error" in report.bad[0].problem
    assert "give each result its own line" in report.bad[1].problem


@needs_wire
def test_all_recorded_answers_are_taken_and_all_else_is_refused(tmp_path: Path) -> None:
    place = make_workspace(tmp_path)
    path = tmp_path / "all.jsonl"
    (tmp_path / "wire").symlink_to(WIRE)
    providers = {"compat": "compatible"}
    lines: list[str] = []
    good: dict[str, Any] = {}
    for name, entry in expected().items():
        status = entry.get("http", {}).get("status") or entry.get("http_status")
        lines.append(
            line(
                composite=name,
                response_file=f"wire/{name}",
                provider=providers.get(entry["provider"], entry["provider"]),
                **({"status": status} if status else {}),
            )
        )
        if entry["kind"] == "answer":
            good[name] = entry
    path.write_text("\n".join(lines), "utf-8")
    report = import_results(place, path, "r", raw=True)
    assert len(lines) > 100
    with stored(place) as s:
        rows = s.on.rows(
            "SELECT name, text FROM attempts "
            "JOIN calls ON attempts.id = attempt_id JOIN items ON items.id = item_id"
        )
        found = {each["name"]: unpack(each["text"]).encode() for each in rows}
    assert found.keys() == good.keys()
    for name, entry in good.items():
        assert hashlib.sha256(found[name]).hexdigest() == entry["text"]["sha256"], name
    assert report.added == len(good)
    assert len(report.bad) == len(lines) - len(good)


def test_searches_that_openai_does_not_count_are_counted(tmp_path: Path) -> None:
    call = {"type": "web_search_call", "id": "ws", "status": "completed"}
    opened = {**call, "action": {"type": "open_page", "url": "https://a.test"}}
    said = {"type": "message", "content": [{"type": "output_text", "text": "```\n1\n```"}]}
    body = {
        "object": "response",
        "id": "resp_1",
        "status": "completed",
        "model": "gpt-5.5",
        "output": [call, opened, said],
        "usage": {"input_tokens": 5, "output_tokens": 7, "total_tokens": 12},
    }
    line = {
        "set": "s",
        "composite": "c",
        "key": "1",
        "provider": "openai",
        "response": body,
    }
    found = parse_raw_line(json.dumps(line).encode(), tmp_path)
    assert isinstance(found, ImportResult)
    assert found.completion.tool_fees == {"web_search": 1}
    batched = {"id": "b", "custom_id": "1", "response": {"status_code": 200, "body": body}}
    found = parse_raw_line(json.dumps({**line, "response": batched}).encode(), tmp_path)
    assert isinstance(found, ImportResult), found
    assert found.completion.tool_fees == {"web_search": 1}
