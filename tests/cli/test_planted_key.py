"""A key in the environment is found nowhere afterwards, whatever the server makes of it."""

from __future__ import annotations

import base64
import html
import io
import json
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest

from relaybench.cli.main import main
from relaybench.domain.errors import StoreError
from relaybench.runner.clock import SystemClock
from relaybench.store.recording import Recording
from tests.workbench.support import make_workspace

KEY = 'sk-pl@nted/0123+456"789&abc'
FORMS = (
    KEY,
    json.dumps(KEY)[1:-1],
    html.escape(KEY),
    quote(KEY),
    quote(KEY, safe=""),
    quote_plus(KEY),
    base64.b64encode(KEY.encode()).decode(),
    base64.b64encode(f"Bearer {KEY}".encode()).decode()[12:-4],
    KEY[5:-5],
)
MODELS = {
    "compatible": "test-model",
    "anthropic": "claude-opus-4-7",
    "openai": "gpt-5.5",
    "google": "gemini-3.1-pro-preview",
}
ROOT = Path(__file__).parents[2]
LOGGERS = ("openai", "anthropic", "google_genai", "httpx2", "httpcore2", "relaybench", "asyncio")


def sse(*events: dict[str, object]) -> bytes:
    lines = [
        f"event: {each.get('type', 'message')}\ndata: {json.dumps(each)}\n\n" for each in events
    ]
    return "".join(lines).encode()


def answer_of(wire: str, text: str) -> bytes:
    """A whole stream in a provider's format."""
    if wire == "compatible":
        chunk = {"index": 0, "delta": {"content": text}, "finish_reason": "stop"}
        return sse({"object": "chat.completion.chunk", "choices": [chunk]}) + b"data: [DONE]\n\n"
    if wire == "google":
        content = {"role": "model", "parts": [{"text": text}]}
        return sse({"candidates": [{"content": content, "finishReason": "STOP"}]})
    if wire == "openai":
        part = {"type": "output_text", "text": text, "annotations": []}
        message = {"type": "message", "id": "m", "role": "assistant", "content": [part]}
        done = {"id": "r", "object": "response", "status": "completed", "output": [message]}
        return sse({"type": "response.completed", "response": done})
    usage = {"input_tokens": 1, "output_tokens": 1}
    start = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": []}
    return sse(
        {"type": "message_start", "message": {**start, "stop_reason": None, "usage": usage}},
        {
            "type": "content_block_start",
            "index": 0,
            "content_block": {"type": "text", "text": ""},
        },
        {
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "text_delta", "text": text},
        },
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": usage},
        {"type": "message_stop"},
    )


class EchoServer:
    """Answers one request after the other with all that can go wrong, echoing the key it got."""

    def __init__(self, wire: str) -> None:
        self.keys: list[str] = []
        self._wire = wire
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["content-length"]))
                bearer = self.headers.get("authorization", "").removeprefix("Bearer ")
                owner._answer(self, self.headers.get("x-goog-api-key") or bearer)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> EchoServer:
        """Start serving."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(30)

    def _answer(self, handler: BaseHTTPRequestHandler, key: str) -> None:
        number = len(self.keys)
        self.keys.append(key)
        coded = base64.b64encode(key.encode()).decode()
        bearer = base64.b64encode(f"Bearer {key}".encode()).decode()
        echo = json.dumps({"error": {"message": f"bad {key} {bearer}", "code": key, "type": key}})
        page = f"<title>{html.escape(key)}</title>{key} {coded}"
        script: list[Callable[[], None]] = [
            lambda: say(handler, 200, answer_of(self._wire, f"{key} {coded}\n```\n2\n```")),
            lambda: say(handler, 429, echo.encode(), retry_after="0"),
            lambda: say(handler, 500, page.encode(), "text/html"),
            lambda: say(handler, 302, b"", location=f"/elsewhere?key={quote(key, safe='')}"),
            lambda: say(handler, 200, answer_of(self._wire, key)[:-40], cut=True),
            lambda: say(handler, 200, page.encode(), "text/html"),
            lambda: say(handler, 200, echo.encode(), "application/json"),
            lambda: say(handler, 400, echo.encode()),
            lambda: say(handler, 413, quote_plus(key).encode(), "text/plain"),
            lambda: say(handler, 200, answer_of(self._wire, "```\n2\n```")),
            lambda: say(handler, 401, echo.encode()),
        ]
        script[min(number, len(script) - 1)]()


def say(
    handler: BaseHTTPRequestHandler,
    status: int,
    body: bytes,
    kind: str = "",
    *,
    cut: bool = False,
    **headers: str,
) -> None:
    """Send one response; with ``cut`` less of it than its length says."""
    handler.send_response(status)
    handler.send_header(
        "content-type", kind or ("application/json", "text/event-stream")[status == 200]
    )
    handler.send_header("content-length", str(len(body) + 100 * cut))
    handler.send_header("connection", "close")
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(body)
    handler.close_connection = True


@pytest.fixture
def all_logs() -> Iterator[io.StringIO]:
    """Everything that any logger says, down to DEBUG."""
    said = io.StringIO()
    handler = logging.StreamHandler(said)
    root = logging.getLogger()
    loggers = [root, *(logging.getLogger(name) for name in LOGGERS)]
    levels = [each.level for each in loggers]
    root.addHandler(handler)
    for each in loggers:
        each.setLevel(logging.DEBUG)
    yield said
    root.removeHandler(handler)
    for each, level in zip(loggers, levels, strict=True):
        each.setLevel(level)


@pytest.fixture(autouse=True)
def _no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits between tries are over at once."""
    moments = iter(range(0, 10**9, 1000))
    monkeypatch.setattr(SystemClock, "time", lambda _: float(next(moments)))


def workspace_of(root: Path, wire: str, url: str, cells: int) -> None:
    """A workspace with one model at that address."""
    make_workspace(root, cells)
    base_url = url + ("/v1" if wire in ("compatible", "openai") else "")
    (root / "models.toml").write_text(
        f'[models.m]\nprovider = "{wire}"\nmodel = "{MODELS[wire]}"\nbase_url = "{base_url}"\n'
        'key_env = "PLANTED_KEY"\nconcurrency = 1\nmax_output_tokens = 1000\n',
        "utf-8",
    )


def found_in(root: Path, *texts: str) -> list[str]:
    """Where any form of the key is found: among the files of a folder, or in texts."""
    places = {str(file): file.read_bytes() for file in root.rglob("*") if file.is_file()}
    places |= {f"text {number}": text.encode() for number, text in enumerate(texts)}
    return [
        f"{form} in {place}"
        for place, held in places.items()
        for form in FORMS
        if form.encode() in held
    ]


@pytest.mark.parametrize("wire", MODELS)
def test_the_key_is_found_nowhere(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    all_logs: io.StringIO,
    wire: str,
) -> None:
    monkeypatch.setenv("PLANTED_KEY", KEY)
    place = ["--workspace", str(tmp_path)]
    with EchoServer(wire) as server:
        workspace_of(tmp_path, wire, server.url, 9)
        run = [*place, "run", "library:math/sum", "--model", "m", "--run", "r", "--yes"]
        assert main(run) == 1
        assert main([*place, "run", "--resume", "r", "--yes"]) == 1
    assert len(server.keys) > 10, "not everything was tried"
    assert set(server.keys) == {KEY}, "the server got another key"
    assert main([*place, "export", "r", "--with-answers", "--out", str(tmp_path / "out")]) == 0
    for command in (["attempts", "r"], ["attempt", "1", "--raw"], ["results", "r"], ["models"]):
        main([*place, *command])
    shown = capfd.readouterr()
    assert "[key removed]" in (shown.out + shown.err)
    logs = all_logs.getvalue()
    assert "results.db.run-1.lock" in logs, "no logger was heard"
    assert not found_in(tmp_path, shown.out, shown.err, logs)


@pytest.mark.parametrize("wire", MODELS)
def test_the_key_is_not_rescued_either(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    wire: str,
) -> None:
    def full(*_: object) -> int:
        raise StoreError("the disk is full")

    monkeypatch.setenv("PLANTED_KEY", KEY)
    monkeypatch.setattr(Recording, "answered", full)
    with EchoServer(wire) as server:
        workspace_of(tmp_path, wire, server.url, 1)
        command = ["--workspace", str(tmp_path), "run", "library:math/sum", "--model", "m", "--yes"]
        assert main(command) == 1
    assert server.keys == [KEY]
    assert "[key removed]" in (tmp_path / "results.db.rescued.jsonl").read_text("utf-8")
    assert not found_in(tmp_path, *capfd.readouterr())


@pytest.mark.parametrize("wire", MODELS)
def test_the_logs_of_the_sdks_stay_off_the_screen(tmp_path: Path, wire: str) -> None:
    environment = dict(os.environ, PLANTED_KEY=KEY, OPENAI_LOG="debug", ANTHROPIC_LOG="debug")
    with EchoServer(wire) as server:
        workspace_of(tmp_path, wire, server.url, 1)
        command = [sys.executable, "-m", "relaybench", "--workspace", str(tmp_path)]
        command += ["run", "library:math/sum", "--model", "m", "--yes"]
        child = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert child.returncode == 0, child.stderr
    assert "HTTP Request" not in child.stderr
    assert "Request options" not in child.stderr
    assert not found_in(tmp_path, child.stdout, child.stderr)
