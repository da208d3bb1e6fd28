"""What a config may ask of the simulator. Pure: known without loading the SDK."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from relaybench.domain.errors import SettingRejected
from relaybench.domain.model import ModelConfig
from relaybench.providers.chat_settings import chat_settings, check_names
from relaybench.providers.simulated_model import Temper

#: Options of a simulated config: shares from 0 to 1, seconds, a seed, and how it answers.
OPTIONS: Final = (
    "skill",
    "no_block",
    "refuse",
    "truncate",
    "fail",
    "latency_s",
    "seed",
    "stream",
)
_SHARES: Final = ("skill", "no_block", "refuse", "truncate", "fail")


def simulated_settings(config: ModelConfig) -> dict[str, object]:
    """The request's body besides the messages, after every option was looked at."""
    check_names(config, OPTIONS)
    for name in (*_SHARES, "latency_s", "seed"):
        _check_number(config, name)
    temper = temper_of(config.options)
    if temper.no_block + temper.refuse + temper.truncate > 1:
        raise SettingRejected(
            f"model config {config.name!r}: no_block, refuse and truncate together exceed 1"
        )
    plain = {name: value for name, value in config.options.items() if name == "stream"}
    return chat_settings(replace(config, options=plain))


def temper_of(options: Mapping[str, object]) -> Temper:
    """Read the simulation's settings; those that are not given have their usual values."""
    known = {n: v for n, v in options.items() if n in (*_SHARES, "latency_s")}
    numbers = {n: float(v) for n, v in known.items() if isinstance(v, int | float)}
    seed = options.get("seed", 0)
    return Temper(**numbers, seed=seed if isinstance(seed, int) else 0)


def _check_number(config: ModelConfig, name: str) -> None:
    value = config.options.get(name)
    if value is None:
        return
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if name == "seed":
        good, wanted = number and isinstance(value, int), "a whole number"
    elif name in _SHARES:
        good, wanted = number and 0 <= float(str(value)) <= 1, "a number from 0 to 1"
    else:
        good, wanted = number and 0 <= float(str(value)) <= 3600, "seconds from 0 to 3600"
    if not good:
        raise SettingRejected(
            f"model config {config.name!r}: options.{name} is {value!r}, but must be {wanted}"
        )
