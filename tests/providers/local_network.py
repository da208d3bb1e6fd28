"""A network on this machine alone: a server, a proxy, and a certificate authority of our own."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import ipaddress
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

#: What the server answers, whatever it is asked: short, and the same for all wire formats.
ANSWER = b'{"error": {"message": "seen by the server", "type": "invalid_request_error"}}'


@dataclass(frozen=True, slots=True)
class Seen:
    """One request as it came."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes


@dataclass(slots=True)
class Place:
    """A listening server and what it has seen."""

    port: int = 0
    seen: list[Seen] = field(default_factory=list)

    @property
    def targets(self) -> list[str]:
        """What was asked for."""
        return [f"{each.method} {each.target}" for each in self.seen]


Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@contextlib.asynccontextmanager
async def listening(handler: Handler, tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    """Serve on a free port of the loopback; every connection is closed at the end."""
    writers: set[asyncio.StreamWriter] = set()
    tasks: set[asyncio.Task[None]] = set()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        writers.add(writer)
        try:
            with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
                await handler(reader, writer)
        finally:
            writer.close()
            tasks.discard(task)

    server = await asyncio.start_server(accept, "127.0.0.1", 0, ssl=tls)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for writer in writers:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()
        await server.wait_closed()


async def read_request(reader: asyncio.StreamReader) -> Seen:
    """Read one request with a body of stated length."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, target, _ = head[0].split(" ")
    pairs = (line.partition(":") for line in head[1:] if line)
    headers = {name.lower(): value.strip() for name, _, value in pairs}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Seen(method, target, headers, body)


def response(status: str, body: bytes, *more: str) -> bytes:
    """One whole response after which the connection ends."""
    head = [f"HTTP/1.1 {status}", "content-type: application/json", "connection: close", *more]
    head.append(f"content-length: {len(body)}")
    return "\r\n".join([*head, "", ""]).encode() + body


@contextlib.asynccontextmanager
async def server(tls: ssl.SSLContext | None = None) -> AsyncIterator[Place]:
    """A server that answers everything with one error."""
    place = Place()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        place.seen.append(await read_request(reader))
        writer.write(response("400 Bad Request", ANSWER))
        await writer.drain()

    async with listening(handle, tls) as port:
        place.port = port
        yield place


@contextlib.asynccontextmanager
async def proxy(behind: int, *, login: str | None = None) -> AsyncIterator[Place]:
    """A proxy that leads every address to one port of this machine.

    With ``login`` it wants that value as proxy-authorization.
    """
    place = Place()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = await read_request(reader)
        place.seen.append(request)
        if login is not None and request.headers.get("proxy-authorization") != login:
            writer.write(response("407 Proxy Authentication Required", b""))
            return
        if request.method != "CONNECT":
            writer.write(response("400 Bad Request", ANSWER))
            return
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        there, back = await asyncio.open_connection("127.0.0.1", behind)
        try:
            await asyncio.gather(_copy(reader, back), _copy(there, writer))
        finally:
            back.close()

    async with listening(handle) as port:
        place.port = port
        yield place


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    while piece := await source.read(65_536):
        target.write(piece)
        await target.drain()
    target.close()


@dataclass(frozen=True, slots=True)
class Authority:
    """A certificate authority in files, and a server's context that it vouches for."""

    file: Path
    folder: Path
    server: ssl.SSLContext


def authority(root: Path, *names: str) -> Authority:
    """Make an authority, and a certificate of it for these names and the loopback address."""
    issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "relaybench test authority")])
    ca_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    ca = (
        _certificate(issuer, issuer, ca_key.public_key())
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(ca_key, hashes.SHA256())
    )
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "server")])
    alternatives: list[x509.GeneralName] = [x509.DNSName(name) for name in names]
    alternatives.append(x509.IPAddress(ipaddress.ip_address("127.0.0.1")))
    leaf = (
        _certificate(subject, issuer, key.public_key())
        .add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
        .sign(ca_key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    file, folder, own = root / "ca.pem", root / "certs", root / "server.pem"
    folder.mkdir()
    file.write_bytes(ca.public_bytes(pem))
    # OpenSSL looks a folder's certificates up by a hash of the name, as `openssl rehash` sets it.
    digest = hashlib.sha1(issuer.public_bytes()[2:]).digest()
    (folder / f"{int.from_bytes(digest[:4], 'little'):08x}.0").write_bytes(ca.public_bytes(pem))
    own.write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + leaf.public_bytes(pem)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(own)
    return Authority(file, folder, context)


def _certificate(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
    )
