"""Checkers of the table classes: csv, exact fractions and decimals, and plain definitions."""

import csv
import statistics
from collections import defaultdict
from datetime import date, timedelta
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction
from math import floor

from tests.problems.checkers.registry import Checker, Data, rows


def table(block: str) -> list[dict[str, str]]:
    """Read an indented CSV table with a header line."""
    return list(csv.DictReader(rows(block)))


def till_receipts(data: Data) -> str:
    """Keep the last line of each receipt, round each line half up, add by shop."""
    receipts = {line["receipt"]: line for line in table(data["table"])}
    takings: defaultdict[str, int] = defaultdict(int)
    for line in receipts.values():
        if line["status"] == "void" or line["goods"] != data["goods"]:
            continue
        if line["date"][:7] != data["month"]:
            continue
        exact = Decimal(line["quantity"]) * Decimal(line["unit_cents"])
        exact *= Decimal(100 - int(line["discount_percent"])) / 100
        cents = int(exact.quantize(Decimal(1), ROUND_HALF_UP))
        takings[line["shop"]] += {"sale": cents, "return": -cents}[line["status"]]
    best = max(takings.values())
    (shop,) = (name for name, value in takings.items() if value == best)
    return f"{shop}:{best}"


def _half(values: list[Fraction]) -> Fraction:
    return Fraction(statistics.median(values))


def sensor_outliers(data: Data) -> str:
    """Apply the stated quartile rule with exact fractions."""
    sample = sorted(
        Fraction(line["celsius"])
        for line in table(data["table"])
        if line["sensor"] == data["sensor"]
        and line["flag"] != "calib"
        and line["celsius"] not in ("", "n/a", "-99.9")
    )
    half = len(sample) // 2
    low, high = _half(sample[:half]), _half(sample[-half:])
    reach = (high - low) * 3 / 2
    kept = [value for value in sample if low - reach <= value <= high + reach]
    thousandths = floor(sum(kept) / len(kept) * 1000 + Fraction(1, 2))
    assert thousandths >= 0
    mean = f"{thousandths // 1000}.{thousandths % 1000:03d}"
    return f"{len(sample) - len(kept)}/{mean}"


def _three_tables(block: str) -> list[list[dict[str, str]]]:
    parts: list[list[str]] = []
    for line in rows(block):
        if line.endswith(":"):
            parts.append([])
        else:
            parts[-1].append(line)
    return [list(csv.DictReader(part)) for part in parts]


def ledger_join(data: Data) -> str:
    """Join the three tables and round each payment half to even."""
    customers, rates, payments = _three_tables(data["tables"])
    home = {line["customer"]: line for line in customers}
    amounts: list[Decimal] = []
    for payment in payments:
        customer = home.get(payment["customer"])
        if customer is None or customer["region"] != data["region"]:
            continue
        amount = Decimal(payment["amount"])
        if customer["currency"] != "EUR":
            valid = [
                rate
                for rate in rates
                if rate["currency"] == customer["currency"]
                and date.fromisoformat(rate["valid_from"]) <= date.fromisoformat(payment["date"])
            ]
            if not valid:
                continue
            valid.sort(key=lambda rate: rate["valid_from"])
            amount *= Decimal(valid[-1]["euro_per_unit"])
        amounts.append(amount.quantize(Decimal("0.01"), ROUND_HALF_EVEN))
    return f"{len(amounts)}/{sum(amounts)}"


def rolling_median(data: Data) -> str:
    """Score every window of calendar days by its definition."""
    counts = {
        date.fromisoformat(line["date"]): int(line["passengers"]) for line in table(data["table"])
    }
    window = int(data["window"])
    best: tuple[float, date] | None = None
    first = min(counts)
    while first + timedelta(days=window - 1) <= max(counts):
        days = [first + timedelta(days=offset) for offset in range(window)]
        present = [counts[day] for day in days if day in counts]
        if len(present) > window - len(present):
            score = float(statistics.median(present))
            if best is None or score > best[0]:
                best = (score, first)
        first += timedelta(days=1)
    assert best is not None
    return f"{best[1]:%Y%m%d}:{best[0]:.1f}"


CHECKERS: dict[str, Checker] = {
    "data-analysis/till-receipts": till_receipts,
    "data-analysis/sensor-outliers": sensor_outliers,
    "data-analysis/ledger-join": ledger_join,
    "data-analysis/rolling-median": rolling_median,
}
