"""The input of a request to the Responses API: the prompt, and the turns so far. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from relaybench.domain.completion import Turn, wire_bytes
from relaybench.providers.bodies import body_of
from relaybench.providers.pieces import Json, listing, mapping


def input_of(prompt: str, earlier: Sequence[Turn], *, stored: bool) -> list[Json]:
    """The prompt, then each turn's output items as they came, and what the user said next.

    ``stored`` says whether OpenAI keeps the responses, and so knows their items by their ids.
    """
    items: list[Json] = [_said(prompt)]
    for turn in earlier:
        body = body_of(wire_bytes(turn.response_raw))
        items += _replayed([mapping(item) for item in listing(body.get("output"))], stored=stored)
        if turn.nudge is not None:
            items.append(_said(turn.nudge))
    return items


def _said(text: str) -> Json:
    return {"role": "user", "content": text}


def _replayed(items: list[Json], *, stored: bool) -> list[Json]:
    """A turn's items but for what the API does not take back."""
    kept = [item for item in items if stored or not _only_a_name(item)]
    # Reasoning that was cut off before anything came of it: "without its required following item".
    while kept and kept[-1].get("type") == "reasoning":
        kept.pop()
    # A message is refused if the reasoning that its id belongs to is missing.
    nameless = len(kept) < len(items)
    return [_accepted(item, nameless=nameless) for item in kept]


def _only_a_name(item: Json) -> bool:
    """Whether an item is no more than a reference to what OpenAI did not store."""
    return item.get("type") == "reasoning" and not item.get("encrypted_content")


def _accepted(item: Json, *, nameless: bool) -> Json:
    dropped = {"id"} if nameless and item.get("type") == "message" else set()
    # Null stands in responses only; the field takes a status or nothing.
    if item.get("status", "") is None:
        dropped.add("status")
    return {name: value for name, value in item.items() if name not in dropped}
