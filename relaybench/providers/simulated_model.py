"""What the simulated model does: right, wrong, without a block, refusing, cut off, failing.

Pure and seeded: everything follows from (seed, model, cell, prompt), by SHA-256, so that it is
the same on every machine.
"""

from __future__ import annotations

import hashlib
import math
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

UNKNOWN_PROMPT: Final = "simulated model does not know this prompt"

_CODE: Final = re.compile(r"<[A-Za-z]{3}>")
_SEPARATORS: Final = ("-", "_", "|", "/", ",", ":", ";", " ")
_OPENINGS: Final = (
    "I worked through the steps in order and checked each value.",
    "Let me go through this step by step.\n\n- The first value follows from the data.\n"
    "- The others build on it.",
    "**Result**\n\nAll parts are combined below, in the order asked for.",
    "Here is the final answer:",
)
_CLOSINGS: Final = ("", "", "\nI am confident in this result.\n", "\nEvery step was verified.")
_THOUGHTS: Final = (
    "First I need the values that the later steps depend on.",
    "Now the arithmetic; carry over, then check the last digit again.",
    "The format matters: one code block, nothing else in it.",
    "Let me re-read the rules on case and symbols before I answer.",
    "That does not fit. Going back one step and trying once more.",
)
_REFUSAL: Final = "I'm sorry, but I can't help with that request."


@dataclass(frozen=True, slots=True)
class Temper:
    """How a simulated model behaves: shares from 0 to 1, seconds, and its seed."""

    skill: float = 0.6
    no_block: float = 0.02
    refuse: float = 0.01
    truncate: float = 0.02
    fail: float = 0.05
    latency_s: float = 0.4
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """What the model says, before it is put on the wire."""

    content: str
    reasoning: str
    reasoning_field: str
    finish_reason: str
    refusal: str
    prompt_tokens: int
    cached_tokens: int
    output_tokens: int
    reasoning_tokens: int


def failure(
    temper: Temper, model: str, cell: str, number: int
) -> tuple[int, Mapping[str, str], Mapping[str, object]] | None:
    """Status, headers and error of a try that fails; None where try ``number`` (from 1) works."""
    dice = _dice("failure", temper.seed, model, cell)
    if dice.random() >= temper.fail or number > dice.choice((1, 1, 2)):
        return None
    if _dice("kind", temper.seed, model, cell, number).random() < 0.6:
        error = {"message": "Rate limit reached for simulated requests", "type": "requests"}
        return 429, {"retry-after": "1"}, {**error, "code": "rate_limit_exceeded"}
    return 500, {}, {"message": "The simulated server had an error", "type": "server_error"}


def answer(prompt: str, key: str | None, temper: Temper, model: str, cell: str) -> Answer:
    """What the model says to a prompt whose key is ``key`` (None: it does not know the prompt)."""
    dice = _dice("answer", temper.seed, model, cell)
    style = _dice("style", temper.seed, model, cell)
    lot = dice.random()
    if lot < temper.refuse:
        refusal = style.random() < 0.7
        return _said(
            prompt,
            style,
            refusal=_REFUSAL if refusal else "",
            stop="stop" if refusal else "content_filter",
        )
    if lot < temper.refuse + temper.truncate:
        text = _prose(style) + (f"\n\n```\n{(key or '?')[:-1]}" if style.random() < 0.5 else "")
        return _said(prompt, style, content=text, stop="length")
    if lot < temper.refuse + temper.truncate + temper.no_block:
        text = f"{_prose(style)}\n\nThe answer is {key or UNKNOWN_PROMPT}."
        return _said(prompt, style, content=text)
    if key is None:
        return _said(prompt, style, content=f"{_prose(style)}\n\n{_block(UNKNOWN_PROMPT)}\n")
    right = dice.random() < temper.skill ** _difficulty(prompt)
    final = key if right else wrong(key, style)
    text = f"{_prose(style)}\n\n{_block(final)}\n{style.choice(_CLOSINGS)}"
    if style.random() < 0.15:
        text = (
            f"A first draft:\n\n{_block(wrong(key, style))}\n\nThat needs a correction.\n\n{text}"
        )
    return _said(prompt, style, content=text)


def wrong(key: str, dice: random.Random) -> str:
    """A plausible wrong answer: one part changed, another case, or two parts swapped."""
    separator = max(_SEPARATORS, key=key.count)
    parts = key.split(separator) if separator in key else [key]
    kind = dice.random()
    if kind < 0.15 and key.swapcase() != key:
        return key.swapcase()
    if kind < 0.3 and len(set(parts)) > 1:
        left, right = dice.sample(range(len(parts)), 2)
        if parts[left] != parts[right]:
            parts[left], parts[right] = parts[right], parts[left]
            return separator.join(parts)
    place = dice.randrange(len(parts))
    parts[place] = _changed(parts[place], dice)
    return separator.join(parts)


def _changed(part: str, dice: random.Random) -> str:
    places = [place for place, char in enumerate(part) if char.isascii() and char.isalnum()]
    if not places:
        return part + "x"
    place = dice.choice(places)
    old = part[place]
    pool = "0123456789" if old.isdigit() else "abcdefghijklmnopqrstuvwxyz"
    new = dice.choice([char for char in pool if char != old.lower()])
    return part[:place] + (new.upper() if old.isupper() else new) + part[place + 1 :]


def _difficulty(prompt: str) -> float:
    # An exponent of the skill: about 1, the same for all models, so that some problems are hard
    # for everyone; more for long prompts and for those in a nonce code.
    exponent: float = _dice("difficulty", prompt).uniform(0.75, 1.25)
    exponent += min(0.3, len(prompt) / 100_000)
    if len(_CODE.findall(prompt[:20_000])) > 20:
        exponent += 0.6
    return exponent


def _prose(style: random.Random) -> str:
    return style.choice(_OPENINGS)


def _block(text: str) -> str:
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}\n{text}\n{fence}"


def _said(
    prompt: str, style: random.Random, *, content: str = "", stop: str = "stop", refusal: str = ""
) -> Answer:
    thoughts = " ".join(style.choice(_THOUGHTS) for _ in range(style.randint(3, 30)))
    field = style.choice(("reasoning", "reasoning_content", "", "<think>"))
    if field == "<think>" and content:
        content = f"<think>\n{thoughts}\n</think>\n\n{content}"
    reasoning_tokens = _tokens(thoughts) if field else 0
    visible = content if field != "<think>" else content.partition("</think>")[2]
    prompt_tokens = _tokens(prompt)
    cached = prompt_tokens // 128 * 128 if style.random() < 0.3 else 0
    return Answer(
        content=content,
        reasoning=thoughts if field.startswith("reasoning") else "",
        reasoning_field=field if field.startswith("reasoning") else "reasoning",
        finish_reason=stop,
        refusal=refusal,
        prompt_tokens=prompt_tokens,
        cached_tokens=cached,
        output_tokens=_tokens(visible + refusal) + reasoning_tokens,
        reasoning_tokens=reasoning_tokens,
    )


def _tokens(text: str) -> int:
    return math.ceil(len(text) / 4)


def _dice(*parts: object) -> random.Random:
    digest = hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).digest()
    return random.Random(int.from_bytes(digest))
