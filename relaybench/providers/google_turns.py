"""How Google's generateContent goes on from the earlier turns of an attempt. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from relaybench.domain.completion import Turn, wire_bytes
from relaybench.domain.errors import RequestRejected
from relaybench.providers.bodies import body_of
from relaybench.providers.pieces import Json, listing, mapping, string


def contents_of(prompt: str, earlier: Sequence[Turn]) -> list[Json]:
    """The prompt, then each earlier turn of the model untouched and what the user said to it.

    A turn that is only paused is left out: its token stands for it.
    """
    contents: list[Json] = [_user(prompt)]
    pieces: list[object] = []
    for turn in earlier:
        pieces += parts_of(turn.response_raw)
        if turn.nudge is None:
            continue
        if pieces:  # the API takes no turn without parts
            contents.append({"role": "model", "parts": pieces})
        contents.append(_user(turn.nudge))
        pieces = []
    return contents


def continuation_token(earlier: Sequence[Turn]) -> str | None:
    """What asks for the rest of a paused turn; None where the last turn is not paused.

    Raises RequestRejected where the turn came without one.
    """
    if not earlier or earlier[-1].nudge is not None:
        return None
    token = token_in(earlier[-1].response_raw)
    if token is None:
        raise RequestRejected(
            "the earlier response of this attempt holds no continuation token; send it anew"
        )
    return token


def token_in(response_raw: str) -> str | None:
    """The token by which a response can be continued; None where it holds none."""
    return string(_candidate(response_raw).get("continuationToken"))


def paused_parts(earlier: Sequence[Turn]) -> list[object]:
    """The parts of the turn that is being continued, in order; none where none is."""
    parts: list[object] = []
    for turn in earlier:
        parts = [] if turn.nudge is not None else parts + parts_of(turn.response_raw)
    return parts


def parts_of(response_raw: str) -> list[object]:
    """The parts of a response's first candidate, as they came."""
    return listing(mapping(_candidate(response_raw).get("content")).get("parts"))


def _candidate(response_raw: str) -> Json:
    body = body_of(wire_bytes(response_raw))
    return mapping(next(iter(listing(body.get("candidates"))), None))


def _user(text: str) -> Json:
    return {"role": "user", "parts": [{"text": text}]}
