"""Recorded errors, as the SDKs' own exceptions carry them, give the kind that is expected."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import anthropic
import httpx2
import openai
import pytest
from google import genai
from google.genai import errors, types

from relaybench.domain.errors import (
    AuthenticationFailed,
    ModelNotFound,
    ProviderError,
    QuotaExhausted,
    RateLimited,
    RequestRejected,
    ServerFault,
)
from relaybench.providers.adapter import sdk_failure, status_failure
from relaybench.providers.classify import classify_response
from relaybench.providers.transport import make_client
from tests.providers.support import WIRE, Replay, expected, needs_wire

FAILED = {
    name: entry
    for name, entry in expected().items()
    if entry["kind"] == "error" and entry["http"]["status"] >= 400
}
_KINDS = {
    "anthropic/error-400-effort-unsupported.json": RequestRejected,
    "anthropic/error-400-prompt-too-long.json": RequestRejected,
    "anthropic/error-401.json": AuthenticationFailed,
    "anthropic/error-404-model.json": ModelNotFound,
    "anthropic/error-413-request-too-large.json": RequestRejected,
    "anthropic/error-429-rate-limit.json": RateLimited,
    "anthropic/error-500-overloaded-null-request-id.json": ServerFault,
    "anthropic/error-529-overloaded.json": ServerFault,
    "compat/error-400-xai-error-string.json": AuthenticationFailed,
    "compat/error-401-azure.json": AuthenticationFailed,
    "compat/error-404-model.json": ModelNotFound,
    "compat/error-429-openrouter-upstream.json": RateLimited,
    "google/error-404-model.json": ModelNotFound,
    "google/error-429-quota.json": RateLimited,
    "google/error-503-overloaded.json": ServerFault,
    "openai/error-400-context-length.json": RequestRejected,
    "openai/error-400-model-not-found.json": ModelNotFound,
    "openai/error-400-temperature.json": RequestRejected,
    "openai/error-401.json": AuthenticationFailed,
    "openai/error-403-model-access.json": ModelNotFound,
    "openai/error-429-insufficient-quota.json": QuotaExhausted,
}


async def by_anthropic(transport: httpx2.AsyncBaseTransport) -> ProviderError | None:
    async with anthropic.AsyncAnthropic(
        api_key="k",
        base_url="http://server.test",
        max_retries=0,
        http_client=make_client(transport),
    ) as client:
        with pytest.raises(anthropic.APIStatusError) as caught:
            await client.messages.create(model="m", max_tokens=1, messages=[])
    return sdk_failure(anthropic, anthropic.AnthropicError, caught.value, 1.0)


async def by_openai(transport: httpx2.AsyncBaseTransport) -> ProviderError | None:
    async with openai.AsyncOpenAI(
        api_key="k",
        base_url="http://server.test/v1",
        max_retries=0,
        http_client=make_client(transport),
    ) as client:
        with pytest.raises(openai.APIStatusError) as caught:
            await client.responses.create(model="m", input="x")
    return sdk_failure(openai, openai.OpenAIError, caught.value, 1.0)


async def by_google(transport: httpx2.AsyncBaseTransport) -> ProviderError:
    http = make_client(transport)
    options: dict[str, Any] = {"httpx_async_client": http}
    client = genai.Client(
        api_key="k",
        http_options=types.HttpOptions(
            base_url="http://server.test",
            retry_options=types.HttpRetryOptions(attempts=1),
            **options,
        ),
    )
    with pytest.raises(errors.APIError) as caught:
        await client.aio.models.generate_content(model="m", contents="x")
    await client.aio.aclose()
    client.close()
    await http.aclose()
    return status_failure(caught.value)


_SDKS = {"anthropic": by_anthropic, "openai": by_openai, "compat": by_openai, "google": by_google}


@needs_wire
def test_every_recorded_error_is_here() -> None:
    assert set(FAILED) == set(_KINDS)


@needs_wire
@pytest.mark.parametrize("name", FAILED)
def test_recorded_errors_are_classified(name: str) -> None:
    check(name, classify_response(status(name), headers(name), body(name), now=datetime.now(UTC)))


@needs_wire
@pytest.mark.parametrize("name", FAILED)
async def test_the_exceptions_of_the_sdks_are_classified(name: str) -> None:
    transport = Replay(body(name).encode(), status=status(name), headers=headers(name))
    error = await _SDKS[name.partition("/")[0]](transport)
    assert len(transport.requests) == 1, "the SDK tried again by itself"
    assert error is not None
    check(name, error)


def check(name: str, error: ProviderError) -> None:
    entry = FAILED[name]
    assert type(error) is _KINDS[name]
    assert error.http_status == status(name)
    assert error.retryable == entry["retryable"]
    wait = entry.get("retry_after_s")
    said = entry.get("retry_after_s_from_message")
    assert error.retry_after_s == (said if wait is None else wait)
    assert error.error_type == entry.get("error_type")
    code = entry.get("error_code")
    assert error.error_code == (None if code is None else str(code))
    assert error.raw == body(name)
    stated = entry.get("message") or ""
    assert str(error).split() == stated.split()


def status(name: str) -> int:
    number: int = FAILED[name]["http"]["status"]
    return number


def headers(name: str) -> dict[str, str]:
    stated: dict[str, str] = FAILED[name]["http"].get("headers", {})
    return {"content-type": "application/json", **stated}


def body(name: str) -> str:
    return (WIRE / name).read_text("utf-8")


@pytest.mark.parametrize(
    ("number", "code", "kind"),
    [
        (429, "contract_spend_limit_reached", QuotaExhausted),
        (429, "enforced_spend_limit_reached", QuotaExhausted),
        (429, "ramp_limit_exceeded", RateLimited),
        (403, "organization_on_hold", AuthenticationFailed),
        (400, "unheard_of", RequestRejected),
    ],
)
async def test_anthropic_names_the_cause_in_the_details(
    number: int, code: str, kind: type[ProviderError]
) -> None:
    error = {"type": "rate_limit_error", "message": "no", "details": {"error_code": code}}
    raw = json.dumps({"type": "error", "error": error}).encode()
    found = await by_anthropic(Replay(raw, status=number))
    assert type(found) is kind
    assert found.error_code == code


async def test_no_sdk_sleeps_or_tries_again_by_itself() -> None:
    storm = {"retry-after": "900", "x-should-retry": "true"}
    for call in (by_anthropic, by_openai, by_google):
        transport = Replay(b'{"error": {"message": "slow"}}', status=429, headers=storm)
        error = await call(transport)
        assert error is not None
        assert error.retry_after_s == 900
        assert len(transport.requests) == 1
