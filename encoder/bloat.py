"""A seeded fabricated user context of an exact length.

It reads like what a service has stored about one of its users: who they are, what they
like, what changed lately. It is meant to be irrelevant to whatever follows it, and carries
no wish about how to write. The material is in ``bloat_parts.toml``.

The exact length comes neither from cutting nor from padding: the last sentence is a list of
things whose names add up to what is left. From 4 characters on the text ends with a full
stop; shorter ones are single words.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache
from importlib.resources import files

from encoder.draws import Draws
from encoder.errors import SettingError

LONGEST = 1_000_000
"""The most characters that :func:`bloat` writes."""

_TINY = ("", "I", "Me", "Tea", "Tea.", "Figs.", "Bread.", "Garden.", "Bicycle.")
_PLAIN = 600  # below it, one paragraph without headings
_CLOSING = 80  # characters that are kept free for the last sentence
_ROOM = 170  # more than this is left: another sentence goes in before the last
_REDRAWS = 12  # attempts at a sentence that fits and is new
_LONG = 20_000  # characters of dated entries from which they follow each other faster
_PARAGRAPH = 7  # sentences
_SHORTEST_THING, _LONGEST_THING = 3, 16  # every length between has things in the parts
_REMARK = 35  # per cent of the dated entries that a remark follows
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_SLOT = re.compile(r"\{([a-z]+?)(_other)?\}")
_PEOPLE = ("neighbour", "conductor", "friend", "colleague")


@dataclass(frozen=True, slots=True)
class _Parts:
    once: dict[str, list[str]]
    pools: dict[str, list[str]]
    closings: dict[str, list[str]]
    headings: dict[str, list[str]]
    summary: list[str]
    topics: dict[str, list[str]]
    changes: dict[str, list[str]]
    events: dict[str, list[str]]


@cache
def _parts() -> _Parts:
    source = files("encoder").joinpath("bloat_parts.toml").read_text(encoding="ascii")
    return _Parts(**tomllib.loads(source))


@dataclass(slots=True)
class _Writer:
    """Writes sentences until a given number of characters is used up."""

    left: int
    draws: Draws
    parts: _Parts
    persona: dict[str, str] = field(default_factory=dict)
    strangers: list[str] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    said: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.persona = {slot: self.draws.pick(pool) for slot, pool in self.parts.once.items()}
        names = self.draws.shuffled(self.parts.pools["names"])
        self.persona.update((person, names.pop()) for person in _PEOPLE)
        self.strangers = names

    def add(self, text: str) -> None:
        self.written.append(text)
        self.left -= len(text)

    def fits(self, text: str) -> bool:
        return self.left - len(text) >= _CLOSING

    def filled(self, template: str) -> str:
        """Give every slot of a template its value."""
        used: dict[str, str] = {}

        def value(match: re.Match[str]) -> str:
            slot, other = match[1], match[2]
            if slot in self.persona:
                return self.persona[slot]
            pool = self.strangers if slot == "names" else self.parts.pools[slot]
            if other:
                pool = [choice for choice in pool if choice != used[slot]]
            used[slot] = self.draws.pick(pool)
            return used[slot]

        return _SLOT.sub(value, template)

    def say(self, lead: str, template: str) -> bool:
        """Add the lead and a filled template, if it fits and was not said before."""
        sentence = self.filled(template)
        if sentence in self.said or not self.fits(lead + sentence):
            return False
        self.said.add(sentence)
        self.add(lead + sentence)
        return True

    def close(self, lead: str, kind: str) -> None:
        """Use up exactly what is left."""
        closings = self.parts.closings
        # An opening must leave room for the shortest list and the full stop.
        for group in (closings[kind], closings["plain"], closings["tiny"]):
            fitting = [text for text in group if len(lead + text) + 4 <= self.left]
            if fitting:
                break
        opening = lead + self.draws.pick(fitting)
        self.add(f"{opening}{_things(self.left - len(opening) - 1, self.draws, self.parts)}.")


def bloat(characters: int, seed: int) -> str:
    """Write an invented user's context of exactly ``characters`` ASCII characters.

    The same arguments give the same text everywhere. Lengths below 4 hold a word without a
    full stop; lengths from 600 on have headings. Raises SettingError for a length below 0
    or above ``LONGEST``.
    """
    if not 0 <= characters <= LONGEST:
        raise SettingError(
            f"the length must be from 0 to {LONGEST:,} characters, not {characters:,}"
        )
    if characters < len(_TINY):
        return _TINY[characters]
    writer = _Writer(characters, Draws("bloat", seed), _parts())
    if characters < _PLAIN:
        _write_summary(writer, until=0)
        writer.close(" " if writer.written else "", "prose")
    else:
        headings = {kind: writer.draws.pick(of) for kind, of in writer.parts.headings.items()}
        writer.add(f"{headings['title']}\n\n{headings['summary']}\n")
        _write_summary(writer, until=characters * 8 // 10)
        writer.add(f"\n\n{headings['preferences']}")
        _write_preferences(writer, until=characters * 4 // 10)
        writer.add(f"\n\n{headings['changes']}")
        _write_changes(writer)
    return "".join(writer.written)


def _write_summary(writer: _Writer, *, until: int) -> None:
    lead = ""
    first, *others = writer.parts.summary
    for template in [first, *writer.draws.shuffled(others)]:
        if writer.left <= max(until, _ROOM):
            break
        if writer.say(lead, template):
            lead = " " if len(writer.said) % _PARAGRAPH else "\n"


def _write_preferences(writer: _Writer, *, until: int) -> None:
    for topic in writer.draws.shuffled(writer.parts.topics):
        heading = f"\n{topic}"
        templates = writer.draws.shuffled(writer.parts.topics[topic])
        for template in templates[: 5 + writer.draws.below(5)]:
            if writer.left <= max(until, _ROOM + _CLOSING):
                return
            if writer.say(f"{heading}\n- ", template):
                heading = ""


def _write_changes(writer: _Writer) -> None:
    draws = writer.draws
    entries = _entries(writer.parts, draws)
    day = date(2019 + draws.below(5), 1, 1) + timedelta(days=draws.below(365))
    pace = 2 if writer.left > _LONG else 6  # fewer than this many days between entries
    misses = 0
    while writer.left > _ROOM:
        template, remarks = next(entries)
        if writer.say(_dated(day), template):
            misses = 0
            if draws.below(100) < _REMARK and writer.left > _ROOM:
                writer.say(" ", draws.pick(remarks))
            day += timedelta(days=draws.below(pace))
        elif misses < _REDRAWS:
            misses += 1
        elif writer.left < 2 * _ROOM:
            break  # nothing fits: the last sentence can take the rest
        else:
            writer.said.clear()  # everything was said, so a very long text repeats itself
    writer.close(_dated(day), "entry")


def _entries(parts: _Parts, draws: Draws) -> Iterator[tuple[str, list[str]]]:
    """Yield dated entries and their possible remarks for ever, all once before any twice."""
    entries = [
        (line, kind["follow"]) for kind in (parts.changes, parts.events) for line in kind["lines"]
    ]
    while True:
        yield from draws.shuffled(entries)


def _dated(day: date) -> str:
    return f"\n- {day.day} {_MONTHS[day.month - 1]} {day.year}: "


def _things(room: int, draws: Draws, parts: _Parts) -> str:
    """List things in exactly ``room`` characters: "tea", "tea and figs", "tea, figs and rye"."""
    while True:
        stock = draws.shuffled(parts.pools["items"])
        things: list[str] = []
        left = room  # for the last thing
        while left > _LONGEST_THING and stock:
            thing = stock.pop()
            cost = len(thing) + (len(", ") if things else len(" and "))
            if left - cost >= _SHORTEST_THING:
                things.append(thing)
                left -= cost
        last = next((thing for thing in stock if len(thing) == left), None)
        if last is not None:
            return f"{', '.join(things)} and {last}" if things else last
