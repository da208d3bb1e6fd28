"""Domains of imported items: no part of what makes an item, so that any import may give them."""

from __future__ import annotations

import json
from collections.abc import Sequence

from relaybench.domain.errors import PlanError
from relaybench.domain.item import Item
from relaybench.store.database import Connection
from relaybench.store.values import to_json


def imported_domains(connection: Connection) -> dict[str, tuple[str, ...]]:
    """Domains of all imported items by digest, those without any included."""
    return {
        row["digest"]: tuple(json.loads(row["domains"]))
        for row in connection.each("SELECT digest, domains FROM items WHERE kind = 'imported'")
    }


def fill_in_domains(connection: Connection, item: Item, row_id: int) -> None:
    """Store an imported item's domains where it has none yet; PlanError where it has others."""
    (stored,) = connection.rows("SELECT domains FROM items WHERE id = ?", (row_id,))
    known = tuple(json.loads(stored["domains"]))
    if not known:
        connection.write(
            "UPDATE items SET domains = ? WHERE id = ?", (to_json(list(item.domains)), row_id)
        )
    elif known != item.domains:
        raise PlanError(unequal_domains(item, known))


def unequal_domains(item: Item, known: Sequence[str], *, same_file: bool = False) -> str:
    """Why an imported item cannot have its domains: it is known with others."""
    where = "in an earlier line" if same_file else "where it was imported before"
    return (
        f"the domains of {item.ref} are {', '.join(item.domains)} here and {', '.join(known)} "
        f"{where}; import it under another set or composite name"
    )
