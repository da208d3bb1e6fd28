"""Which error a failed response is, how long to wait, and what may be shown of it."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.domain.errors import (
    AuthenticationFailed,
    ModelNotFound,
    PromptBlocked,
    ProviderError,
    QuotaExhausted,
    RateLimited,
    RequestRejected,
    ServerFault,
)
from relaybench.providers.classify import classify_error, classify_response, clean_message
from relaybench.providers.retry_after import wait_in_text

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def classified(status: int, body: object = None, **headers: str) -> ProviderError:
    text = body if isinstance(body, str) else json.dumps(body)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return classify_response(status, named, text, now=NOW)


def message(text: str, **more: object) -> dict[str, object]:
    return {"error": {"message": text, **more}}


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (302, RequestRejected),
        (400, RequestRejected),
        (401, AuthenticationFailed),
        (402, QuotaExhausted),
        (403, AuthenticationFailed),
        (404, ModelNotFound),
        (405, RequestRejected),
        (408, ServerFault),
        (409, ServerFault),
        (413, RequestRejected),
        (422, RequestRejected),
        (429, RateLimited),
        (499, ServerFault),
        (500, ServerFault),
        (502, ServerFault),
        (503, ServerFault),
        (529, ServerFault),
    ],
)
@pytest.mark.parametrize("body", ["", "<html><title>Oops</title></html>", message("no"), "no"])
def test_the_status_decides(status: int, kind: type[ProviderError], body: object) -> None:
    error = classified(status, body)
    assert type(error) is kind
    assert error.http_status == status


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (429, message("x", code="insufficient_quota"), QuotaExhausted),
        (429, message("x", type="insufficient_quota"), QuotaExhausted),
        (429, message("You exceeded your current quota, please check your plan."), QuotaExhausted),
        (429, message("You exceeded your current quota. Please retry in 3s."), RateLimited),
        (400, message("x", type="billing_error"), QuotaExhausted),
        (429, message("x", code="enforced_spend_limit_reached"), QuotaExhausted),
        (403, message("Your team has run out of credits"), QuotaExhausted),
        (
            400,
            {"code": "invalid-argument", "error": "Incorrect API key provided."},
            AuthenticationFailed,
        ),
        (400, message("API key not valid. Please pass a valid API key."), AuthenticationFailed),
        (400, message("No API key provided"), AuthenticationFailed),
        (400, message("x", code="model_not_found"), ModelNotFound),
        (403, message("You are not allowed to sample from this model"), ModelNotFound),
        (403, message("Your input was flagged for violence"), PromptBlocked),
        (
            403,
            message(
                'm requires moderation. Your input was flagged for "x". No credits were charged.'
            ),
            PromptBlocked,
        ),
        (403, message("Your account has been flagged."), AuthenticationFailed),
        (
            400,
            message("Your prompt was flagged: usage policy.", code="invalid_prompt"),
            PromptBlocked,
        ),
        (400, message("input[0] has no role", code="invalid_prompt"), RequestRejected),
        (400, message("x", code="bio_policy"), PromptBlocked),
        (400, message("x", code="misalignment_policy_violation"), PromptBlocked),
        (400, message("x", code="cyber_policy"), PromptBlocked),
        (400, message("x", code="content_filter"), PromptBlocked),
        (400, message("x", innererror={"code": "ResponsibleAIPolicyViolation"}), PromptBlocked),
        (400, message("Output blocked by content filtering policy"), PromptBlocked),
        (400, message("the field 'flagged' is unknown"), RequestRejected),
        (429, message("Your prepayment credits are depleted."), QuotaExhausted),
        (403, message("You have reached your credit limit."), QuotaExhausted),
        (400, message("Payment required"), QuotaExhausted),
        (
            429,
            message(
                "Your account is not active, please check your billing details on our website."
            ),
            QuotaExhausted,
        ),
        (400, message("Budget has been exceeded! Max budget: 1"), QuotaExhausted),
        (400, message("ExceededBudget: User=u over budget"), QuotaExhausted),
        (400, message("x", type="budget_exceeded"), QuotaExhausted),
        (400, message("thinking budget exceeded: at most 8192"), RequestRejected),
        (429, message("x", type="exceeded_current_quota_error"), QuotaExhausted),
        (429, message("x", code="1113"), QuotaExhausted),
        (400, message("x", code="Arrearage"), QuotaExhausted),
        (
            429,
            message(
                "Request too large for gpt-x in organization o on tokens per min (TPM): "
                "Limit 30,000, Requested 40000.",
                code="rate_limit_exceeded",
                type="tokens",
            ),
            RequestRejected,
        ),
        (429, message("Limit 30000, Used 29000, Requested 4000. Try again in 6s"), RateLimited),
        (
            400,
            message("user_location.country is not supported with this tool"),
            RequestRejected,
        ),
        (400, message("no API key was found in the text you sent"), RequestRejected),
        (400, message("Invalid value: 'unknown api key'"), RequestRejected),
        (400, message("Incorrect API key provided: xa***. See"), AuthenticationFailed),
        (400, message("The API returned a key that is too long for this model"), RequestRejected),
        (500, message("Incorrect API key provided upstream"), ServerFault),
        (400, message("Your credit balance is too low to access the API."), QuotaExhausted),
        (400, message("You have reached your specified API usage limits."), QuotaExhausted),
        (403, message("x", code="organization_on_hold"), AuthenticationFailed),
        (400, message("x", details={"error_code": "cmek_key_disabled"}), AuthenticationFailed),
        (403, message("x", details={"error_code": "cmek_key_unreachable"}), ServerFault),
        (429, message("x", details={"error_code": "contract_spend_limit_reached"}), QuotaExhausted),
        (429, message("x", details={"error_code": "enforced_spend_limit_reached"}), QuotaExhausted),
        (
            403,
            message("x", details={"error_code": "linked_organization_billing_unavailable"}),
            QuotaExhausted,
        ),
        (429, message("x", details={"error_code": "ramp_limit_exceeded"}), RateLimited),
        (400, message("x", details=[{"reason": "API_KEY_INVALID"}]), AuthenticationFailed),
        (403, message("x", details=[{"reason": "BILLING_DISABLED"}]), QuotaExhausted),
        (
            400,
            message(
                "The free tier is not here. Please enable billing.", status="FAILED_PRECONDITION"
            ),
            QuotaExhausted,
        ),
        (
            400,
            message(
                "User location is not supported for the API use.", status="FAILED_PRECONDITION"
            ),
            AuthenticationFailed,
        ),
        (400, message("The file is not ready.", status="FAILED_PRECONDITION"), RequestRejected),
        (403, message("x", code="unsupported_country_region_territory"), AuthenticationFailed),
        (407, "", AuthenticationFailed),
        (400, message("thinking is not supported for this model"), RequestRejected),
        (400, message("tools: location is a required property"), RequestRejected),
    ],
)
def test_certain_words_outweigh_the_status(
    status: int, body: object, kind: type[ProviderError]
) -> None:
    assert type(classified(status, body)) is kind


def test_google_wraps_errors_in_a_list_and_names_daily_quotas() -> None:
    details = [{"violations": [{"quotaId": "GenerateRequestsPerDayPerProject"}]}]
    error = {"code": 429, "message": "quota", "status": "RESOURCE_EXHAUSTED", "details": details}
    assert type(classified(429, [{"error": error}])) is QuotaExhausted
    details[0]["violations"][0]["quotaId"] = "GenerateRequestsPerMinute"
    found = classified(429, [{"error": error}])
    assert type(found) is RateLimited
    assert (found.error_type, found.error_code) == ("RESOURCE_EXHAUSTED", "429")


@pytest.mark.parametrize("status", [429, 500, 529])
def test_a_server_may_forbid_retries(status: int) -> None:
    forbidden = classified(status, message("no"), x_should_retry="false")
    plain = classified(status, message("no"))
    assert not forbidden.retryable
    assert type(forbidden) is type(plain)
    assert plain.retryable
    assert classified(status, message("no"), x_should_retry="true").retryable


def test_what_is_too_large_stays_so_whatever_the_server_says_of_retries() -> None:
    assert type(classified(413, message("no"), x_should_retry="true")) is RequestRejected


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"message": "The response took too long to generate, please try again"}, ServerFault),
        ({"message": "Upstream request took too long"}, ServerFault),
        ({"message": "x", "type": "timeout_error"}, ServerFault),
        ({"message": "prompt is too long: 203923 tokens > 200000 maximum"}, RequestRejected),
        ({"message": "Your credit balance is too low"}, QuotaExhausted),
        ({"message": "x", "code": "image_parse_error"}, RequestRejected),
        ({"message": "x", "code": "invalid_base64_image"}, RequestRejected),
        ({"message": "x", "code": "unsupported_country_region_territory"}, AuthenticationFailed),
        ({"message": "x", "code": "content_filter"}, PromptBlocked),
    ],
)
def test_errors_without_a_status(error: dict[str, object], kind: type[ProviderError]) -> None:
    found = classify_error({"error": error})
    assert type(found) is kind
    assert found.retryable is kind.retryable


@pytest.mark.parametrize(
    "more",
    [
        {"metadata": {"reasons": ["violence"]}},
        {"innererror": {"content_filter_result": {"violence": {"filtered": True}}}},
    ],
)
def test_a_refusal_names_its_categories(more: dict[str, object]) -> None:
    found = classified(403, message("It was flagged.", **more))
    assert str(found) == "violence: It was flagged."


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (message("plain"), "plain"),
        ({"error": "a string", "code": "c"}, "a string"),
        ({"detail": "not found"}, "not found"),
        (
            {"detail": [{"loc": ["body", "model"], "msg": "field required"}]},
            "body.model: field required",
        ),
        ({"message": "top level"}, "top level"),
        ({"error": {}}, "HTTP 400 without a message"),
        ({"error": None}, "HTTP 400 without a message"),
        ("", "HTTP 400 with an empty body"),
        ("  \n", "HTTP 400 with an empty body"),
        (
            "<!DOCTYPE html><title>502\n Bad</title>" + "x" * 9999,
            "HTTP 400 with an HTML page titled “502 Bad”",
        ),
        ("<p>no title", "HTTP 400 with an HTML page"),
        ("upstream connect error", "HTTP 400: upstream connect error"),
        ("null", "HTTP 400: null"),
    ],
)
def test_what_is_said_of_each_shape(body: object, text: str) -> None:
    error = classified(400, body)
    assert str(error) == text
    assert error.raw == (body if isinstance(body, str) else json.dumps(body))


def test_a_redirect_names_its_target() -> None:
    error = classified(307, "", location="https://elsewhere.test/v1")
    assert "https://elsewhere.test/v1" in str(error)
    assert not error.retryable


@pytest.mark.parametrize(
    ("headers", "body", "wait"),
    [
        ({"retry_after": "16"}, message("x"), 16),
        ({"retry_after": "0.5"}, message("x"), 0.5),
        ({"retry_after": "-4"}, message("x"), 0),
        ({"retry_after_ms": "1500", "retry_after": "9"}, message("x"), 1.5),
        ({"retry_after": "Mon, 30 Nov 2026 12:01:30 GMT"}, message("x"), 90),
        ({"retry_after": "Mon, 30 Nov 2026 11:00:00 GMT"}, message("x"), 0),
        ({"retry_after": "nan"}, message("x"), None),
        ({"retry_after": "inf"}, message("x"), None),
        ({"retry_after": "soon"}, message("try again in 2s"), 2),
        ({"retry_after": ""}, message("x"), None),
        ({}, message("x", details=[{"@type": "RetryInfo", "retryDelay": "37.5s"}]), 37.5),
        ({}, message("x", details=[{"retryDelay": {"seconds": 3, "nanos": 500_000_000}}]), 3.5),
        ({"retry_after": "4"}, message("x", details=[{"retryDelay": "37s"}]), 4),
        ({}, message("x", metadata={"raw": "Please retry after 20 seconds"}), 20),
        ({"retry_after": "5, 10"}, message("x"), 5),
        ({}, message("x", details=[{"retry_delay": "9s"}]), 9),
        ({}, message("x", retry_after=8), 8),
        ({}, message("x", metadata={"retry_after_seconds": 7}), 7),
        ({}, {"error": "Model m is loading", "estimated_time": 20.5}, 20.5),
        ({}, {"error": "x", "retry_after": "soon"}, None),
        ({}, message("try again at 2026-11-30T12:05:00Z"), 300),
        ({}, message("x"), None),
    ],
)
def test_waits(headers: dict[str, str], body: object, wait: float | None) -> None:
    assert classified(429, body, **headers).retry_after_s == wait


@pytest.mark.parametrize(
    ("text", "wait"),
    [
        ("Please try again in 1.5s.", 1.5),
        ("Please try again in 6m0s. Visit", 360),
        ("try again in 120ms", 0.12),
        ("Try again in 1h2m3s", 3723),
        ("Please retry in 48.939935699s.", 48.939935699),
        ("retry after 20 seconds", 20),
        ("Please wait for 2 minutes and 5 seconds", 125),
        ("Please wait 12 seconds and try again", 12),
        ("Retry-After: 30", 30),
        ("rate limit will reset in 45 seconds", 45),
        ("available in 20s", 20),
        ("try again later", None),
        ("limit 20000 tokens per min, used 19000. Please try again.", None),
        ("try again in 5 models", None),
    ],
)
def test_waits_in_words(text: str, wait: float | None) -> None:
    assert wait_in_text(text) == (None if wait is None else pytest.approx(wait))


def test_headers_are_found_in_any_case() -> None:
    assert classify_response(429, {"Retry-After": "3"}, "", now=NOW).retry_after_s == 3


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07after", "after"),
        ("\x1b]8;;http://x\x1b\\link", "link"),
        ("a\x9b31mb\x9dtitle\x9cc", "abc"),
        ("a\r\nb\tc\0d\x85e\x7ff", "a b c d e f"),
        ("a\ud800b", "a b"),
        ("é😀\u2028x", "é😀\u2028x"),
    ],
)
def test_messages_are_harmless(text: str, shown: str) -> None:
    assert clean_message(text) == shown
    assert str(classified(400, message(text))) == shown


@given(st.text())
def test_no_control_character_is_ever_shown(text: str) -> None:
    shown = clean_message(text)
    assert len(shown) <= 500
    assert not any(char < " " or "\x7f" <= char <= "\x9f" for char in shown)
    shown.encode()


def test_long_messages_are_cut_and_the_body_is_kept() -> None:
    error = classified(400, message("x" * 5000))
    assert len(str(error)) == 500
    assert "x" * 5000 in error.raw


@given(
    st.integers(300, 599),
    st.text(max_size=60),
    st.dictionaries(
        st.sampled_from(["retry-after", "retry-after-ms", "location"]), st.text(max_size=20)
    ),
)
def test_nothing_makes_it_fail(status: int, body: str, headers: dict[str, str]) -> None:
    error = classify_response(status, headers, body, now=NOW)
    assert error.raw == body
    assert str(error)
