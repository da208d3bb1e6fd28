"""How long to wait: in headers, limits, bodies and words, by the provider's clock."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.domain.errors import QuotaExhausted, RateLimited, RequestRejected, ServerFault
from relaybench.providers.classify import classify_error, classify_response
from relaybench.providers.retry_after import LONGEST_S, reset_wait, stated_wait

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
DATE = {"date": "Mon, 30 Nov 2026 12:00:00 GMT"}

ANTHROPIC = {
    "anthropic-ratelimit-requests-remaining": "40",
    "anthropic-ratelimit-requests-reset": "2026-11-30T12:59:00Z",
    "anthropic-ratelimit-input-tokens-remaining": "0",
    "anthropic-ratelimit-input-tokens-reset": "2026-11-30T12:00:21Z",
    "anthropic-ratelimit-tokens-remaining": "0",
    "anthropic-ratelimit-tokens-reset": "2026-11-30T12:00:44+00:00",
}
OPENAI = {
    "x-ratelimit-limit-requests": "60",
    "x-ratelimit-remaining-requests": "0",
    "x-ratelimit-reset-requests": "1s",
    "x-ratelimit-remaining-tokens": "1499",
    "x-ratelimit-reset-tokens": "59m",
    "x-ratelimit-remaining-project-tokens": "0",
    "x-ratelimit-reset-project-tokens": "6m0s",
}


def waited(headers: dict[str, str], status: int = 429, message: str = "slow down") -> float | None:
    body = json.dumps({"error": {"message": message}})
    return classify_response(status, headers, body, now=NOW).retry_after_s


@pytest.mark.parametrize("status", [429, 503, 529])
@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        (ANTHROPIC, 44.0),
        (OPENAI, 360.0),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "120ms"}, 0.12),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "2m59.56s"}, 179.56),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "1d2h"}, 86_400.0),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "1h2m3s"}, 3723.0),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "17"}, 17.0),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1796040030"}, 30.0),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1796040030500"}, 30.5),
        ({"ratelimit-remaining": "0", "ratelimit-reset": "5"}, 5.0),
        ({"x-ratelimit-remaining-tokens": "0"}, None),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "soon"}, None),
        ({"x-ratelimit-remaining-tokens": "1", "x-ratelimit-reset-tokens": "9s"}, None),
        ({"x-ratelimit-remaining-tokens": "none", "x-ratelimit-reset-tokens": "9s"}, None),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "3 of 9s"}, None),
    ],
)
def test_used_up_limits_say_until_when(
    status: int, headers: dict[str, str], wait: float | None
) -> None:
    assert waited(headers, status) == (None if wait is None else pytest.approx(wait))


def test_limits_say_nothing_of_other_failures() -> None:
    assert waited(OPENAI, 500) is None
    assert waited(OPENAI, 400) is None


def test_what_is_said_of_this_request_goes_before_its_limits() -> None:
    assert waited({**OPENAI, "retry-after": "3"}) == 3
    assert waited({**OPENAI, "retry-after": "0"}) == 0
    assert waited(OPENAI, message="Please try again in 1.5s.") == 1.5


def test_a_gateway_quotes_the_headers_of_the_provider_behind_it() -> None:
    quoted = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": 1796040012000}
    body = {"error": {"code": 429, "message": "x", "metadata": {"headers": quoted}}}
    assert classify_response(429, {}, json.dumps(body), now=NOW).retry_after_s == 12


@pytest.mark.parametrize("wrong_by", [timedelta(hours=-5), timedelta(0), timedelta(days=400)])
def test_moments_are_counted_from_the_date_of_the_response(wrong_by: timedelta) -> None:
    later = format_datetime(NOW + timedelta(seconds=90), usegmt=True)
    now = NOW + wrong_by
    assert stated_wait({"retry-after": later, **DATE}, None, "", now) == 90
    assert reset_wait({**ANTHROPIC, **DATE}, None, now) == 44
    epoch = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1796040030", **DATE}
    assert reset_wait(epoch, None, now) == 30


def test_without_a_date_our_own_clock_must_do() -> None:
    later = format_datetime(NOW + timedelta(seconds=90), usegmt=True)
    assert stated_wait({"retry-after": later, "date": "yesterday"}, None, "", NOW) == 90


@pytest.mark.parametrize(
    ("value", "wait"),
    [
        ("5400", 5400),  # long, but meant
        ("86400", 86_400),
        ("999999", LONGEST_S),
        ("1e300", LONGEST_S),
        ("Tue, 30 Nov 2077 12:00:00 GMT", LONGEST_S),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("-1", 0),
        ("2026-11-30T12:00:09Z", 9),
        ("7s", 7),
    ],
)
def test_nonsense_is_bounded(value: str, wait: float) -> None:
    assert stated_wait({"retry-after": value}, None, "", NOW) == wait


_LABELS = st.sampled_from(
    ["retry-after", "retry-after-ms", "date", *ANTHROPIC, *OPENAI, "x-ratelimit-reset"]
)
_VALUES = st.one_of(
    st.text(max_size=30),
    st.floats().map(str),
    st.integers().map(str),
    st.datetimes().map(lambda when: when.isoformat()),
    st.datetimes().map(lambda when: when.isoformat() + "+23:59"),
    st.datetimes(timezones=st.just(UTC)).map(lambda when: format_datetime(when, usegmt=True)),
    st.integers(0, 10**9).map(lambda number: f"{number}h{number}m{number}s"),
)


@given(
    st.dictionaries(_LABELS, _VALUES),
    st.text(max_size=40),
    st.datetimes(timezones=st.just(UTC)),
    st.sampled_from([429, 503, 529, 500, 403, 200]),
)
def test_a_wait_is_always_sane(
    headers: dict[str, str], text: str, now: datetime, status: int
) -> None:
    body = json.dumps({"error": {"message": f"try again in {text}"}})
    wait = classify_response(status, headers, body, now=now).retry_after_s
    assert wait is None or 0 <= wait <= LONGEST_S


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 80_000)), max_size=5),
    st.timedeltas(timedelta(days=-900), timedelta(days=900)),
)
def test_the_last_used_up_limit_decides(limits: list[tuple[int, int]], wrong_by: timedelta) -> None:
    headers = dict(DATE)
    for number, (left, seconds) in enumerate(limits):
        moment = (NOW + timedelta(seconds=seconds)).isoformat()
        headers[f"anthropic-ratelimit-l{number}-remaining"] = str(left)
        headers[f"anthropic-ratelimit-l{number}-reset"] = moment
    used_up = [seconds for left, seconds in limits if left == 0]
    expected = float(max(used_up)) if used_up else None
    assert reset_wait(headers, None, NOW + wrong_by) == expected


def test_growing_too_fast_is_tried_again_slowly() -> None:
    error = {
        "type": "error",
        "error": {
            "type": "rate_limit_error",
            "message": "too fast",
            "details": {"error_code": "ramp_limit_exceeded"},
        },
    }
    for found in (
        classify_response(429, {}, json.dumps(error), now=NOW),
        classify_error(error),
    ):
        assert type(found) is RateLimited
        assert found.retry_after_s == 60
    stated = classify_response(429, {"retry-after": "7"}, json.dumps(error), now=NOW)
    assert stated.retry_after_s == 7


def test_limits_do_not_make_a_spent_quota_look_curable() -> None:
    message = "You exceeded your current quota, please check your plan and billing details."
    body = json.dumps({"error": {"message": message}})
    found = classify_response(429, OPENAI, body, now=NOW)
    assert type(found) is QuotaExhausted
    assert found.retry_after_s is None


def test_a_server_may_ask_for_retries_where_nothing_speaks_against_them() -> None:
    yes = {"x-should-retry": "true"}
    body = json.dumps({"error": {"message": "odd", "type": "invalid_request_error"}})
    assert type(classify_response(400, yes, body, now=NOW)) is ServerFault
    assert type(classify_response(307, yes, "", now=NOW)) is RequestRejected
    for status, code in ((429, "insufficient_quota"), (401, "x"), (404, "x")):
        error = json.dumps({"error": {"message": "no", "code": code}})
        assert not classify_response(status, yes, error, now=NOW).retryable
