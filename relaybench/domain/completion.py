"""What a provider's answer is, whatever its wire format: the one ``Completion`` for all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class StopReason(StrEnum):
    """Why the model stopped, in our words; the provider's own word is kept beside it."""

    END = "end"
    STOP_SEQUENCE = "stop_sequence"
    MAX_TOKENS = "max_tokens"  # output or context limit
    TOOL_USE = "tool_use"  # wants a tool that only the caller could run
    PAUSE = "pause"  # will go on when asked
    REFUSAL = "refusal"
    BLOCKED = "blocked"  # a safety system stopped prompt or answer
    LIMIT = "limit"  # our own cap on continuations or tools
    PENDING = "pending"
    OTHER = "other"  # a word we do not know: never scored in silence


def _plus(left: int | None, right: int | None) -> int | None:
    if left is None and right is None:
        return None
    return (left or 0) + (right or 0)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens in disjoint, additive buckets. None means not reported, never 0.

    ``input`` is fresh input at full price, ``cached_input`` was read from a cache,
    ``cache_write`` was written to one (``cache_write_1h`` names the part with the long
    lifetime), ``output`` includes thinking, of which ``reasoning`` names the part.
    ``unattributed`` is what the provider's stated total holds beyond its own parts
    (thinking that some endpoints forget to list); it is priced as output.
    """

    input: int | None = None
    cached_input: int | None = None
    cache_write: int | None = None
    output: int | None = None
    reasoning: int | None = None
    cache_write_1h: int | None = None
    unattributed: int | None = None

    def __add__(self, other: Usage) -> Usage:
        """Sum two usages bucket by bucket, as over the calls of one attempt."""
        return Usage(
            input=_plus(self.input, other.input),
            cached_input=_plus(self.cached_input, other.cached_input),
            cache_write=_plus(self.cache_write, other.cache_write),
            output=_plus(self.output, other.output),
            reasoning=_plus(self.reasoning, other.reasoning),
            cache_write_1h=_plus(self.cache_write_1h, other.cache_write_1h),
            unattributed=_plus(self.unattributed, other.unattributed),
        )

    @property
    def input_total(self) -> int | None:
        """All input tokens, cached or not; None where nothing was reported."""
        return _plus(_plus(self.input, self.cached_input), self.cache_write)


class PartKind(StrEnum):
    """What one part of a response is."""

    TEXT = "text"
    THINKING = "thinking"
    REFUSAL = "refusal"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a response, in order."""

    kind: PartKind
    text: str


@dataclass(frozen=True, slots=True)
class ToolEvent:
    """One use of a server tool: its kind, what it was asked, how it went."""

    kind: str
    detail: str = ""  # the query, address or code
    status: str = ""


@dataclass(frozen=True, slots=True)
class Completion:
    """One finished response.

    ``text`` is all visible text, ``answer_text`` the part of it that gives the answer (after
    the last server tool, or the final-answer phase); thinking is in neither.
    ``settings_sent`` is what the request really carried, ``request_json`` and ``response_raw``
    are request and response as they went over the wire, without secrets or headers.
    ``usage`` and ``tool_fees`` are those of this response alone; an attempt that took several
    turns has the sum of them. ``answer_text`` of a continued turn spans all its pieces.
    """

    text: str
    stop_reason: StopReason
    raw_stop_reason: str | None
    usage: Usage
    requested_model: str
    served_model: str | None = None
    answer_text: str | None = None
    parts: tuple[Part, ...] = ()
    refusal: str | None = None
    tool_events: tuple[ToolEvent, ...] = ()
    tool_fees: Mapping[str, int] = field(default_factory=dict)  # billed uses by tool
    response_id: str | None = None
    settings_sent: Mapping[str, object] = field(default_factory=dict)
    request_json: str = ""
    response_raw: str = ""
    http_status: int | None = None
    billed: bool = True  # False: the provider says that it does not charge for this response

    @property
    def final_text(self) -> str:
        """The visible text in which the answer is looked for."""
        return self.text if self.answer_text is None else self.answer_text

    @property
    def thinking(self) -> str:
        """All thinking text that the provider showed."""
        return "".join(part.text for part in self.parts if part.kind is PartKind.THINKING)


def wire_bytes(response_raw: str) -> bytes:
    """A stored response as the bytes that came (``response_raw`` holds them reversibly)."""
    return response_raw.encode("utf-8", "surrogateescape")


def wire_text(body: bytes) -> str:
    """Bytes that came as text, so that ``wire_bytes`` gives them back exactly."""
    return body.decode("utf-8", "surrogateescape")


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier response of an attempt that is not its last, and what follows on it.

    ``response_raw`` is the response byte for byte (surrogateescape), from which an adapter builds
    what it replays. ``nudge`` is what the user says next; None: nothing is said, the model goes
    on with a turn that it paused.
    """

    response_raw: str
    nudge: str | None = None


@dataclass(frozen=True, slots=True)
class Trail:
    """How far an attempt has come without its final response: what the next call goes on from.

    ``handle`` names work that is under way at the provider for it, None where none is.
    """

    turns: tuple[Turn, ...] = ()
    handle: str | None = None
