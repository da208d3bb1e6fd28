"""The messages of a request that goes on from earlier turns of its attempt. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from relaybench.domain.completion import Turn, wire_bytes
from relaybench.providers.bodies import body_of
from relaybench.providers.pieces import Json, listing, mapping, string

_THINKING: Final = ("thinking", "redacted_thinking")


@dataclass(frozen=True, slots=True)
class Said:
    """An earlier response as a whole body, and what the user said next (None: a pause)."""

    body: Json
    nudge: str | None


def said_before(earlier: Sequence[Turn]) -> tuple[Said, ...]:
    """Read the attempt's earlier turns."""
    return tuple(Said(body_of(wire_bytes(turn.response_raw)), turn.nudge) for turn in earlier)


def messages_of(prompt: str, earlier: Sequence[Said]) -> list[dict[str, object]]:
    """The prompt, what the model answered, what was said on that, and so on.

    Blocks go back as they came, unknown ones too, but for those that the API refuses in an
    assistant turn. Turns that were paused and gone on with are one message, as they are for the
    model. A turn without blocks has no message: an empty one is refused, and two messages of the
    user in a row count as one.
    """
    messages: list[dict[str, object]] = [{"role": "user", "content": prompt}]
    blocks: list[Json] = []
    for said in earlier:
        blocks += _blocks(said.body)
        if said.nudge is not None:
            messages += _assistant(_closed(blocks))
            messages.append({"role": "user", "content": said.nudge})
            blocks = []
    return messages + _assistant(_sendable(blocks))


def container_of(earlier: Sequence[Said]) -> str | None:
    """The container in which the attempt's code ran last; None where none did."""
    ids = [string(mapping(said.body.get("container")).get("id")) for said in earlier]
    return next((each for each in reversed(ids) if each is not None), None)


def blocks_of_turn(earlier: Sequence[Said], body: Json) -> list[Json]:
    """All blocks of the turn that this body ends, with those before its pauses."""
    pieces = [_blocks(body)]
    for said in reversed(earlier):
        if said.nudge is not None:
            break
        pieces.append(_blocks(said.body))
    return [block for piece in reversed(pieces) for block in piece]


def _blocks(body: Json) -> list[Json]:
    return [mapping(block) for block in listing(body.get("content"))]


def _assistant(blocks: Sequence[Json]) -> list[dict[str, object]]:
    return [{"role": "assistant", "content": list(blocks)}] if blocks else []


def _sendable(blocks: Sequence[Json]) -> list[Json]:
    """Without blank texts ("must contain non-whitespace text") and thinking that was cut off.

    Thinking is only taken back with its signature, which is the last that comes of it.
    """
    return [block for block in blocks if not (_blank(block) or _unsigned(block))]


def _closed(blocks: Sequence[Json]) -> list[Json]:
    """A turn on which the user speaks: no call may be open in it, nor may it end in thinking."""
    answered = {string(block.get("tool_use_id")) for block in blocks}
    dropped = {string(block.get("id")) for block in blocks if _is_call(block)} - answered
    for block in blocks:  # calls that were made from within a call which is dropped
        if string(mapping(block.get("caller")).get("tool_id")) in dropped and _is_call(block):
            dropped.add(string(block.get("id")))
    kept = [
        block
        for block in _sendable(blocks)
        if not (_is_call(block) and string(block.get("id")) in dropped)
        and not ("tool_use_id" in block and string(block["tool_use_id"]) in dropped)
    ]
    while kept and kept[-1].get("type") in _THINKING:
        kept.pop()
    return kept


def _is_call(block: Json) -> bool:
    return str(block.get("type")).endswith("tool_use")


def _blank(block: Json) -> bool:
    return block.get("type") == "text" and not (string(block.get("text")) or "").strip()


def _unsigned(block: Json) -> bool:
    return block.get("type") == "thinking" and not string(block.get("signature"))
