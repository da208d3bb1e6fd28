"""What a simulated model does in one turn, before any wire format: thinks, uses tools, speaks.

A turn is one piece, or several where the provider pauses it. Pure and seeded.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Set
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from relaybench.providers.simulated_model import (
    Answer,
    Temper,
    answer,
    dice_of,
    nudged,
    tokens_of,
)


class Deed(StrEnum):
    """What one step of a turn is."""

    THINK = "think"
    SAY = "say"
    SEARCH = "search"
    FETCH = "fetch"
    CODE = "code"


#: What a nudge counts as, whatever it says.
NUDGE_TOKENS: Final = 50
#: Steps that a server tool takes.
TOOLS: Final = frozenset({Deed.SEARCH, Deed.FETCH, Deed.CODE})


class End(StrEnum):
    """How one piece of a turn ends."""

    DONE = "done"
    PAUSED = "paused"
    CUT_OFF = "cut off"  # at the output limit
    REFUSED = "refused"  # before any output
    BLOCKED = "blocked"  # stopped in the middle


@dataclass(frozen=True, slots=True)
class Step:
    """One step: thought, text, query, address or code, and what a tool brought."""

    deed: Deed
    text: str
    result: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """What one response holds: its steps, its end, a refusal's words, and its place.

    ``number`` counts the pieces of the turn from 0.
    """

    steps: tuple[Step, ...]
    end: End
    refusal: str = ""
    number: int = 0

    @property
    def tools(self) -> tuple[Step, ...]:
        """The steps that server tools took."""
        return tuple(step for step in self.steps if step.deed in TOOLS)

    @property
    def thought_tokens(self) -> int:
        """Tokens of thinking."""
        return sum(tokens_of(step.text) for step in self.steps if step.deed is Deed.THINK)

    @property
    def output_tokens(self) -> int:
        """All tokens that were put out, thinking and refusal included."""
        return sum(tokens_of(step.text) for step in self.steps) + tokens_of(self.refusal)

    @property
    def result_tokens(self) -> int:
        """Tokens that tools brought in."""
        return sum(tokens_of(step.result) for step in self.tools)

    @property
    def grown(self) -> int:
        """By how many tokens the conversation is longer after it."""
        return self.output_tokens + self.result_tokens

    def contexts(self, before: int) -> list[int]:
        """Input tokens of each round: the first has ``before``, each tool adds what it brought."""
        rounds, seen = [before], before
        for step in self.steps:
            seen += tokens_of(step.text) + tokens_of(step.result)
            if step.deed in TOOLS:
                rounds.append(seen)
        return rounds


@dataclass(frozen=True, slots=True)
class Scene:
    """Who is asked what: everything that a turn follows from, besides its number.

    ``key`` is the answer of the prompt, None where it is not known; ``cuts_text`` says that the
    wire pauses a turn in the middle of a sentence too.
    """

    prompt: str
    key: str | None
    temper: Temper
    model: str
    cell: str
    tools: frozenset[Deed] = frozenset()
    cuts_text: bool = False


_QUERIES: Final = (
    "values named in the task, primary source",
    "definition and worked example",
    "table of known results",
    "exact date and place",
)
_SITES: Final = ("https://example.org/facts", "https://example.com/tables", "https://example.net/a")
_CODES: Final = (
    "print(sum(n * n for n in range(1, 13)))",
    "print(sorted({'b', 'a', 'c'}))",
    "from datetime import date\nprint((date(2026, 1, 1) - date(1815, 12, 10)).days)",
)
_PREAMBLES: Final = (
    "Let me look that up.",
    "I check this with a tool first.",
    "One value is still missing.",
)
_FOUND: Final = "The page confirms the value that the task needs. "


@lru_cache(maxsize=512)  # one request asks for its turns several times
def turn_of(scene: Scene, number: int) -> tuple[Piece, ...]:
    """The pieces of turn ``number`` of a conversation; from 1 on they follow on a nudge."""
    temper, model, cell = scene.temper, scene.model, scene.cell
    if number == 0:
        said = answer(scene.prompt, scene.key, temper, model, cell)
    else:
        said = nudged(scene.prompt, scene.key, temper, model, cell, number)
    dice = dice_of("script", temper.seed, model, cell, number)
    if said.refusal:
        return (Piece((), End.REFUSED, said.refusal),)
    steps = _worked(said, scene.tools, dice)
    if said.finish_reason == "content_filter":
        return (Piece((*steps, Step(Deed.SAY, "The first step is to")), End.BLOCKED),)
    whole = (*steps, Step(Deed.SAY, said.text))
    last = End.CUT_OFF if said.finish_reason == "length" else End.DONE
    pieces = _paused(whole, scene, dice) if dice.random() < temper.pause else [whole]
    return tuple(
        Piece(piece, last if place == len(pieces) - 1 else End.PAUSED, number=place)
        for place, piece in enumerate(pieces)
    )


def tokens_before(scene: Scene, turn: int, number: int) -> int:
    """Input tokens of the first round of a piece: the prompt, all that came before, the nudges."""
    earlier = [piece for each in range(turn) for piece in turn_of(scene, each)]
    earlier += turn_of(scene, turn)[:number]
    said = tokens_of(scene.prompt) + turn * NUDGE_TOKENS
    return said + sum(piece.grown for piece in earlier)


def _worked(said: Answer, tools: Set[Deed], dice: random.Random) -> tuple[Step, ...]:
    """Thinking with tools in between, before the last word."""
    known = [tool for tool in (Deed.SEARCH, Deed.FETCH, Deed.CODE) if tool in tools]
    uses = [dice.choice(known) for _ in range(dice.choice((0, 1, 1, 2, 3)))] if known else []
    sentences = said.thoughts.split(". ")
    share = max(1, len(sentences) // (len(uses) + 1))
    steps: list[Step] = []
    for place, tool in enumerate(uses):
        thought = ". ".join(sentences[place * share : (place + 1) * share])
        if thought:
            steps.append(Step(Deed.THINK, thought))
        if dice.random() < 0.5:
            steps.append(Step(Deed.SAY, dice.choice(_PREAMBLES)))
        steps.append(_used(tool, dice))
    rest = ". ".join(sentences[len(uses) * share :])
    return (*steps, Step(Deed.THINK, rest)) if rest else tuple(steps)


def _used(tool: Deed, dice: random.Random) -> Step:
    result = _FOUND * dice.randint(2, 40)
    if tool is Deed.CODE:
        return Step(tool, dice.choice(_CODES), f"{dice.randint(1, 99_999)}\n")
    return Step(tool, dice.choice(_QUERIES if tool is Deed.SEARCH else _SITES), result)


def _paused(steps: tuple[Step, ...], scene: Scene, dice: random.Random) -> list[tuple[Step, ...]]:
    """Cut a turn in two or three: after tools, else (or where the wire does so) within the text."""
    places = [n + 1 for n, step in enumerate(steps) if step.deed in TOOLS]
    text = steps[-1].text
    if (scene.cuts_text or not places) and len(text) > 3:
        half = dice.randint(1, len(text) - 1)
        cut = (Step(Deed.SAY, text[:half]), Step(Deed.SAY, text[half:]))
        steps, places = (*steps[:-1], *cut), [*places, len(steps)]
    chosen = sorted(dice.sample(places, min(len(places), dice.choice((1, 1, 2)))))
    bounds = [0, *chosen, len(steps)]
    return [steps[start:end] for start, end in itertools.pairwise(bounds)]
