"""How a simulated response reaches the client: in odd pieces, or broken. Imports httpx2."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final

import httpx2

from relaybench.providers.simulated_exchange import EVENT_STREAM, JSON, Reply, in_pieces
from relaybench.providers.simulated_faults import Fault, Wire, error_body
from relaybench.providers.simulated_model import dice_of

Sleep = Callable[[float], Awaitable[None]]

HTML_PAGE: Final = "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>"
_SIGN_OF_LIFE: Final = b": still here\n\n"
_LIFE_EVERY_S: Final = 15.0
#: How long a client without an idle timeout is kept waiting in one sleep, in seconds.
_LONG_S: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class Delivery:
    """The pieces of a body, and the fault that ends it (None: it is whole)."""

    pieces: Sequence[bytes]
    content_type: str
    end: Fault | None = None


def delivery_of(wire: Wire, reply: Reply, fault: Fault | None, *place: object) -> Delivery:
    """How a reply goes out under a fault; ``place`` seeds where it breaks."""
    content, kind = reply.content, reply.content_type
    dice = dice_of("break", *place)
    match fault:
        case Fault.TRICKLE:
            return Delivery(in_pieces(content, max(7, len(content) // 400)), kind)
        case Fault.CUT | Fault.STALL | Fault.ENDLESS:
            # Never near the end: a body may say that it is whole some bytes before it is.
            size = int(len(content) * dice.uniform(0.2, 0.6))
            return Delivery(in_pieces(content[:size]), kind, fault)
        case Fault.HALF_JSON:
            return Delivery([content[: len(content) // 2]], JSON, fault)
        case Fault.EMPTY:
            return Delivery([], kind, fault)
        case Fault.MALFORMED:
            return Delivery([b'{"greeting": "hello"}'], JSON, fault)
        case Fault.FAILED:
            return Delivery(in_pieces(_failing(wire, content, kind)), kind, fault)
    return Delivery(in_pieces(content), kind)


def connection_error(fault: Fault) -> httpx2.TransportError | None:
    """What a connection that breaks before any header raises; None for other faults."""
    match fault:
        case Fault.REFUSED:
            return httpx2.ConnectError("[Errno 111] Connection refused")
        case Fault.RESET:
            return httpx2.ReadError("[Errno 104] Connection reset by peer")
    return None


class Body(httpx2.AsyncByteStream):
    """A body as it comes in; tells when its last piece is handed over."""

    def __init__(
        self,
        delivery: Delivery,
        sleep: Sleep,
        *,
        latency_s: float,
        idle_s: float | None,
        delivered: Callable[[], None],
    ) -> None:
        """``latency_s`` is spread over the pieces, ``idle_s`` the client's longest silence."""
        self._delivery = delivery
        self._sleep = sleep
        self._pause_s = latency_s / max(1, len(delivery.pieces))
        self._idle_s = idle_s
        self._delivered = delivered

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Give the pieces with pauses between, then end as the delivery does."""
        for left, piece in zip(
            reversed(range(len(self._delivery.pieces))), self._delivery.pieces, strict=True
        ):
            if self._pause_s > 0:
                await self._sleep(self._pause_s)
            if not left and self._delivery.end is None:
                self._delivered()
            yield piece
        match self._delivery.end:
            case Fault.CUT:
                raise httpx2.RemoteProtocolError(
                    "peer closed connection without sending complete message body"
                )
            case Fault.STALL:
                # The timeout of real sockets, which a transport in memory has to play.
                await self._sleep(_LONG_S if self._idle_s is None else self._idle_s)
                raise httpx2.ReadTimeout("nothing came")
            case Fault.ENDLESS:
                while True:
                    await self._sleep(_LIFE_EVERY_S)
                    yield _SIGN_OF_LIFE


def _failing(wire: Wire, content: bytes, kind: str) -> bytes:
    """A success that turns out to be an error, at its start or in the middle of a stream."""
    fault = Fault.OVERLOADED if wire is Wire.ANTHROPIC else Fault.SERVER
    error = error_body(wire, fault, 529 if wire is Wire.ANTHROPIC else 500)
    if kind != EVENT_STREAM:
        return json.dumps(error).encode()
    begun = content[: content.rfind(b"\n\n", 0, len(content) * 2 // 5) + 2]
    name = ""
    if wire is Wire.ANTHROPIC:
        name = "event: error\n"
    if wire is Wire.RESPONSES:
        name = "event: response.failed\n"
        failed = {"code": "server_error", "message": "The simulated server had an error"}
        response = {"id": "resp_failed", "object": "response", "status": "failed", "output": []}
        error = {"type": "response.failed", "response": {**response, "error": failed}}
    return begun + f"{name}data: {json.dumps(error)}\n\n".encode()
