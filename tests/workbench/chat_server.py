"""A loopback server of chat completions that logs every prompt and can hold answers back."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class ChatServer:
    """Answers the first ``quick`` requests at once; later ones wait until ``release``."""

    def __init__(self, quick: int) -> None:
        self.prompts: list[str] = []
        self.finished: list[str] = []
        self.held = 0
        self._quick = quick
        self._free = threading.Event()
        self._changed = threading.Condition()
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                size = int(self.headers["content-length"])
                owner._answer(self, json.loads(self.rfile.read(size)))

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> ChatServer:
        """Start serving."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Let everybody go."""
        self.release()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(30)

    def release(self) -> None:
        """Hold nothing back any more."""
        self._free.set()

    def wait_for_held(self, count: int, seconds: float) -> bool:
        """Wait until that many requests are being held back."""
        with self._changed:
            return self._changed.wait_for(lambda: self.held >= count, seconds)

    def _answer(self, handler: BaseHTTPRequestHandler, body: dict[str, object]) -> None:
        messages = body["messages"]
        assert isinstance(messages, list)
        prompt = str(messages[-1]["content"])
        with self._changed:
            self.prompts.append(prompt)
            hold = len(self.prompts) > self._quick and not self._free.is_set()
            if hold:
                self.held += 1
                self._changed.notify_all()
        if hold:
            self._free.wait(120)
        message = {"role": "assistant", "content": "```\n42\n```"}
        data = json.dumps(
            {
                "id": "x",
                "object": "chat.completion",
                "model": body["model"],
                "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
                "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
            }
        ).encode()
        try:
            handler.send_response(200)
            handler.send_header("content-type", "application/json")
            handler.send_header("content-length", str(len(data)))
            handler.end_headers()
            handler.wfile.write(data)
        except OSError:  # the client is dead
            return
        with self._changed:
            self.finished.append(prompt)
