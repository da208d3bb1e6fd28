"""The HTTP client on a network of this machine: proxies, certificates, silence, redirects."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from relaybench.domain.errors import (
    AuthenticationFailed,
    CallTimedOut,
    ConnectionFailed,
    ProviderError,
    RequestRejected,
    SettingRejected,
)
from relaybench.domain.model import ModelConfig
from relaybench.providers.compatible import CompatibleProvider
from relaybench.providers.transport import make_client, timeouts
from tests.providers import local_network
from tests.providers.local_network import Authority, Seen, listening, read_request, response
from tests.providers.support import GOOD_STREAM, config, request

FAR = "api.far.test"  # no name server knows it: only a proxy can lead there


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    for name in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def ca(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return local_network.authority(tmp_path_factory.mktemp("ca"), FAR, "localhost")


async def failure(base_url: str, **changes: Any) -> ProviderError:
    """How a call to that address fails; the adapter is opened as the environment now is."""
    provider = CompatibleProvider(base_url, None)
    try:
        with pytest.raises(ProviderError) as caught:
            await provider.complete(request(base_url=base_url, **changes))
    finally:
        await provider.aclose()
    return caught.value


def arrived(error: ProviderError) -> bool:
    return isinstance(error, RequestRejected) and str(error) == "seen by the server"


@pytest.mark.parametrize("by", ["file", "folder"])
async def test_a_ca_of_ones_own_is_trusted(
    monkeypatch: pytest.MonkeyPatch, ca: Authority, by: str
) -> None:
    async with local_network.server(ca.server) as there:
        url = f"https://127.0.0.1:{there.port}/v1"
        refused = await failure(url)
        assert type(refused) is ConnectionFailed
        assert "CERTIFICATE_VERIFY_FAILED" in str(refused)
        assert "SSL_CERT_FILE" in str(refused)
        assert not there.seen
        if by == "file":
            monkeypatch.setenv("SSL_CERT_FILE", str(ca.file))
        else:
            monkeypatch.setenv("SSL_CERT_DIR", str(ca.folder))
        assert arrived(await failure(url))
        assert there.targets == ["POST /v1/chat/completions"]


def test_certificates_that_cannot_be_read_are_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "gone.pem"))
    with pytest.raises(SettingRejected, match=r"SSL_CERT_FILE \(.*gone\.pem\) cannot be read"):
        make_client()
    (tmp_path / "gone.pem").write_text("no certificate")
    with pytest.raises(SettingRejected, match="SSL_CERT_FILE"):
        make_client()


@pytest.mark.parametrize("name", ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"])
async def test_tls_goes_through_a_tunnel(
    monkeypatch: pytest.MonkeyPatch, ca: Authority, name: str
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(ca.file))
    async with local_network.server(ca.server) as there, local_network.proxy(there.port) as way:
        monkeypatch.setenv(name, f"http://127.0.0.1:{way.port}")
        assert arrived(await failure(f"https://{FAR}/v1"))
        assert way.targets == [f"CONNECT {FAR}:443"]
        assert there.targets == ["POST /v1/chat/completions"]
        # The tunnel is all that the proxy learns of.
        assert "authorization" not in way.seen[0].headers


@pytest.mark.parametrize("name", ["http_proxy", "ALL_PROXY"])
async def test_plain_http_is_handed_to_the_proxy(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    async with local_network.proxy(1) as way:
        monkeypatch.setenv(name, f"127.0.0.1:{way.port}")
        assert arrived(await failure(f"http://{FAR}/v1"))
        assert way.targets == [f"POST http://{FAR}/v1/chat/completions"]


@pytest.mark.parametrize("exempt", ["127.0.0.1", "*", "127.0.0.0/8", "far.test, 127.0.0.1"])
async def test_no_proxy_goes_straight(monkeypatch: pytest.MonkeyPatch, exempt: str) -> None:
    async with local_network.server() as there, local_network.proxy(there.port) as way:
        monkeypatch.setenv("ALL_PROXY", f"http://127.0.0.1:{way.port}")
        monkeypatch.setenv("NO_PROXY", exempt)
        assert arrived(await failure(f"http://127.0.0.1:{there.port}/v1"))
        assert there.targets == ["POST /v1/chat/completions"]
        assert not way.seen


async def test_no_proxy_names_others_only(monkeypatch: pytest.MonkeyPatch) -> None:
    async with local_network.proxy(1) as way:
        monkeypatch.setenv("ALL_PROXY", f"http://127.0.0.1:{way.port}")
        monkeypatch.setenv("NO_PROXY", "elsewhere.test,localhost")
        assert arrived(await failure(f"http://{FAR}/v1"))
        assert len(way.seen) == 1


async def test_a_proxy_may_want_a_login(monkeypatch: pytest.MonkeyPatch, ca: Authority) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(ca.file))
    login = "Basic " + base64.b64encode(b"ann:sesame-123").decode()
    async with (
        local_network.server(ca.server) as there,
        local_network.proxy(there.port, login=login) as way,
    ):
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{way.port}")
        refused = await failure(f"https://{FAR}/v1")
        assert type(refused) is AuthenticationFailed
        assert "HTTPS_PROXY" in str(refused)
        monkeypatch.setenv("HTTPS_PROXY", f"http://ann:sesame-123@127.0.0.1:{way.port}")
        assert arrived(await failure(f"https://{FAR}/v1"))
        assert "proxy-authorization" not in there.seen[0].headers


async def test_a_proxy_that_is_down_is_named_without_its_password(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with contextlib.closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))  # bound, but nobody listens
        port = taken.getsockname()[1]
        monkeypatch.setenv("HTTPS_PROXY", f"http://ann:sesame-123@127.0.0.1:{port}")
        error = await failure(f"https://{FAR}/v1")
    assert type(error) is ConnectionFailed
    assert f"https://{FAR} by way of the proxy 127.0.0.1:{port}" in str(error)
    assert "sesame" not in str(error)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("ftp://ann:sesame-123@proxy.test", "HTTPS_PROXY"),
        ("http://[ann:sesame-123", "HTTPS_PROXY"),
        ("socks5://ann:sesame-123@proxy.test", "socksio"),
    ],
)
def test_a_proxy_that_cannot_be_used_is_a_named_error(
    monkeypatch: pytest.MonkeyPatch, value: str, said: str
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", value)
    with pytest.raises(SettingRejected, match=said) as caught:
        make_client()
    assert "sesame" not in str(caught.value)
    assert caught.value.__cause__ is None


def probes(connection: Any) -> tuple[int, int, int, int]:
    return (
        connection.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE),
        *(
            connection.getsockopt(socket.IPPROTO_TCP, option)
            for option in (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT)
        ),
    )


@pytest.mark.skipif(not hasattr(socket, "TCP_KEEPIDLE"), reason="this system calls it otherwise")
@pytest.mark.parametrize("way_there", ["straight", "tls", "by proxy", "tls by proxy"])
async def test_the_system_probes_quiet_connections(
    monkeypatch: pytest.MonkeyPatch, ca: Authority, way_there: str
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(ca.file))
    tls = "tls" in way_there
    async with (
        local_network.server(ca.server if tls else None) as there,
        local_network.proxy(there.port) as way,
    ):
        if "proxy" in way_there:
            monkeypatch.setenv("ALL_PROXY", f"http://127.0.0.1:{way.port}")
        client = make_client()
        async with (
            client,
            client.stream("GET", f"http{'s' * tls}://127.0.0.1:{there.port}/") as reply,
        ):
            stream = reply.extensions["network_stream"]
            assert probes(stream.get_extra_info("socket")) == (1, 60, 60, 5)
        assert bool(way.seen) == ("proxy" in way_there)


@contextlib.asynccontextmanager
async def silent(first: bytes) -> AsyncIterator[str]:
    """A server that says this much, then nothing more, and keeps the connection open."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        writer.write(first)
        await writer.drain()
        await reader.read()  # until the client leaves

    async with listening(handle) as port:
        yield f"http://127.0.0.1:{port}/v1"


_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n"


@pytest.mark.parametrize(
    "first", [b"", b"HTTP/1.1 200 OK\r\n", _HEAD, _HEAD + b'data: {"choices": []}\n\n']
)
async def test_silence_is_noticed(first: bytes) -> None:
    async with silent(first) as url:
        error = await failure(url, idle_timeout_s=0.1, timeout_s=60.0)
    assert type(error) is CallTimedOut
    assert str(error) == "idle timeout: nothing came for 0.1 s"
    assert error.retryable


async def test_pings_are_no_silence_but_the_total_holds() -> None:
    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        writer.write(_HEAD)
        while not reader.at_eof():
            writer.write(b": ping\n\n")
            await writer.drain()
            await asyncio.sleep(0.02)

    async with listening(handle) as port:
        url = f"http://127.0.0.1:{port}/v1"
        error = await failure(url, idle_timeout_s=0.15, timeout_s=0.4)
    assert str(error) == "total timeout: the call took longer than 0.4 s"


async def test_calls_share_a_connection_and_an_open_end_is_not_waited_for() -> None:
    connections = 0

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
        for number in range(3):
            await read_request(reader)
            chunk = b"%x\r\n%b\r\n" % (len(GOOD_STREAM), GOOD_STREAM)
            writer.write(head + b"transfer-encoding: chunked\r\n\r\n" + chunk)
            await writer.drain()
            await asyncio.sleep(0)
            if number == 2:
                await reader.read()  # the end of the third response never comes
            writer.write(b"0\r\n\r\n")

    async with listening(handle) as port:
        provider = CompatibleProvider(f"http://127.0.0.1:{port}/v1", None)
        for _ in range(3):
            assert (await provider.complete(request())).text == "4"
        assert connections == 1
        await provider.aclose()


async def test_a_refused_connection_is_named() -> None:
    with contextlib.closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        error = await failure(f"http://127.0.0.1:{port}/v1")
    assert type(error) is ConnectionFailed
    assert f"cannot connect to http://127.0.0.1:{port}" in str(error)


async def test_redirects_are_not_followed_even_on_the_wire() -> None:
    async with local_network.server() as thief:

        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await read_request(reader)
            there = f"location: http://127.0.0.1:{thief.port}/"
            writer.write(response("307 Temporary Redirect", b"", there))

        async with listening(handle) as port:
            error = await failure(f"http://127.0.0.1:{port}/v1")
        assert "redirects are not followed" in str(error)
        assert not thief.seen


async def test_a_whole_answer_comes_through_a_tunnel(
    monkeypatch: pytest.MonkeyPatch, ca: Authority
) -> None:
    seen: list[Seen] = []

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.append(await read_request(reader))
        writer.write(_HEAD + GOOD_STREAM)
        await writer.drain()

    monkeypatch.setenv("SSL_CERT_FILE", str(ca.file))
    async with listening(handle, ca.server) as port, local_network.proxy(port) as way:
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{way.port}")
        provider = CompatibleProvider(f"https://{FAR}/v1", "sk-0123456789")
        completion = await provider.complete(request())
        await provider.aclose()
    assert completion.text == "4"
    assert seen[0].headers["authorization"] == "Bearer sk-0123456789"


def test_the_defaults_let_an_hour_of_thinking_be() -> None:
    plain = ModelConfig("m", "compatible", "m")
    assert (plain.timeout_s, plain.idle_timeout_s) == (7200.0, 3600.0)
    assert config().idle_timeout_s == 3600.0
    limits = timeouts(plain.idle_timeout_s)
    assert (limits.connect, limits.read, limits.write, limits.pool) == (30.0, 3600.0, 120.0, None)
    assert limits.read is not None
    assert limits.read >= 3600.0 < plain.timeout_s


async def test_a_transport_of_the_tests_sees_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    seen: list[str] = []

    def reply(asked: httpx2.Request) -> httpx2.Response:
        seen.append(str(asked.url))
        return httpx2.Response(200)

    async with make_client(httpx2.MockTransport(reply)) as client:
        await client.get(f"http://{FAR}/")
    assert seen == [f"http://{FAR}/"]
