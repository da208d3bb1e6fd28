"""The simulated model over Anthropic's Messages API: reads requests, writes messages. Pure.

A turn that goes on must come back block by block as it was sent, with the container in which its
code ran; whatever differs is refused and named, as the real API would.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from relaybench.domain.completion import Usage
from relaybench.providers.pieces import Json, listing, mapping
from relaybench.providers.simulated_anthropic_blocks import blocks_of, events_of, searches_in
from relaybench.providers.simulated_exchange import (
    EVENT_STREAM,
    JSON,
    Objection,
    Reply,
    difference,
    digest_of,
    event,
)
from relaybench.providers.simulated_script import Deed, End, Piece, Scene, tokens_before, turn_of

_NAMES: Final = {"web_search": Deed.SEARCH, "web_fetch": Deed.FETCH, "code_execution": Deed.CODE}
_STOPS: Final = {
    End.DONE: "end_turn",
    End.PAUSED: "pause_turn",
    End.CUT_OFF: "max_tokens",
    End.REFUSED: "refusal",
    End.BLOCKED: "refusal",
}
_RULES: Final = 3  # tokens of a round that are neither read nor written


def prompt_in(body: Json) -> str:
    """The prompt of a request: what the user said first."""
    return _said(body)[0]


def tools_in(body: Json) -> frozenset[Deed]:
    """The server tools that a request allows."""
    names = [mapping(tool).get("name") for tool in listing(body.get("tools"))]
    return frozenset(_NAMES[str(name)] for name in names if name in _NAMES)


def reply(body: Json, scene: Scene) -> Reply:
    """The response to a request; raises Objection for one that goes on wrongly."""
    talk = _Talk(body, scene)
    turn, number = talk.place()
    piece = turn_of(scene, turn)[number]
    blocks = talk.blocks(piece, turn)
    stop: dict[str, object] = {
        "stop_reason": _STOPS[piece.end],
        "stop_sequence": None,
        "stop_details": None,
    }
    if piece.end in (End.REFUSED, End.BLOCKED):
        said = piece.refusal or "The answer was stopped."
        stop["stop_details"] = {"type": "refusal", "category": "cyber", "explanation": said}
    container = talk.container() if talk.ran_code(turn, number + 1) else None
    usage, first = talk.usage(turn, piece)
    head: dict[str, object] = {
        "model": scene.model,
        "id": f"msg_{digest_of(scene.model, scene.cell, turn, number)[:24]}",
        "type": "message",
        "role": "assistant",
    }
    fetches = sum(step.deed is Deed.FETCH for step in piece.steps)
    uses = {"web_search": searches_in(blocks), "web_fetch": fetches}
    fees = {name: number for name, number in uses.items() if number}
    stated = _stated(usage, uses)
    charged = piece.end is not End.REFUSED
    if body.get("stream"):
        start = {**head, "content": [], "stop_reason": None, "stop_sequence": None}
        end: dict[str, object] = {**stop, **({"container": container} if container else {})}
        events = events_of({**start, "usage": first}, blocks, end, stated)
        content = "".join(map(event, events)).encode("utf-8", "surrogatepass")
        return Reply(content, EVENT_STREAM, usage, fees, charged, turn, number)
    message = {**head, "content": blocks, **stop, "container": container}
    content = json.dumps({**message, "usage": {**first, **stated}}).encode()
    return Reply(content, JSON, usage, fees, charged, turn, number)


@dataclass(frozen=True, slots=True)
class _Talk:
    """A conversation as a request tells it, held against what was really said."""

    body: Json
    scene: Scene

    def place(self) -> tuple[int, int]:
        """Which turn is asked for (nudges so far) and which piece of it."""
        turn, said, number = -1, False, 0
        for message in listing(self.body.get("messages")):
            if mapping(message).get("role") == "user":
                if turn >= 0 and not said and self._told(turn):
                    raise Objection(f"messages: what was answered in turn {turn} is missing")
                turn, said, number = turn + 1, False, 0
                continue
            given = [mapping(block) for block in listing(mapping(message).get("content"))]
            number, said = self._given(turn, given), True
        pieces = turn_of(self.scene, max(turn, 0))
        if turn < 0 or number >= len(pieces):
            raise Objection("messages: the conversation must end with a user message")
        if number and self.ran_code(turn, number):
            self._check_container()
        return turn, number

    def _given(self, turn: int, given: list[Json]) -> int:
        """How many pieces of a turn came back."""
        wrong = ""
        for number in range(1, len(turn_of(self.scene, turn)) + 1):
            wrong = difference(self._told(turn, number), given)
            if not wrong:
                return number
        raise Objection(f"messages: the assistant's turn {turn} was changed: {wrong}")

    def _told(self, turn: int, number: int | None = None) -> list[Json]:
        blocks: list[Json] = []
        for piece in turn_of(self.scene, turn)[:number]:
            blocks += self.blocks(piece, turn)
        # The API takes no blank texts back.
        return [b for b in blocks if b["type"] != "text" or str(b["text"]).strip()]

    def _check_container(self) -> None:
        wanted, got = self.container()["id"], self.body.get("container")
        if got != wanted:
            raise Objection(f"container: the code of this turn ran in {wanted}, not in {got}")

    def container(self) -> dict[str, object]:
        """Where the conversation's code runs."""
        name = digest_of("container", self.scene.model, self.scene.cell)[:24]
        return {"id": f"container_{name}", "expires_at": "2026-12-31T00:00:00Z"}

    def ran_code(self, turn: int, number: int) -> bool:
        """Whether code was run by the time that so many pieces of a turn were given."""
        turns = [turn_of(self.scene, each) for each in range(turn)]
        pieces = [piece for each in turns for piece in each]
        pieces += turn_of(self.scene, turn)[:number]
        return any(step.deed is Deed.CODE for piece in pieces for step in piece.steps)

    def usage(self, turn: int, piece: Piece) -> tuple[Usage, dict[str, object]]:
        """What a piece uses in all, and what its first round does (as the message's start says)."""
        before = tokens_before(self.scene, turn, piece.number)
        contexts = piece.contexts(before)
        mark = mapping(self.body.get("cache_control"))
        hour = mark.get("ttl") == "1h"
        marked = bool(mark) and piece.end is not End.REFUSED
        # What an earlier piece of the turn wrote is read at once.
        held = before if marked and piece.number else 0
        read = write = 0
        fresh = sum(contexts)
        if marked and hour:
            # An hour is only written once: how a stream splits later writes is not stated.
            write = before - held
            read = before * (len(contexts) - 1) + held
            fresh = sum(contexts) - write - read
        elif marked:
            write = contexts[-1] - held
            read = sum(contexts[:-1]) + held
            fresh = _RULES * len(contexts)
        refused = piece.end is End.REFUSED
        usage = Usage(
            input=fresh,
            cached_input=read,
            cache_write=write,
            output=0 if refused else piece.output_tokens,
            reasoning=0 if refused else piece.thought_tokens,
            cache_write_1h=write if hour else 0,
        )
        written = before - held if marked else 0
        split = {
            "ephemeral_5m_input_tokens": 0 if hour else written,
            "ephemeral_1h_input_tokens": written if hour else 0,
        }
        first: dict[str, object] = {
            "input_tokens": (0 if hour else _RULES) if marked else before,
            "cache_creation_input_tokens": written,
            "cache_read_input_tokens": held,
            "cache_creation": split,
            "output_tokens": 1,
            "service_tier": "standard",
        }
        return usage, first

    def blocks(self, piece: Piece, turn: int) -> list[Json]:
        """The content blocks of a piece."""
        name = digest_of(self.scene.model, self.scene.cell, turn, piece.number)
        return blocks_of(piece, name, mapping(self.body.get("thinking")))


def _stated(usage: Usage, uses: Mapping[str, int]) -> dict[str, object]:
    return {
        "input_tokens": usage.input,
        "cache_creation_input_tokens": usage.cache_write,
        "cache_read_input_tokens": usage.cached_input,
        "output_tokens": usage.output,
        "output_tokens_details": {"thinking_tokens": usage.reasoning},
        "server_tool_use": {f"{name}_requests": number for name, number in uses.items()},
    }


def _said(body: Json) -> list[str]:
    """What the user said, in order; the prompt is the first."""
    said: list[str] = []
    for message in listing(body.get("messages")):
        if mapping(message).get("role") != "user":
            continue
        content = mapping(message).get("content")
        texts = [mapping(block).get("text") for block in listing(content)]
        said.append(content if isinstance(content, str) else "".join(map(str, texts)))
    return said or [""]
