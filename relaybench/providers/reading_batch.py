"""Read what the batch APIs give: the state of a batch, and the lines of its results. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from relaybench.domain.errors import MalformedResponse, ProviderError, ServerFault
from relaybench.providers.classify import classify_error, classify_response, has_error
from relaybench.providers.pieces import Json, count, listing, mapping, string

_DONE: Final = (
    "ended",
    "completed",
    "failed",
    "expired",
    "cancelled",
    "succeeded",
    "partially_succeeded",
)
#: Ends of a single request that nobody answered: it was not charged and can be sent again.
_UNANSWERED: Final = ("canceled", "cancelled", "expired")


@dataclass(frozen=True, slots=True)
class BatchState:
    """How far a batch has come: the provider's word, whether it is at its end, and its counts."""

    status: str
    done: bool
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class BatchLine:
    """One line of a batch's results: the body of its response, or why there is none."""

    id: str
    body: bytes | None
    error: ProviderError | None = None


def batch_state(body: Json) -> BatchState | None:
    """Read a batch object of any provider; None where the body is none."""
    if body.get("type") == "message_batch":
        return _state(body.get("processing_status"), body.get("request_counts"))
    if body.get("object") == "batch":
        return _state(body.get("status"), body.get("request_counts"))
    name, about = body.get("name"), mapping(body.get("metadata"))
    status = about.get("state") or body.get("state")
    if isinstance(name, str) and "atch" in name and isinstance(status, str):
        counts = about.get("batchStats") or body.get("batchStats") or body.get("completionStats")
        return _state(status, counts)
    return None


def batch_lines(raw: bytes) -> list[BatchLine] | None:
    """Read the results of a batch, one JSON object a line; None where the body is none.

    A line that cannot be read is a MalformedResponse of its own.
    """
    lines = [line for line in raw.decode("utf-8", "replace").split("\n") if line.strip()]
    read = [_object(line) for line in lines]
    known = [_is_result(line) for line in read]
    if not any(known):
        return None
    return [_line(number, line) for number, line in enumerate(read, 1)]


def _state(status: object, counts: object) -> BatchState:
    word = str(status)
    short = word.lower().removeprefix("job_state_").removeprefix("batch_state_")
    numbers = {
        name: number
        for name, each in mapping(counts).items()
        if (number := count(int(each) if isinstance(each, str) and each.isdecimal() else each))
        is not None
    }
    return BatchState(word, short in _DONE, numbers)


def _object(line: str) -> Json:
    try:
        return mapping(json.loads(line))
    except (ValueError, RecursionError):
        return {}


def _is_result(line: Json) -> bool:
    named = "custom_id" in line or "key" in line or "key" in mapping(line.get("metadata"))
    return named and any(name in line for name in ("result", "response", "error"))


def _line(number: int, line: Json) -> BatchLine:
    if not line:
        return BatchLine(f"line {number}", None, MalformedResponse("the line is no JSON object"))
    key = line.get("custom_id") or line.get("key") or mapping(line.get("metadata")).get("key")
    name = str(key) if key is not None else f"line {number}"
    # Anthropic: result.message or .error. OpenAI: response.body, or error. Google: response.
    result, response = mapping(line.get("result")), mapping(line.get("response"))
    status = count(response.get("status_code"))
    body = result.get("message") or response.get("body") or (response if not status else None)
    word = string(result.get("type")) or ""
    if word in _UNANSWERED:
        return BatchLine(name, None, ServerFault(f"the request was {word} before it was answered"))
    failed = result.get("error") or (None if body else line.get("error"))
    if failed:
        inner = failed if has_error(mapping(failed)) else {"error": failed}
        return BatchLine(name, None, classify_error(mapping(inner)))
    said = json.dumps(body if body else {}).encode()
    if status is not None and status >= 400:
        return BatchLine(name, said, classify_response(status, {}, said.decode()))
    return BatchLine(name, said)


def only_object(raw: bytes) -> Json:
    """The object that a body is; empty where it is none."""
    try:
        value = json.loads(raw.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return {}
    return mapping(listing(value)[0] if len(listing(value)) == 1 else value)
