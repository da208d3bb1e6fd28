"""Read bodies in the shape of OpenAI's Responses API, which other vendors serve too. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from relaybench.domain.completion import Part, PartKind, StopReason, ToolEvent, Usage
from relaybench.domain.errors import BackgroundLost, MalformedResponse, ProviderError
from relaybench.providers.buckets import fees_of, surcharges_of, usage_of
from relaybench.providers.classify import classify_error
from relaybench.providers.pieces import (
    Json,
    Reading,
    count,
    listing,
    mapping,
    merge_parts,
    need_list,
    need_mapping,
    need_text,
    string,
)
from relaybench.providers.reading_responses_stream import ENDED

_INCOMPLETE: Final = {
    "max_output_tokens": StopReason.MAX_TOKENS,
    "content_filter": StopReason.BLOCKED,
}
_PENDING: Final = frozenset({"queued", "in_progress"})
#: Calls that only the client could run; every other item named …_call ran at the server.
_CLIENT_CALLS: Final = frozenset(
    ["function_call", "custom_tool_call", "computer_call", "local_shell_call", "apply_patch_call"]
)
#: Items that wait for something that only the client could do.
_WAITING: Final = _CLIENT_CALLS | {"mcp_approval_request"}
_ASKED: Final = ("query", "url", "pattern", "code", "input", "arguments")
#: Calls that run in a container, which is charged.
_IN_CONTAINER: Final = frozenset({"code_interpreter_call", "shell_call"})
#: Codes of a failed response that say that a safety system stopped it.
_POLICY: Final = re.compile(r"polic(?:y|ies)|safety|content_filter")
_FLAGGED: Final = re.compile(r"\bpolic(?:y|ies)\b|\bflagged\b|\bsafety\b", re.IGNORECASE)


def failure_of_response(body: Json) -> ProviderError | None:
    """The error with which a response failed; None where it did not, or where it was blocked."""
    error = body.get("error")
    if (error or body.get("status") == "failed") and _block(body) is None:
        return classify_error({"error": error or "the response failed"}, usage=_usage(body))
    if body.get("status") == "cancelled":
        return BackgroundLost("the response was cancelled at the provider", usage=_usage(body))
    return None


def read_responses_body(body: Json) -> Reading:
    """Read a Responses body, also one that failed or is not at its end.

    Raises MalformedResponse that names the field.
    """
    usage = _usage(body)
    status = string(body.get("status"))
    output = [] if body.get("output") is None else need_list(body["output"], "output")
    items = [need_mapping(item, "output[]") for item in output]
    if not items and status not in {*_PENDING, *ENDED}:
        raise MalformedResponse("output is missing", usage=usage)
    blocked = _block(body)
    said = [part for item in items for part in _item_parts(item)]
    parts = merge_parts([*said, Part(PartKind.REFUSAL, blocked or "")])
    stop, raw = _stop(body, items, parts)
    return Reading(
        parts=parts,
        stop_reason=stop,
        raw_stop_reason=raw,
        usage=usage or Usage(),
        answer_text=_answer_text(items, completed=status == "completed"),
        served_model=string(body.get("model")),
        response_id=string(body.get("id")),
        tool_events=tuple(event for item in items for event in _tool_events(item)),
        tool_fees=_fees(body, items),
    )


def _block(body: Json) -> str | None:
    """What is said of a response that failed because a safety system stopped it."""
    error = mapping(body.get("error"))
    code, message = string(error.get("code")) or "", string(error.get("message")) or ""
    flagged = code == "invalid_prompt" and _FLAGGED.search(message) is not None
    if body.get("status") == "failed" and (flagged or _POLICY.search(code)):
        return f"{code}: {message}" if message else code
    return None


def _item_parts(item: Json) -> Iterable[Part]:
    match item.get("type"):
        case "message":
            for each in _contents(item):
                text = need_text(each.get("text"), "output[].content[].text")
                yield Part(PartKind.TEXT, text)
                yield Part(PartKind.REFUSAL, string(each.get("refusal")) or "")
        case "reasoning":
            # The thinking as such where the vendor shows it, else its summary.
            shown = listing(item.get("content")) or listing(item.get("summary"))
            for thought in shown:
                yield Part(PartKind.THINKING, string(mapping(thought).get("text")) or "")
        case _ if _is_server_tool(item):
            yield Part(PartKind.TOOL, _tool_name(item))


def _contents(item: Json) -> list[Json]:
    content = item.get("content")
    if content is None:
        return []
    found = need_list(content, "output[].content")
    return [need_mapping(each, "output[].content[]") for each in found]


def _message_text(items: Iterable[Json]) -> str:
    parts = [part for item in items for part in _item_parts(item)]
    return "".join(part.text for part in parts if part.kind is PartKind.TEXT)


def _answer_text(items: Sequence[Json], *, completed: bool) -> str | None:
    final = [item for item in items if item.get("phase") == "final_answer"]
    if final:
        return _message_text(final)
    others = [item for item in items if item.get("phase") != "commentary"]
    last = max((place for place, item in enumerate(others) if _is_server_tool(item)), default=-1)
    answer, whole = _message_text(others[last + 1 :]), _message_text(others)
    # A tool used after the last word leaves nothing behind it: then all of it counts.
    answer = whole if completed and not answer else answer
    return None if answer == _message_text(items) else answer


def _is_server_tool(item: Json) -> bool:
    kind = item.get("type")
    return isinstance(kind, str) and kind.endswith("_call") and kind not in _CLIENT_CALLS


def _tool_name(item: Json) -> str:
    return str(item.get("type")).removesuffix("_call")


def _tool_events(item: Json) -> Iterable[ToolEvent]:
    if not _is_server_tool(item):
        return
    action = item.get("action")
    asked = action if isinstance(action, dict) else item
    queries = [query for query in listing(asked.get("queries")) if isinstance(query, str)]
    detail = "; ".join(queries) or next((t for n in _ASKED if (t := string(asked.get(n)))), "")
    yield ToolEvent(_tool_name(item), detail, string(item.get("status")) or "")


def _stop(
    body: Json, items: Sequence[Json], parts: Sequence[Part]
) -> tuple[StopReason, str | None]:
    status = string(body.get("status"))
    raw, stop = status, StopReason.OTHER
    if _block(body) is not None:
        return StopReason.BLOCKED, f"{status}:{mapping(body.get('error')).get('code')}"
    if status == "incomplete":
        reason = string(mapping(body.get("incomplete_details")).get("reason"))
        raw = f"{status}:{reason}" if reason else status
        stop = _INCOMPLETE.get(reason or "", StopReason.OTHER)
    elif status in _PENDING:
        stop = StopReason.PENDING
    elif status == "completed":
        stop = StopReason.END
        if any(string(item.get("type")) in _WAITING for item in items):
            stop = StopReason.TOOL_USE
    if stop is not StopReason.BLOCKED and any(part.kind is PartKind.REFUSAL for part in parts):
        stop = StopReason.REFUSAL
    return stop, raw


def _usage(body: Json) -> Usage | None:
    stated = body.get("usage")
    return usage_of(stated) if isinstance(stated, dict) and stated else None


def _fees(body: Json, items: Sequence[Json]) -> dict[str, int]:
    stated = mapping(body.get("usage"))
    fees = {**fees_of(stated), **surcharges_of(stated, body)}
    searches = count(mapping(mapping(body.get("tool_usage")).get("web_search")).get("num_requests"))
    if searches:
        fees["web_search"] = searches
    containers = {_container(item) for item in items} - {None}
    if containers:
        fees["container"] = len(containers)
    return fees


def _container(item: Json) -> str | None:
    kind = item.get("type")
    if not isinstance(kind, str) or kind not in _IN_CONTAINER:
        return None
    place = mapping(item.get("environment"))
    return string(item.get("container_id")) or string(place.get("container_id"))
