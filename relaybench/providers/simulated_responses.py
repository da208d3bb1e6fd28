"""The simulated model over OpenAI's Responses API: reads requests, writes responses. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from relaybench.domain.completion import Usage
from relaybench.providers.pieces import Json, listing, mapping
from relaybench.providers.simulated_exchange import (
    CREATED,
    EVENT_STREAM,
    JSON,
    Objection,
    Reply,
    difference,
    digest_of,
    event,
)
from relaybench.providers.simulated_model import dice_of
from relaybench.providers.simulated_responses_items import events_of_item, items_of
from relaybench.providers.simulated_script import Deed, End, Piece, Scene, tokens_before, turn_of

_NAMES: Final = {"web_search": Deed.SEARCH, "code_interpreter": Deed.CODE}
#: How the API counts prompts for its cache: whole blocks, from a least length on.
_BLOCK: Final = 128
_LEAST: Final = 1024


def prompt_in(body: Json) -> str:
    """The prompt of a request: what the user said first."""
    asked = body.get("input")
    if isinstance(asked, str):
        return asked
    return next(iter(_user_texts(body)), "")


def tools_in(body: Json) -> frozenset[Deed]:
    """The server tools that a request allows."""
    kinds = [mapping(tool).get("type") for tool in listing(body.get("tools"))]
    return frozenset(_NAMES[str(kind)] for kind in kinds if kind in _NAMES)


def reply(body: Json, scene: Scene) -> Reply:
    """The response to a request, whole; raises Objection for one that goes on wrongly."""
    talk = Talk(body, scene)
    turn = talk.turn()
    whole = talk.response(turn)
    if body.get("stream"):
        content = "".join(map(event, _events(whole))).encode("utf-8", "surrogatepass")
        return Reply(content, EVENT_STREAM, talk.usage(turn), talk.fees(turn), turn=turn)
    content = json.dumps(whole).encode()
    return Reply(content, JSON, talk.usage(turn), talk.fees(turn), turn=turn)


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation as a request tells it, held against what was really said."""

    body: Json
    scene: Scene

    def turn(self) -> int:
        """Which turn is asked for: how many nudges there are so far."""
        turn, given = -1, []
        for item in map(mapping, listing(self.body.get("input"))):
            if item.get("role") != "user":
                given.append(_bare(item))
                continue
            if turn >= 0:
                told = [_bare(each) for each in self.items(turn)]
                if wrong := difference(told, given):
                    raise Objection(f"input: the items of turn {turn} were changed: {wrong}")
            turn, given = turn + 1, []
        if given:
            raise Objection("input: the conversation must end with a user message")
        return max(turn, 0)

    def items(self, turn: int) -> list[Json]:
        """The output items of a turn."""
        name = digest_of(self.scene.model, self.scene.cell, turn)
        return items_of(self._piece(turn), name, self.body)

    def response(self, turn: int, *, status: str = "", number: int = 0) -> dict[str, object]:
        """The response object, or one that is still under way where ``status`` says so."""
        end = self._piece(turn).end
        incomplete = {End.CUT_OFF: "max_output_tokens", End.BLOCKED: "content_filter"}.get(end)
        done = not status
        searches = self.fees(turn).get("web_search", 0)
        return {
            "id": self.response_id(turn, number),
            "object": "response",
            "created_at": CREATED,
            "status": status or ("incomplete" if incomplete else "completed"),
            "background": bool(self.body.get("background")),
            "error": None,
            "incomplete_details": {"reason": incomplete} if done and incomplete else None,
            "instructions": self.body.get("instructions"),
            "max_output_tokens": self.body.get("max_output_tokens"),
            "model": self.scene.model,
            "output": self.items(turn) if done else [],
            "parallel_tool_calls": True,
            "previous_response_id": None,
            "reasoning": self.body.get("reasoning") or {"effort": None, "summary": None},
            "service_tier": "default",
            "store": bool(self.body.get("store")),
            "tools": self.body.get("tools") or [],
            "tool_usage": {"web_search": {"num_requests": searches}} if done else None,
            "usage": self._stated(turn) if done else None,
            "metadata": {},
        }

    def response_id(self, turn: int, number: int = 0) -> str:
        """The response's id, which tells its prompt and turn to a simulator that knows neither."""
        return f"resp_{prompt_name(self.scene.prompt)}_{turn}_{number}"

    def usage(self, turn: int) -> Usage:
        """What a turn uses in all its rounds."""
        piece = self._piece(turn)
        before = tokens_before(self.scene, turn, 0)
        contexts = piece.contexts(before)
        dice = dice_of("cache", self.scene.temper.seed, self.scene.model, self.scene.cell, turn)
        writes = dice.random() < 0.5 and before >= _LEAST
        write = before // _BLOCK * _BLOCK if writes else 0
        cached = sum(context // _BLOCK * _BLOCK for context in contexts[:-1] if context >= _LEAST)
        return Usage(
            input=sum(contexts) - cached - write,
            cached_input=cached,
            cache_write=write,
            output=piece.output_tokens,
            reasoning=piece.thought_tokens,
        )

    def fees(self, turn: int) -> dict[str, int]:
        """Billed uses: searches, and a container of its size."""
        deeds = [step.deed for step in self._piece(turn).steps]
        fees = {"web_search": deeds.count(Deed.SEARCH)} if Deed.SEARCH in deeds else {}
        if Deed.CODE in deeds:
            fees[f"container_{self._memory()}"] = 1
        return fees

    def _memory(self) -> object:
        for tool in map(mapping, listing(self.body.get("tools"))):
            if tool.get("type") == "code_interpreter":
                return mapping(tool.get("container")).get("memory_limit") or "1g"
        return "1g"

    def _piece(self, turn: int) -> Piece:
        (piece,) = turn_of(self.scene, turn)
        return piece

    def _stated(self, turn: int) -> dict[str, object]:
        usage = self.usage(turn)
        total = usage.input_total or 0
        output = usage.output or 0
        into = {"cached_tokens": usage.cached_input, "cache_write_tokens": usage.cache_write}
        return {
            "input_tokens": total,
            "input_tokens_details": into,
            "output_tokens": output,
            "output_tokens_details": {"reasoning_tokens": usage.reasoning},
            "total_tokens": total + output,
        }


def prompt_name(prompt: str) -> str:
    """What a prompt is called in the ids of its responses."""
    return digest_of("prompt", prompt)[:24]


def _bare(item: Json) -> Json:
    """An item as it may come back: ids may be dropped, and a status that is null."""
    return {name: value for name, value in item.items() if name not in ("id", "status")}


def _user_texts(body: Json) -> Iterator[str]:
    for item in map(mapping, listing(body.get("input"))):
        if item.get("role") == "user":
            content = item.get("content")
            texts = [mapping(part).get("text") for part in listing(content)]
            yield content if isinstance(content, str) else "".join(map(str, texts))


def _events(whole: Mapping[str, object]) -> Iterator[dict[str, object]]:
    begun = {**whole, "status": "in_progress", "output": [], "usage": None}
    begun["incomplete_details"] = begun["tool_usage"] = None
    bodies: list[dict[str, object]] = [
        {"type": "response.created", "response": begun},
        {"type": "response.in_progress", "response": begun},
    ]
    for index, item in enumerate(listing(whole["output"])):
        bodies += events_of_item(mapping(item), index)
    bodies.append({"type": f"response.{whole['status']}", "response": whole})
    for number, body in enumerate(bodies):
        yield {"type": body["type"], "sequence_number": number, **body}
