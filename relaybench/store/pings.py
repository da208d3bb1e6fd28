"""The last ping of each model config. Pings are no results; no other table knows of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from relaybench.store.database import Connection
from relaybench.store.text import pack, unpack
from relaybench.store.values import pico, usd


@dataclass(frozen=True, slots=True)
class PingRow:
    """A config's last ping: when (ISO 8601, UTC), whether it went well, and what came in words.

    ``seconds`` is None where nothing was sent, ``cost`` (USD) where it is unknown.
    """

    digest: str
    name: str
    ok: bool
    outcome: str
    seconds: float | None
    cost: Decimal | None
    pinged_at: str


def keep(connection: Connection, pings: Iterable[PingRow]) -> None:
    """Write pings down, each in place of its config's last one."""
    with connection.writing():
        connection.write_many(
            "INSERT OR REPLACE INTO pings (digest, name, pinged_at, ok, outcome, seconds, cost) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    each.digest,
                    pack(each.name),
                    each.pinged_at,
                    int(each.ok),
                    pack(each.outcome),
                    each.seconds,
                    pico(each.cost),
                )
                for each in pings
            ],
        )


def last(connection: Connection) -> Mapping[str, PingRow]:
    """The last pings by config digest."""
    return {
        row["digest"]: PingRow(
            row["digest"],
            unpack(row["name"]),
            bool(row["ok"]),
            unpack(row["outcome"]),
            row["seconds"],
            usd(row["cost"]),
            row["pinged_at"],
        )
        for row in connection.rows("SELECT * FROM pings")
    }
