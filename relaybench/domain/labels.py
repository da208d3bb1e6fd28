"""What tables call model configs: by what differs from the default, and apart from one another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from relaybench.domain.model import IMPORTED, ModelConfig

#: What tells configs of one run apart whose labels are the same; the first that does is taken.
_MARKS: Final[tuple[Callable[[ModelConfig], str], ...]] = (
    lambda config: config.provider if config.harness == IMPORTED else config.name,
    lambda config: f"{config.provider}, {config.name}",
    lambda config: f"{config.name}, {config.digest[:8]}",
)


def told_apart(configs: Sequence[ModelConfig]) -> tuple[ModelConfig, ...]:
    """The configs of one run, each with a mark in its label where another has the same label.

    The mark is the config's name, or its provider where it was imported.
    """
    plain = [replace(config, mark="") for config in configs]
    labels = Counter(config.label for config in plain)
    groups: dict[str, list[ModelConfig]] = {}
    for config in plain:
        groups.setdefault(config.label, []).append(config)
    return tuple(
        config
        if labels[config.label] == 1
        else replace(config, mark=_mark_of(groups[config.label])(config))
        for config in plain
    )


def _mark_of(group: Sequence[ModelConfig]) -> Callable[[ModelConfig], str]:
    for mark in _MARKS:
        if len({mark(config) for config in group}) == len(group):
            return mark
    return _MARKS[-1]
