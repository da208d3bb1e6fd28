"""Augmentations: deterministic string changes asked for on top of an answer.

Each is a pure function from answer to key. The sentence that asks a model for it belongs to the
wording and stands in the style file under the same name (``composing/styles``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from relaybench.domain.errors import AugmentationError

_ALPHABET: Final = 26


@dataclass(frozen=True, slots=True)
class AugmentationKind:
    """One kind of change; ``low``..``high`` bound its number, None where it takes none."""

    name: str
    change: Callable[[str, int], str]
    low: int | None = None
    high: int | None = None

    @property
    def takes_number(self) -> bool:
        """Whether the augmentation is written with a number, as ``caesar:3``."""
        return self.low is not None


@dataclass(frozen=True, slots=True)
class Augmentation:
    """An augmentation as used: its kind and its number (0 where it takes none)."""

    kind: AugmentationKind
    number: int

    def apply(self, text: str) -> str:
        """Change an answer; the same text always gives the same result."""
        return self.kind.change(text, self.number)

    def __str__(self) -> str:
        """Write the augmentation as a problem file does."""
        return f"{self.kind.name}:{self.number}" if self.kind.takes_number else self.kind.name


def caesar(text: str, shift: int) -> str:
    """Move ASCII letters forward by ``shift`` places, Z going on at A; case is kept."""

    def move(char: str) -> str:
        if char.isascii() and char.isalpha():
            base = ord("A") if char.isupper() else ord("a")
            return chr((ord(char) - base + shift) % _ALPHABET + base)
        return char

    return "".join(map(move, text))


def _non_letters(text: str, _: int) -> str:
    return "".join(char if char.isalpha() else "_" for char in text)


_KINDS: Final = (
    AugmentationKind("upper", lambda text, _: text.upper()),
    AugmentationKind("lower", lambda text, _: text.lower()),
    AugmentationKind("spaces-to-underscores", lambda text, _: text.replace(" ", "_")),
    AugmentationKind("remove-spaces", lambda text, _: text.replace(" ", "")),
    AugmentationKind("reverse", lambda text, _: text[::-1]),
    AugmentationKind("caesar", caesar, 1, _ALPHABET - 1),
    AugmentationKind("every", lambda text, n: text[n - 1 :: n], 2, 1000),
    AugmentationKind("sort", lambda text, _: "".join(sorted(text))),
    AugmentationKind("non-letters-to-underscores", _non_letters),
    AugmentationKind("first", lambda text, n: text[:n], 1, 1000),
    AugmentationKind("last", lambda text, n: text[-n:], 1, 1000),
    AugmentationKind("rot13", lambda text, _: caesar(text, 13)),
)

#: Every augmentation by name, in the order in which they are documented.
KINDS: Final = {kind.name: kind for kind in _KINDS}


def parse_augmentation(text: str) -> Augmentation:
    """Read ``reverse`` or ``caesar:3``; raises AugmentationError that says what is allowed."""
    name, colon, number_text = text.partition(":")
    kind = KINDS.get(name)
    if kind is None:
        raise AugmentationError(f"no augmentation is called {name!r}; there are: {names()}")
    if not kind.takes_number:
        if colon:
            raise AugmentationError(f"{name} takes no number; write it as {name!r}")
        return Augmentation(kind, 0)
    in_form = number_text.isascii() and number_text.isdigit() and len(number_text) < 6
    if not in_form or not (kind.low or 0) <= int(number_text) <= (kind.high or 0):
        raise AugmentationError(
            f"{name} needs a whole number from {kind.low} to {kind.high}, as in '{name}:{kind.low}'"
        )
    return Augmentation(kind, int(number_text))


def names() -> str:
    """List how each augmentation is written, for messages and help."""
    return ", ".join(f"{kind.name}:N" if kind.takes_number else kind.name for kind in _KINDS)


def augment(text: str, augmentations: Iterable[str]) -> str:
    """Apply augmentations as written, from left to right."""
    for each in augmentations:
        text = parse_augmentation(each).apply(text)
    return text
