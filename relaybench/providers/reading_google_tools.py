"""Server tools in a response of Google's generateContent: their uses, and what is charged. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from relaybench.domain.completion import ToolEvent
from relaybench.domain.tool_fees import charged_per_prompt
from relaybench.providers.pieces import Json, listing, mapping, string
from relaybench.providers.reading_google_chunks import entries, field, metadata

_TOOL_PARTS: Final = ("executableCode", "codeExecutionResult", "toolCall", "toolResponse")
CODE: Final = "code_execution"
SEARCH: Final = "google_search"
URL: Final = "url_context"

_OUTCOMES: Final = [
    "OUTCOME_UNSPECIFIED",
    "OUTCOME_OK",
    "OUTCOME_FAILED",
    "OUTCOME_DEADLINE_EXCEEDED",
]
_RETRIEVALS: Final = [
    "URL_RETRIEVAL_STATUS_UNSPECIFIED",
    "URL_RETRIEVAL_STATUS_SUCCESS",
    "URL_RETRIEVAL_STATUS_ERROR",
    "URL_RETRIEVAL_STATUS_PAYWALL",
    "URL_RETRIEVAL_STATUS_UNSAFE",
]


def enum_word(value: object, words: Sequence[str]) -> str | None:
    """The word of an enum that comes as word, as number, or as ``FinishReason.STOP``."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int):
        return words[value] if 0 <= value < len(words) else str(value)
    return string(value.rpartition(".")[2]) if isinstance(value, str) else str(value)[:100]


def of_tool(piece: Json) -> bool:
    """Whether a part belongs to a tool that Google runs; one with text never does."""
    return not piece.get("text") and any(field(piece, name) is not None for name in _TOOL_PARTS)


def tool_kind(piece: Json) -> str | None:
    """Which server tool a part calls; None for any other part."""
    if field(piece, "executableCode") is not None:
        return CODE
    call = field(piece, "toolCall")
    if call is None:
        return None
    name = enum_word(field(mapping(call), "toolType"), ())
    return f"toolCall:{name}" if name else "toolCall"


def google_tool_events(tools: Sequence[Json], candidate: Json) -> tuple[ToolEvent, ...]:
    """Calls in the order of the parts, then what the grounding and page metadata name.

    ``tools`` are the parts of tools. A search that has one is named in the metadata too.
    """
    searches = [ToolEvent(SEARCH, query) for query in _queries(candidate)]
    return (*_calls(tools), *searches, *_pages(candidate))


def google_fees(tools: Sequence[Json], candidate: Json, model: str) -> dict[str, int]:
    """Uses that are charged on top of tokens: searches by query or by prompt, and maps."""
    fees: dict[str, int] = {}
    queries = {*_queries(candidate), *_called_queries(tools)}
    if queries:
        fees |= {f"{SEARCH}_prompt": 1} if charged_per_prompt(model) else {SEARCH: len(queries)}
    grounding = metadata(candidate, "groundingMetadata")
    if any(chunk.get("maps") is not None for chunk in entries(grounding, "groundingChunks")):
        fees["google_maps"] = 1
    return fees


def _queries(candidate: Json) -> list[str]:
    """Distinct queries that are not empty, in order."""
    queries = listing(field(metadata(candidate, "groundingMetadata"), "webSearchQueries"))
    return list(dict.fromkeys(query for query in queries if isinstance(query, str) and query))


def _called_queries(pieces: Iterable[Json]) -> Iterable[str]:
    for piece in pieces:
        if (tool_kind(piece) or "").startswith("toolCall:GOOGLE_SEARCH"):
            arguments = mapping(mapping(field(piece, "toolCall")).get("args"))
            yield from (q for q in listing(arguments.get("queries")) if isinstance(q, str) and q)


def _pages(candidate: Json) -> Iterable[ToolEvent]:
    pages: dict[str, ToolEvent] = {}
    for page in entries(metadata(candidate, "urlContextMetadata"), "urlMetadata"):
        url = string(field(page, "retrievedUrl")) or ""
        status = enum_word(field(page, "urlRetrievalStatus"), _RETRIEVALS) or ""
        pages[url] = ToolEvent(URL, url, status)
    return pages.values()


def _calls(pieces: Sequence[Json]) -> list[ToolEvent]:
    events: list[ToolEvent] = []
    waiting: list[tuple[str, int]] = []  # codes without a result yet: id, and place in events
    answered = {
        str(mapping(response).get("id"))
        for piece in pieces
        if (response := field(piece, "toolResponse")) is not None
    }
    for piece in pieces:
        kind = tool_kind(piece)
        result = field(piece, "codeExecutionResult")
        if kind == CODE:
            code = mapping(field(piece, "executableCode"))
            waiting.append((str(code.get("id")), len(events)))
            events.append(ToolEvent(CODE, string(code.get("code")) or ""))
        elif kind is not None:
            call = mapping(field(piece, "toolCall"))
            status = "completed" if str(call.get("id")) in answered else ""
            events.append(ToolEvent(kind, _asked(mapping(call.get("args"))), status))
        elif result is not None and waiting:
            given = mapping(result)
            name = str(given.get("id"))
            which = next((each for each in waiting if each[0] == name), waiting[0])
            waiting.remove(which)
            outcome = enum_word(given.get("outcome"), _OUTCOMES) or ""
            code_event = events[which[1]]
            events[which[1]] = ToolEvent(CODE, code_event.detail, outcome)
    return events


def _asked(arguments: Json) -> str:
    for name in ("queries", "urls"):
        several = [each for each in listing(arguments.get(name)) if isinstance(each, str)]
        if several:
            return "; ".join(several)
    return next((text for n in ("query", "url") if (text := string(arguments.get(n)))), "")
