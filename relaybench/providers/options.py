"""Read the options of a model config, and say what is wrong with one. Pure.

What all adapters' settings share: an option that nobody would read, or that has a value it cannot
have, is refused by name before anything is spent.
"""

from __future__ import annotations

from collections.abc import Mapping

from relaybench.domain.errors import SettingRejected
from relaybench.domain.model import ModelConfig


def check_names(config: ModelConfig, known: tuple[str, ...]) -> None:
    """Raise SettingRejected for options that nobody would read."""
    unknown = sorted(set(config.options) - set(known))
    if unknown:
        raise SettingRejected(
            f"model config {config.name!r}: no option is called {', '.join(map(repr, unknown))}; "
            f"provider {config.provider!r} knows {', '.join(known)}"
        )


def flag(config: ModelConfig, name: str, *, default: bool) -> bool:
    """Read an option that is true or false."""
    value = config.options.get(name, default)
    if not isinstance(value, bool):
        raise wrong(config, name, "true or false")
    return value


def choice(config: ModelConfig, name: str, allowed: tuple[str, ...]) -> str:
    """Read an option that is one of some words; the first is the default."""
    value = config.options.get(name, allowed[0])
    if not isinstance(value, str) or value not in allowed:
        raise wrong(config, name, "one of " + ", ".join(allowed))
    return value


def number(config: ModelConfig, name: str) -> float:
    """Read an option that is there and must be a number."""
    value = config.options[name]
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise wrong(config, name, "a number")
    return value


def table(config: ModelConfig, name: str, wanted: str = "a table") -> Mapping[str, object]:
    """Read an option that is a table; empty where it is left out."""
    value = config.options.get(name, {})
    if not isinstance(value, Mapping):
        raise wrong(config, name, wanted)
    return value


def send_anyway(config: ModelConfig, overrides: tuple[str, ...]) -> frozenset[str]:
    """What the config sends though its model is known not to take it."""
    value = config.options.get("send_anyway", ())
    if not isinstance(value, list | tuple) or not all(name in overrides for name in value):
        raise wrong(config, "send_anyway", f"a list of {', '.join(overrides)}")
    return frozenset(value)


def wrong(config: ModelConfig, name: str, wanted: str) -> SettingRejected:
    """That an option has a value which it cannot have."""
    return unfit(config, name, config.options[name], wanted)


def unfit(config: ModelConfig, name: str, value: object, wanted: str) -> SettingRejected:
    """That an option, or a part of one, has this value, which it cannot have."""
    return SettingRejected(
        f"model config {config.name!r}: options.{name} is {value!r}, but must be {wanted}"
    )


def not_taken(config: ModelConfig, name: str, why: str, cure: str) -> SettingRejected:
    """That the model is known not to take a setting; ``send_anyway`` overrides it."""
    return SettingRejected(
        f"model config {config.name!r}: model {config.model!r} {why}; {cure}, or write "
        f'options.send_anyway = ["{name}"] to send it all the same'
    )
