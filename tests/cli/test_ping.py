"""`ping`, `models NAME` and `import --raw`, as a user sees them."""

from __future__ import annotations

import io
import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.cli.support import Shell

SECRET = "sk-planted-0123456789abcdef"
CALM = "skill = 1.0, fail = 0.0, no_block = 0.0, refuse = 0.0, truncate = 0.0"
SIMULATED = f"""\
[models.sure]
provider = "simulated"
model = "sure-1"
effort = "high"
options = {{ {CALM} }}
[models.sure.prices]
input = 1
output = 2
as_of = 2026-11-30
source = "made up"
[models.claude]
provider = "anthropic"
model = "claude-opus-4-7"
tools = ["web_search"]
blocked_domains = ["example.com", "example.org"]
harness = "persistent"
max_nudges = 2
nudge = "Go on.\\u001b[2J"
instructions = "Be brief.\\nVery."
[cohorts]
calm = ["sure"]
"""


@contextmanager
def server(status: int, text: str) -> Iterator[tuple[str, list[bytes]]]:
    """A loopback server of chat completions that always says one thing; gives what it was sent."""
    seen: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            seen.append(self.rfile.read(int(self.headers["content-length"])))
            message = {"role": "assistant", "content": text}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            usage = {"prompt_tokens": 30, "completion_tokens": 5, "total_tokens": 35}
            good = {"id": "c", "model": "served-\x1b[2J", "choices": [choice], "usage": usage}
            bad = {"error": {"message": text}}
            body = json.dumps(good if status == 200 else bad).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    running = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    running.daemon_threads = True
    thread = threading.Thread(target=running.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{running.server_port}/v1", seen
    finally:
        running.shutdown()
        running.server_close()
        thread.join(10)


def local(shell: Shell, url: str) -> None:
    shell.write(
        "models.toml",
        f'[models.mine]\nprovider = "compatible"\nmodel = "m"\nbase_url = "{url}"\n'
        'key_env = "PLANTED_KEY"\neffort = "low"\noptions = { stream = false }\n'
        "[models.mine.prices]\ninput = 10\noutput = 100\nas_of = 2026-11-30\nsource = 'x'\n",
    )


def test_a_simulated_model_is_pinged_without_asking(shell: Shell) -> None:
    shell.write("models.toml", SIMULATED)
    result = shell("ping", "--cohort", "calm")
    assert "ping 1 model, one tiny prompt each" in result.err
    assert "total" in result.err
    assert "1 model answered, 0 failed." in result.err
    lines = result.out.splitlines()
    assert lines[0].split() == ["model", "result", "key", "input", "output", "cost", "time"]
    assert lines[1].startswith("sure   ok      not needed")
    assert "  served      sure-1" in result.out
    assert 'high; sent as {"reasoning_effort": "high"}' in result.out
    assert "  answer      pong (stop reason stop)" in result.out
    assert shell("runs", "--format", "json").json == []  # no result: only the last ping is kept
    kept = json.loads(shell("models", "sure", "--format", "json").out)["models"][0]["last_ping"]
    assert (kept["ok"], kept["outcome"]) == (True, "pong")
    assert "last ping        ok on " in shell("models", "sure").out


def test_real_models_are_asked_for_first(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED_KEY", SECRET)
    with server(200, "```\npong\n```") as (url, seen):
        local(shell, url)
        refused = shell("ping", "mine", ok=False)
        assert refused.code == 2
        assert "add --yes" in refused.err
        # 27 to 40 tokens of prompt and 20 to 2,000 of answer.
        assert "2,000   $0.0023 to $0.20" in refused.err

        class Terminal(io.StringIO):
            def isatty(self) -> bool:
                return True

        monkeypatch.setattr(sys, "stdin", Terminal("n\n"))
        assert shell("ping", "mine", ok=False).code == 130
        assert seen == []
        monkeypatch.setattr(sys, "stdin", Terminal("y\n"))
        said = shell("ping", "mine")
        assert len(seen) == 1
        assert "mine   ok, but answered by another model: " in said.out
        assert "present     30       5  $0.0008" in said.out
        assert json.loads(seen[0])["max_tokens"] == 2000
        shell("ping", "--yes")  # all whose key is present
        assert len(seen) == 2


def test_a_failure_is_told_with_what_to_do(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED_KEY", SECRET)
    with server(401, f"no \x1b[2J key {SECRET}") as (url, _):
        local(shell, url)
        result = shell("ping", "mine", "sim-alpha", "--yes", "--timeout", "30", ok=False)
        assert result.code == 1
        assert "mine       failed: auth" in result.out
        assert "  key         present: PLANTED_KEY" in result.out
        assert (
            "  what to do  set the key in PLANTED_KEY to one that may use this model" in result.out
        )
        machine = shell("ping", "mine", "--yes", "--format", "json", ok=False)
    (one,) = machine.json
    assert (one["ok"], one["sent"], one["reached"], one["key"]) == (False, True, True, "present")
    assert one["error"]["kind"] == "auth"
    assert one["error"]["http_status"] == 401
    for text in (result.out, result.err, machine.out, machine.err):
        assert SECRET not in text
        assert "\x1b" not in text


def test_hostile_text_is_shown_literally(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED_KEY", SECRET)
    with server(200, "\x1b]0;title\x07 [red]hi[/red]") as (url, _):
        local(shell, url)
        shown = shell("ping", "mine", "--yes")
        machine = shell("ping", "mine", "--yes", "--format", "json")
    assert "served      served-\\x1b[2J" in shown.out
    assert "another text than was asked for" in shown.out
    assert "\x1b" not in shown.out + machine.out
    (one,) = machine.json
    assert one["text"] == "\x1b]0;title\x07 [red]hi[/red]"
    assert one["settings_sent"]["reasoning_effort"] == "low"
    assert one["usage"]["input"] == 30
    assert one["cost_usd"] == "0.0008"


def test_without_a_key_there_is_nothing_to_ping(shell: Shell) -> None:
    result = shell("ping", ok=False)
    assert result.code == 1
    assert "left out claude-opus-4-7-max: ANTHROPIC_API_KEY is not set" in result.err
    assert "left out local-llama, my-local-model: it needs no key" in result.err
    assert "There is nothing to ping" in result.err
    named = shell("ping", "claude-opus-4-7-max", ok=False)  # nothing is sent, so nobody is asked
    assert named.code == 1
    assert "the environment variable ANTHROPIC_API_KEY is not set" in named.out
    assert "reached     no, nothing was sent" in named.out
    assert shell("ping", "nosuch", ok=False).code == 2


def test_models_shows_one_config_in_full(shell: Shell) -> None:
    shell.write("models.toml", SIMULATED)
    shown = shell("models", "claude").out
    for line in (
        "tools on         web_search",
        "tools off        web_fetch, code_execution",
        "blocked domains  example.com, example.org",
        "harness          persistent, up to 2 nudges",
        "key              missing: ANTHROPIC_API_KEY",
        "    Go on.\\x1b[2J",
        "    Of all tools you have only these: web search.",
        "    Be brief.\n    Very.",
    ):
        assert line in shown
    assert "sim-alpha" not in shown
    listed = shell("models").out
    assert (
        "claude: tools web_search; switched off web_fetch, code_execution; harness persistent, "
        "up to 2 nudges; 2 domains blocked; instructions"
    ) in listed
    (one,) = shell("models", "claude", "--format", "json").json["models"]
    assert one["tools_off"] == ["web_fetch", "code_execution"]
    assert one["harness"] == "persistent"
    assert one["max_nudges"] == 2
    assert one["instructions"].endswith("\n\nBe brief.\nVery.")
    assert one["blocked_domains"] == ["example.com", "example.org"]
    assert shell("models", "nosuch", ok=False).code == 2


def test_raw_responses_are_imported(shell: Shell) -> None:
    message = {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-opus-4-7",
        "content": [{"type": "text", "text": "```\n42\n```"}], "stop_reason": "end_turn",
        "usage": {"input_tokens": 1000, "output_tokens": 200},
    }  # fmt: skip
    plain = {"set": "s", "composite": "c", "key": "42", "provider": "anthropic"}
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "busy \x1b[2J"}}
    lines = [plain | {"response_file": "saved.json"}, plain | {"response": error}]
    path = shell.write("raw.jsonl", "\n".join(json.dumps(each) for each in lines))
    shell.write("saved.json", json.dumps(message))
    result = shell("import", str(path), "--raw", "--run", "r", ok=False)
    assert result.code == 1
    assert "raw.jsonl:2: the response is no answer but an error (server): busy" in result.err
    assert "\x1b" not in result.err
    assert "1 line added, 0 known already, 1 refused." in result.err
    assert "Prices of claude-opus-4-7: as of" in shell("costs", "r").out
    again = shell("import", str(path), "--raw", "--run", "r", ok=False)
    assert "0 lines added, 1 known already, 1 refused." in again.err
