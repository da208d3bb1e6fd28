"""What a call is doing, guessed from its response as it comes in. Never fails."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from relaybench.providers.pieces import Json, listing, mapping
from relaybench.providers.protocol import Phase
from relaybench.providers.reading_shape import LAST_EVENTS, is_event_stream
from relaybench.providers.sse import EventDecoder, ServerEvent

_THINKING: Final = ("reasoning", "reasoning_content", "reasoning_details")
#: What stands in the name of an event, a block or an item, and what it says. The first counts.
_WORDS: Final = (
    ("queued", Phase.QUEUED),
    ("code", Phase.RUNNING_CODE),
    ("shell", Phase.RUNNING_CODE),
    ("search", Phase.SEARCHING),
    ("fetch", Phase.SEARCHING),
    ("thinking", Phase.THINKING),
    ("reasoning", Phase.THINKING),
    ("text", Phase.ANSWERING),
    ("refusal", Phase.ANSWERING),
)
#: Frequent events that say no more than the one that began their block: not worth parsing.
_SKIPPED: Final = ("content_block_delta", "content_block_stop", "ping")


class PhaseWatch:
    """Watches the pieces of a body; gives a phase whenever it changes."""

    def __init__(self, content_type: str) -> None:
        """Start before the first byte."""
        self.done = False  # whether the stream has said that it is at its end
        self._content_type = content_type
        self._decoder = EventDecoder()
        self._events: bool | None = None  # whether it is an event stream; None: not known yet
        self._last: Phase | None = None

    def feed(self, piece: bytes) -> list[Phase]:
        """Take the next bytes; give the phases that began with them."""
        if self._events is None and piece.strip():
            self._events = is_event_stream(piece, self._content_type)
        if self._events is False:
            return self._changed(Phase.ANSWERING)
        phases = []
        for event in self._decoder.feed(piece):
            for phase in self._phases(event):
                phases += self._changed(phase)
        return phases

    def _changed(self, phase: Phase) -> list[Phase]:
        if phase is self._last:
            return []
        self._last = phase
        return [phase]

    def _phases(self, event: ServerEvent) -> Iterator[Phase]:
        kind: object = event.name
        if kind in _SKIPPED:
            return
        chunk: Json = {}
        if not (event.name.startswith("response.") and event.name.endswith(".delta")):
            chunk = _chunk(event)
            kind = chunk.get("type", kind)
        self.done = self.done or event.done or kind in LAST_EVENTS
        if isinstance(kind, str) and kind.startswith("response."):
            item = mapping(chunk.get("item"))
            yield from _named(str(item.get("type")) if item else kind)
        elif kind == "content_block_start":
            block = mapping(chunk.get("content_block"))
            # A result is not news: it belongs to the call before it.
            yield from _named(str(block.get("name") or block.get("type")))
        else:
            yield from _in_chat(chunk)
            yield from _in_google(chunk)


def _named(name: str) -> Iterator[Phase]:
    found = next((phase for word, phase in _WORDS if word in name), None)
    if found is not None:
        yield found


def _in_chat(chunk: Json) -> Iterator[Phase]:
    for choice in listing(chunk.get("choices")):
        delta = mapping(mapping(choice).get("delta"))
        if any(delta.get(name) for name in _THINKING):
            yield Phase.THINKING
        for tool in listing(delta.get("executed_tools")):
            code = "code" in str(mapping(tool).get("type")) or mapping(tool).get("type") == "python"
            yield Phase.RUNNING_CODE if code else Phase.SEARCHING
        if delta.get("content") or delta.get("refusal"):
            yield Phase.ANSWERING


def _in_google(chunk: Json) -> Iterator[Phase]:
    for candidate in listing(chunk.get("candidates")):
        for each in listing(mapping(mapping(candidate).get("content")).get("parts")):
            part = mapping(each)
            if part.get("executableCode") or part.get("codeExecutionResult"):
                yield Phase.RUNNING_CODE
            elif part.get("toolCall") or part.get("toolResponse"):
                yield Phase.SEARCHING
            elif part.get("text"):
                yield Phase.THINKING if part.get("thought") is True else Phase.ANSWERING


def _chunk(event: ServerEvent) -> Json:
    try:
        return mapping(json.loads(event.data))
    except (ValueError, RecursionError):
        return {}
