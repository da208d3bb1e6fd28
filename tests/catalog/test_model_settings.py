"""Harness, tools, blocked domains and instructions of a config: what is read, what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.catalog.load import load_catalog
from relaybench.domain.errors import CatalogError
from relaybench.domain.model import MAX_CONTINUATIONS, MAX_NUDGES, NUDGE, ModelConfig
from relaybench.domain.tools import all_tools, known_tools
from relaybench.providers.registry import check_config

NATIVE = ("anthropic", "openai", "google")
WIRES = {"anthropic": "anthropic", "responses": "openai", "google": "google"}


def load(folder: Path, text: str) -> ModelConfig:
    (folder / "models.toml").write_text(text, encoding="utf-8")
    return load_catalog(folder).model("mine")


def model(folder: Path, *lines: str, provider: str = "anthropic") -> ModelConfig:
    head = ["[models.mine]", f'provider = "{provider}"', 'model = "m"']
    return load(folder, "\n".join([*head, *lines]) + "\n")


def fault(folder: Path, *lines: str, provider: str = "anthropic") -> str:
    """The only fault of a config whose fourth line and on are ``lines``."""
    with pytest.raises(CatalogError) as caught:
        model(folder, *lines, provider=provider)
    message = str(caught.value)
    assert re.fullmatch(r"models\.toml:\d+: models\.mine\S*: [^\n]+; [^\n]+", message)
    return message


@pytest.mark.parametrize("provider", NATIVE)
def test_a_native_config_needs_only_provider_and_model(tmp_path: Path, provider: str) -> None:
    config = model(tmp_path, provider=provider)
    assert config.tools == all_tools(provider)
    assert len(config.tools) >= 2
    keys = {
        "anthropic": "ANTHROPIC_API_KEY",
        "openai": "OPENAI_API_KEY",
        "google": "GEMINI_API_KEY",
    }
    assert (config.key_env, config.base_url) == (keys[provider], None)
    assert (config.harness, config.max_continuations) == ("single", MAX_CONTINUATIONS)
    assert (config.max_nudges, config.nudge) == (MAX_NUDGES, NUDGE)
    assert (config.instructions, config.blocked_domains) == (None, ())
    own = model(tmp_path, 'key_env = "MY_KEY"', 'base_url = "https://h.test/v1"', provider=provider)
    assert (own.key_env, own.base_url) == ("MY_KEY", "https://h.test/v1")


@pytest.mark.parametrize("provider", NATIVE)
def test_each_tool_can_be_switched_off(tmp_path: Path, provider: str) -> None:
    every = all_tools(provider)
    assert model(tmp_path, "tools = []", provider=provider).tools == ()
    for tool in every:
        left = [each for each in every if each != tool]
        listed = ", ".join(f'"{each}"' for each in left)
        assert model(tmp_path, f"tools = [{listed}]", provider=provider).tools == tuple(left)
    listed = ", ".join(f'"{each}"' for each in known_tools(provider))
    found = model(tmp_path, f"tools = [{listed}]", provider=provider)
    assert found.tools == known_tools(provider)


@pytest.mark.parametrize("wire", WIRES)
def test_a_simulated_config_has_the_tools_of_its_wire_format(tmp_path: Path, wire: str) -> None:
    option = f'options = {{ wire = "{wire}" }}'
    assert model(tmp_path, option, provider="simulated").tools == all_tools(WIRES[wire])
    assert model(tmp_path, option, "tools = []", provider="simulated").tools == ()
    says = fault(tmp_path, option, 'tools = ["webfetch"]', provider="simulated")
    assert f"{WIRES[wire]} has no tool 'webfetch'" in says


def test_tools_of_others(tmp_path: Path) -> None:
    where = 'base_url = "http://h.test/v1"'
    assert model(tmp_path, where, provider="compatible").tools == ()
    own = model(tmp_path, where, 'tools = ["anything"]', provider="compatible")
    assert own.tools == ("anything",)
    for wire in ("", 'options = { wire = "chat" }', "options = { wire = 5 }"):
        assert model(tmp_path, wire, provider="simulated").tools == ()
        says = fault(tmp_path, wire, 'tools = ["web_search"]', provider="simulated")
        assert "models.mine.tools[0]: the simulator has no tool 'web_search'" in says


@pytest.mark.parametrize(
    ("provider", "name", "says"),
    [
        ("anthropic", "web_serch", "did you mean web_search?"),
        ("anthropic", "Web_Fetch", "did you mean web_fetch?"),
        ("anthropic", "code_interpreter", "has no tool"),
        ("openai", "code_interpeter", "did you mean code_interpreter?"),
        ("openai", "zzz", "there are: web_search, code_interpreter, shell"),
        ("google", "google_serach", "did you mean google_search?"),
        ("google", "", "there are: google_search, url_context, code_execution, google_maps"),
    ],
)
def test_an_unknown_tool_is_named(tmp_path: Path, provider: str, name: str, says: str) -> None:
    first = all_tools(provider)[0]
    message = fault(tmp_path, "", f'tools = ["{first}", "{name}"]', provider=provider)
    assert message.startswith(f"models.toml:5: models.mine.tools[1]: {provider} has no tool ")
    assert says in message


def test_a_tool_that_is_named_twice(tmp_path: Path) -> None:
    says = fault(tmp_path, 'tools = ["web_search", "web_fetch", "web_search"]')
    assert "models.mine.tools[2]: tools names 'web_search' twice" in says


def test_a_persistent_harness(tmp_path: Path) -> None:
    config = model(
        tmp_path, 'harness = "persistent"', "max_continuations = 1000", "max_nudges = 100",
        'nudge = "Go on."', 'instructions = """\n Be brief.\n"""',
    )  # fmt: skip
    assert (config.harness, config.max_continuations) == ("persistent", 1000)
    assert (config.max_nudges, config.nudge) == (100, "Go on.")
    assert config.instructions == " Be brief.\n"
    bare = model(tmp_path, 'harness = "persistent"')
    assert (bare.max_nudges, bare.nudge) == (MAX_NUDGES, NUDGE)
    single = model(tmp_path, "max_continuations = 1")
    assert len({config.digest, bare.digest, single.digest, model(tmp_path).digest}) == 4


HARNESS = [
    (["harness = 'persistant'"], 4, "harness", "did you mean persistent?"),
    (["harness = 'x'"], 4, "harness", "use one of: single, persistent"),
    (["harness = 5"], 4, "harness", "harness is a number, not text"),
    (["max_continuations = 0"], 4, "max_continuations", "a whole number from 1 to 1000"),
    (["max_continuations = 1001"], 4, "max_continuations", "a whole number from 1 to 1000"),
    (["max_continuations = true"], 4, "max_continuations", "a whole number from 1 to 1000"),
    (["max_nudges = 3"], 4, "max_nudges", "is for the persistent harness"),
    (["nudge = 'Go on.'"], 4, "nudge", 'add harness = "persistent", or take nudge out'),
    (["harness = 'single'", "nudge = 'x'"], 5, "nudge", "is for the persistent harness"),
    (["harness = 'persistent'", "max_nudges = 0"], 5, "max_nudges", "from 1 to 100"),
    (["harness = 'persistent'", "max_nudges = 101"], 5, "max_nudges", "from 1 to 100"),
    (["harness = 'persistent'", "nudge = ' '"], 5, "nudge", "nudge is empty"),
    (["harness = 'persistent'", "nudge = 1"], 5, "nudge", "nudge is a number, not text"),
    (["instructions = ''"], 4, "instructions", "instructions are empty"),
    (["instructions = ' \t'"], 4, "instructions", "instructions are empty"),
    (["instructions = ['x']"], 4, "instructions", "instructions is a list, not text"),
    (["max_nudge = 3"], 4, "max_nudge", "did you mean max_nudges?"),
    (["blocked_domain = ['x.test']"], 4, "blocked_domain", "did you mean blocked_domains?"),
]


@pytest.mark.parametrize(("lines", "line", "key", "says"), HARNESS)
def test_what_a_harness_cannot_be(
    tmp_path: Path, lines: list[str], line: int, key: str, says: str
) -> None:
    message = fault(tmp_path, *lines)
    assert message.startswith(f"models.toml:{line}: models.mine.{key}: ")
    assert says in message


def test_the_simulator_has_neither_address_nor_key(tmp_path: Path) -> None:
    assert "no address" in fault(tmp_path, "base_url = 'http://h.test'", provider="simulated")
    assert "needs no key" in fault(tmp_path, "key_env = 'MY_KEY'", provider="simulated")


LABEL = st.from_regex(r"[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?", fullmatch=True)
TOP = st.from_regex(r"[a-z]([a-z0-9-]{0,10}[a-z0-9])", fullmatch=True)


@given(labels=st.lists(LABEL, min_size=1, max_size=4), top=TOP)
def test_every_host_name_can_be_blocked(
    labels: list[str], top: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    name = ".".join([*labels, top])
    config = model(tmp_path_factory.getbasetemp(), f'blocked_domains = ["{name}"]')
    assert config.blocked_domains == (name,)


@pytest.mark.parametrize(
    "name",
    [
        *("http://example.com", "example.com/x", "example.com/", "ex ample.com", "*.example.com"),
        *("example.com/*", "example", "localhost", "", " ", ".example.com", "example.com."),
        *("-a.example.com", "a-.example.com", "Example.com", "user@example.com", "example.com:80"),
        *("1.2.3.4", "[::1]", "b\u00fccher.example", "a..example.com", "example.com?q"),
        *("x" * 64 + ".com", "example.com\\n"),
        *(".".join(["x" * 60] * 5) + ".com", "a_b.com", "example.c"),
    ],
)  # fmt: skip
def test_what_is_no_host_name(tmp_path: Path, name: str) -> None:
    message = fault(tmp_path, f'blocked_domains = ["fine.example.com", "{name}"]')
    assert message.startswith("models.toml:4: models.mine.blocked_domains[1]: ")
    assert "is not a plain host name; write it like example.com" in message


def test_a_block_list_that_would_block_nothing(tmp_path: Path) -> None:
    block = 'blocked_domains = ["example.com"]'
    for provider, tool in (("anthropic", "code_execution"), ("openai", "code_interpreter"),
                           ("google", "code_execution"), ("google", "google_maps")):  # fmt: skip
        says = fault(tmp_path, block, f'tools = ["{tool}"]', provider=provider)
        assert "models.mine.blocked_domains: the config has no tool that visits web pages" in says
    where = 'base_url = "http://h.test/v1"'
    assert "options.extra_body" in fault(tmp_path, where, block, provider="compatible")
    assert "options.wire" in fault(tmp_path, block, provider="simulated")
    wired = model(tmp_path, block, 'options = { wire = "responses" }', provider="simulated")
    assert wired.blocked_domains == ("example.com",)
    for tool in ("web_search", "web_fetch"):
        assert model(tmp_path, block, f'tools = ["{tool}"]').blocked_domains
    twice = fault(tmp_path, 'blocked_domains = ["a.test", "b.test", "a.test"]')
    assert "models.mine.blocked_domains[2]: a.test is there twice" in twice


#: Of the configs that the first release shipped, which named all their tools.
SHIPPED = {
    "sim-alpha": "2d2e5c7fe1c1677c72d7e9c04b77ff50849f98c5d95ebe80b2f850ece286439f",
    "claude-opus-4-7-max": "7de99d56710d3e58d00969b4e5c1c1f6a5900d2d6d3cb9336c1f878b251de549",
    "gemini-3-1-pro-high": "c43aa0e5e07ec1f8d95da1e7385632ab737392789594357ff9c4491597558cd1",
    "gpt-5-5-xhigh": "5319887286de7018c15e3916804be1e60000eb06601efeec649ca025c5906260",
}


def test_stored_runs_still_know_the_shipped_configs(tmp_path: Path) -> None:
    catalog = load_catalog(tmp_path)
    assert {name: catalog.model(name).digest for name in SHIPPED} == SHIPPED
    written_out = model(
        tmp_path, 'tools = ["code_execution", "web_fetch", "web_search"]',
        'key_env = "ANTHROPIC_API_KEY"', 'harness = "single"',
    )  # fmt: skip
    assert written_out.digest == model(tmp_path).digest


SHOWN = ("opus", "big-one", "tenacious", "chat")  # configs, in the order of the readme


def test_the_examples_of_the_readme_are_sound(tmp_path: Path) -> None:
    readme = (Path(__file__).resolve().parents[2] / "README.md").read_text("utf-8")
    examples = [
        each for each in re.findall(r"```toml\n(.*?)```", readme, re.S) if "[models." in each
    ]
    assert len(examples) == 3
    names = []
    for text in examples:
        (tmp_path / "models.toml").write_text(text, "utf-8")
        catalog = load_catalog(tmp_path)
        names += [name for name in SHOWN if name in catalog.models]
        for name in names[-2:]:
            if name in catalog.models:
                check_config(catalog.model(name))
    assert names == list(SHOWN)


def test_options_that_only_sound_like_secrets(tmp_path: Path) -> None:
    body = (
        'prompt_cache_key = "relay-1", safety_identifier = "u1", max_tokens = 9, '
        'token_budget = 100, stop = ["sk-", "key points of the answer 12345"], thinking = true'
    )
    options = f"options = {{ extra_body = {{ {body} }} }}"
    assert model(tmp_path, options, provider="openai").options["extra_body"]
    switched = model(tmp_path, "options = { api_key_header = true }")
    assert switched.options == {"api_key_header": True}
