"""What the body of a failed response says, in whatever shape. Pure."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Final

from relaybench.providers.pieces import Json, listing, mapping, string

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


@dataclass(frozen=True, slots=True)
class ErrorBody:
    """Message and words of an error; empty or None where the body has none."""

    message: str
    type: str | None
    code: str | None
    more: str = ""  # what an upstream provider said
    reasons: tuple[str, ...] = ()  # further words, of Google's ErrorInfo or Azure's innererror
    categories: tuple[str, ...] = ()  # for which a filter refused it

    @property
    def words(self) -> frozenset[str]:
        """All words by which the body names the error, lower case with underscores."""
        named = (self.code, self.type, *self.reasons)
        return frozenset(word.lower().replace("-", "_") for word in named if word is not None)


def clean_message(text: str) -> str:
    """Make one harmless line of at most 500 characters for a terminal."""
    line = _CONTROLS.sub(" ", _ESCAPES.sub("", text)).strip()
    return line if len(line) <= MESSAGE_LIMIT else line[: MESSAGE_LIMIT - 1] + "…"


def parse(body: str) -> object:
    """Read JSON; None for what is none."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def read_error(body: object) -> ErrorBody:
    """Read an error object in any of the shapes that servers give it."""
    if isinstance(body, list):  # Google's compatible endpoint wraps its error in a list
        body = body[0] if body else None
    whole = mapping(body)
    error = whole.get("error")
    inner = error if isinstance(error, dict) else whole
    message = error if isinstance(error, str) else _message(inner)
    upstream = mapping(inner.get("metadata")).get("raw")
    details = inner.get("details")
    within = mapping(inner.get("innererror"))
    reasons = [_word(mapping(detail).get("reason")) for detail in listing(details)]
    reasons.append(_word(within.get("code")))
    return ErrorBody(
        message=message,
        type=_word(inner.get("type")) or _word(inner.get("status")),
        # Anthropic names the cause in details.error_code, OpenAI and Google in code.
        code=_word(mapping(details).get("error_code")) or _word(inner.get("code")),
        more=upstream if isinstance(upstream, str) else "",
        reasons=tuple(reason for reason in reasons if reason),
        categories=_categories(inner, within),
    )


def _categories(error: Json, within: Json) -> tuple[str, ...]:
    # OpenRouter lists them, Azure says of each whether it was the one.
    listed = listing(mapping(error.get("metadata")).get("reasons"))
    judged = mapping(within.get("content_filter_result") or within.get("content_filter_results"))
    hit = [name for name, each in judged.items() if mapping(each).get("filtered") is True]
    return tuple(clean_message(each) for each in (*listed, *hit) if isinstance(each, str))


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


def per_day(body: object) -> bool:
    """Whether Google names a quota per day as used up."""
    whole = mapping(listing(body)[0] if listing(body) else body)
    details = listing(mapping(whole.get("error")).get("details"))
    violations = [each for detail in details for each in listing(mapping(detail).get("violations"))]
    return any("PerDay" in str(mapping(each).get("quotaId")) for each in violations)


def message_without_json(status: int, body: str) -> str:
    """What can be said of a body that names no error."""
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
