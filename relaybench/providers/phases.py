"""What a call is doing, guessed from its response as it comes in. Never fails."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from relaybench.providers.pieces import Json, listing, mapping
from relaybench.providers.protocol import Phase
from relaybench.providers.reading import is_event_stream
from relaybench.providers.sse import EventDecoder, ServerEvent

_THINKING: Final = ("reasoning", "reasoning_content", "reasoning_details")


class PhaseWatch:
    """Watches the pieces of a body; gives a phase whenever it changes."""

    def __init__(self, content_type: str) -> None:
        """Start before the first byte."""
        self.done = False  # whether [DONE] has come
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
            self.done = self.done or event.done
            for phase in _phases(event):
                phases += self._changed(phase)
        return phases

    def _changed(self, phase: Phase) -> list[Phase]:
        if phase is self._last:
            return []
        self._last = phase
        return [phase]


def _phases(event: ServerEvent) -> Iterator[Phase]:
    for choice in listing(_chunk(event).get("choices")):
        delta = mapping(mapping(choice).get("delta"))
        if any(delta.get(name) for name in _THINKING):
            yield Phase.THINKING
        for tool in listing(delta.get("executed_tools")):
            code = "code" in str(mapping(tool).get("type")) or mapping(tool).get("type") == "python"
            yield Phase.RUNNING_CODE if code else Phase.SEARCHING
        if delta.get("content") or delta.get("refusal"):
            yield Phase.ANSWERING


def _chunk(event: ServerEvent) -> Json:
    try:
        return mapping(json.loads(event.data))
    except (ValueError, RecursionError):
        return {}
