"""The HTTP client below the SDKs, and what its failures mean. Imports httpx2: load lazily.

Proxies and certificates come from the environment as httpx2 documents it: HTTPS_PROXY, HTTP_PROXY,
ALL_PROXY, NO_PROXY, SSL_CERT_FILE, SSL_CERT_DIR.
"""

from __future__ import annotations

import contextlib
import logging
import os
import socket
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx2

from relaybench.domain.errors import (
    AuthenticationFailed,
    CallTimedOut,
    ConnectionBroken,
    ConnectionFailed,
    ProviderError,
    RequestRejected,
    SettingRejected,
)
from relaybench.providers.classify import clean_message

CONNECT_S: Final = 30.0
WRITE_S: Final = 120.0
_LIMITS: Final = httpx2.Limits(max_connections=None, max_keepalive_connections=10)
#: Their logs below warnings tell of headers as they came, in which a server may echo the key; and
#: a variable such as OPENAI_LOG would have them printed into the middle of a screen.
_TALKATIVE: Final = ("httpcore2", "httpx2", "openai", "anthropic", "google_genai")
_PROXY_NAMES: Final = "HTTPS_PROXY, HTTP_PROXY or ALL_PROXY"


def make_client(
    transport: httpx2.AsyncBaseTransport | None = None,
    kind: type[httpx2.AsyncClient] = httpx2.AsyncClient,
) -> httpx2.AsyncClient:
    """Build a client that never follows redirects: they could carry the key elsewhere.

    Quiets the logs of the libraries below us. Raises SettingRejected where proxies or certificates
    of the environment cannot be used.
    """
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(logging.WARNING)
    # A transport of our own would switch off the proxies of the environment, and proxied
    # transports ignore socket options: so every new connection is met as it is made.
    hooks = {} if transport is not None else {"request": [_meet_connections]}
    try:
        return kind(
            transport=transport,
            limits=_LIMITS,
            follow_redirects=False,
            timeout=timeouts(None),
            event_hooks=hooks,
        )
    except ImportError:
        raise SettingRejected(
            "the environment names a SOCKS proxy, for which the package socksio is missing: "
            "pip install 'httpx2[socks]'"
        ) from None
    except (ValueError, httpx2.InvalidURL):  # its words would show the proxy's password
        raise SettingRejected(
            f"the proxy in {_PROXY_NAMES} cannot be used; it must look like http://host:port"
        ) from None
    except OSError as error:
        names = [name for name in ("SSL_CERT_FILE", "SSL_CERT_DIR") if os.environ.get(name)]
        where = f" in {names[0]} ({os.environ[names[0]]})" if names else ""
        raise SettingRejected(
            f"the certificates{where} cannot be read: {clean_message(error.strerror or str(error))}"
        ) from None


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
        case httpx2.ProxyError() if str(error).startswith("407"):
            return AuthenticationFailed(
                f"the proxy wants a user name and password: put them into {_PROXY_NAMES} as "
                "http://user:password@host:port"
            )
        case httpx2.ProxyError():
            return ConnectionFailed(f"the proxy makes no connection{_to(error)}: {_words(error)}")
        case httpx2.ConnectError():
            return ConnectionFailed(f"cannot connect{_to(error)}: {_words(error)}{_cure(error)}")
        case httpx2.DecodingError():
            return ConnectionFailed(f"the response cannot be decompressed: {_words(error)}")
        case httpx2.ReadError() | httpx2.CloseError() | httpx2.RemoteProtocolError():
            return ConnectionBroken(f"the connection broke: {_words(error)}")
    return ConnectionFailed(f"the connection broke: {_words(error)}")


def _to(error: httpx2.RequestError) -> str:
    """Where a connection was to go: scheme, host and port, nothing that could hold a secret."""
    try:
        url = error.request.url
    except RuntimeError:  # no request is known
        return ""
    host = url.netloc.decode("ascii", "replace").rpartition("@")[2]
    return f" to {url.scheme}://{host}{_by_way_of(url)}"


def _by_way_of(url: httpx2.URL) -> str:
    """The proxy on the way, as far as can be told; without its password."""
    proxies = getproxies()
    proxy = proxies.get(url.scheme) or proxies.get("all")
    if not proxy or proxy_bypass(url.host):
        return ""
    try:
        parts = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        return f" by way of the proxy {parts.hostname}:{parts.port}"
    except ValueError:
        return ""


def _cure(error: BaseException) -> str:
    if "CERTIFICATE_VERIFY_FAILED" not in str(error):
        return ""
    return "; where a company's own CA signs, name its file in SSL_CERT_FILE"


def _words(error: BaseException) -> str:
    return clean_message(str(error)) or type(error).__name__


async def _meet_connections(request: httpx2.Request) -> None:
    request.extensions = {**request.extensions, "trace": _keep_alive}


async def _keep_alive(event: str, info: Mapping[str, Any]) -> None:
    """Have the system probe a quiet connection.

    An hour of silent thinking must not be cut off by a router that forgets idle connections, and
    a dead one must be noticed.
    """
    if not event.endswith("connect_tcp.complete"):
        return
    connection = info["return_value"].get_extra_info("socket")
    for option in _KEEP_ALIVE:
        with contextlib.suppress(OSError):  # no reason to give a call up
            connection.setsockopt(*option)


_KEEP_ALIVE: Final = [
    (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
    *(
        (socket.IPPROTO_TCP, getattr(socket, name), value)
        for name, value in (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 60), ("TCP_KEEPCNT", 5))
        if hasattr(socket, name)
    ),
]
