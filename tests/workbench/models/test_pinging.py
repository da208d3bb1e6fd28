"""One tiny prompt through the real adapters: what goes out, what is said of what comes back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx2
import pytest

from relaybench.domain.completion import Completion
from relaybench.domain.errors import (
    AuthenticationFailed,
    ProviderError,
    UnknownNameError,
)
from relaybench.domain.model import ModelConfig
from relaybench.providers.protocol import Provider, Request
from relaybench.providers.registry import open_provider
from relaybench.workbench.models.pinging import OUTPUT_LIMIT, PROMPT, PingResult, ping, plan_pings
from relaybench.workbench.workspace import Workspace
from tests.providers import anthropic_samples, google_support
from tests.providers.support import Replay, chunk, stream

PONG = "```\npong\n```"
KEYS = {"ANTHROPIC_API_KEY": "sk-ant-x", "GEMINI_API_KEY": "AIza-x", "LOCAL_KEY": "local-x"}
MODELS = """\
[models.opus]
provider = "anthropic"
model = "claude-opus-4-7"
effort = "max"
max_output_tokens = 128000
tools = ["web_search"]
instructions = "Be brief."
[models.gem]
provider = "google"
model = "gemini-3.1-pro-preview"
effort = "high"
[models.own]
provider = "compatible"
model = "m"
base_url = "http://server.test/v1"
key_env = "LOCAL_KEY"
effort = "low"
max_output_tokens = 100
[models.open]
provider = "compatible"
model = "m"
base_url = "http://open.test/v1"
"""


class Servers(httpx2.AsyncBaseTransport):
    """Answers by host, as soon as ``together`` requests are there; counts those under way."""

    def __init__(self, answers: Mapping[str, Replay], together: int = 1) -> None:
        self.answers = answers
        self.together = together
        self.under_way = self.most = 0
        self._all_there = asyncio.Event()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Wait for the others, then answer."""
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        if self.most >= self.together:
            self._all_there.set()
        async with asyncio.timeout(60):  # an SDK may still be loading
            await self._all_there.wait()
        for _ in range(20):
            await asyncio.sleep(0)
        self.under_way -= 1
        return await self.answers[request.url.host].handle_async_request(request)


def anthropic(text: str = PONG, **more: Any) -> Replay:
    whole = anthropic_samples.message(anthropic_samples.text(text), **more)
    return Replay(anthropic_samples.streamed(whole), headers=anthropic_samples.SSE)


def good() -> dict[str, Replay]:
    google = google_support.chunk(google_support.text(PONG), finish="STOP",
                                  usage=google_support.USAGE)  # fmt: skip
    usage = {"prompt_tokens": 10, "completion_tokens": 3, "total_tokens": 13}
    chat = stream(chunk(PONG), chunk(None, "stop"), {"choices": [], "usage": usage})
    return {
        "api.anthropic.com": anthropic(),
        "generativelanguage.googleapis.com": google_support.replay(google),
        "server.test": Replay(chat, headers=anthropic_samples.SSE),
        "open.test": Replay(chat, headers=anthropic_samples.SSE),
    }


def workspace(root: Path, environment: Mapping[str, str] = KEYS, models: str = MODELS) -> Workspace:
    (root / "models.toml").write_text(models, "utf-8")
    return Workspace(root, root / "results.db", environment)


async def send(
    place: Workspace, *names: str, servers: httpx2.AsyncBaseTransport, timeout_s: float = 60
) -> dict[str, PingResult]:
    async def opener(
        config: ModelConfig,
        environment: Mapping[str, str],
        *,
        answers: Mapping[str, str] | None = None,
    ) -> Provider:
        return await open_provider(config, environment, answers=answers, transport=servers)

    results = await ping(place, plan_pings(place, names, timeout_s=timeout_s), opener=opener)
    assert not place.database.exists()
    return {each.planned.config.name: each for each in results}


async def one(place: Workspace, name: str, answer: Replay) -> PingResult:
    hosts = {"opus": "api.anthropic.com", "own": "server.test", "open": "open.test"}
    return (await send(place, name, servers=Servers({hosts[name]: answer})))[name]


async def test_all_providers_answer_at_the_same_time(tmp_path: Path) -> None:
    servers = Servers(good(), together=4)  # one after the other, the first would wait for ever
    results = await send(workspace(tmp_path), "opus", "gem", "own", "open", servers=servers)
    assert [(name, each.ok, each.answer) for name, each in results.items()] == [
        (name, True, "pong") for name in ("opus", "gem", "own", "open")
    ]
    assert servers.most == 4
    assert all(each.sent and each.reached and each.error is None for each in results.values())
    assert results["opus"].planned.key is True
    assert results["open"].planned.key is None
    assert results["opus"].cost == Decimal("0.000125")  # 10 x $5 and 3 x $25 a million
    assert results["own"].cost is None
    assert all(each.seconds is not None and each.seconds >= 0 for each in results.values())
    assert all(len(each.requests) == 1 for each in servers.answers.values())


async def test_it_goes_out_with_the_configs_own_settings(tmp_path: Path) -> None:
    servers = Servers(good())
    results = await send(workspace(tmp_path), "opus", "gem", "own", servers=servers)
    sent = {host: each.sent for host, each in servers.answers.items() if each.requests}
    opus = sent["api.anthropic.com"]
    assert opus["model"] == "claude-opus-4-7"
    assert opus["max_tokens"] == OUTPUT_LIMIT
    assert opus["output_config"] == {"effort": "max"}
    assert [each["name"] for each in opus["tools"]] == ["web_search"]
    assert opus["system"].startswith("Of all tools you have only these: web search.")
    assert opus["system"].endswith("\n\nBe brief.")
    assert PROMPT in json.dumps(opus["messages"])
    assert len(sent["generativelanguage.googleapis.com"]["tools"]) == 3
    assert sent["server.test"]["max_tokens"] == 100  # its own limit is lower
    assert sent["server.test"]["reasoning_effort"] == "low"
    completion = results["opus"].completion
    assert completion is not None
    assert completion.settings_sent["max_tokens"] == OUTPUT_LIMIT
    assert completion.served_model == "claude-opus-4-7"


async def test_without_names_all_with_a_key_are_asked(tmp_path: Path) -> None:
    plan = plan_pings(workspace(tmp_path, {"LOCAL_KEY": "x", "GEMINI_API_KEY": " "}))
    assert [each.config.name for each in plan.pings] == ["own"]
    assert plan.skipped["opus"] == "ANTHROPIC_API_KEY is not set"
    assert plan.skipped["gem"] == "GEMINI_API_KEY is not set"
    assert plan.skipped["open"] == "it needs no key"
    assert plan.skipped["sim-alpha"] == "simulated"
    assert set(plan.skipped) == set(workspace(tmp_path).catalog().models) - {"own"}


def test_cohorts_and_unknown_names(tmp_path: Path) -> None:
    plan = plan_pings(workspace(tmp_path), ["own"], ["simulated"])
    names = [each.config.name for each in plan.pings]
    assert names == ["sim-alpha", "sim-beta", "sim-gamma", "own"]
    assert plan.skipped == {}
    with pytest.raises(UnknownNameError, match="no model is called 'nope'"):
        plan_pings(workspace(tmp_path), ["nope"])


def test_what_it_may_cost_is_known_before(tmp_path: Path) -> None:
    plan = plan_pings(workspace(tmp_path), ["opus", "own"])
    opus, own = plan.pings
    assert opus.cost_low is not None
    assert opus.cost_high is not None
    output = Decimal(25) / 1_000_000
    assert 20 * output < opus.cost_low < Decimal("0.01")
    # The whole output limit, and a tool's description, at the high end.
    assert OUTPUT_LIMIT * output < opus.cost_high < Decimal("0.10")
    assert (own.cost_low, own.cost_high) == (None, None)
    assert plan.cost == (None, None)
    assert plan_pings(workspace(tmp_path), ["opus"]).cost == (opus.cost_low, opus.cost_high)


async def test_what_cannot_work_is_not_sent(tmp_path: Path) -> None:
    broken = MODELS.replace('effort = "max"', 'effort = "hgih"').replace(
        'effort = "low"', 'effort = "low"\noptions = { nonsense = 1 }'
    )
    place = workspace(tmp_path, {"ANTHROPIC_API_KEY": "x", "LOCAL_KEY": "x"}, broken)
    plan = plan_pings(place, ["opus", "gem", "own"])
    assert plan.open == ()
    assert plan.cost == (Decimal(0), Decimal(0))
    results = await send(place, "opus", "gem", "own", servers=Servers({}))
    kinds = {name: each.error.kind for name, each in results.items() if each.error}
    assert kinds == {"opus": "setting", "gem": "auth", "own": "setting"}
    assert not any(each.ok or each.sent or each.reached for each in results.values())
    assert "GEMINI_API_KEY is not set" in str(results["gem"].error)
    assert "GEMINI_API_KEY" in results["gem"].advice
    assert results["opus"].advice == "change the setting in models.toml, under [models.opus]"
    assert results["opus"].cost is None


async def test_a_thinking_budget_above_the_limit_raises_it_by_so_much(tmp_path: Path) -> None:
    budget = MODELS.replace(
        'model = "claude-opus-4-7"\neffort = "max"', 'model = "claude-opus-4-5"'
    ).replace('instructions = "Be brief."', "options = { budget_tokens = 30000 }")
    place = workspace(tmp_path, KEYS, budget.replace("128000", "64000"))
    (planned,) = plan_pings(place, ["opus"]).pings
    assert planned.refused is None
    assert planned.sent.max_output_tokens == 32000  # the budget, and room for the answer
    assert planned.cost_high is not None
    assert planned.cost_high > Decimal("0.75")
    result = await one(place, "opus", anthropic())
    assert result.ok


FAILURES = [
    (401, {"error": {"message": "no such key"}}, "auth", "the key in LOCAL_KEY"),
    (404, {"error": {"message": "no model", "code": "model_not_found"}}, "not_found", "'m' is the"),
    (400, {"error": {"message": "bad effort"}}, "bad_request", "[models.own]"),
    (402, {"error": {"message": "no credits"}}, "quota", "top up"),
    (429, {"error": {"message": "slow down"}}, "rate_limit", "wait 7 s"),
    (503, {"error": {"message": "loading"}}, "server", "later"),
    (200, ["nonsense"], "malformed", "http://server.test/v1 speaks the wire format"),
]


@pytest.mark.parametrize(("status", "body", "kind", "says"), FAILURES)
async def test_an_error_is_told_with_what_to_do(
    tmp_path: Path, status: int, body: object, kind: str, says: str
) -> None:
    answer = Replay(json.dumps(body).encode(), status=status, headers={"retry-after": "7"})
    result = await one(workspace(tmp_path), "own", answer)
    assert result.error is not None
    assert (result.error.kind, result.ok, result.reached, result.sent) == (kind, False, True, True)
    assert says in result.advice
    assert len(answer.requests) == 1  # never retried
    assert "local-x" not in f"{result.error}{result.advice}"


async def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    answer = Replay(refuse=httpx2.ConnectError("refused"))
    result = await one(workspace(tmp_path), "own", answer)
    assert result.error is not None
    assert (result.error.kind, result.reached, result.sent) == ("connection", False, True)
    assert "a server answers at http://server.test/v1" in result.advice


class Silent(httpx2.AsyncBaseTransport):
    """Never answers."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Wait for good."""
        await asyncio.Event().wait()
        raise AssertionError


async def test_a_silent_server_is_given_up(tmp_path: Path) -> None:
    results = await send(workspace(tmp_path), "own", servers=Silent(), timeout_s=0.02)
    error = results["own"].error
    assert error is not None
    assert error.kind == "timeout"
    assert "--timeout" in results["own"].advice


@pytest.mark.parametrize(
    ("answer", "ok", "says"),
    [
        (anthropic("pong"), True, "another text than was asked for"),
        (anthropic("```\nping\n```"), True, "another text than was asked for"),
        (anthropic("", stop="max_tokens"), True, "cut off at the ping's own limit"),
        (anthropic("", stop="pause_turn"), True, "begun, and paused"),
        (anthropic("No.", stop="refusal"), False, "refused"),
        (anthropic(PONG, stop="sunspots"), False, "'sunspots', which is not known here"),
    ],
)
async def test_answers_of_all_kinds(tmp_path: Path, answer: Replay, ok: bool, says: str) -> None:
    result = await one(workspace(tmp_path), "opus", answer)
    assert (result.ok, result.reached, result.error) == (ok, True, None)
    assert says in result.answer


class Broken:
    """An adapter with a fault of ours in it."""

    closed = 0

    def settings(self, config: ModelConfig) -> Mapping[str, object]:
        """Nothing."""
        return {}

    async def complete(self, request: Request) -> Completion:
        """Fail in a way that no adapter should."""
        raise KeyError("secret")

    async def aclose(self) -> None:
        """Count."""
        Broken.closed += 1


async def test_a_fault_of_ours_hides_no_other_result(tmp_path: Path) -> None:
    servers = Servers(good())

    async def opener(
        config: ModelConfig,
        environment: Mapping[str, str],
        *,
        answers: Mapping[str, str] | None = None,
    ) -> Provider:
        match config.name:
            case "own":
                return Broken()
            case "open":
                raise ImportError("secret")
            case "gem":
                raise AuthenticationFailed("no")
        return await open_provider(config, environment, transport=servers)

    place = workspace(tmp_path)
    plan = plan_pings(place, ["own", "open", "gem", "opus"])
    results = await ping(place, plan, opener=opener)
    said = [str(each.error) for each in results]
    assert said[:2] == [
        "internal error of relaybench: KeyError; please report it",
        "internal error of relaybench: ImportError; please report it",
    ]
    assert [each.ok for each in results] == [False, False, False, True]
    assert [each.sent for each in results] == [True, False, False, True]
    assert Broken.closed == 1


async def test_configs_of_one_provider_share_it_and_its_places(tmp_path: Path) -> None:
    more = "".join(
        f'[models.n{n}]\nprovider = "compatible"\nmodel = "m{n}"\n'
        'base_url = "http://server.test/v1"\nkey_env = "LOCAL_KEY"\nconcurrency = 2\n'
        for n in range(5)
    )
    place = workspace(tmp_path, KEYS, MODELS + more)
    servers = Servers(good())
    opened = 0

    async def opener(
        config: ModelConfig,
        environment: Mapping[str, str],
        *,
        answers: Mapping[str, str] | None = None,
    ) -> Provider:
        nonlocal opened
        opened += 1
        return await open_provider(config, environment, transport=servers)

    names = ["own", *(f"n{n}" for n in range(5))]
    results = await ping(place, plan_pings(place, names), opener=opener)
    assert (opened, servers.most) == (1, 2)
    assert [each.planned.config.name for each in results] == names
    assert all(each.ok for each in results)


@pytest.mark.parametrize("wire", ["chat", "anthropic", "responses", "google"])
async def test_a_simulated_model_can_be_pinged(tmp_path: Path, wire: str) -> None:
    models = (
        '[models.sim]\nprovider = "simulated"\nmodel = "s"\n[models.sim.options]\n'
        f'wire = "{wire}"\nskill = 1.0\nfail = 0.0\nno_block = 0.0\nrefuse = 0.0\ntruncate = 0.0\n'
    )
    place = workspace(tmp_path, {}, models)
    (result,) = await ping(place, plan_pings(place, ["sim"]))
    assert (result.ok, result.answer) == (True, "pong"), result.error
    assert not place.database.exists()


def test_advice_says_that_work_goes_on(tmp_path: Path) -> None:
    (planned,) = plan_pings(workspace(tmp_path), ["own"]).pings
    error = ProviderError("cut", handle="resp_1")
    assert "goes on at the provider and may be billed" in PingResult(planned, error=error).advice
    assert PingResult(replace(planned)).advice == ""
