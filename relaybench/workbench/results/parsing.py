"""Read a response that was saved somewhere: what relaybench makes of it. Sends nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from relaybench.domain.completion import Completion, StopReason, ToolEvent, Usage, wire_text
from relaybench.domain.errors import ProviderError
from relaybench.providers.classify import classify_response
from relaybench.providers.reading import Outcome, read_outcome
from relaybench.providers.reading_batch import (
    BatchLine,
    BatchState,
    batch_lines,
    batch_state,
    only_object,
)
from relaybench.providers.retry_after import stated_wait

#: Providers by the name that the command takes, and the wire format of each.
WIRES: Final = {
    "anthropic": "anthropic",
    "openai": "responses",
    "google": "google",
    "compatible": "chat",
}
#: Kinds that stand for an answer, or for a wait for one.
_GOOD: Final = ("answer", "pending", "batch_status")
#: The searches that Google's metadata names are queries, not calls.
_NAMES: Final = {"google_search": "google_search_queries"}


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a saved body is.

    ``kind`` is answer, pending, stream_error (``completion`` has what came), failed, error,
    batch_status (``batch``) or batch_results (``results``, with the id of each request).
    ``wire`` is the format that the body was read as, None where that is not clear.
    """

    kind: str
    completion: Completion | None = None
    error: ProviderError | None = None
    batch: BatchState | None = None
    wire: str | None = None
    results: tuple[tuple[str, Parsed], ...] = ()

    @property
    def good(self) -> bool:
        """Whether everything in it is an answer, or on its way to one."""
        if self.kind == "batch_results":
            return all(result.good for _, result in self.results)
        return self.kind in _GOOD


def parse_body(
    raw: bytes,
    provider: str,
    status: int | None = None,
    headers: Mapping[str, str] | None = None,
) -> Parsed:
    """Read the body of a response of ``provider`` (a name in ``WIRES``). Never raises.

    Without the HTTP ``status`` an error is known by its look.
    """
    low = {name.lower(): value for name, value in (headers or {}).items()}
    if status is not None and not 200 <= status < 300:
        text = wire_text(raw)
        return Parsed("error", error=classify_response(status, low, text))
    state = batch_state(only_object(raw))
    if state is not None:
        return Parsed("batch_status", batch=state)
    lines = batch_lines(raw)
    if lines is not None:
        return Parsed("batch_results", results=tuple(_result(line, provider) for line in lines))
    outcome = read_outcome(
        raw, low.get("content-type"), wire=WIRES.get(provider), http_status=status
    )
    if outcome.error is not None and outcome.error.retry_after_s is None:
        outcome.error.retry_after_s = stated_wait(low, None, "", datetime.now(UTC))
    return _parsed(outcome)


def _result(line: BatchLine, provider: str) -> tuple[str, Parsed]:
    if line.error is not None or line.body is None:
        return line.id, Parsed("error", error=line.error)
    return line.id, _parsed(read_outcome(line.body, wire=WIRES.get(provider)))


def _parsed(outcome: Outcome) -> Parsed:
    completion, error = outcome.completion, outcome.error
    if error is None:
        waiting = completion is not None and completion.stop_reason is StopReason.PENDING
        return Parsed("pending" if waiting else "answer", completion, wire=outcome.wire)
    kind = "error"
    if outcome.streamed:
        kind = "stream_error"
    elif completion is not None and completion.raw_stop_reason in ("failed", "cancelled"):
        kind = "failed"
    return Parsed(kind, completion, error, wire=outcome.wire)


def looks_like(parsed: Parsed, provider: str) -> str | None:
    """Whose response it plainly is where that is not ``provider``; None where it fits.

    Servers behind ``compatible`` answer in the form of chat completions or of Responses.
    """
    fitting = ("chat", "responses") if provider == "compatible" else (WIRES.get(provider),)
    if parsed.wire is None or parsed.wire in fitting:
        return None
    return next(name for name, wire in WIRES.items() if wire == parsed.wire)


def as_json(parsed: Parsed) -> dict[str, object]:
    """The reading as plain values; ``usage`` in disjoint buckets, None where not stated."""
    if parsed.kind == "batch_results":
        results = [{"id": name, **as_json(each)} for name, each in parsed.results]
        return {"kind": parsed.kind, "results": results}
    completion, error = parsed.completion, parsed.error
    usage = (completion.usage if completion else None) or (error.usage if error else None)
    events = completion.tool_events if completion else ()
    refusal = completion.refusal if completion else None
    said: dict[str, object] = {
        "kind": parsed.kind,
        "text": completion.text if completion else "",
        "answer_text": completion.final_text if completion else "",
        "stop_reason": _stop(parsed),
        "raw_stop_reason": completion.raw_stop_reason if completion else None,
        "refusal": completion is not None and _refused(completion),
        "refusal_text": refusal,
        "model": completion.served_model if completion else None,
        "usage": _usage(usage or Usage()),
        "tools": dict(Counter(_name(event) for event in events)),
        "tool_events": [
            {"kind": _name(event), "detail": event.detail, "status": event.status}
            for event in events
        ],
        "tool_fees": dict(completion.tool_fees) if completion else {},
        "billed": completion.billed if completion else None,
        "error": _error(error) if error else None,
    }
    if parsed.batch is not None:
        batch = parsed.batch
        said["batch"] = {"status": batch.status, "done": batch.done, "counts": dict(batch.counts)}
    return said


def _refused(completion: Completion) -> bool:
    stopped = completion.stop_reason in (StopReason.REFUSAL, StopReason.BLOCKED)
    return stopped or completion.refusal is not None


def _stop(parsed: Parsed) -> str | None:
    if parsed.error is not None:
        return "error"
    return None if parsed.completion is None else parsed.completion.stop_reason.value


def _name(event: ToolEvent) -> str:
    return _NAMES.get(event.kind, event.kind)


def _usage(usage: Usage) -> dict[str, int | None]:
    return {
        "input": usage.input,
        "cached_input": usage.cached_input,
        "cache_write": usage.cache_write,
        "output": usage.output,
        "reasoning": usage.reasoning,
        "cache_write_1h": usage.cache_write_1h,
        "unattributed": usage.unattributed,
    }


def _error(error: ProviderError) -> dict[str, object]:
    return {
        "kind": error.kind,
        "retryable": error.retryable,
        "retry_after_s": error.retry_after_s,
        "message": str(error),
    }
