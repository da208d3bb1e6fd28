"""``relaybench parse``: what is made of every recorded response, and of what is none."""

from __future__ import annotations

import hashlib
import io
import json
from pathlib import Path
from typing import Any

import pytest

from relaybench.cli.main import main
from relaybench.workbench.results.parsing import WIRES, as_json, looks_like, parse_body
from tests.providers.support import WIRE, expected, needs_wire

FILES = expected()
PROVIDERS = {"anthropic": "anthropic", "openai": "openai", "google": "google"} | {
    "compat": "compatible"
}
KEYS = {
    *("kind", "text", "stop_reason", "raw_stop_reason", "refusal", "model", "usage"),
    *("tools", "tool_events", "error", "answer_text", "refusal_text", "tool_fees", "billed"),
}
USAGE = {
    *("input", "cached_input", "cache_write", "cache_write_1h"),
    *("output", "reasoning", "unattributed"),
}


def parsed(name: str, *, status: bool = False) -> dict[str, Any]:
    """What the function makes of a recording, with or without its HTTP status and headers."""
    entry = FILES[name]
    more = (entry["http"]["status"], entry["http"].get("headers", {})) if status else ()
    found = parse_body((WIRE / name).read_bytes(), PROVIDERS[entry["provider"]], *more)
    read: dict[str, Any] = json.loads(json.dumps(as_json(found)))
    return read


def check_answer(read: dict[str, Any], entry: dict[str, Any]) -> None:
    """Compare with the expected reading."""
    assert read.keys() == KEYS | ({"id"} & read.keys())
    assert read["kind"] == entry["kind"]
    for name in ("text", "answer_text"):
        assert len(read[name]) == entry[name]["chars"]
        assert hashlib.sha256(read[name].encode()).hexdigest() == entry[name]["sha256"]
    assert read["stop_reason"] == entry["stop_norm"]
    assert read["raw_stop_reason"] == entry["stop_reason"]
    assert read["refusal"] is entry["refusal"]
    assert bool(read["refusal_text"]) is entry["refusal"]
    assert read["model"] == entry.get("model")
    usage, norm = read["usage"], entry.get("usage_norm") or {}
    assert usage.keys() == USAGE
    assert usage["output"] == norm.get("output_total")
    assert usage["reasoning"] == norm.get("reasoning")
    taken = [usage[name] for name in ("input", "cached_input", "cache_write")]
    total = None if taken == [None] * 3 else sum(each or 0 for each in taken)
    assert total == norm.get("input_total")
    assert read["tools"] == (entry.get("server_tool_calls") or {})
    kinds = [event["kind"] for event in read["tool_events"]]
    assert {kind: kinds.count(kind) for kind in kinds} == read["tools"]
    assert all(event.keys() == {"kind", "detail", "status"} for event in read["tool_events"])


def check_error(read: dict[str, Any], entry: dict[str, Any]) -> None:
    """Compare an error with the expected one."""
    assert (read["kind"], read["text"], read["stop_reason"]) == ("error", "", "error")
    error = read["error"]
    assert error.keys() == {"kind", "retryable", "retry_after_s", "message"}
    assert error["retryable"] is entry["retryable"]
    assert error["message"].startswith(" ".join(entry["message"].split())[:499])


@needs_wire
@pytest.mark.parametrize("status", [False, True])
@pytest.mark.parametrize("name", FILES)
def test_every_recording(name: str, status: bool) -> None:
    entry = FILES[name]
    read = parsed(name, status=status)
    match entry["kind"]:
        case "error":
            check_error(read, entry)
            if status:
                assert read["error"]["retry_after_s"] == entry.get("retry_after_s")
        case "batch_status":
            assert read["kind"] == "batch_status"
            assert read["batch"] == {
                "status": entry["status"],
                "done": entry["done"],
                "counts": entry["request_counts"],
            }
        case "batch_results":
            assert read["kind"] == "batch_results"
            assert [each["id"] for each in read["results"]] == [
                line["custom_id"] for line in entry["lines"]
            ]
            for each, line in zip(read["results"], entry["lines"], strict=True):
                check_answer(each, line["reading"])
        case _:
            check_answer(read, entry)
            if entry["kind"] == "stream_error":
                assert read["error"]["message"] == entry["error"]["message"][:500]
            else:
                assert read["error"] is None


@needs_wire
def test_all_recordings_are_here() -> None:
    assert len(FILES) == 124


# --- the command ---------------------------------------------------------------------------------


def run(capture: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    """Run the command; its exit code and what it printed."""
    capture.readouterr()
    code = main(["parse", *arguments])
    seen = capture.readouterr()
    assert "Traceback" not in seen.err
    assert seen.out.isascii()
    return code, json.loads(seen.out) if seen.out else seen.err


@needs_wire
@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("anthropic/web-search-haiku-stream.sse", 0),
        ("anthropic/mid-stream-error-overloaded-composed.sse", 1),
        ("anthropic/batch-results.jsonl", 0),
        ("anthropic/batch-ended.json", 0),
        ("anthropic/error-429-rate-limit.json", 1),
        ("openai/background-queued.json", 0),
        ("openai/background-stream-resumed.sse", 0),
        ("google/json-array-stream.json", 0),
        ("google/prompt-blocked-stream.sse", 0),
        ("compat/non-json-200.txt", 1),
        ("compat/openrouter-length.json", 0),
    ],
)
def test_the_command_prints_what_the_function_gives(
    name: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    provider = PROVIDERS[FILES[name]["provider"]]
    assert run(capsys, "--provider", provider, str(WIRE / name)) == (code, parsed(name))


@needs_wire
def test_status_and_headers_are_taken(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(WIRE / "anthropic/error-429-rate-limit.json")
    given = ["--status", "429", "--header", "retry-after: 16", "--header", "X-A:b:c", file]
    code, read = run(capsys, "--provider", "anthropic", *given)
    assert code == 1
    assert (read["error"]["kind"], read["error"]["retry_after_s"]) == ("rate_limit", 16.0)
    code, read = run(capsys, "--provider", "anthropic", "--header", "Retry-After:7", file)
    assert read["error"]["retry_after_s"] == 7.0


def test_stdin(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    message = {"type": "message", "content": [{"type": "text", "text": "é\x1b[31m\u2028"}]}
    raw = json.dumps(message | {"stop_reason": "end_turn"}, ensure_ascii=False).encode()

    class Stdin:
        buffer = io.BytesIO(raw)

    monkeypatch.setattr("sys.stdin", Stdin())
    code, read = run(capsys, "--provider", "anthropic", "-")
    assert (code, read["text"]) == (0, "é\x1b[31m\u2028")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--provider", "nobody", "{file}"],
        ["{file}"],
        ["--provider", "openai", "missing.json"],
        ["--provider", "openai", "--status", "9", "{file}"],
        ["--provider", "openai", "--header", "no-colon", "{file}"],
        ["--provider", "openai", "--header", ":x", "{file}"],
    ],
)
def test_wrong_usage(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "body.json"
    file.write_text("{}", "utf-8")
    code, said = run(capsys, *(each.format(file=file) for each in arguments))
    assert code == 2
    assert isinstance(said, str)


@pytest.mark.parametrize("provider", WIRES)
@pytest.mark.parametrize(
    ("raw", "kind", "error"),
    [
        (b"", "error", "connection"),
        (b"{}", "error", "connection"),
        (b"[]", "error", "malformed"),
        (b"null", "error", "malformed"),
        (b"\x00\xff", "error", "malformed"),
        (b"<html>", "error", "malformed"),
        (b'{"type": "', "error", "connection"),
        (b"data: [DONE]\n\n", "stream_error", "connection"),
        (b"event: error\ndata: boom\n\n", "stream_error", "server"),
        (b'{"error": {"message": "no credit", "code": 402}}', "error", "quota"),
        (b'{"custom_id": "a", "result": {"type": "expired"}}', "batch_results", None),
    ],
)
def test_what_is_no_answer_is_told_as_such(
    raw: bytes, kind: str, error: str | None, provider: str, tmp_path: Path, capsys: Any
) -> None:
    file = tmp_path / "body"
    file.write_bytes(raw)
    code, read = run(capsys, "--provider", provider, str(file))
    assert code == 1
    assert read["kind"] == kind
    if error is not None:
        assert read["error"]["kind"] == error
        assert read["usage"] == dict.fromkeys(USAGE)
        assert (read["text"], read["tools"], read["stop_reason"]) == ("", {}, "error")


def test_a_response_of_another_provider_is_named() -> None:
    message = (
        b'{"type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn", '
        b'"content": [{"type": "text", "text": "4"}], "usage": {"input_tokens": 1}}'
    )
    for provider, other in (("google", "anthropic"), ("anthropic", None), ("openai", "anthropic")):
        assert looks_like(parse_body(message, provider), provider) == other
    chat = b'{"choices": [{"message": {"content": "4"}, "finish_reason": "stop"}]}'
    assert looks_like(parse_body(chat, "compatible"), "compatible") is None
    assert looks_like(parse_body(chat, "openai"), "openai") == "compatible"
    responses = b'{"object": "response", "status": "completed", "output": []}'
    assert looks_like(parse_body(responses, "compatible"), "compatible") is None
