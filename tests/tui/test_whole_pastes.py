"""Pastes with control sequences in them, in any pieces: one paste each, and no key too many."""

from __future__ import annotations

import sys
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from textual import events
from textual.drivers.linux_driver import LinuxDriver

from relaybench.tui.whole_pastes import BEGIN, END, WholePastes, take_pastes_whole

#: What is pasted: never the mark of its own end, which no terminal lets through either.
pasted = (
    st.lists(
        st.sampled_from(
            ["a", "\x1b", "[", "2", "0", "1", "~", "\n", "é", "\x1b[31m", "\x1b]0;t\x07"]
        )
    )
    .map("".join)
    .filter(lambda text: text != "" and END not in text + END[:-1])
)


def come_of(data: str, cuts: list[int]) -> list[events.Event]:
    """The events of what a terminal sends in pieces."""
    parser, found = WholePastes(), []
    edges = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    for start, end in pairwise(edges):
        found += list(parser.feed(data[start:end]))
    assert all(isinstance(each, events.Event) for each in found)
    return found  # type: ignore[return-value]


@given(st.lists(pasted, min_size=1, max_size=3), st.lists(st.integers(0, 500)))
def test_each_paste_arrives_whole_and_keys_around_it_stay(
    texts: list[str], cuts: list[int]
) -> None:
    data = "x" + "k".join(f"{BEGIN}{text}{END}" for text in texts) + "z"
    found = come_of(data, cuts)
    assert [each.text for each in found if isinstance(each, events.Paste)] == texts
    keys = [each.key for each in found if isinstance(each, events.Key)]
    assert keys == ["x", *["k"] * (len(texts) - 1), "z"]


def test_a_driver_reads_by_it() -> None:
    module = sys.modules[LinuxDriver.__module__]
    before = module.XTermParser
    try:
        take_pastes_whole(LinuxDriver)
        assert module.XTermParser is WholePastes
    finally:
        module.XTermParser = before  # type: ignore[attr-defined]
