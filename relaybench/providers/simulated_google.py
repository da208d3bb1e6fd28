"""The simulated model over Google's generateContent: reads requests, writes responses. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from relaybench.domain.completion import Usage
from relaybench.providers.pieces import Json, listing, mapping
from relaybench.providers.simulated_exchange import (
    EVENT_STREAM,
    JSON,
    Objection,
    Reply,
    difference,
    digest_of,
    event,
    in_deltas,
)
from relaybench.providers.simulated_model import dice_of
from relaybench.providers.simulated_script import (
    Deed,
    End,
    Piece,
    Scene,
    Step,
    tokens_before,
    turn_of,
)

_NAMES: Final = {
    "googleSearch": Deed.SEARCH,
    "urlContext": Deed.FETCH,
    "codeExecution": Deed.CODE,
}
_STOPS: Final = {
    End.DONE: "STOP",
    End.PAUSED: "CONTINUATION",
    End.CUT_OFF: "MAX_TOKENS",
    End.BLOCKED: "SAFETY",
}
_CHUNK: Final = 160  # characters of text in one chunk
_BLOCK: Final = 128
_LEAST: Final = 1024


def prompt_in(body: Json) -> str:
    """The prompt of a request: what the user said first."""
    return next((_text(content) for content in _contents(body)), "")


def tools_in(body: Json) -> frozenset[Deed]:
    """The server tools that a request allows."""
    tools = [mapping(tool) for tool in listing(body.get("tools"))]
    return frozenset(deed for name, deed in _NAMES.items() if any(name in tool for tool in tools))


def reply(body: Json, scene: Scene, *, stream: bool) -> Reply:
    """The response to a request; raises Objection for one that goes on wrongly."""
    talk = _Talk(body, scene)
    turn, number = talk.place()
    piece = turn_of(scene, turn)[number]
    usage, stated = talk.usage(turn, piece)
    head = {
        "modelVersion": scene.model,
        "responseId": digest_of(scene.model, scene.cell, turn, number)[:22],
    }
    queries = sorted({step.text for step in piece.steps if step.deed is Deed.SEARCH})
    fees = {"google_search": len(queries)} if queries else {}
    if piece.end is End.REFUSED:
        refused = {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}
        chunks: list[Json] = [{**refused, "usageMetadata": stated, **head}]
    else:
        last: dict[str, object] = {"finishReason": _STOPS[piece.end], "index": 0}
        if piece.end is End.PAUSED:
            last["continuationToken"] = talk.token(turn, number + 1)
        last |= _grounding(piece, queries)
        chunks = _chunks(talk.parts(turn, piece), last, stated)
        chunks = [{**chunk, **head} for chunk in chunks]
    if stream:
        content = "".join(event(chunk, named=False) for chunk in chunks)
        raw = content.encode("utf-8", "surrogatepass")
        return Reply(raw, EVENT_STREAM, usage, fees, True, turn, number)
    whole = dict(chunks[-1])
    if piece.end is not End.REFUSED:
        content_of = {"role": "model", "parts": talk.parts(turn, piece)}
        whole["candidates"] = [{**mapping(listing(whole["candidates"])[0]), "content": content_of}]
    return Reply(json.dumps(whole).encode(), JSON, usage, fees, True, turn, number)


@dataclass(frozen=True, slots=True)
class _Talk:
    """A conversation as a request tells it, held against what was really said."""

    body: Json
    scene: Scene

    def place(self) -> tuple[int, int]:
        """Which turn is asked for (nudges so far) and which piece of it."""
        turn, given = -1, None
        for content in _contents(self.body):
            if content.get("role") == "model":
                given = listing(content.get("parts"))
                continue
            if turn >= 0:
                self._check(turn, given)
            turn, given = turn + 1, None
        if turn < 0 or given is not None:
            raise Objection("contents: the conversation must end with the user's words")
        token = self.body.get("continuationToken")
        if token is None:
            return turn, 0
        for number in range(1, len(turn_of(self.scene, turn))):
            if token == self.token(turn, number):
                return turn, number
        raise Objection("continuationToken: it belongs to no paused turn of this conversation")

    def _check(self, turn: int, given: list[object] | None) -> None:
        told = [part for piece in turn_of(self.scene, turn) for part in self.parts(turn, piece)]
        if not told and given is None:
            return
        wrong = difference(_gist(told), _gist(given or []))
        if wrong:
            raise Objection(f"contents: the parts of turn {turn} were changed: {wrong}")

    def token(self, turn: int, number: int) -> str:
        """What asks for a piece of a paused turn."""
        name = digest_of(self.scene.model, self.scene.cell, self.scene.prompt, turn, number)
        return f"cont_{name[:24]}"

    def usage(self, turn: int, piece: Piece) -> tuple[Usage, dict[str, object]]:
        """What a piece uses, in our buckets and as the response states it."""
        before = tokens_before(self.scene, turn, piece.number)
        dice = dice_of("cache", self.scene.temper.seed, self.scene.model, self.scene.cell, turn)
        hit = before >= _LEAST and (dice.random() < 0.3 or piece.number > 0)
        cached = before // _BLOCK * _BLOCK if hit else 0
        thoughts = piece.thought_tokens
        spoken = piece.output_tokens - thoughts if piece.steps else 0
        counts = {
            "promptTokenCount": before,
            "cachedContentTokenCount": cached,
            "toolUsePromptTokenCount": piece.result_tokens,
            "candidatesTokenCount": spoken,
            "thoughtsTokenCount": thoughts,
        }
        stated: dict[str, object] = {name: count for name, count in counts.items() if count}
        stated["totalTokenCount"] = sum(counts.values()) - cached
        usage = Usage(
            input=before - cached + piece.result_tokens,
            cached_input=cached,
            output=spoken + thoughts,
            reasoning=thoughts,
        )
        return usage, stated

    def parts(self, turn: int, piece: Piece) -> list[Json]:
        """The parts of a piece, each text whole."""
        generation = mapping(self.body.get("generationConfig"))
        thoughts = mapping(generation.get("thinkingConfig")).get("includeThoughts") is True
        invoked = mapping(self.body.get("toolConfig")).get("includeServerSideToolInvocations")
        parts: list[Json] = []
        for place, step in enumerate(piece.steps):
            name = digest_of(self.scene.model, self.scene.cell, turn, piece.number, place)[:24]
            last = place == len(piece.steps) - 1
            match step.deed:
                case Deed.THINK:
                    if thoughts:
                        parts.append({"text": step.text, "thought": True})
                case Deed.SAY:
                    signed = {"thoughtSignature": f"sig{name}"} if last else {}
                    parts.append({"text": step.text, **signed})
                case Deed.CODE:
                    parts += _code(step, name)
                case _ if invoked:
                    parts += _tool(step, name)
        return parts


def _code(step: Step, name: str) -> Iterator[Json]:
    code = {"language": "PYTHON", "code": step.text, "id": name[:8]}
    yield {"executableCode": code, "thoughtSignature": f"sig{name}"}
    yield {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": step.result, "id": name[:8]}}


def _tool(step: Step, name: str) -> Iterator[Json]:
    search = step.deed is Deed.SEARCH
    kind = {"toolType": "GOOGLE_SEARCH_WEB" if search else "URL_CONTEXT", "id": name[:8]}
    asked = {"queries": [step.text]} if search else {"urls": [step.text]}
    signed = {"thoughtSignature": f"sig{name}"}
    yield {"toolCall": {**kind, "args": asked}, **signed}
    yield {"toolResponse": {**kind, "response": {"text": step.result[:200]}}, **signed}


def _grounding(piece: Piece, queries: list[str]) -> dict[str, object]:
    """What stands beside a piece's content about its searches and fetched pages."""
    beside: dict[str, object] = {}
    if queries:
        web = {"uri": "https://example.org/found", "title": "example.org"}
        beside["groundingMetadata"] = {
            "webSearchQueries": queries,
            "groundingChunks": [{"web": web}],
        }
    urls = sorted({step.text for step in piece.steps if step.deed is Deed.FETCH})
    if urls:
        status = "URL_RETRIEVAL_STATUS_SUCCESS"
        pages = [{"retrievedUrl": url, "urlRetrievalStatus": status} for url in urls]
        beside["urlContextMetadata"] = {"urlMetadata": pages}
    return beside


def _chunks(parts: list[Json], last: Json, stated: Json) -> list[Json]:
    """A response as a stream gives it: usage grows with each chunk, only the end is final."""
    cut: list[Json] = []
    for part in parts:
        texts = list(in_deltas(str(part.get("text", "")), _CHUNK))
        if "thoughtSignature" in part and texts:
            # The signature comes behind the text, on an empty part of its own.
            cut += [{"text": text} for text in texts]
            cut.append({**part, "text": ""})
        elif texts:
            cut += [{**part, "text": text} for text in texts]
        elif "text" not in part:
            cut.append(part)
    chunks: list[Json] = []
    for number, part in enumerate(cut, 1):
        end = last if number == len(cut) else {"index": 0}
        candidate = {"content": {"parts": [part], "role": "model"}, **end}
        so_far = stated if number == len(cut) else _share(stated, number / len(cut))
        chunks.append({"candidates": [candidate], "usageMetadata": so_far})
    if not chunks:
        chunks.append({"candidates": [{"content": {}, **last}], "usageMetadata": stated})
    return chunks


def _share(stated: Json, share: float) -> Json:
    prompt = stated["promptTokenCount"]
    spoken = int(float(str(stated.get("candidatesTokenCount", 0))) * share)
    total = int(str(prompt)) + spoken
    return {
        "promptTokenCount": prompt,
        "candidatesTokenCount": spoken,
        "totalTokenCount": total,
    }


def _contents(body: Json) -> list[Json]:
    return [mapping(content) for content in listing(body.get("contents"))]


def _text(content: Json) -> str:
    return "".join(str(mapping(part).get("text", "")) for part in listing(content.get("parts")))


def _gist(parts: list[Json] | list[object]) -> list[object]:
    """What must come back of parts, however their texts were cut."""
    visible = [mapping(part) for part in parts if not mapping(part).get("thought")]
    signatures = [part["thoughtSignature"] for part in visible if "thoughtSignature" in part]
    return ["".join(str(part.get("text", "")) for part in visible), *signatures]
