"""The HTTP client below the SDKs, and what its failures mean. Imports httpx2: load lazily."""

from __future__ import annotations

import socket
from typing import Final
from urllib.request import getproxies

import httpx2

from relaybench.domain.errors import (
    CallTimedOut,
    ConnectionFailed,
    ProviderError,
    RequestRejected,
    SettingRejected,
)
from relaybench.providers.classify import clean_message

CONNECT_S: Final = 30.0
WRITE_S: Final = 120.0
_LIMITS: Final = httpx2.Limits(max_connections=None, max_keepalive_connections=50)


def make_client(transport: httpx2.AsyncBaseTransport | None = None) -> httpx2.AsyncClient:
    """Build a client that never follows redirects: they could carry the key elsewhere."""
    # A transport of our own switches off the proxies of the environment; so it is only made
    # where there are none.
    if transport is None and not getproxies():
        transport = httpx2.AsyncHTTPTransport(limits=_LIMITS, socket_options=_keep_alive())
    return httpx2.AsyncClient(
        transport=transport,
        limits=_LIMITS,
        follow_redirects=False,
        timeout=timeouts(None),
    )


def timeouts(idle_s: float | None) -> httpx2.Timeout:
    """Timeouts of one request; ``idle_s`` is the longest gap between two bytes."""
    return httpx2.Timeout(connect=CONNECT_S, read=idle_s, write=WRITE_S, pool=None)


def transport_failure(error: BaseException, idle_s: float) -> ProviderError:
    """Say what a failure of the transport (an httpx2 exception) means."""
    match error:
        case httpx2.ConnectTimeout():
            return ConnectionFailed(
                f"connect timeout: no connection{_to(error)} within {CONNECT_S:g} s"
            )
        case httpx2.ReadTimeout():
            return CallTimedOut(f"idle timeout: nothing came for {idle_s:g} s")
        case httpx2.TimeoutException():
            return CallTimedOut(f"write timeout: the request was not taken within {WRITE_S:g} s")
        case httpx2.UnsupportedProtocol() | httpx2.InvalidURL():
            return SettingRejected(
                f"base_url cannot be used ({_words(error)}); it must begin with http:// or https://"
            )
        case httpx2.LocalProtocolError():
            return RequestRejected(f"the request cannot be sent: {_words(error)}")
        case httpx2.ConnectError() | httpx2.ProxyError():
            return ConnectionFailed(f"cannot connect{_to(error)}: {_words(error)}")
        case httpx2.DecodingError():
            return ConnectionFailed(f"the response cannot be decompressed: {_words(error)}")
    return ConnectionFailed(f"the connection broke: {_words(error)}")


def _to(error: httpx2.RequestError) -> str:
    """Where a connection was to go: scheme, host and port, nothing that could hold a secret."""
    try:
        url = error.request.url
    except RuntimeError:  # no request is known
        return ""
    return f" to {url.scheme}://{url.netloc.decode('ascii', 'replace').rpartition('@')[2]}"


def _words(error: BaseException) -> str:
    return clean_message(str(error)) or type(error).__name__


def _keep_alive() -> list[tuple[int, int, int]]:
    # An hour of silent thinking must not be cut off by a router that forgets idle connections.
    options = [(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)]
    for name, value in (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 60), ("TCP_KEEPCNT", 5)):
        if hasattr(socket, name):
            options.append((socket.IPPROTO_TCP, getattr(socket, name), value))
    return options
