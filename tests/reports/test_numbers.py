"""Numbers as text: exact where they are exact, honest where they are rounded."""

from __future__ import annotations

from decimal import Decimal, localcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.reports.numbers import counted, dollars, exact, listed, percent, price, shown, usd
from relaybench.reports.tables import Kind, Missing


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0, "0.0"),
        (-0.0, "0.0"),
        (1.0, "100.0"),
        (5 / 30, "16.7"),
        (13 / 30, "43.3"),
        (0.0625, "6.3"),  # half up: what a reader rounds by hand
        (0.1145, "11.5"),
        (0.0004, "<0.1"),
        (1e-300, "<0.1"),
        (0.0005, "0.1"),
        (2999 / 3000, ">99.9"),
        (0.9994, "99.9"),
    ],
)
def test_percent(share: float, text: str) -> None:
    assert percent(share) == text


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        ("0", "0.00"),
        ("0E-12", "0.00"),
        ("-0", "0.00"),
        ("0.000000000001", "<0.01"),
        ("0.004999", "<0.01"),
        ("0.005", "0.01"),
        ("8.325", "8.33"),
        ("33.7570895", "33.76"),
        ("1234567.891", "1,234,567.89"),
        ("1E+3", "1,000.00"),
    ],
)
def test_dollars(amount: str, text: str) -> None:
    assert dollars(Decimal(amount)) == text


@pytest.mark.parametrize(
    ("amount", "text"),
    [("5", "5.00"), ("0.50", "0.50"), ("0.125", "0.125"), ("1E+1", "10.00"), ("0.0005", "0.0005")],
)
def test_prices_are_never_rounded(amount: str, text: str) -> None:
    assert price(Decimal(amount)) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Decimal("33.760"), "33.76"),
        (Decimal("1E-12"), "0.000000000001"),
        (Decimal("1E+3"), "1000"),
        (Decimal("-0.00"), "0"),
        (Decimal("100"), "100"),
        (-0.0, "0.0"),
        (0.1, "0.1"),
        (31_794_679, "31794679"),
    ],
)
def test_exact_numbers(value: Decimal | float | int, text: str) -> None:
    assert exact(value) == text


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=0, max_value=10**9))
def test_exact_loses_nothing_in_any_decimal_context(amount: Decimal) -> None:
    with localcontext() as context:
        context.prec = 2
        assert Decimal(exact(amount)) == amount
        assert dollars(amount)


def test_words_for_flags_and_what_is_missing() -> None:
    assert shown(Kind.FLAG, True) == "yes"
    assert shown(Kind.USD, Missing("unknown")) == "unknown"
    assert shown(Kind.TOKENS, 1_665_250) == "1,665,250"
    assert shown(Kind.SHARE, 1) == "100.0%"


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (None, "unknown"),
        ("0", "$0.00"),
        ("0.000", "$0.00"),
        ("89.186", "$89.19"),
        ("1234.5", "$1,234.50"),
        ("0.01", "$0.01"),
        ("0.009999", "$0.010"),
        ("0.0049", "$0.0049"),  # not less said than known, and never "nothing"
        ("0.00001234", "$0.000012"),
        ("0.000000015", "$0.000000015"),
    ],
)
def test_dollars_in_sentences(amount: str | None, text: str) -> None:
    assert usd(None if amount is None else Decimal(amount)) == text


def test_counts_and_lists_in_sentences() -> None:
    assert [counted(n, "item") for n in (0, 1, 2, 1000)] == [
        "0 items",
        "1 item",
        "2 items",
        "1,000 items",
    ]
    assert listed(list("abcde")) == "a, b, c, d, e"
    assert listed([str(n) for n in range(1005)]) == "0, 1, 2, 3, 4 and 1,000 more"
