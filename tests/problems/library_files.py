"""Problem files read with `tomllib` alone, and a second implementation of the augmentations.

Nothing here uses the product: its loader is tested elsewhere, and its mistakes must not hide
mistakes of the files.
"""

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

PROBLEMS = Path(__file__).parents[2] / "problems"
DOMAINS = (
    "visual-reasoning",
    "coding",
    "math",
    "information-extraction",
    "problem-solving",
    "general-knowledge",
    "data-analysis",
)

Toml = dict[str, Any]


def read(path: Path) -> Toml:
    """Read one TOML file."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def read_classes(library: Path) -> dict[str, Toml]:
    """Read every class below a library folder, by "domain/class" of its place."""
    return {
        f"{path.parent.name}/{path.stem}": read(path) for path in sorted(library.glob("*/*.toml"))
    }


def read_composites(folder: Path) -> dict[str, Toml]:
    """Read every composite of a set, by the name of its file."""
    return {path.stem: read(path) for path in sorted(folder.glob("*.toml"))}


def instance_of(classes: dict[str, Toml], use: str) -> Toml:
    """Return the instance that a step names as "domain/class:instance"."""
    class_id, _, instance_id = use.partition(":")
    (found,) = (one for one in classes[class_id]["instances"] if one["id"] == instance_id)
    return dict(found)


def _caesar(text: str, shift: int) -> str:
    lower = "abcdefghijklmnopqrstuvwxyz"
    turned = lower[shift % 26 :] + lower[: shift % 26]
    return text.translate(str.maketrans(lower + lower.upper(), turned + turned.upper()))


COUNTED: dict[str, Callable[[str, int], str]] = {
    "caesar": _caesar,
    "every": lambda text, count: "".join(
        character for place, character in enumerate(text, 1) if place % count == 0
    ),
    "first": lambda text, count: text[:count],
    "last": lambda text, count: text[max(0, len(text) - count) :],
}
PLAIN: dict[str, Callable[[str], str]] = {
    "upper": str.upper,
    "lower": str.lower,
    "spaces-to-underscores": lambda text: text.replace(" ", "_"),
    "remove-spaces": lambda text: text.replace(" ", ""),
    "reverse": lambda text: "".join(reversed(text)),
    "sort": lambda text: "".join(sorted(text, key=ord)),
    "non-letters-to-underscores": lambda text: re.sub(r"[\W\d_]", "_", text),
    "rot13": lambda text: _caesar(text, 13),
}


def augment(text: str, name: str) -> str:
    """Apply one augmentation, written as in a composite file."""
    kind, colon, number = name.partition(":")
    return COUNTED[kind](text, int(number)) if colon else PLAIN[kind](text)


def final_answers(classes: dict[str, Toml], composite: Toml) -> dict[str, str]:
    """Return the answer of every step after its augmentations, by label."""
    answers: dict[str, str] = {}
    for step in composite["steps"]:
        text = str(instance_of(classes, step["use"])["answer"])
        for name in step.get("augment", []):
            text = augment(text, name)
        answers[step["label"]] = text
    return answers
