"""Recorded responses, damaged: they are read or refused, and nothing else ever happens."""

from __future__ import annotations

import contextlib
import copy
import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from relaybench.domain.errors import ProviderError
from relaybench.providers.bodies import body_of
from relaybench.providers.reading import read_outcome
from relaybench.providers.reading_shape import shape_of
from relaybench.workbench.results.parsing import WIRES, as_json, parse_body
from tests.providers.support import WIRE, expected, needs_wire

#: The smaller ones: enough of every kind, and quick to damage.
SMALL = sorted(
    name
    for name, entry in expected().items()
    if entry["format"] in ("json", "sse") and (WIRE / name).stat().st_size < 12_000
)
ODD: tuple[object, ...] = (None, 0, -1, 7, 1.5, True, "", "x", [], [1], {}, {"a": None}, [{}])
_QUIET = settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

pytestmark = needs_wire


def events(pieces: list[Any]) -> bytes:
    """An event stream of these objects."""
    return b"".join(b"data: " + json.dumps(piece).encode() + b"\n\n" for piece in pieces)


def pieces_of(name: str) -> tuple[list[Any], Callable[[list[Any]], bytes]]:
    """The objects of a recording, and how they become a body again."""
    shape = shape_of((WIRE / name).read_bytes())
    objects: list[Any] = copy.deepcopy(list(shape.objects))
    if shape.streamed:
        return objects, events
    return objects, lambda changed: json.dumps(changed[0]).encode()


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a value."""
    keys = value.items() if isinstance(value, dict) else enumerate(value)
    found = []
    for key, inner in keys:
        found.append((*path, key))
        if isinstance(inner, dict | list):
            found += places(inner, (*path, key))
    return found


def damage(value: Any, place: tuple[Any, ...], new: object, *, drop: bool) -> None:
    """Put something else into a place, or take it away."""
    *way, last = place
    for key in way:
        value = value[key]
    if drop:
        del value[last]
    else:
        value[last] = new


def survives(raw: bytes) -> None:
    """Read it every way there is."""
    outcome = read_outcome(raw)
    assert (outcome.completion is None) <= (outcome.error is not None)
    if outcome.completion is not None:
        assert outcome.completion.response_raw.encode("utf-8", "surrogateescape") == raw
        usage = outcome.completion.usage
        for count in (usage.input, usage.cached_input, usage.cache_write, usage.output):
            assert count is None or count >= 0
    with contextlib.suppress(ProviderError):
        assert isinstance(body_of(raw), Mapping)
    for provider in WIRES:
        json.dumps(as_json(parse_body(raw, provider)))


@_QUIET
@given(st.sampled_from(SMALL or [""]), st.data())
def test_any_field_may_be_missing_or_anything(name: str, data: st.DataObject) -> None:
    objects, make = pieces_of(name)
    for _ in range(data.draw(st.integers(1, 3))):
        there = places(objects)
        place = data.draw(st.sampled_from(there))
        if len(place) == 1 and make is not events:
            continue
        drop = data.draw(st.booleans())
        damage(objects, place, data.draw(st.sampled_from(ODD)), drop=drop)
    survives(make(objects))


@_QUIET
@given(st.sampled_from(SMALL or [""]), st.data())
def test_a_body_may_be_cut_anywhere(name: str, data: st.DataObject) -> None:
    raw = (WIRE / name).read_bytes()
    survives(raw[: data.draw(st.integers(0, len(raw)))])
    survives(raw[data.draw(st.integers(0, len(raw))) :])


@_QUIET
@given(st.sampled_from(SMALL or [""]), st.data())
def test_events_may_be_lost_doubled_or_in_disorder(name: str, data: st.DataObject) -> None:
    objects, make = pieces_of(name)
    chosen = data.draw(st.lists(st.sampled_from(objects), min_size=1))
    survives(make(chosen))


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in SMALL
        if (entry := expected()[name])["format"] == "sse" and entry.get("finished")
    ],
)
def test_a_stream_cut_before_its_end_is_never_an_answer(name: str) -> None:
    objects, make = pieces_of(name)
    told = [place for place, each in enumerate(objects) if _tells_the_end(each)]
    assert told
    for size in range(told[0] + 1):
        outcome = read_outcome(make(objects[:size]), "text/event-stream")
        assert outcome.error is not None
        assert outcome.error.retryable
    assert read_outcome(make(objects[: told[0] + 1])).error is None


def _tells_the_end(event: Mapping[str, Any]) -> bool:
    if event.get("type") in ("message_delta", "response.completed"):
        return True
    first = (event.get("choices") or event.get("candidates") or [{}])[0]
    return bool(first.get("finish_reason") or first.get("finishReason"))
