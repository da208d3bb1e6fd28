"""The shapes of the functions that the registries hold, and the one way to read drawn text."""

from collections.abc import Callable, Mapping

Data = Mapping[str, str]
Checker = Callable[[Data], str]
Solver = Callable[[Data], list[str]]


def rows(block: str) -> list[str]:
    """Return the non-empty lines of an indented block without their indentation."""
    return [line.strip() for line in block.splitlines() if line.strip()]


def integers(text: str) -> list[int]:
    """Return the integers of a list such as "3, -1, 4"."""
    return [int(part) for part in text.split(",")]
