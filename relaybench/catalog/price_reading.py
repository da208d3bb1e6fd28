"""Read prices out of a TOML table: USD per million tokens by bucket, tiers, fees, day, source."""

from __future__ import annotations

import difflib
from datetime import date, datetime
from decimal import Context, Decimal
from typing import Final

from relaybench.catalog.unread_keys import no_unread
from relaybench.domain.finding import Fault, Severity
from relaybench.domain.model import Prices, PriceTier
from relaybench.domain.tool_fees import FEES
from relaybench.toml_files.fields import Fields

_BUCKETS: Final = ("input", "cached_input", "cache_write", "cache_write_1h", "output")
#: Decimal places of a price; the store keeps costs as whole picodollars.
_PRICE_DIGITS: Final = 6
_MAX_PRICE: Final = 1_000_000
_EXACT: Final = Context(prec=10_000)
#: What a table of prices may hold besides its buckets, for messages.
PRICE_KEYS: Final = f"{', '.join(_BUCKETS)}, tiers, tool_fees, as_of, source and note"


def read_prices(fields: Fields, provider: str) -> Prices:
    """Prices from a table of them; the caller looks for keys that nothing read.

    A fee that no response of ``provider`` is charged for is a fault: it would never be used.
    """
    tiers = [_tier(fields, 0)]
    for entry in fields.tables("tiers"):
        above = entry.whole("above", 1, 100_000_000)
        if above <= tiers[-1].above:
            entry.fault(
                "above",
                "bad-tier",
                "tiers do not rise",
                "order them by above, the smallest first",
            )
        tiers.append(_tier(entry, above))
        no_unread(entry, "a price", f"there are above, {', '.join(_BUCKETS)}")
    fees: dict[str, Decimal] = {}
    table = fields.table_or_none("tool_fees")
    for tool in table.table if table else ():
        known = FEES.get(provider)
        if table and known is not None and tool not in known:
            near = difflib.get_close_matches(str(tool), known, 1, 0.6)
            table.fault(
                str(tool),
                "unknown-fee",
                f"{provider} charges no fee that is called {str(tool)!r} here",
                f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}",
            )
        fee = _price(table, str(tool)) if table else None
        if fee is not None:
            fees[str(tool)] = fee
    as_of = day(fields, "as_of")
    if as_of is None:
        fields.faults.append(
            Fault(
                (*fields.path, "as_of"),
                "no-price-date",
                "the prices do not say of which day they are",
                "add as_of = 2026-11-30 (without quotes)",
                Severity.ERROR,
            )
        )
    source = fields.filled("source")
    note = fields.text("note", required=False)
    return Prices(tuple(tiers), fees, as_of, source, note)


def day(fields: Fields, key: str) -> date | None:
    """A date without quotes, or None where it is left out or is none."""
    fields.known.append(key)
    value = fields.table.get(key)
    return value if isinstance(value, date) and not isinstance(value, datetime) else None


def _price(fields: Fields, key: str) -> Decimal | None:
    """A price in USD: a number of at least 0 with at most six decimals, or None if left out."""
    fields.known.append(key)
    value = fields.table.get(key)
    if value is None:
        return None
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        amount = Decimal(value)
        if amount.is_finite() and 0 <= amount <= _MAX_PRICE:
            whole = amount.scaleb(_PRICE_DIGITS, _EXACT)
            if whole == whole.to_integral_value(context=_EXACT):
                return abs(amount)  # not -0.0
    fields.fault(
        key,
        "bad-price",
        f"{key} is not a price",
        f"give USD as a number such as 2.50, without quotes, from 0 to {_MAX_PRICE:,}, with at "
        f"most {_PRICE_DIGITS} decimals",
    )
    return None


def _tier(fields: Fields, above: int) -> PriceTier:
    amounts = {bucket: _price(fields, bucket) for bucket in _BUCKETS}
    return PriceTier(above=above, **amounts)
