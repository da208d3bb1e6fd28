"""How long a provider asks to wait, wherever it says so."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from relaybench.providers.pieces import count, listing, mapping

_UNITS: Final = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_NUMBER: Final = r"\d{1,9}(?:\.\d{1,9})?"
_UNIT_WORDS: Final = (
    r"(?:ms|milliseconds?|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)(?![a-z])"
)
_TERM: Final = re.compile(rf"({_NUMBER})\s*({_UNIT_WORDS}|(?:h|m|s)(?=\d))", re.IGNORECASE)
_IN_TEXT: Final = re.compile(
    rf"(?:try again|retry|wait)(?:\s+(?:again|in|after|for|at least|about))+\s+"
    rf"((?:{_NUMBER}\s*(?:{_UNIT_WORDS}|(?:h|m|s)(?=\d))\s*(?:and\s+|,\s*)?)+)",
    re.IGNORECASE,
)


def stated_wait(
    headers: Mapping[str, str], body: object, message: str, now: datetime
) -> float | None:
    """Seconds to wait by header, else by RetryInfo in the body, else by the message's words.

    ``headers`` has lower-case names, ``now`` is aware. None where nothing is said.
    """
    milliseconds = _seconds(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    for wait in (_from_header(headers.get("retry-after", ""), now), *_retry_infos(body)):
        if wait is not None:
            return wait
    return wait_in_text(message)


def wait_in_text(message: str) -> float | None:
    """Read "try again in 6m0s", "retry after 20 seconds" and the like."""
    found = _IN_TEXT.search(message[:4000])
    return _duration(found.group(1)) if found else None


def _from_header(value: str, now: datetime) -> float | None:
    seconds = _seconds(value)
    if seconds is not None or not value.strip():
        return seconds
    try:
        when = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max(0.0, (when - now).total_seconds())


def _seconds(value: str) -> float | None:
    try:
        seconds = float(value)
    except ValueError:
        return None
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _retry_infos(body: object) -> Iterator[float | None]:
    # google.rpc.RetryInfo, in error.details of Google's own and of its compatible endpoint.
    whole = mapping(listing(body)[0] if listing(body) else body)
    for detail in listing(mapping(whole.get("error")).get("details")):
        delay = mapping(detail).get("retryDelay")
        if isinstance(delay, str):
            yield _duration(delay)
        elif isinstance(delay, dict):
            yield float((count(delay.get("seconds")) or 0) + (count(delay.get("nanos")) or 0) / 1e9)


def _duration(text: str) -> float | None:
    terms = _TERM.findall(text)
    if not terms:
        return None
    total = 0.0
    for number, unit in terms:
        low = unit.lower()
        short = "ms" if low.startswith(("ms", "milli")) else low[0]
        total += float(number) * _UNITS[short]
    return total
