"""What the simulated model does: right, wrong, without a block, refusing, cut off, failing.

Pure and seeded: everything follows from (seed, model, cell, prompt), by SHA-256, so that it is
the same on every machine.
"""

from __future__ import annotations

import hashlib
import math
import random
import re
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
    """How a simulated model behaves: shares from 0 to 1, seconds, and its seed.

    ``pause`` is the share of turns that pause once or twice, ``faults`` names the kinds of which
    ``fail`` takes (none: the usual two). ``fail_tries`` is how many tries of a failing cell fail
    (0: one or two), ``retry_after_s`` the wait that a 429 asks for, ``storm`` how many requests
    a storm turns away, ``polls`` how often work in the background is asked for in vain.
    """

    skill: float = 0.6
    no_block: float = 0.02
    refuse: float = 0.01
    truncate: float = 0.02
    fail: float = 0.05
    pause: float = 0.0
    latency_s: float = 0.4
    retry_after_s: float = 1.0
    seed: int = 0
    fail_tries: int = 0
    storm: int = 0
    polls: int = 2
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What the model says, before it is put on the wire.

    ``content`` and ``reasoning`` are split as chat servers do it; ``text`` is the visible part
    and ``thoughts`` all that was thought, shown or not.
    """

    content: str
    reasoning: str
    reasoning_field: str
    finish_reason: str
    refusal: str
    prompt_tokens: int
    cached_tokens: int
    output_tokens: int
    reasoning_tokens: int
    text: str
    thoughts: str


def answer(prompt: str, key: str | None, temper: Temper, model: str, cell: str) -> Answer:
    """What the model says to a prompt whose key is ``key`` (None: it does not know the prompt)."""
    dice = dice_of("answer", temper.seed, model, cell)
    style = dice_of("style", temper.seed, model, cell)
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


def nudged(
    prompt: str, key: str | None, temper: Temper, model: str, cell: str, number: int
) -> Answer:
    """What the model says when it is nudged for the ``number``th time: mostly with a block."""
    dice = dice_of("nudged", temper.seed, model, cell, number)
    style = dice_of("nudged style", temper.seed, model, cell, number)
    final = key if key is not None else UNKNOWN_PROMPT
    if dice.random() < 0.1:
        return _said(prompt, style, content=f"{_prose(style)}\n\nThe answer is {final}.")
    if key is not None and dice.random() >= temper.skill ** _difficulty(prompt):
        final = wrong(key, style)
    return _said(prompt, style, content=f"Finally:\n\n{_block(final)}\n")


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
    exponent: float = dice_of("difficulty", prompt).uniform(0.75, 1.25)
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
    text = content
    if field == "<think>" and content:
        content = f"<think>\n{thoughts}\n</think>\n\n{content}"
    reasoning_tokens = tokens_of(thoughts) if field else 0
    visible = content if field != "<think>" else content.partition("</think>")[2]
    prompt_tokens = tokens_of(prompt)
    cached = prompt_tokens // 128 * 128 if style.random() < 0.3 else 0
    return Answer(
        content=content,
        reasoning=thoughts if field.startswith("reasoning") else "",
        reasoning_field=field if field.startswith("reasoning") else "reasoning",
        finish_reason=stop,
        refusal=refusal,
        prompt_tokens=prompt_tokens,
        cached_tokens=cached,
        output_tokens=tokens_of(visible + refusal) + reasoning_tokens,
        reasoning_tokens=reasoning_tokens,
        text=text,
        thoughts=thoughts,
    )


def tokens_of(text: str) -> int:
    """How many tokens a text counts as: one for four characters."""
    return math.ceil(len(text) / 4)


def dice_of(*parts: object) -> random.Random:
    """Dice that fall the same for the same parts, on every machine."""
    digest = hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).digest()
    return random.Random(int.from_bytes(digest))
