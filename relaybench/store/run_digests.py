"""Digests of a run's items and configs by row id: looked up once, not joined to every attempt."""

from __future__ import annotations

from collections.abc import Mapping

from relaybench.store.database import Connection

_ITEMS = """
SELECT items.id, digest FROM run_items JOIN items ON items.id = item_id WHERE run_id = ?
"""

_CONFIGS = """
SELECT model_configs.id, digest FROM prices_used
JOIN model_configs ON model_configs.id = model_config_id WHERE run_id = ?
"""


def run_digests(
    connection: Connection, run_id: int, aliases: Mapping[str, str]
) -> tuple[dict[int, str], dict[int, str]]:
    """Digests of a run's items, and of its configs, by row id.

    ``aliases`` says under which digest an item counts that is the same as another one.
    """
    items: dict[int, str] = {
        number: aliases.get(digest, digest) for number, digest in connection.each(_ITEMS, (run_id,))
    }
    configs: dict[int, str] = dict(map(tuple, connection.each(_CONFIGS, (run_id,))))
    return items, configs
