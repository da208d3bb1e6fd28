"""Output items and events of OpenAI's Responses API, made from the steps of a piece. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from relaybench.providers.pieces import Json, listing, mapping
from relaybench.providers.simulated_exchange import digest_of, in_deltas
from relaybench.providers.simulated_script import Deed, End, Piece, Step


def items_of(piece: Piece, name: str, asked: Json) -> list[Json]:
    """The output items of a piece; ``name`` makes their ids, ``asked`` is the request's body."""
    include = [str(each) for each in listing(asked.get("include"))]
    summary = mapping(asked.get("reasoning")).get("summary")
    reasons = mapping(asked.get("reasoning")).get("effort") not in (None, "none")
    cut = piece.end in (End.CUT_OFF, End.BLOCKED)
    items: list[Json] = []
    for place, step in enumerate(piece.steps):
        own = digest_of(name, place)[:32]
        last = place == len(piece.steps) - 1
        match step.deed:
            case Deed.THINK:
                if reasons:
                    items.append(_reasoning(step, own, summary, include))
            case Deed.SAY:
                status = "incomplete" if last and cut else "completed"
                part = {"type": "output_text", "annotations": [], "logprobs": [], "text": step.text}
                items.append(_message(own, part, status, "final_answer" if last else "commentary"))
            case _:
                items.append(_call(step, own, digest_of("container", name)[:32], include))
    if piece.refusal:
        part = {"type": "refusal", "refusal": piece.refusal}
        items.append(_message(digest_of(name, "refusal")[:32], part, "completed", "final_answer"))
    return items


def _reasoning(step: Step, own: str, summary: object, include: Sequence[str]) -> Json:
    shown = [{"type": "summary_text", "text": step.text}] if summary else []
    item: dict[str, object] = {"id": f"rs_{own}", "type": "reasoning", "summary": shown}
    if "reasoning.encrypted_content" in include:
        item["encrypted_content"] = f"enc{own}"
    return item


def _message(own: str, part: Json, status: str, phase: str) -> Json:
    said = {"role": "assistant", "phase": phase, "content": [part]}
    return {"id": f"msg_{own}", "type": "message", "status": status, **said}


def _call(step: Step, own: str, container: str, include: Sequence[str]) -> Json:
    if step.deed is Deed.CODE:
        logs = [{"type": "logs", "logs": step.result}]
        call = {"id": f"ci_{own}", "type": "code_interpreter_call", "status": "completed"}
        outputs = logs if "code_interpreter_call.outputs" in include else None
        return {**call, "code": step.text, "container_id": f"cntr_{container}", "outputs": outputs}
    action: dict[str, object] = {"type": "search", "query": step.text, "queries": [step.text]}
    if "web_search_call.action.sources" in include:
        action["sources"] = [{"type": "url", "url": "https://example.org/found"}]
    return {"id": f"ws_{own}", "type": "web_search_call", "status": "completed", "action": action}


def events_of_item(item: Json, index: int) -> list[dict[str, object]]:
    """The events by which one output item comes in."""
    place: dict[str, object] = {"output_index": index, "item_id": item["id"]}
    opened = {**item}
    match item["type"]:
        case "reasoning":
            opened["summary"] = []
            inner = list(_summary(item, place))
        case "message":
            opened |= {"status": "in_progress", "content": []}
            inner = list(_content(item, place))
        case kind:
            opened = {"id": item["id"], "type": kind, "status": "in_progress"}
            steps = ("in_progress", "searching", "completed")
            if kind == "code_interpreter_call":
                steps = ("in_progress", "interpreting", "completed")
                opened |= {"code": "", "container_id": item["container_id"], "outputs": None}
            inner = [{"type": f"response.{kind}.{step}", **place} for step in steps]
            if kind == "code_interpreter_call":
                code = {"type": "response.code_interpreter_call_code.done", **place}
                inner.insert(1, {**code, "code": item["code"]})
    added = {"type": "response.output_item.added", "output_index": index, "item": opened}
    done = {"type": "response.output_item.done", "output_index": index, "item": item}
    return [added, *inner, done]


def _summary(item: Json, place: Json) -> Iterator[dict[str, object]]:
    for number, part in enumerate(map(mapping, listing(item["summary"]))):
        spot = {**place, "summary_index": number}
        yield {
            "type": "response.reasoning_summary_part.added",
            **spot,
            "part": {**part, "text": ""},
        }
        for delta in in_deltas(str(part["text"])):
            yield {"type": "response.reasoning_summary_text.delta", **spot, "delta": delta}
        yield {"type": "response.reasoning_summary_text.done", **spot, "text": part["text"]}
        yield {"type": "response.reasoning_summary_part.done", **spot, "part": part}


def _content(item: Json, place: Json) -> Iterator[dict[str, object]]:
    for number, part in enumerate(map(mapping, listing(item["content"]))):
        spot = {**place, "content_index": number}
        field = "refusal" if part["type"] == "refusal" else "text"
        word = "refusal" if field == "refusal" else "output_text"
        yield {"type": "response.content_part.added", **spot, "part": {**part, field: ""}}
        for delta in in_deltas(str(part[field])):
            yield {"type": f"response.{word}.delta", **spot, "delta": delta}
        yield {"type": f"response.{word}.done", **spot, field: part[field]}
        yield {"type": "response.content_part.done", **spot, "part": part}
