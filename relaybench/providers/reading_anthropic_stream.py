"""Put the events of an Anthropic stream together to the message they stand for. Pure.

What is missing of a stream is missing in the message: without a ``message_delta`` that says so it
has no stop reason. Events, blocks and deltas of kinds that are not known do no harm.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final

from relaybench.providers.pieces import Json, listing, mapping, need_mapping, need_text

#: Deltas that bring more text: the field they add to, and the type of its block.
_TEXTS: Final = {
    "text_delta": ("text", "text"),
    "thinking_delta": ("thinking", "thinking"),
}


def assemble_message(events: Iterable[Json]) -> dict[str, object]:
    """The message that a call without streaming would have returned, as far as it came.

    Raises MalformedResponse that names the field.
    """
    message: dict[str, object] = {"type": "message", "role": "assistant", "content": []}
    usage: dict[str, object] = {}
    blocks: dict[int, _Block] = {}
    for event in events:
        match event.get("type"):
            case "message_start":
                head = need_mapping(event.get("message"), "message")
                message |= head
                _update(usage, head.get("usage"))
            case "content_block_start":
                start = need_mapping(event.get("content_block"), "content_block")
                blocks[_index(event, len(blocks))] = _Block(start)
            case "content_block_delta":
                index = _index(event, max(blocks, default=0))
                delta = need_mapping(event.get("delta"), "delta")
                blocks.setdefault(index, _Block({})).add(delta)
            case "message_delta":
                _update(message, event.get("delta"))
                _update(usage, event.get("usage"))
    begun = listing(message.get("content"))
    message["content"] = [*begun, *(blocks[index].whole() for index in sorted(blocks))]
    message.setdefault("stop_reason", None)
    if usage:
        message["usage"] = usage
    return message


def _index(event: Json, default: int) -> int:
    index = event.get("index")
    return index if isinstance(index, int) else default


def _update(known: dict[str, object], more: object) -> None:
    # Counts are cumulative: the last that was stated wins, key by key.
    known.update((key, value) for key, value in mapping(more).items() if value is not None)


class _Block:
    """One content block as it grows."""

    def __init__(self, start: Json) -> None:
        self._start = dict(start)
        self._texts: dict[str, list[str]] = {}
        self._json: list[str] = []
        self._citations: list[object] = []

    def add(self, delta: Json) -> None:
        """Take a delta; one of a kind that is not known changes nothing."""
        kind = delta.get("type")
        if isinstance(kind, str) and kind in _TEXTS:
            name, block = _TEXTS[kind]
            self._start.setdefault("type", block)  # its start may have been lost
            self._texts.setdefault(name, []).append(need_text(delta.get(name), f"delta.{name}"))
        elif kind == "input_json_delta":
            self._json.append(need_text(delta.get("partial_json"), "delta.partial_json"))
        elif kind == "signature_delta":
            self._start["signature"] = delta.get("signature")
        elif kind == "citations_delta" and delta.get("citation") is not None:
            self._citations.append(delta["citation"])

    def whole(self) -> dict[str, object]:
        """The block as it stands."""
        block = self._start
        for name, texts in self._texts.items():
            first = block.get(name)
            block[name] = (first if isinstance(first, str) else "") + "".join(texts)
        if self._citations:
            block["citations"] = [*listing(block.get("citations")), *self._citations]
        said = "".join(self._json)
        if said:
            try:
                block["input"] = json.loads(said)
            except (ValueError, RecursionError):
                block["input"] = said  # cut in the middle of it: as far as it came
        return block
