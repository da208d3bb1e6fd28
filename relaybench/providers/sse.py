"""Server-sent events, decoded from bytes as they come in.

Written against the WHATWG event-stream grammar, not against ``str.splitlines``: only LF, CRLF and
CR end a line, so that U+2028 or U+0085 inside a JSON string stays where it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_LINE_END: Final = re.compile(rb"\r\n|\n|\r")
_BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One event: its data lines joined by LF, and its name where the stream gave one."""

    data: str
    name: str = "message"

    @property
    def done(self) -> bool:
        """Whether this is the ``[DONE]`` that ends a stream of chat chunks."""
        return self.data.strip() == "[DONE]"


class EventDecoder:
    """Decodes a stream piece by piece; how it is cut into pieces makes no difference."""

    def __init__(self) -> None:
        """Start at the beginning of a stream."""
        self._rest: list[bytes] = []  # of a line that has not ended yet
        self._skip_lf = False
        self._first_line = True
        self._data: list[str] = []
        self._name = ""

    def feed(self, chunk: bytes) -> list[ServerEvent]:
        """Take the next bytes; give the events that are complete by now."""
        if not chunk:
            return []
        if self._skip_lf and chunk.startswith(b"\n"):
            chunk = chunk[1:]
        # A CR at the end of a piece ends its line at once; an LF that follows belongs to it.
        # An empty piece (that LF alone) leaves nothing to wait for.
        self._skip_lf = chunk.endswith(b"\r")
        first, *more = _LINE_END.split(chunk)
        self._rest.append(first)
        if not more:
            return []
        lines = [b"".join(self._rest), *more[:-1]]
        self._rest = [more[-1]]
        events = [self._line(line) for line in lines]
        return [event for event in events if event is not None]

    def finish(self) -> ServerEvent | None:
        """End the stream; give the last event where it lacks the blank line that completes it.

        The grammar throws such an event away; some servers end without a last blank line, so
        that the caller must decide whether it is whole.
        """
        rest, self._rest = b"".join(self._rest), []
        if rest:
            self._line(rest)
        return self._dispatch()

    def _line(self, raw: bytes) -> ServerEvent | None:
        if self._first_line:
            self._first_line = False
            raw = raw.removeprefix(_BOM)
        if not raw:
            return self._dispatch()
        # Line ends are ASCII, so a line always holds whole UTF-8 characters.
        name, _, value = raw.decode("utf-8", "replace").partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._name = value
        return None  # a comment (empty name), id, retry, or an unknown field

    def _dispatch(self) -> ServerEvent | None:
        data, name = "\n".join(self._data), self._name
        self._data, self._name = [], ""
        return ServerEvent(data, name or "message") if data else None


def read_events(body: bytes) -> tuple[list[ServerEvent], ServerEvent | None]:
    """Decode a whole body: its complete events, and what stands incomplete at its end."""
    decoder = EventDecoder()
    return decoder.feed(body), decoder.finish()


def looks_like_events(body: bytes) -> bool:
    """Whether a body begins as an event stream does (comment or known field)."""
    start = body.removeprefix(_BOM).lstrip(b" \t\r\n")[:8]
    return start.startswith((b":", b"data:", b"event:", b"id:", b"retry:"))
