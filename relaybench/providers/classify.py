"""Which ProviderError a failed response is, from status, headers and body. Pure.

The words of the body come before the status where they are certain: a spent quota comes as 429,
a wrong key as 400, an error in the middle of a stream with status 200.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
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
from relaybench.providers.pieces import Json, listing, mapping, string
from relaybench.providers.retry_after import stated_wait

MESSAGE_LIMIT: Final = 500

_ESCAPES: Final = re.compile(
    r"(?:\x1b\]|\x9d).*?(?:\x07|\x1b\\|\x9c|$)"  # OSC, to its end
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"  # CSI
    r"|\x1b[ -/]*[0-~]?",
    re.DOTALL,
)
# Lone surrogates count too: a terminal's encoder would fail on them.
_CONTROLS: Final = re.compile("[\x00-\x20\x7f-\x9f\ud800-\udfff]+")
_TITLE: Final = re.compile(r"<title[^>]*>(.*?)</title>", re.DOTALL | re.IGNORECASE)

_WRONG_KEY: Final = re.compile(
    r"\b(?:incorrect|invalid|missing|wrong|expired|unknown|no)\s+(?:x-)?api[ _-]?key"
    r"|\bapi[ _-]?key\b[^.]{0,20}\b(?:not valid|invalid|incorrect|expired|missing|not found)",
    re.IGNORECASE,
)
_SPENT: Final = re.compile(
    r"exceeded your current quota|insufficient (?:credit|balance|funds|quota)"
    r"|credit balance is too low|(?:out of|no|not enough) credits?\b|spend(?:ing)? (?:limit|cap)",
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
    }
)
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
        "context_length_exceeded content_filter invalid_prompt failed_precondition",
        401: "authentication_error invalid_api_key unauthorized unauthenticated",
        402: "billing_error payment_required insufficient_quota",
        403: "permission_error permission_denied forbidden",
        404: "model_not_found not_found_error not_found",
        413: "request_too_large",
        429: "rate_limit_exceeded rate_limit_error rate_limited too_many_requests "
        "resource_exhausted tokens requests",
        529: "overloaded_error overloaded",
    }.items()
    for word in words.split()
}


@dataclass(frozen=True, slots=True)
class _Stated:
    message: str
    type: str | None
    code: str | None
    more: str = ""  # what an upstream provider said

    @property
    def words(self) -> frozenset[str]:
        return frozenset(
            word.lower().replace("-", "_") for word in (self.code, self.type) if word is not None
        )


def clean_message(text: str) -> str:
    """Make one harmless line of at most 500 characters for a terminal."""
    line = _CONTROLS.sub(" ", _ESCAPES.sub("", text)).strip()
    return line if len(line) <= MESSAGE_LIMIT else line[: MESSAGE_LIMIT - 1] + "…"


def classify_response(
    status: int, headers: Mapping[str, str], body: str, *, now: datetime | None = None
) -> ProviderError:
    """Turn a response that is no success into the error it stands for."""
    low = {name.lower(): value for name, value in headers.items()}
    parsed = _parse(body)
    stated = _stated(parsed)
    location = clean_message(low.get("location", ""))
    if not stated.message and 300 <= status < 400:
        to = f" to {location}" if location else ""
        stated = _Stated(
            f"HTTP {status}: redirected{to}; redirects are not followed, set base_url to the "
            "final address",
            None,
            None,
        )
    if not stated.message:
        stated = _Stated(_message_without_json(status, body), stated.type, stated.code)
    wait = stated_wait(low, parsed, f"{stated.message} {stated.more}", now or datetime.now(UTC))
    kind = _kind(status, stated, parsed, wait)
    if kind.retryable and low.get("x-should-retry", "").strip().lower() == "false":
        kind = RequestRejected
    return kind(
        clean_message(stated.message),
        http_status=status,
        error_type=stated.type,
        error_code=stated.code,
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
    stated = _stated(body)
    message = stated.message or "the provider reported an error without a message"
    wait = stated_wait({}, body, f"{message} {stated.more}", datetime.now(UTC))
    kind = _kind(_status_in(stated), stated, body, wait)
    return kind(
        clean_message(message),
        http_status=status,
        error_type=stated.type,
        error_code=stated.code,
        retry_after_s=wait,
        usage=usage,
    )


def _kind(status: int, stated: _Stated, body: object, wait: float | None) -> type[ProviderError]:
    words, message = stated.words, stated.message
    if status == 402 or words & _SPENT_CODES or _per_day(body):
        return QuotaExhausted
    # Google says "exceeded your current quota" for a limit per minute too, but then with a wait.
    if status in (403, 429) and wait is None and _SPENT.search(message):
        return QuotaExhausted
    if status == 403 and _FLAGGED.search(message):
        return RequestRejected  # this prompt is refused; the key is fine
    if status == 403 and _NO_ACCESS.search(message):
        return ModelNotFound  # this model is closed to the key; others may be open
    if status in (401, 403) or "invalid_api_key" in words:
        return AuthenticationFailed
    if 400 <= status < 500 and status != 429 and _WRONG_KEY.search(message):
        return AuthenticationFailed
    if status == 404 or (status == 400 and "model_not_found" in words):
        return ModelNotFound
    if status == 429:
        return RateLimited
    if status in (408, 409, 499) or status >= 500:
        return ServerFault
    return RequestRejected


def _status_in(stated: _Stated) -> int:
    if stated.code and re.fullmatch(r"[45]\d\d", stated.code):
        return int(stated.code)
    for word in (stated.code, stated.type):
        status = _STATUS_OF_WORD.get((word or "").lower().replace("-", "_"))
        if status is not None:
            return status
    return 400 if _TOO_LONG.search(stated.message) else 500


def _parse(body: str) -> object:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _stated(body: object) -> _Stated:
    if isinstance(body, list):  # Google's compatible endpoint wraps its error in a list
        body = body[0] if body else None
    whole = mapping(body)
    error = whole.get("error")
    inner = error if isinstance(error, dict) else whole
    message = error if isinstance(error, str) else _message(inner)
    upstream = mapping(inner.get("metadata")).get("raw")
    return _Stated(
        message=message,
        type=_word(inner.get("type")) or _word(inner.get("status")),
        code=_word(inner.get("code")),
        more=upstream if isinstance(upstream, str) else "",
    )


def _message(error: Json) -> str:
    for name in ("message", "detail", "msg", "error_description", "title"):
        value = error.get(name)
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, dict):
            return _message(value)
        if isinstance(value, list) and value:  # FastAPI: [{"loc": […], "msg": …}]
            return "; ".join(_validation(mapping(each)) for each in value[:5])
    return ""


def _validation(problem: Json) -> str:
    place = ".".join(str(each) for each in listing(problem.get("loc")))
    text = string(problem.get("msg")) or "invalid"
    return f"{place}: {text}" if place else text


def _word(value: object) -> str | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return clean_message(value) if isinstance(value, str) and value else None


def _per_day(body: object) -> bool:
    whole = mapping(listing(body)[0] if listing(body) else body)
    details = listing(mapping(whole.get("error")).get("details"))
    violations = [each for detail in details for each in listing(mapping(detail).get("violations"))]
    return any("PerDay" in str(mapping(each).get("quotaId")) for each in violations)


def _message_without_json(status: int, body: str) -> str:
    text = body.strip()
    if not text:
        return f"HTTP {status} with an empty body"
    if text.startswith("<"):
        title = _TITLE.search(text[:20_000])
        named = f" titled “{clean_message(title.group(1))[:100]}”" if title else ""
        return f"HTTP {status} with an HTML page{named}"
    if text[0] in "{[":
        return f"HTTP {status} without a message"
    return f"HTTP {status}: {text}"
