"""The event stream decoder: the grammar, and that cutting a stream changes nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.providers.sse import EventDecoder, ServerEvent, looks_like_events, read_events

_PIECES = st.sampled_from(
    [
        b"data: ",
        b"data:",
        b"event: error",
        b": ping",
        b"x",
        "é😀\u2028\u0085".encode(),
        b"\n",
        b"\r",
        b"\r\n",
        b"\n\n",
        b"\xef\xbb\xbf",
        b"[DONE]",
        b"id: 1",
        b"\xff",
        b"",
        b":",
        b" ",
    ]
)
_BODIES = st.lists(_PIECES, max_size=40).map(b"".join)


def events(body: bytes) -> list[ServerEvent]:
    return read_events(body)[0]


@given(_BODIES, st.data())
def test_cutting_a_stream_changes_nothing(body: bytes, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(body)), max_size=12)))
    decoder = EventDecoder()
    found = []
    for start, end in zip([0, *cuts], [*cuts, len(body)], strict=True):
        found += decoder.feed(body[start:end])
    assert (found, decoder.finish()) == read_events(body)


@given(_BODIES)
def test_byte_by_byte_is_the_same(body: bytes) -> None:
    decoder = EventDecoder()
    found = [event for place in range(len(body)) for event in decoder.feed(body[place : place + 1])]
    assert (found, decoder.finish()) == read_events(body)


@given(st.lists(st.text().filter(lambda text: not set(text) & set("\r\n")), min_size=1, max_size=5))
def test_data_comes_out_as_it_went_in(lines: list[str]) -> None:
    body = "".join(f"data: {line}\n" for line in lines) + "\n"
    data = "\n".join(lines)
    encoded = body.encode("utf-8", "replace")
    assert [event.data for event in events(encoded)] == (
        [data.encode("utf-8", "replace").decode()] if data else []
    )


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_end_counts(end: str) -> None:
    body = f": comment{end}data: a{end}data: b{end}{end}event: error{end}data: c{end}{end}"
    assert events(body.encode()) == [ServerEvent("a\nb"), ServerEvent("c", "error")]


def test_unicode_line_separators_stay_in_the_data() -> None:
    assert events('data: {"a": "x\u2028y\u0085z\x0b\x0c\x1c"}\n\n'.encode())[0].data == (
        '{"a": "x\u2028y\u0085z\x0b\x0c\x1c"}'
    )


def test_a_name_does_not_reach_the_next_event() -> None:
    assert events(b"event: error\n\ndata: a\n\n") == [ServerEvent("a")]


def test_comments_and_empty_data_are_no_events() -> None:
    assert events(b": OPENROUTER PROCESSING\n\n: x\n\ndata:\n\ndata\n\nretry: 3\n\n") == []


def test_only_one_leading_space_goes() -> None:
    assert events(b"data:  two\n\ndata:none\n\n") == [ServerEvent(" two"), ServerEvent("none")]


def test_the_last_event_may_be_incomplete() -> None:
    assert read_events(b"data: a\n\ndata: b") == ([ServerEvent("a")], ServerEvent("b"))
    assert read_events(b"data: a\n\ndata: b\n") == ([ServerEvent("a")], ServerEvent("b"))
    assert read_events(b"data: a\n\n") == ([ServerEvent("a")], None)


def test_a_byte_order_mark_is_no_part_of_the_first_field() -> None:
    assert events(b"\xef\xbb\xbfdata: a\n\n") == [ServerEvent("a")]


def test_done_is_known() -> None:
    assert ServerEvent(" [DONE] ").done
    assert not ServerEvent('{"a": "[DONE]"}').done


@pytest.mark.parametrize("body", [b": x", b"data: {}", b"\n\nevent: a", b"\xef\xbb\xbfid: 1"])
def test_streams_are_known_by_their_look(body: bytes) -> None:
    assert looks_like_events(body)


@pytest.mark.parametrize("body", [b'{"data": 1}', b"<html>", b"", b"  [1]", b"database"])
def test_other_bodies_do_not_look_like_streams(body: bytes) -> None:
    assert not looks_like_events(body)
