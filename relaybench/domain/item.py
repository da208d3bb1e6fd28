"""Items: one frozen version of a composite, exactly as it is sent and graded."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


def text_digest(text: str) -> str:
    """SHA-256 of a text in hexadecimal; lone surrogates count as they are."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def problem_digest(set_name: str, name: str, key: str) -> str:
    """What all forms (plain, bloated, encoded) of one problem with one key have in common."""
    return text_digest("\0".join(map(text_digest, (set_name, name, key))))


class ItemKind(StrEnum):
    """Where an item comes from."""

    COMPOSITE = "composite"
    SINGLE = "single"  # one subproblem on its own
    IMPORTED = "imported"  # results made elsewhere


class Form(StrEnum):
    """In which form a problem is asked."""

    PLAIN = "plain"
    BLOATED = "bloated"
    ENCODED = "encoded"
    BLOATED_AND_ENCODED = "bloated and encoded"

    @property
    def mark(self) -> str:
        """How it is told behind a name where there is little room; "" for plain."""
        return _MARKS[self]


_MARKS: Final = {
    Form.PLAIN: "",
    Form.BLOATED: "+b",
    Form.ENCODED: "+e",
    Form.BLOATED_AND_ENCODED: "+be",
}


def form_of(*, encoded: bool, bloat_characters: int, imported: bool) -> Form | None:
    """The form of an item; None where it was asked elsewhere, so that it is not known."""
    if imported:
        return None
    if bloat_characters:
        return Form.BLOATED_AND_ENCODED if encoded else Form.BLOATED
    return Form.ENCODED if encoded else Form.PLAIN


@dataclass(frozen=True, slots=True)
class ItemStep:
    """One step of an item: its label, where it came from, its wiring, and its final answer.

    ``inputs`` binds names of its slots to labels of other steps, ``augment`` lists its
    augmentations as written; both are empty in items frozen before they were kept.
    """

    label: str
    use: str
    domain: str
    answer: str
    in_answer: bool = True
    inputs: tuple[tuple[str, str], ...] = ()
    augment: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """One frozen version of a composite: exact prompt, key, and the facts for breakdowns.

    ``prompt`` is the text sent, byte for byte; ``key`` the only right answer.
    ``substitutions`` and ``dictionary_size`` are 0 where the prompt is not encoded.
    """

    set_name: str
    name: str
    kind: ItemKind
    prompt: str
    key: str
    separator: str = ""
    steps: tuple[ItemStep, ...] = ()
    domains: tuple[str, ...] = ()
    encoded: bool = False
    encoding_seed: int | None = None
    bloat_characters: int = 0
    substitutions: int = 0
    dictionary_size: int = 0
    estimated_tokens: int = 0

    @property
    def ref(self) -> str:
        """The item's name in tables: ``starter/relay-01``."""
        return f"{self.set_name}/{self.name}"

    @property
    def form(self) -> Form | None:
        """Its form; None where it was asked elsewhere."""
        return form_of(
            encoded=self.encoded,
            bloat_characters=self.bloat_characters,
            imported=self.kind is ItemKind.IMPORTED,
        )

    @property
    def prompt_sha256(self) -> str:
        """Hash of the prompt alone: equal for a corrected key with an unchanged prompt."""
        return text_digest(self.prompt)

    @property
    def problem(self) -> str:
        """Hash that all forms of one problem with one key share."""
        return problem_digest(self.set_name, self.name, self.key)

    @property
    def digest(self) -> str:
        """Hash of set, name, prompt and key: what makes this version this version."""
        parts = (self.set_name, self.name, self.prompt, self.key)
        return text_digest("\0".join(text_digest(part) for part in parts))

    @property
    def answer_parts(self) -> tuple[str, ...]:
        """The key, step by step, in the order of the final answer."""
        return tuple(step.answer for step in self.steps if step.in_answer)

    @property
    def answer_labels(self) -> tuple[str, ...]:
        """Labels of the parts of the key, in order."""
        return tuple(step.label for step in self.steps if step.in_answer)
