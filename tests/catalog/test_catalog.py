"""models.toml: what is shipped, what a workspace adds, and every message."""

from __future__ import annotations

import os
import re
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from relaybench.catalog.load import Catalog, load_catalog
from relaybench.domain.errors import CatalogError, UnknownNameError
from relaybench.domain.model import PriceTier

SHARED = Path(
    os.environ.get("RELAYBENCH_SHARED", Path(__file__).resolve().parents[2].parent / "shared")
)
MINE = """\
[models.mine]
provider = "compatible"
model = "m"
base_url = "http://localhost:8000/v1"
key_env = "MY_KEY"
options = { temperature = 0.1, deep = { list = [0.5, 2026-01-01] } }
[models.mine.prices]
input = 0.1
output = 3
tool_fees = { search = 0.01 }
as_of = 2026-11-30
source = "a page"
[[models.mine.prices.tiers]]
above = 1000
input = 0.2
[cohorts]
own = ["mine", "sim-alpha"]
"""


def load(folder: Path, text: str) -> Catalog:
    (folder / "models.toml").write_text(text, encoding="utf-8")
    return load_catalog(folder)


def fails(folder: Path, text: str) -> str:
    with pytest.raises(CatalogError) as caught:
        load(folder, text)
    return str(caught.value)


def test_a_workspaces_own_models(tmp_path: Path) -> None:
    catalog = load(tmp_path, MINE)
    mine = catalog.model("mine")
    assert (mine.provider, mine.model, mine.key_env) == ("compatible", "m", "MY_KEY")
    assert mine.options == {"temperature": 0.1, "deep": {"list": [0.5, "2026-01-01"]}}
    assert mine.prices is not None
    assert mine.prices.tiers == (
        PriceTier(0, Decimal("0.1"), output=Decimal(3)),
        PriceTier(1000, Decimal("0.2")),
    )
    assert mine.prices.tier(1000).input == Decimal("0.1")
    assert mine.prices.tier(1001).input == Decimal("0.2")
    assert mine.prices.tier(1001).output is None
    assert str(mine.prices.tiers[0].input) == "0.1"
    assert mine.prices.tool_fees == {"search": Decimal("0.01")}
    assert (mine.prices.as_of, mine.prices.source) == (date(2026, 11, 30), "a page")
    assert [each.name for each in catalog.cohort("own")] == ["mine", "sim-alpha"]
    assert "paper" in catalog.cohorts
    chosen = catalog.choose(["own", "simulated"], ["mine", "local-llama"])
    assert [each.name for each in chosen] == [
        *("mine", "sim-alpha", "sim-beta", "sim-gamma", "local-llama")
    ]


def test_own_models_and_cohorts_replace_shipped_ones(tmp_path: Path) -> None:
    own = '[models.sim-alpha]\nprovider = "openai"\nmodel = "x"\n[cohorts]\nlocal = ["sim-alpha"]\n'
    catalog = load(tmp_path, own)
    assert catalog.model("sim-alpha").provider == "openai"
    assert catalog.model("sim-alpha").prices is None
    assert [each.model for each in catalog.cohort("local")] == ["x"]


def test_unknown_names_list_what_there_is(tmp_path: Path) -> None:
    catalog = load_catalog(tmp_path)
    with pytest.raises(UnknownNameError, match=r"'nope'; there are: sim-alpha, sim-beta"):
        catalog.model("nope")
    with pytest.raises(UnknownNameError, match=r"'nope'; there are: simulated, .*paper, local"):
        catalog.cohort("nope")


M = "models.mine"
MESSAGES = [
    ('"compatible"', '"acme"', 2, f"{M}.provider", "'acme' is no provider"),
    ('"compatible"', '""', 2, f"{M}.provider", "provider is empty"),
    ('provider = "compatible"\n', "", 1, M, "provider is missing"),
    ('model = "m"\n', "", 1, M, "model is missing"),
    ('model = "m"', "model = 5", 3, f"{M}.model", "model is a number, not text"),
    ('base_url = "http://localhost:8000/v1"\n', "", 1, M, "base_url is missing"),
    ('key_env = "MY_KEY"', "key_env = 5", 5, f"{M}.key_env", "key_env is a number"),
    ('key_env = "MY_KEY"', "effrt = 'x'", 5, f"{M}.effrt", "did you mean effort?"),
    ('key_env = "MY_KEY"', "zzz = 1", 5, f"{M}.zzz", "zzz is not a setting of a model"),
    ('key_env = "MY_KEY"', "tools = 'x'", 5, f"{M}.tools", "tools is text, not a list"),
    ('key_env = "MY_KEY"', "concurrency = 0", 5, f"{M}.concurrency", "concurrency is 0"),
    ('key_env = "MY_KEY"', "concurrency = 2.5", 5, f"{M}.concurrency", "concurrency is 2.5"),
    ('key_env = "MY_KEY"', "harness = 'x'", 5, f"{M}.harness", "'x' is no harness"),
    ("input = 0.1", "input = -1", 8, f"{M}.prices.input", "input is not a price"),
    ("input = 0.1", "input = '0.1'", 8, f"{M}.prices.input", "input is not a price"),
    ("input = 0.1", "input = true", 8, f"{M}.prices.input", "input is not a price"),
    ("input = 0.1", "input = nan", 8, f"{M}.prices.input", "input is not a price"),
    ("input = 0.1", "input = inf", 8, f"{M}.prices.input", "input is not a price"),
    ("input = 0.1", "input = 1e400", 8, f"{M}.prices.input", "input is not a price"),
    ("input = 0.1", "input = 0.0000001", 8, f"{M}.prices.input", "input is not a price"),
    ("input = 0.1", f"input = 1.{'0' * 40}1", 8, f"{M}.prices.input", "input is not a price"),
    ("input = 0.1", "inptu = 0.1", 8, f"{M}.prices.inptu", "did you mean input?"),
    ("input = 0.1", "reasoning = 0.1", 8, f"{M}.prices.reasoning", "reasoning is not a price"),
    ("search = 0.01", "search = 'x'", 10, f"{M}.prices.tool_fees.search", "not a price"),
    ("as_of = 2026-11-30\n", "", 7, f"{M}.prices.as_of", "of which day"),
    ("as_of = 2026-11-30", 'as_of = "today"', 11, f"{M}.prices.as_of", "of which day"),
    ("as_of = 2026-11-30", "as_of = 2026-11-30 01:00:00", 11, f"{M}.prices.as_of", "which day"),
    ('source = "a page"\n', "", 7, f"{M}.prices", "source is missing"),
    ("above = 1000", "above = 0", 14, f"{M}.prices.tiers[0].above", "above is 0"),
    ("input = 0.2", "\n[[models.mine.prices.tiers]]\nabove = 9", 17, f"{M}.prices.tiers[1].above",
     "tiers do not rise"),
    ('"sim-alpha"]', '"sim-omega"]', 17, "cohorts.own[1]", "'sim-omega', which is no model"),
    ("[cohorts]", "[cohort]", 16, "cohort", "did you mean cohorts?"),
    ("[cohorts]", "[else]", 16, "else", "else is not read here"),
    ('model = "m"', 'model = "m', 3, "", "not valid TOML"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "line", "key", "part"), MESSAGES)
def test_messages(tmp_path: Path, old: str, new: str, line: int, key: str, part: str) -> None:
    assert MINE.count(old) == 1
    message = fails(tmp_path, MINE.replace(old, new))
    assert f"models.toml:{line}:{f' {key}:' if key else ''} " in message
    assert part in message
    assert all(re.match(r"models\.toml:\d+: .+; .+", each) for each in message.split("\n"))


def test_all_faults_are_told_at_once_in_order(tmp_path: Path) -> None:
    text = MINE.replace('"m"', "5").replace("0.2", "-1").replace('"mine", ', '"a", "b", ')
    lines = [each.split(" ")[0] for each in fails(tmp_path, text).split("\n")]
    assert lines == [f"models.toml:{number}:" for number in (3, 15, 17, 17)]


SECRETS = [
    *("sk-proj-abc123", "sk_live_abc123DEF", "AIzaSyA1234567890abcdefghijklmnopqrstuv", "a b"),
    *("hf_abcdefghijklmnop", "gsk_abcdef123", "0123456789abcdef0123456789abcdef", "$MY_KEY"),
    *("AIZASYA1234567890", "mixedCaseKey1234567890", "A" * 80),
]


@pytest.mark.parametrize("secret", SECRETS)
def test_a_key_pasted_as_the_name_of_its_variable_is_refused_unseen(
    tmp_path: Path, secret: str
) -> None:
    message = fails(tmp_path, MINE.replace("MY_KEY", secret))
    assert message.startswith("models.toml:5: models.mine.key_env: ")
    assert secret not in message
    assert "never put a key in this file" in message


@pytest.mark.parametrize(
    "url",
    [
        *("https://SECRET@host/v1", "https://user:SECRET@host/v1", "https://:SECRET@host"),
        *("https://host/v1?key=SECRET", "https://host/v1#SECRET", "https://host/sk-SECRET/v1"),
        *("ftp://host/SECRET", "host/SECRET", "https:///SECRET", "https://host:99999/SECRET"),
        *("https://[SECRET", "https://host/SE CRET", "SECRET", r"https://host\\SECRET@x"),
    ],
)
def test_a_key_in_an_address_is_refused_unseen(tmp_path: Path, url: str) -> None:
    message = fails(tmp_path, MINE.replace("http://localhost:8000/v1", url))
    assert message.startswith("models.toml:4: models.mine.base_url: ")
    assert "SECRET" not in message


@pytest.mark.parametrize("line", ["api_key = 'SECRET'", "options.api_key = 'SECRET'"])
def test_a_key_as_a_setting_is_refused_unseen(tmp_path: Path, line: str) -> None:
    text = re.sub(r"options = .*", line, MINE)
    message = fails(tmp_path, text)
    assert message.startswith("models.toml:6: models.mine.")
    assert "SECRET" not in message
    assert "key_env" in message


@pytest.mark.parametrize(
    ("options", "place"),
    [
        ('{ extra_body = { api_key = "SECRET", model_kwargs = 1 } }', "extra_body.api_key"),
        ('{ extra_body = { nested = { deep = { token = "SECRET" } } } }', "extra_body.nested.deep"),
        ("{ extra_body = { password = 12345 } }", "extra_body.password"),
        ('{ headers = { Authorization = "SECRET" } }', "headers.Authorization"),
        ('{ extra_body = { list = [{ apiKey = "SECRET" }] } }', "extra_body.list[0].apiKey"),
        ('{ extra_body = { tools = [{ auth = ["SECRET"] }] } }', "extra_body.tools[0].auth"),
        ('{ extra_body = { other = "Bearer SECRET" } }', "extra_body.other"),
        ('{ extra_body = { other = ["sk-proj-SECRET1234567890"] } }', "extra_body.other[0]"),
        ('{ extra_body = { "sk-proj-SECRET1234567890" = "x" } }', "extra_body"),
    ],
)
def test_a_secret_among_the_options_is_refused_unseen(
    tmp_path: Path, options: str, place: str
) -> None:
    message = fails(tmp_path, re.sub(r"options = .*", f"options = {options}", MINE))
    assert message.startswith(f"models.toml:6: models.mine.options.{place}")
    assert "would be written into the results; name the variable" in message
    assert 'key_env = "' in message
    assert "SECRET" not in message


@pytest.mark.parametrize("url", ["https://h.example/v1/", "http://[::1]:80/v1", "http://1.2.3.4"])
def test_plain_addresses(tmp_path: Path, url: str) -> None:
    assert (
        load(tmp_path, MINE.replace("http://localhost:8000/v1", url)).model("mine").base_url == url
    )


def test_a_file_that_cannot_be_read_does_not_bring_back_the_shipped_one(tmp_path: Path) -> None:
    (tmp_path / "models.toml").symlink_to("nowhere")
    with pytest.raises(CatalogError, match=r"models\.toml:0: cannot be read"):
        load_catalog(tmp_path)
    (tmp_path / "models.toml").unlink()
    (tmp_path / "models.toml").mkdir()
    with pytest.raises(CatalogError, match=r"models\.toml:0: cannot be read"):
        load_catalog(tmp_path)


def numbers(text: str) -> list[Decimal]:
    return [Decimal(each) for each in re.findall(r"\d+(?:\.\d+)?", text)]


@pytest.mark.skipif(not (SHARED / "PROVIDERS.md").is_file(), reason="no PROVIDERS.md here")
def test_the_paper_cohort_costs_what_the_sources_say(tmp_path: Path) -> None:
    text = (SHARED / "PROVIDERS.md").read_text("utf-8")
    table = text[text.index("\n## 10.") : text.index("\n## 11.")]
    cohort = load_catalog(tmp_path).cohort("paper")
    assert len(cohort) == 3
    for config in cohort:
        row = next(line for line in table.split("\n") if line.startswith(f"| **{config.model}**"))
        _, _, fresh, read, write, out, long, proof, _ = (each.strip() for each in row.split("|"))
        assert config.prices is not None
        base, *tiers = config.prices.tiers
        assert [base.input] == numbers(fresh)
        assert [base.cached_input] == numbers(read)
        assert [base.output] == numbers(out)
        writes = [each for each in (base.cache_write, base.cache_write_1h) if each]
        assert writes == numbers(re.sub(r"\(5m\)|\(1h\)", "", write))
        assert str(config.prices.as_of) in proof
        if "whole request" not in long:
            assert tiers == []
            continue
        above, *rest = numbers(long)
        assert len(tiers) == 1
        assert tiers[0].above == int(above) * 1000
        assert rest == [tiers[0].input, tiers[0].cached_input, tiers[0].output]
