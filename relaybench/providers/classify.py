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
    PromptBlocked,
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
from relaybench.providers.error_words import (
    BARRED_CODES,
    MODERATION,
    NEEDS_BILLING,
    NO_ACCESS,
    PASSING_CODES,
    SPENT,
    SPENT_CODES,
    TOO_LONG,
    beyond_limit,
    blocked,
    status_of_word,
    wrong_key,
    wrong_place,
)
from relaybench.providers.pieces import Json
from relaybench.providers.retry_after import reset_wait, stated_wait

#: Statuses with which a limit was met; then the limits' own headers say until when.
_LIMITED: Final = frozenset({429, 503, 529})
#: A limit on how fast use may grow: trying at once would only meet it again.
_RAMP: Final = "ramp_limit_exceeded"
RAMP_WAIT_S: Final = 60.0


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
    if kind is RequestRejected and should_retry == "true" and _may_pass(status):
        kind = ServerFault  # only where nothing certain speaks against it
    if wait is None and kind.retryable and status in _LIMITED:
        wait = reset_wait(low, parsed, now)
    if wait is None and _RAMP in said.words:
        wait = RAMP_WAIT_S
    error = kind(
        _words(kind, said),
        http_status=status,
        error_type=said.type,
        error_code=said.code,
        retry_after_s=wait,
        raw=body,
    )
    if should_retry == "false":
        error.retryable = False  # what it is does not change: the server only forbids a retry
    return error


def _may_pass(status: int) -> bool:
    # What is too large, or beyond the whole limit, stays so.
    return status >= 400 and status not in (413, 429)


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
    said = replace(said, message=message)
    wait = stated_wait({}, body, f"{message} {said.more}", datetime.now(UTC))
    kind = _kind(_status_in(said), said, body, wait)
    return kind(
        _words(kind, said),
        http_status=status,
        error_type=said.type,
        error_code=said.code,
        retry_after_s=wait if wait is not None or _RAMP not in said.words else RAMP_WAIT_S,
        usage=usage,
    )


def _words(kind: type[ProviderError], said: ErrorBody) -> str:
    """What is shown of an error; for a refusal with the categories that are not in it already."""
    missing = [each for each in said.categories if each.lower() not in said.message.lower()]
    if kind is not PromptBlocked or not missing:
        return clean_message(said.message)
    return clean_message(f"{', '.join(missing)}: {said.message}")


def _kind(status: int, said: ErrorBody, body: object, wait: float | None) -> type[ProviderError]:
    words, message = said.words, said.message
    if status == 402 or words & SPENT_CODES or per_day(body):
        return QuotaExhausted
    if words & BARRED_CODES:
        return AuthenticationFailed
    if words & PASSING_CODES:
        return ServerFault
    # Before the words for "spent": OpenRouter adds "No credits were charged".
    if blocked(status, words, message):
        return PromptBlocked
    # Google says "exceeded your current quota" for a limit per minute too, but then with a wait.
    if status in (400, 401, 403, 429) and wait is None and SPENT.search(message):
        return QuotaExhausted
    if status == 403 and MODERATION.search(message):
        return RequestRejected  # this prompt is refused; the key is fine
    if status == 403 and NO_ACCESS.search(message):
        return ModelNotFound  # this model is closed to the key; others may be open
    if status in (400, 403) and NEEDS_BILLING.search(message):
        return QuotaExhausted
    if status in (401, 403, 407) or (status == 400 and wrong_place(message)):
        return AuthenticationFailed
    if 400 <= status < 500 and status != 429 and wrong_key(message):
        return AuthenticationFailed
    if status == 404 or (status == 400 and "model_not_found" in words):
        return ModelNotFound
    if status == 429 and beyond_limit(message):
        return RequestRejected  # larger than the limit of a whole minute: no wait makes it fit
    if status == 429 or _RAMP in words:
        return RateLimited
    if status in (408, 409, 499) or status >= 500:
        return ServerFault
    return RequestRejected


def _status_in(said: ErrorBody) -> int:
    if said.code and re.fullmatch(r"[45]\d\d", said.code):
        return int(said.code)
    for word in (said.code, said.type):
        status = status_of_word(word or "")
        if status is not None:
            return status
    if SPENT.search(said.message):
        return 429
    return 400 if TOO_LONG.search(said.message) else 500
