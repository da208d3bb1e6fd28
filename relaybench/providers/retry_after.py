"""How long a provider asks to wait, wherever it says so.

Moments are counted from the response's own ``Date``: a wrong clock on this machine must make
neither an hour nor nothing of a wait of ten seconds.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from relaybench.providers.pieces import Json, count, listing, mapping

#: A stated wait is honoured up to a day; what is further off is a slip or a quota of its own.
LONGEST_S: Final = 86_400.0

_UNITS: Final = {"d": 86_400.0, "h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_NUMBER: Final = r"\d{1,9}(?:\.\d{1,9})?"
_UNIT_WORDS: Final = (
    r"(?:ms|milliseconds?|days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)(?![a-z])"
)
_TERM: Final = re.compile(rf"({_NUMBER})\s*({_UNIT_WORDS}|(?:d|h|m|s)(?=\d))", re.IGNORECASE)
_TERMS: Final = rf"(?:{_NUMBER}\s*(?:{_UNIT_WORDS}|(?:d|h|m|s)(?=\d))\s*(?:and\s+|,\s*)?)+"
_IN_TEXT: Final = re.compile(
    r"(?:(?:try again|retry|wait|available|resets?)(?:\s+(?:again|in|after|for|at least|about))+"
    rf"|\bwait)\s+({_TERMS})",
    re.IGNORECASE,
)
_QUOTED_HEADER: Final = re.compile(rf"\bretry-after:?\s+({_NUMBER})(?![\w.]|\s*ms)", re.IGNORECASE)
_UNTIL: Final = re.compile(
    r"\b(?:again|retry|available|resets?)\s+(?:at|after|on)\s+"
    r"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:?\d\d)?)"
)
_DURATION: Final = re.compile(_TERMS, re.IGNORECASE)
#: anthropic-ratelimit-tokens-remaining, x-ratelimit-remaining-tokens, x-ratelimit-remaining.
_REMAINING: Final = re.compile(r"(?P<head>.*ratelimit-(?:.+-)?)remaining(?P<tail>(?:-.+)?)")
#: Bare numbers above these are moments in seconds or milliseconds since 1970, not waits.
_EPOCH_S: Final = 1e9
_EPOCH_MS: Final = 1e12


def stated_wait(
    headers: Mapping[str, str], body: object, message: str, now: datetime
) -> float | None:
    """Seconds to wait by header, else by RetryInfo in the body, else by the message's words.

    ``headers`` has lower-case names, ``now`` is aware. None where nothing is said.
    """
    there = _their_now(headers, now)
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return _bounded(milliseconds / 1000)
    # A repeated header is joined by commas; a date has one of its own.
    stated = headers.get("retry-after", "")
    first = stated.partition(",")[0].strip()
    waits = (_wait(stated, there), _wait(first, there), *_retry_infos(body), *_fields(body))
    for wait in waits:
        if wait is not None:
            return _bounded(wait)
    return wait_in_text(message, there)


def reset_wait(headers: Mapping[str, str], body: object, now: datetime) -> float | None:
    """Seconds until the last of the used-up limits that a response names is open again.

    ``headers`` has lower-case names; a gateway may quote those of the provider behind it in the
    body. None where no limit stands at 0.
    """
    there = _their_now(headers, now)
    waits = [
        wait
        for each in (headers, _quoted_headers(body))
        for wait in _used_up(each, there)
        if wait is not None
    ]
    return _bounded(max(waits)) if waits else None


def wait_in_text(message: str, now: datetime | None = None) -> float | None:
    """Read "try again in 6m0s", "retry after 20 seconds" and the like; a moment against ``now``."""
    text = message[:4000]
    if found := _IN_TEXT.search(text):
        return _bounded(_duration(found.group(1)))
    if found := _QUOTED_HEADER.search(text):
        return _bounded(float(found.group(1)))
    until = _UNTIL.search(text)
    moment = _moment(until.group(1)) if until else None
    return None if moment is None or now is None else _bounded((moment - now).total_seconds())


def _bounded(seconds: float) -> float:
    return min(max(0.0, seconds), LONGEST_S)


def _their_now(headers: Mapping[str, str], now: datetime) -> datetime:
    return _moment(headers.get("date", "")) or now


def _wait(value: str, now: datetime) -> float | None:
    """Read a wait: bare seconds, a duration such as 6m0s, or a moment in any usual notation."""
    number = _number(value)
    if number is not None:
        if number < _EPOCH_S:
            return number
        return number / (1000 if number >= _EPOCH_MS else 1) - now.timestamp()
    if _DURATION.fullmatch(value.strip()):
        return _duration(value)
    moment = _moment(value)
    return None if moment is None else (moment - now).total_seconds()


def _used_up(headers: Mapping[str, str], now: datetime) -> Iterator[float | None]:
    for name, value in headers.items():
        named = _REMAINING.fullmatch(name)
        left = _number(value) if named else None
        if named and left is not None and left <= 0:
            yield _wait(headers.get(f"{named['head']}reset{named['tail']}", ""), now)


def _quoted_headers(body: object) -> dict[str, str]:
    quoted = mapping(mapping(_error(body).get("metadata")).get("headers"))
    return {name.lower(): str(value) for name, value in quoted.items()}


def _number(value: str) -> float | None:
    try:
        number = float(value)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _moment(value: str) -> datetime | None:
    try:
        iso = value[:4].isdigit()
        when = datetime.fromisoformat(value) if iso else parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    return when if when.tzinfo is not None else when.replace(tzinfo=UTC)


def _error(body: object) -> Json:
    whole = mapping(listing(body)[0] if listing(body) else body)
    return mapping(whole.get("error"))


def _fields(body: object) -> Iterator[float | None]:
    error = _error(body)
    whole = mapping(listing(body)[0] if listing(body) else body)
    about = mapping(error.get("metadata"))
    names = ("retry_after", "retry_after_seconds", "estimated_time")  # the last: Hugging Face
    for value in (place.get(name) for place in (error, about, whole) for name in names):
        if isinstance(value, str):
            value = _number(value)
        if isinstance(value, int | float) and not isinstance(value, bool) and value < _EPOCH_S:
            yield float(value) if math.isfinite(value) else None


def _retry_infos(body: object) -> Iterator[float | None]:
    # google.rpc.RetryInfo, in error.details of Google's own and of its compatible endpoint.
    for detail in listing(_error(body).get("details")):
        delay = mapping(detail).get("retryDelay") or mapping(detail).get("retry_delay")
        if isinstance(delay, str):
            yield _duration(delay) if _TERM.search(delay) else None
        elif isinstance(delay, dict):
            yield float((count(delay.get("seconds")) or 0) + (count(delay.get("nanos")) or 0) / 1e9)


def _duration(text: str) -> float:
    total = 0.0
    for number, unit in _TERM.findall(text):
        low = unit.lower()
        short = "ms" if low.startswith(("ms", "milli")) else low[0]
        total += float(number) * _UNITS[short]
    return total
