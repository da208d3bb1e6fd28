"""A local server for ``overhead.py``: any prompt is answered by a short stream after a wait.

Speaks chat completions, Anthropic's Messages and Google's generateContent, by the path. Prints its
port, then serves until its standard input ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import Iterable

LATENCY_S = 0.05
#: Into how many pieces the answer is cut: the SDK's part of the work grows with them.
PIECES = int(sys.argv[1]) if len(sys.argv) > 1 else 12
ANSWER = [*(" word" for _ in range(PIECES - 1)), "\n\n```\n42\n```"]


def _sse(events: Iterable[dict[str, object]], *, named: bool = False) -> bytes:
    lines = (
        (f"event: {event['type']}\n" if named else "") + f"data: {json.dumps(event)}\n\n"
        for event in events
    )
    return "".join(lines).encode()


def _chat() -> list[bytes]:
    def chunk(choices: list[dict[str, object]], **more: object) -> dict[str, object]:
        head = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        return head | {"choices": choices} | more

    def delta(text: str) -> dict[str, object]:
        return {"index": 0, "delta": {"content": text}, "finish_reason": None}

    usage = {"prompt_tokens": 5000, "completion_tokens": 15, "total_tokens": 5015}
    ends = chunk([{"index": 0, "delta": {}, "finish_reason": "stop"}])
    pieces = [_sse([chunk([delta(text)])]) for text in ANSWER]
    return [*pieces, _sse([ends]) + _sse([chunk([], usage=usage)]) + b"data: [DONE]\n\n"]


def _anthropic() -> list[bytes]:
    usage = {"input_tokens": 5000, "output_tokens": 1}
    message = {"id": "m1", "type": "message", "role": "assistant", "model": "m", "content": []}
    start = message | {"stop_reason": None, "stop_sequence": None, "usage": usage}
    block = {"type": "text", "text": ""}
    deltas: list[dict[str, object]] = [
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}
        for text in ANSWER
    ]
    head: list[dict[str, object]] = [
        {"type": "message_start", "message": start},
        {"type": "content_block_start", "index": 0, "content_block": block},
    ]
    stop = {"stop_reason": "end_turn", "stop_sequence": None}
    tail: list[dict[str, object]] = [
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 15}},
        {"type": "message_stop"},
    ]
    pieces = [_sse([delta], named=True) for delta in deltas]
    return [_sse(head, named=True), *pieces, _sse(tail, named=True)]


def _google() -> list[bytes]:
    def chunk(text: str, **more: object) -> dict[str, object]:
        content = {"role": "model", "parts": [{"text": text}]}
        usage = {"promptTokenCount": 5000, "candidatesTokenCount": 15, "totalTokenCount": 5015}
        return {
            "candidates": [{"index": 0, "content": content, **more}],
            "usageMetadata": usage,
            "modelVersion": "m",
        }

    pieces = [_sse([chunk(text)]) for text in ANSWER[:-1]]
    return [*pieces, _sse([chunk(ANSWER[-1], finishReason="STOP")])]


_STREAMS = {"/messages": _anthropic(), "GenerateContent": _google(), "/completions": _chat()}
_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
            await reader.readexactly(length)
            path = head.split(b" ", 2)[1].decode()
            pieces = next(each for end, each in _STREAMS.items() if end.lower() in path)
            await asyncio.sleep(LATENCY_S)
            writer.write(_HEAD)
            for piece in pieces:
                writer.write(b"%x\r\n%b\r\n" % (len(piece), piece))
                await asyncio.sleep(0)
            writer.write(b"0\r\n\r\n")
            await writer.drain()
    writer.close()


async def _main() -> None:
    server = await asyncio.start_server(_serve, "127.0.0.1", 0, backlog=1000, limit=1 << 20)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(_main())
