"""Which ProviderError a failed response is, from status, headers and body. Pure.

The words of the body come before the status where they are certain: a spent quota comes as 429,
a wrong key as 400, an error in the middle of a stream with status 200.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from relaybench.domain.completion import Usage
from relaybench.domain.errors import (
    AuthenticationFailed,
    ModelNotFound,
    ProviderError,
    QuotaExhausted,
    RateLimited,
    RequestRejected,
    ServerFault,
)
from relaybench.providers.error_body import (
    ErrorBody,
    message_without_json,
    parse,
    per_day,
    read_error,
)
from relaybench.providers.error_body import clean_message as clean_message
from relaybench.providers.pieces import Json
from relaybench.providers.retry_after import reset_wait, stated_wait

_WRONG_KEY: Final = re.compile(
    r"\b(?:incorrect|invalid|missing|wrong|expired|unknown|no)\s+(?:x-)?api[ _-]?key"
    r"|\bapi[ _-]?key\b[^.]{0,20}\b(?:not valid|invalid|incorrect|expired|missing|not found)",
    re.IGNORECASE,
)
_SPENT: Final = re.compile(
    r"exceeded your current quota|insufficient (?:credit|balance|funds|quota)"
    r"|credit balance is too low|(?:out of|no|not enough) credits?\b|spend(?:ing)? (?:limit|cap)"
    r"|reached your specified API usage limits?",
    re.IGNORECASE,
)
_SPENT_CODES: Final = frozenset(
    {
        "insufficient_quota",
        "insufficient_balance",
        "insufficient_credits",
        "billing_error",
        "billing_not_active",
        "billing_hard_limit_reached",
        "payment_required",
        "contract_spend_limit_reached",
        "enforced_spend_limit_reached",
        "linked_organization_spend_limit_reached",
        "linked_organization_billing_unavailable",
        "billing_disabled",
    }
)
#: The account or its key is barred; no other request of it can work.
_BARRED_CODES: Final = frozenset(
    {
        "invalid_api_key",
        "api_key_invalid",
        "organization_on_hold",
        "cmek_key_disabled",
        "cmek_key_network_blocked",
        "sandbox_egress_restricted",
    }
)
#: Not available for the moment, whatever the status.
_PASSING_CODES: Final = frozenset({"cmek_context_unavailable", "cmek_key_unreachable"})
#: A limit on how fast use may grow: trying at once would only meet it again.
_RAMP: Final = "ramp_limit_exceeded"
RAMP_WAIT_S: Final = 60.0
_NEEDS_BILLING: Final = re.compile(r"\b(?:enable|set up|activate) billing\b", re.IGNORECASE)
_WRONG_PLACE: Final = re.compile(
    r"\b(?:location|country|region)\b[^.]{0,40}\bnot (?:supported|available)"
    r"|\bnot (?:supported|available)\b[^.]{0,30}\b(?:location|country|region)\b",
    re.IGNORECASE,
)
#: Statuses with which a limit was met; then the limits' own headers say until when.
_LIMITED: Final = frozenset({429, 503, 529})
_FLAGGED: Final = re.compile(r"\bflagged\b|\bmoderation\b", re.IGNORECASE)
_NO_ACCESS: Final = re.compile(
    r"not (?:allowed|permitted) to (?:sample|use|access)\b.{0,20}\bmodel\b"
    r"|(?:do(?:es)? not|don't) have access to (?:the |this )?model\b",
    re.IGNORECASE,
)
_TOO_LONG: Final = re.compile(
    r"context (?:length|window|size)|token limit|too (?:long|many tokens|large)", re.IGNORECASE
)

#: Words by which bodies name an error, and the status that says the same.
_STATUS_OF_WORD: Final = {
    word: status
    for status, words in {
        400: "invalid_request_error bad_request badrequesterror invalid_argument "
        "context_length_exceeded content_filter invalid_prompt failed_precondition "
        "data_residency_mismatch",
        401: "authentication_error invalid_api_key unauthorized unauthenticated",
        402: "billing_error payment_required insufficient_quota",
        403: "permission_error permission_denied forbidden",
        404: "model_not_found not_found_error not_found",
        413: "request_too_large",
        429: "rate_limit_exceeded rate_limit_error rate_limited too_many_requests "
        "resource_exhausted ramp_limit_exceeded tokens requests",
        529: "overloaded_error overloaded",
    }.items()
    for word in words.split()
}


def classify_response(
    status: int, headers: Mapping[str, str], body: str, *, now: datetime | None = None
) -> ProviderError:
    """Turn a response that is no success into the error it stands for."""
    low = {name.lower(): value for name, value in headers.items()}
    parsed = parse(body)
    said = read_error(parsed)
    location = clean_message(low.get("location", ""))
    if not said.message and 300 <= status < 400:
        to = f" to {location}" if location else ""
        said = ErrorBody(
            f"HTTP {status}: redirected{to}; redirects are not followed, set base_url to the "
            "final address",
            None,
            None,
        )
    if not said.message:
        said = replace(said, message=message_without_json(status, body))
    now = now or datetime.now(UTC)
    wait = stated_wait(low, parsed, f"{said.message} {said.more}", now)
    kind = _kind(status, said, parsed, wait)
    should_retry = low.get("x-should-retry", "").strip().lower()
    if kind.retryable and should_retry == "false":
        kind = RequestRejected
    elif kind is RequestRejected and should_retry == "true" and status >= 400:
        kind = ServerFault  # only where nothing certain speaks against it
    if wait is None and kind.retryable and status in _LIMITED:
        wait = reset_wait(low, parsed, now)
    if wait is None and _RAMP in said.words:
        wait = RAMP_WAIT_S
    return kind(
        clean_message(said.message),
        http_status=status,
        error_type=said.type,
        error_code=said.code,
        retry_after_s=wait,
        raw=body,
    )


def has_error(body: Json) -> bool:
    """Whether a body that came as a success, or a chunk of a stream, is an error instead."""
    return bool(body.get("error")) or "error" in (body.get("object"), body.get("type"))


def classify_error(body: Json, *, usage: Usage | None = None, status: int = 200) -> ProviderError:
    """Turn an error object inside a successful response into the error it stands for.

    What it names neither by number nor by a known word is taken for a passing fault of the
    server, except where its message says that the prompt is too long.
    """
    said = read_error(body)
    message = said.message or "the provider reported an error without a message"
    wait = stated_wait({}, body, f"{message} {said.more}", datetime.now(UTC))
    kind = _kind(_status_in(said), said, body, wait)
    return kind(
        clean_message(message),
        http_status=status,
        error_type=said.type,
        error_code=said.code,
        retry_after_s=wait if wait is not None or _RAMP not in said.words else RAMP_WAIT_S,
        usage=usage,
    )


def _kind(status: int, said: ErrorBody, body: object, wait: float | None) -> type[ProviderError]:
    words, message = said.words, said.message
    if status == 402 or words & _SPENT_CODES or per_day(body):
        return QuotaExhausted
    if words & _BARRED_CODES:
        return AuthenticationFailed
    if words & _PASSING_CODES:
        return ServerFault
    # Google says "exceeded your current quota" for a limit per minute too, but then with a wait.
    if status in (400, 403, 429) and wait is None and _SPENT.search(message):
        return QuotaExhausted
    if status == 403 and _FLAGGED.search(message):
        return RequestRejected  # this prompt is refused; the key is fine
    if status == 403 and _NO_ACCESS.search(message):
        return ModelNotFound  # this model is closed to the key; others may be open
    if status in (400, 403) and _NEEDS_BILLING.search(message):
        return QuotaExhausted
    if status in (401, 403, 407) or (status == 400 and _WRONG_PLACE.search(message)):
        return AuthenticationFailed
    if 400 <= status < 500 and status != 429 and _WRONG_KEY.search(message):
        return AuthenticationFailed
    if status == 404 or (status == 400 and "model_not_found" in words):
        return ModelNotFound
    if status == 429 or _RAMP in words:
        return RateLimited
    if status in (408, 409, 499) or status >= 500:
        return ServerFault
    return RequestRejected


def _status_in(said: ErrorBody) -> int:
    if said.code and re.fullmatch(r"[45]\d\d", said.code):
        return int(said.code)
    for word in (said.code, said.type):
        status = _STATUS_OF_WORD.get((word or "").lower().replace("-", "_"))
        if status is not None:
            return status
    return 400 if _TOO_LONG.search(said.message) else 500
