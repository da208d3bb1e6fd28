"""Numbers as text: exact for csv and json, rounded for people; the same way in every format.

Rounding is half up on the decimal digits that csv and json show, so that a reader who rounds
those by hand, or in a spreadsheet, gets what the tables say. A point is always a point.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Final

from relaybench.reports.tables import Kind, Missing, Value

#: Wide enough for any number of ours: the default 28 digits must not round behind our back.
_EXACT: Final = Context(prec=400, rounding=ROUND_HALF_UP)
_TWO_DIGITS: Final = Context(prec=2, rounding=ROUND_HALF_UP)
#: Names in one sentence; more of them are counted.
_NAMED: Final = 5
_CENT: Final = Decimal("0.01")
_TENTH: Final = Decimal("0.1")
_THOUSANDTH: Final = Decimal("0.001")
_HUNDRED: Final = Decimal(100)


def exact(value: int | float | Decimal) -> str:
    """A finite number with all its digits: a JSON number, and what csv shows."""
    if isinstance(value, Decimal):
        text = format(value, "f")
        text = text.rstrip("0").rstrip(".") if "." in text else text
        return "0" if text in ("-0", "") else text
    if isinstance(value, float):
        return "0.0" if value == 0 else repr(value)
    return str(int(value))


def _quantized(number: Decimal, step: Decimal) -> Decimal:
    return number.quantize(step, rounding=ROUND_HALF_UP, context=_EXACT)


def percent(share: float) -> str:
    """A share (0-1) in percent with one decimal, without the sign.

    What is not quite 0 or not quite 100 never reads as if it were: ``<0.1`` and ``>99.9``.
    """
    number = _EXACT.multiply(Decimal(repr(float(share))), _HUNDRED)
    shown = _quantized(number, _TENTH)
    if shown == 0 and number > 0:
        return "<0.1"
    if shown == _HUNDRED and number < _HUNDRED:
        return ">99.9"
    return format(abs(shown) if shown == 0 else shown, "f")


def points(difference: float) -> str:
    """A difference of shares (-1 to 1) in percentage points with one decimal and its sign.

    What is not quite 0 never reads as if it were: ``+<0.1`` and ``-<0.1``.
    """
    number = _EXACT.multiply(Decimal(repr(float(difference))), _HUNDRED)
    shown = _quantized(number, _TENTH)
    if shown == 0:
        return "0.0" if number == 0 else "+<0.1" if number > 0 else "-<0.1"
    return format(shown, "+f")


def p_value(p: float) -> str:
    """A p-value with three decimals; ``<0.001`` below that, ``>0.999`` just under 1."""
    number = Decimal(repr(float(p)))
    shown = _quantized(number, _THOUSANDTH)
    if number < _THOUSANDTH:
        return "<0.001"
    if shown == 1 and number < 1:
        return ">0.999"
    return format(shown, "f")


def plain_number(number: float) -> str:
    """Any number with two decimals."""
    shown = _quantized(Decimal(repr(float(number))), _CENT)
    return format(abs(shown) if shown == 0 else shown, ",f")


def dollars(amount: Decimal) -> str:
    """USD with two decimals; ``<0.01`` for what is more than nothing but under half a cent."""
    shown = _quantized(amount, _CENT)
    if shown == 0 and amount > 0:
        return "<0.01"
    return format(abs(shown) if shown == 0 else shown, ",f")


def usd(amount: Decimal | None) -> str:
    """An amount in a sentence: ``$1.50``, two digits below a cent, ``unknown`` for None."""
    if amount is None:
        return "unknown"
    if amount == 0 or amount >= _CENT:
        return f"${dollars(amount)}"
    return f"${_TWO_DIGITS.plus(amount):f}"


def counted(number: int, thing: str) -> str:
    """``1 item``, ``2 items``."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def listed(names: Sequence[str]) -> str:
    """Names in one line: the first few, and how many more."""
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")


def price(amount: Decimal) -> str:
    """USD per million tokens: never rounded, with two decimals at least."""
    text = exact(amount)
    whole, _, decimals = text.partition(".")
    return f"{whole}.{decimals.ljust(2, '0')}"


def shown(kind: Kind, value: Value) -> str:
    """A single value for people; text is returned as it came, for the writer to escape."""
    if isinstance(value, Missing):
        return value.reason
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if kind is Kind.SHARE:
        return f"{percent(float(value))}%"
    if kind is Kind.DIFFERENCE:
        return points(float(value))
    if kind is Kind.P_VALUE:
        return p_value(float(value))
    if kind is Kind.NUMBER:
        return plain_number(float(value))
    if isinstance(value, Decimal):
        return price(value) if kind is Kind.PRICE else dollars(value)
    return f"{value:,}"
