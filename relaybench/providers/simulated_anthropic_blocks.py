"""Content blocks and events of Anthropic's Messages API, made from the steps of a piece. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from relaybench.providers.pieces import Json, listing, string
from relaybench.providers.simulated_exchange import digest_of, in_deltas
from relaybench.providers.simulated_script import Deed, End, Piece, Step


def blocks_of(piece: Piece, name: str, thinking: Json) -> list[Json]:
    """The content blocks of a piece; ``name`` makes their ids, ``thinking`` is what was asked."""
    searched = any(step.deed is Deed.SEARCH for step in piece.steps)
    blocks: list[Json] = []
    for place, step in enumerate(piece.steps):
        own = digest_of(name, place)[:24]
        last = place == len(piece.steps) - 1
        cited = searched and last and piece.end is End.DONE
        blocks += _step(step, own, thinking, cited=cited)
    return blocks


def searches_in(blocks: Sequence[Json]) -> int:
    """How many searches are billed: those that found something."""
    return sum(
        block["type"] == "web_search_tool_result" and isinstance(block["content"], list)
        for block in blocks
    )


def events_of(start: Json, blocks: list[Json], end: Json, stated: Json) -> Iterator[Json]:
    """The events of a whole message; ``stated`` is its usage in the end."""
    yield {"type": "message_start", "message": start}
    for index, block in enumerate(blocks):
        opening, deltas = _opened(block)
        yield {"type": "content_block_start", "index": index, "content_block": opening}
        if index == 0:
            yield {"type": "ping"}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    yield {"type": "message_delta", "delta": end, "usage": stated}
    yield {"type": "message_stop"}


def _step(step: Step, name: str, thinking: Json, *, cited: bool) -> Iterator[Json]:
    match step.deed:
        case Deed.THINK:
            if thinking and thinking.get("type") != "disabled":
                shown = "" if thinking.get("display") == "omitted" else step.text
                yield {"type": "thinking", "thinking": shown, "signature": f"sig{name}"}
        case Deed.SAY if cited:
            yield from _cited(step.text, name)
        case Deed.SAY:
            yield {"type": "text", "text": step.text}
        case _:
            yield from _tool(step, f"srvtoolu_{name}")


def _tool(step: Step, name: str) -> Iterator[Json]:
    asked, tool, kind = _USED[step.deed]
    yield {"type": "server_tool_use", "id": name, "name": tool, "input": {asked: step.text}}
    content: object
    if step.deed is Deed.CODE:
        content = {"stdout": step.result, "stderr": "", "return_code": 0, "content": []}
        content = {"type": "bash_code_execution_result", **content}
    elif step.deed is Deed.FETCH:
        source = {"type": "text", "media_type": "text/plain", "data": step.result}
        page = {"type": "document", "source": source, "title": "A made-up page"}
        content = {"type": "web_fetch_result", "url": step.text, "content": page}
    elif name.endswith("0"):
        content = {"type": "web_search_tool_result_error", "error_code": "unavailable"}
    else:
        found = {"title": "A made-up page", "url": "https://example.org/found", "page_age": None}
        content = [{"type": "web_search_result", **found, "encrypted_content": f"enc{name}"}]
    yield {"type": kind, "tool_use_id": name, "content": content}


_USED: Final[Mapping[Deed, tuple[str, str, str]]] = {
    Deed.SEARCH: ("query", "web_search", "web_search_tool_result"),
    Deed.FETCH: ("url", "web_fetch", "web_fetch_tool_result"),
    Deed.CODE: ("command", "bash_code_execution", "bash_code_execution_tool_result"),
}


def _cited(text: str, name: str) -> Iterator[Json]:
    """A text in three blocks, as a citation in the middle cuts it."""
    third = len(text) // 3
    cuts = [text[:third], text[third : 2 * third], text[2 * third :]]
    if not all(cut.strip() for cut in cuts):  # a blank block could not be sent back
        cuts = [text]
    place = {"url": "https://example.org/found", "title": "A made-up page"}
    citation = {"type": "web_search_result_location", "cited_text": "The value", **place}
    for number, cut in enumerate(cuts):
        cited = [{**citation, "encrypted_index": f"idx{name}"}]
        yield {"type": "text", "text": cut, **({"citations": cited} if number == 1 else {})}


def _opened(block: Json) -> tuple[Json, list[Json]]:
    """A block as it is opened, and the deltas that fill it."""
    deltas: list[Json] = []
    match block["type"]:
        case "text":
            opening = {"type": "text", "text": ""}
            if "citations" in block:
                opening = {"citations": [], **opening}  # type: ignore[dict-item]
                cited = listing(block["citations"])
                deltas += [{"type": "citations_delta", "citation": each} for each in cited]
            text = str(block["text"])
            deltas += [{"type": "text_delta", "text": part} for part in in_deltas(text)]
            return opening, deltas
        case "thinking":
            text = string(block["thinking"]) or ""
            deltas += [{"type": "thinking_delta", "thinking": part} for part in in_deltas(text)]
            deltas.append({"type": "signature_delta", "signature": block["signature"]})
            return {"type": "thinking", "thinking": "", "signature": ""}, deltas
        case "server_tool_use":
            asked = json.dumps(block["input"], ensure_ascii=False)
            parts = ["", *in_deltas(asked, 11)]
            deltas += [{"type": "input_json_delta", "partial_json": part} for part in parts]
            return {**block, "input": {}}, deltas
    return block, []
