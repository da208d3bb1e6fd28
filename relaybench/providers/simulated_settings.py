"""What a config may ask of the simulator, and the config that the real adapter gets. Pure.

Loads no SDK. The settings of the wire are checked by the adapter's own rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from relaybench.domain.errors import SettingRejected
from relaybench.domain.model import ANTHROPIC, GOOGLE, OPENAI, ModelConfig
from relaybench.providers.anthropic_settings import anthropic_settings
from relaybench.providers.chat_settings import chat_settings
from relaybench.providers.google_settings import google_settings
from relaybench.providers.options import check_names, wrong
from relaybench.providers.responses_settings import responses_settings
from relaybench.providers.simulated_faults import Fault, Wire
from relaybench.providers.simulated_model import Temper

_SHARES: Final = ("skill", "no_block", "refuse", "truncate", "fail", "pause")
_SECONDS: Final = ("latency_s", "retry_after_s")
#: Wire formats whose turns can pause.
PAUSING: Final = frozenset({Wire.ANTHROPIC, Wire.GOOGLE})
_COUNTS: Final = ("fail_tries", "storm", "polls")
#: What is the simulator's own affair: shares from 0 to 1, seconds, counts, a seed, kinds of faults.
SIMULATION: Final = (*_SHARES, *_SECONDS, *_COUNTS, "seed", "faults", "wire")
#: Options of a simulated config that speaks chat completions.
OPTIONS: Final = (*SIMULATION, "stream")
#: Whose format a wire is.
PROVIDER_OF: Final[Mapping[Wire, str]] = {
    Wire.ANTHROPIC: ANTHROPIC,
    Wire.RESPONSES: OPENAI,
    Wire.GOOGLE: GOOGLE,
}
_SETTINGS: Final[Mapping[Wire, Callable[[ModelConfig], dict[str, object]]]] = {
    Wire.CHAT: chat_settings,
    Wire.ANTHROPIC: anthropic_settings,
    Wire.RESPONSES: responses_settings,
    Wire.GOOGLE: google_settings,
}
#: Anthropic's API takes no request without a limit, and none is known of a made-up model.
_OUTPUT_LIMIT: Final = 64_000


def simulated_settings(config: ModelConfig) -> dict[str, object]:
    """What the request carries besides the prompt, after every option was looked at."""
    return _SETTINGS[wire_of(config)](real_config(config))


def wire_of(config: ModelConfig) -> Wire:
    """The wire format that a config asks for; raises SettingRejected for one that is none."""
    asked = config.options.get("wire", Wire.CHAT)
    if asked not in list(Wire):
        raise wrong(config, "wire", "one of " + ", ".join(Wire))
    return Wire(str(asked))


def real_config(config: ModelConfig) -> ModelConfig:
    """The config that the real adapter of the wire gets; raises SettingRejected."""
    wire = wire_of(config)
    if wire is Wire.CHAT:
        check_names(config, OPTIONS)
    for name in (*_SHARES, *_SECONDS, *_COUNTS, "seed"):
        _check_number(config, name)
    _check_faults(config)
    if config.options.get("pause") and wire not in PAUSING:
        raise SettingRejected(
            f"model config {config.name!r}: options.pause has no effect, since turns do not pause "
            f"over the wire format {str(wire)!r}; take it out"
        )
    temper = temper_of(config.options)
    if temper.no_block + temper.refuse + temper.truncate > 1:
        raise SettingRejected(
            f"model config {config.name!r}: no_block, refuse and truncate together exceed 1"
        )
    rest = {name: value for name, value in config.options.items() if name not in SIMULATION}
    if wire is Wire.CHAT:
        return replace(config, options=rest)
    limit = config.max_output_tokens
    if wire is Wire.ANTHROPIC and limit is None:
        limit = _OUTPUT_LIMIT
    return replace(config, provider=PROVIDER_OF[wire], options=rest, max_output_tokens=limit)


def asked_of_simulator(config: ModelConfig) -> dict[str, object]:
    """The options that are the simulator's own affair."""
    return {name: value for name, value in config.options.items() if name in SIMULATION}


def temper_of(options: Mapping[str, object]) -> Temper:
    """Read the simulation's settings; those that are not given have their usual values."""
    known = {name: value for name, value in options.items() if name in (*_SHARES, *_SECONDS)}
    numbers = {n: float(v) for n, v in known.items() if isinstance(v, int | float)}
    counts = {n: v for n in (*_COUNTS, "seed") if isinstance(v := options.get(n), int)}
    faults = options.get("faults", ())
    names = tuple(map(str, faults)) if isinstance(faults, list | tuple) else ()
    return replace(Temper(**numbers), **counts, faults=names)  # type: ignore[arg-type]


def _check_number(config: ModelConfig, name: str) -> None:
    value = config.options.get(name)
    if value is None:
        return
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if name == "seed":
        good, wanted = number and isinstance(value, int), "a whole number"
    elif name in _COUNTS:
        good = number and isinstance(value, int) and 0 <= value <= 100_000
        wanted = "a whole number from 0 to 100000"
    elif name in _SHARES:
        good, wanted = number and 0 <= float(str(value)) <= 1, "a number from 0 to 1"
    else:
        good, wanted = number and 0 <= float(str(value)) <= 3600, "seconds from 0 to 3600"
    if not good:
        raise wrong(config, name, wanted)


def _check_faults(config: ModelConfig) -> None:
    value = config.options.get("faults", ())
    if not isinstance(value, list | tuple) or not all(name in list(Fault) for name in value):
        raise wrong(config, "faults", f"a list of {', '.join(Fault)}")
