"""prices.toml: what is shipped, whose price it is on which day, and every message."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.catalog.load import load_catalog, load_price_book
from relaybench.catalog.price_book import PriceBook, PriceRow
from relaybench.domain.errors import CatalogError
from relaybench.domain.model import ModelConfig, Prices
from relaybench.domain.model_ids import names

D = Decimal
SHIPPED = Path(str(resources.files("relaybench.catalog") / "prices.toml"))
BOOK = load_price_book(SHIPPED, "prices.toml")
NOVEMBER = date(2026, 11, 20)
MINE = """\
[[prices]]
provider = "compatible"
models = ["m-1"]
base_url = "http://localhost:8000/v1"
valid_from = 2026-01-01
valid_until = 2026-06-30
input = 1
output = 2
as_of = 2026-01-01
source = "a page"
note = "a guess"
[[prices.tiers]]
above = 1000
input = 2
"""
LATER = MINE.replace("2026-01-01\nvalid_until = 2026-06-30", "2026-07-01").replace("= 1\n", "= 9\n")


def own(folder: Path, text: str) -> PriceBook:
    path = folder / "prices.toml"
    path.write_text(text, "utf-8")
    return load_price_book(path, "prices.toml")


def fails(folder: Path, text: str) -> str:
    with pytest.raises(CatalogError) as caught:
        own(folder, text)
    return str(caught.value)


def base(provider: str, model: str, on: date = NOVEMBER) -> Prices:
    found = BOOK.find(ModelConfig("m", provider, model), on)
    assert found is not None
    return found


def none(provider: str, model: str, on: date = NOVEMBER, **more: object) -> bool:
    config = ModelConfig("m", provider, model, **more)  # type: ignore[arg-type]
    return BOOK.find(config, on) is None


# --- What is shipped ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("provider", "model", "amounts"),
    [
        ("anthropic", "claude-opus-4-7", ("5", "0.5", "6.25", "10", "25")),
        ("anthropic", "claude-opus-4-5", ("5", "0.5", "6.25", "10", "25")),
        ("anthropic", "claude-opus-5", ("5", "0.5", "6.25", "10", "25")),
        ("anthropic", "claude-opus-5-5", ("4", "0.2", "5", "8", "20")),
        ("anthropic", "claude-fable-5", ("10", "1", "12.5", "20", "50")),
        ("anthropic", "claude-fable-5-1", ("10", "0.25", None, None, "50")),
        ("anthropic", "claude-fable-5-2", ("8", None, None, None, "40")),
        ("anthropic", "claude-sonnet-5", ("2", "0.2", "2.5", "4", "10")),
        ("anthropic", "claude-sonnet-5-5", ("2", None, None, None, "10")),
        ("anthropic", "claude-sonnet-4-6", ("3", "0.3", "3.75", "6", "15")),
        ("anthropic", "claude-haiku-4-5", ("1", "0.1", "1.25", "2", "5")),
        ("anthropic", "claude-haiku-5-5", (None, None, None, None, None)),
        ("openai", "gpt-5.5", ("5", "0.5", "0", None, "30")),
        ("openai", "gpt-5.5-pro", ("30", None, None, None, "180")),
        ("openai", "gpt-5.6-sol", ("4", "0.4", "5", None, "20")),
        ("openai", "gpt-5.6-terra", ("2", "0.2", "2.5", None, "12")),
        ("openai", "gpt-5.6-luna", ("0.2", "0.02", "0.25", None, "1.2")),
        ("openai", "gpt-6-astra", ("10", "1", "12.5", None, "50")),
        ("openai", "gpt-6-sol", ("2", "0.2", "2.5", None, "10")),
        ("openai", "gpt-6-luna", ("0.1", "0.01", "0.125", None, "0.5")),
        ("openai", "gpt-6.1-sol", ("2", "0.1", "2.5", None, "10")),
        ("openai", "gpt-6.2-astra", ("8", "0.4", None, None, "40")),
        ("openai", "gpt-6.2-sol", ("2", "0.1", None, None, "10")),
        ("google", "gemini-3.1-pro-preview", ("2", "0.2", None, None, "12")),
        ("google", "gemini-3.8-flash", ("0.75", "0.075", None, None, "3.75")),
        ("google", "gemini-3.5-flash", ("1.5", "0.15", None, None, "9")),
    ],
)
def test_shipped_prices(provider: str, model: str, amounts: tuple[str | None, ...]) -> None:
    prices = base(provider, model)
    tier = prices.tiers[0]
    found = (tier.input, tier.cached_input, tier.cache_write, tier.cache_write_1h, tier.output)
    assert found == tuple(None if each is None else D(each) for each in amounts)
    assert prices.as_of is not None
    assert prices.source
    assert prices.note or None not in (tier.input, tier.output)


@pytest.mark.parametrize(
    ("model", "above", "amounts"),
    [
        ("gpt-5.5", 272_000, ("10", "1", "0", "45")),
        ("gpt-5.5-pro", 272_000, (None, None, None, None)),  # not confirmed: unknown, not guessed
        ("gpt-5.6-sol", 272_000, ("8", None, None, "30")),
        ("gpt-6-astra", 272_000, ("20", "2", "25", "75")),
        ("gpt-6.1-sol", 272_000, ("4", "0.2", "5", "15")),
        ("gpt-6.2-astra", 272_000, (None, None, None, None)),
        ("gemini-3.1-pro-preview", 200_000, ("4", "0.4", None, "18")),
    ],
)
def test_shipped_steps(model: str, above: int, amounts: tuple[str | None, ...]) -> None:
    prices = base("google" if model.startswith("gemini") else "openai", model)
    assert prices.tier(above) == prices.tiers[0]
    tier = prices.tier(above + 1)
    found = (tier.input, tier.cached_input, tier.cache_write, tier.output)
    assert found == tuple(None if each is None else D(each) for each in amounts)


def test_shipped_fees() -> None:
    assert base("anthropic", "claude-opus-4-7").tool_fees == {
        "web_search": D("0.01"),
        "web_fetch": 0,
    }
    openai = base("openai", "gpt-5.5").tool_fees
    assert openai["web_search"] == D("0.01")
    assert [openai[f"container_{size}g"] for size in (1, 4, 16, 64)] == [
        *(D("0.03"), D("0.12"), D("0.48"), D("1.92"))
    ]
    assert base("google", "gemini-4-argon").tool_fees["google_search"] == D("0.014")
    old = base("google", "gemini-2.5-pro")
    assert old.tool_fees == {"google_search_prompt": D("0.035")}
    assert old.tiers[0].input is None


@pytest.mark.parametrize(
    ("provider", "model", "last", "before", "after"),
    [
        ("google", "gemini-4-argon", date(2026, 11, 30), "2", "4"),
        ("google", "gemini-4-carbon", date(2026, 11, 30), "2", "4"),
        ("google", "gemini-3.8-flash", date(2026, 12, 31), "0.75", "1.5"),
        ("openai", "gpt-5.6-sol", date(2026, 11, 21), "4", None),
    ],
)
def test_prices_change_on_their_day(
    provider: str, model: str, last: date, before: str, after: str | None
) -> None:
    assert base(provider, model, last).tiers[0].input == D(before)
    later = base(provider, model, last + timedelta(days=1))
    assert later.tiers[0].input == (None if after is None else D(after))
    assert base(provider, model, date(2030, 1, 1)) == later


# --- Whose price it is -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("listed", "model", "same"),
    [
        ("gpt-5.5", "gpt-5.5", True),
        ("gpt-5.5", "gpt-5.5-2026-04-23", True),
        ("gpt-5.5", "gpt-5.5-latest", True),
        ("claude-opus-4-7", "claude-opus-4-7-20260416", True),
        ("claude-opus-4-7", "claude-opus-4-7@20260416", True),
        ("gemini-2.5-pro", "gemini-2.5-pro-001", True),
        ("gemini-2.5-pro", "gemini-2.5-pro-preview-05-2026", True),
        ("gpt-5.5", "gpt-5.5-pro", False),
        ("gpt-5.5", "gpt-5.55", False),
        ("gpt-5.5", "gpt-5.5-mini-2026-04-23", False),
        ("claude-opus-5", "claude-opus-5-5", False),
        ("claude-opus-5", "claude-opus-5-12", False),
        ("claude-opus-5", "claude-opus-50", False),
        ("gpt-6", "gpt-6.1", False),
        ("gpt-5.5", "gpt-5", False),
        ("gpt-5.5", "my-gpt-5.5", False),
    ],
)
def test_snapshots_are_the_model_and_namesakes_are_not(listed: str, model: str, same: bool) -> None:
    assert names(listed, model) is same


def test_an_unlisted_model_has_no_price() -> None:
    assert none("anthropic", "claude-opus-5-7")
    assert none("openai", "claude-opus-4-7")
    assert none("anthropic", "")
    assert none("simulated", "gpt-5.5")


def test_prices_hold_at_the_providers_own_address() -> None:
    assert none("openai", "gpt-5.5", base_url="https://gateway.example/v1")
    assert not none("openai", "gpt-5.5", base_url="https://api.openai.com/v1/")
    assert not none("openai", "gpt-5.5")


@pytest.mark.parametrize(
    "options",
    [
        {"service_tier": "priority"},
        {"service_tier": "flex"},
        {"inference_geo": "us"},
        {"extra_body": {"service_tier": "flex"}},
    ],
)
def test_who_asks_for_another_tier_does_not_pay_the_list_price(options: dict[str, object]) -> None:
    assert none("openai", "gpt-5.5", options=options)
    assert not none("openai", "gpt-5.5", options={"service_tier": "default", "other": 1})


def test_the_longest_id_wins_and_ones_own_file_comes_first(tmp_path: Path) -> None:
    text = MINE.replace('"m-1"', '"m", "m-001"')
    book = own(tmp_path, text.replace("input = 1\n", "input = 1\n", 1))
    longer = text.replace('"m", "m-001"', '"m-001-2026-01-01"').replace(
        "input = 1\n", "input = 5\n"
    )
    config = ModelConfig("c", "compatible", "m-001-2026-01-01", base_url="http://localhost:8000/v1")
    both = own(tmp_path, text + longer)
    day = date(2026, 3, 1)
    assert found(both, config, day).tiers[0].input == 5
    assert found(book.over(both), config, day).tiers[0].input == 1
    assert found(PriceBook().over(both), config, day).tiers[0].input == 5


def found(book: PriceBook, config: ModelConfig, on: date) -> Prices:
    prices = book.find(config, on)
    assert prices is not None
    return prices


def test_the_workspaces_prices_and_those_of_a_model_itself(tmp_path: Path) -> None:
    (tmp_path / "prices.toml").write_text(
        '[[prices]]\nprovider = "openai"\nmodels = ["gpt-5.5"]\ninput = 7\noutput = 8\n'
        'as_of = 2026-11-01\nsource = "our contract"\n',
        "utf-8",
    )
    model = '[models.own]\nprovider = "openai"\nmodel = "gpt-5.5"\neffort = "low"\n'
    priced = '[models.own.prices]\ninput = 1\nas_of = 2026-11-02\nsource = "mine"\n'
    (tmp_path / "models.toml").write_text(model, "utf-8")
    catalog = load_catalog(tmp_path, NOVEMBER)
    for name in ("own", "gpt-5-5-xhigh"):
        prices = catalog.model(name).prices
        assert prices is not None
        assert (prices.tiers[0].input, prices.source) == (D(7), "our contract")
    (tmp_path / "models.toml").write_text(model + priced, "utf-8")
    catalog = load_catalog(tmp_path, NOVEMBER)
    own_config = catalog.model("own")
    assert own_config.prices is not None
    assert own_config.prices.tiers[0].input == 1
    assert catalog.prices(own_config, date(1999, 1, 1)) == own_config.prices
    other = catalog.model("claude-opus-4-7-max")
    assert catalog.prices(other, NOVEMBER) == other.prices


def test_the_catalog_has_the_prices_of_its_day(tmp_path: Path) -> None:
    (tmp_path / "models.toml").write_text(
        '[models.argon]\nprovider = "google"\nmodel = "gemini-4-argon"\n', "utf-8"
    )
    before, after = (
        load_catalog(tmp_path, date(2026, month, 1)).model("argon").prices for month in (11, 12)
    )
    assert before is not None
    assert after is not None
    assert (before.tiers[0].input, after.tiers[0].input) == (D(2), D(4))


# --- Messages ----------------------------------------------------------------------------------

MESSAGES = [
    ('"compatible"', '"compatibel"', 2, "prices[0].provider", "did you mean compatible?"),
    ('models = ["m-1"]', "models = []", 3, "prices[0].models", "names no model"),
    ('models = ["m-1"]', 'models = [""]', 3, "prices[0].models", "names no model"),
    ('models = ["m-1"]', 'models = "m-1"', 3, "prices[0].models", "not a list"),
    ("2026-06-30", "2025-06-30", 6, "prices[0].valid_until", "ends before it begins"),
    ("2026-06-30", '"soon"', 6, "prices[0].valid_until", "is no day"),
    ("input = 1\n", "input = '1'\n", 7, "prices[0].input", "input is not a price"),
    ("input = 1\n", "inptu = 1\n", 7, "prices[0].inptu", "did you mean input?"),
    ("as_of = 2026-01-01\n", "", 1, "prices[0].as_of", "of which day"),
    ('source = "a page"\n', "", 1, "prices[0]", "source is missing"),
    ("above = 1000", "above = 0", 13, "prices[0].tiers[0].above", "above is 0"),
    ("[[prices]]", "[[price]]", 1, "price", "did you mean prices?"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "line", "key", "part"), MESSAGES)
def test_messages(tmp_path: Path, old: str, new: str, line: int, key: str, part: str) -> None:
    message = fails(tmp_path, MINE.replace(old, new))
    assert f"prices.toml:{line}: {key}:" in message
    assert part in message


def test_no_model_has_two_prices_on_a_day(tmp_path: Path) -> None:
    own(tmp_path, MINE + LATER)
    message = fails(tmp_path, MINE + LATER.replace("2026-07-01", "2026-06-30"))
    assert "m-1 has two prices on the same day" in message
    assert "prices.toml:17: prices[1].models[0]:" in message


def test_a_prices_file_that_cannot_be_read_does_not_bring_back_the_shipped_one(
    tmp_path: Path,
) -> None:
    (tmp_path / "prices.toml").symlink_to("nowhere")
    with pytest.raises(CatalogError, match=r"prices\.toml:0: cannot be read"):
        load_catalog(tmp_path)


@given(st.dates(), st.none() | st.dates(), st.none() | st.dates())
def test_a_price_holds_from_its_first_to_its_last_day(
    on: date, first: date | None, last: date | None
) -> None:
    row = PriceRow("openai", ("m",), None, first, last, Prices(()))
    inside = (first or date.min) <= on <= (last or date.max)
    assert row.holds(on) is inside
    book = PriceBook(((row,),))
    assert (book.find(ModelConfig("c", "openai", "m"), on) is not None) is inside


def test_a_fee_that_no_response_is_charged_for_is_named(tmp_path: Path) -> None:
    (tmp_path / "models.toml").write_text(
        """
[models.opus]
provider = "anthropic"
model = "claude-opus-4-7"
[models.opus.prices]
input = 5.0
output = 25.0
tool_fees = { websearch = 0.01, service_tier_priority = 0.0 }
as_of = 2026-11-30
source = "test"
""",
        "utf-8",
    )
    with pytest.raises(CatalogError, match=r"'websearch'.*\n?.*did you mean web_search\?"):
        load_catalog(tmp_path)
