"""Model configs, their prices, and cohorts of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from relaybench.domain.tools import all_tools, known_tools, tool_provider

#: Provider names that a config may carry; each is one adapter.
SIMULATED = "simulated"
COMPATIBLE = "compatible"
ANTHROPIC = "anthropic"
OPENAI = "openai"
GOOGLE = "google"
#: No adapter: a person carries prompt and answer over to a model's web page.
MANUAL = "manual"
PROVIDERS = (SIMULATED, COMPATIBLE, ANTHROPIC, OPENAI, GOOGLE, MANUAL)

#: Where a provider's key is looked for when a config does not say so.
KEY_ENVS = {
    ANTHROPIC: "ANTHROPIC_API_KEY",
    OPENAI: "OPENAI_API_KEY",
    GOOGLE: "GEMINI_API_KEY",
}

#: One prompt, one final answer (as in the paper), or nudged on where a turn gives none.
SINGLE = "single"
PERSISTENT = "persistent"
HARNESSES = (SINGLE, PERSISTENT)
#: The harness of results that were made elsewhere: what they were sent with is not known.
IMPORTED = "imported"
#: How often a paused turn is continued before the attempt counts as stalled.
MAX_CONTINUATIONS = 50
#: How often the persistent harness goes on, and what it says.
MAX_NUDGES = 3
NUDGE = (
    "Your last turn ended without a final answer in a fenced code block. Go on from where you "
    "stopped, and finish with the complete final answer in one fenced code block, in exactly the "
    "form that the task asks for."
)


@dataclass(frozen=True, slots=True)
class PriceTier:
    """Prices in USD per million tokens for requests with more than ``above`` input tokens.

    None: this price is not known, so a cost that needs it is unknown too.
    """

    above: int = 0
    input: Decimal | None = None
    cached_input: Decimal | None = None
    cache_write: Decimal | None = None
    cache_write_1h: Decimal | None = None
    output: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Prices:
    """What a model costs: tiers by prompt length (rising), fees per tool use in USD, and proof.

    ``as_of`` is the day on which the price was read, ``source`` where; ``note`` says what is
    doubtful about it.
    """

    tiers: tuple[PriceTier, ...]
    tool_fees: Mapping[str, Decimal] = field(default_factory=dict)
    as_of: date | None = None
    source: str = ""
    note: str = ""

    def tier(self, input_tokens: int) -> PriceTier:
        """The tier that holds for a request with that many input tokens in all."""
        return [tier for tier in self.tiers if tier.above == 0 or input_tokens > tier.above][-1]


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """Provider + model id + effort + tools + harness settings; two efforts are two configs.

    ``key_env`` is the *name* of the environment variable that holds the key, never the key.
    ``options`` are further settings, passed to the adapter as they are. ``instructions`` is a
    system text sent with every prompt; ``blocked_domains`` are kept out of web searches.
    ``max_nudges`` and ``nudge`` are the persistent harness's: how often it goes on where a turn
    ended at a limit or without a code block, and what it says. ``mark`` only tells its label from
    the same label of another config of one run (``labels.told_apart``).
    """

    name: str
    provider: str
    model: str
    effort: str | None = None
    tools: tuple[str, ...] = ()
    harness: str = "single"
    base_url: str | None = None
    key_env: str | None = None
    max_output_tokens: int | None = None
    concurrency: int = 4
    timeout_s: float = 7200.0
    idle_timeout_s: float = 3600.0
    options: Mapping[str, object] = field(default_factory=dict)
    prices: Prices | None = None
    instructions: str | None = None
    blocked_domains: tuple[str, ...] = ()
    max_continuations: int = MAX_CONTINUATIONS
    max_nudges: int = MAX_NUDGES
    nudge: str = NUDGE
    mark: str = field(default="", compare=False)

    @property
    def simulated(self) -> bool:
        """Whether its answers are made up by the built-in simulator."""
        return self.provider == SIMULATED

    @property
    def manual(self) -> bool:
        """Whether its answers are pasted by a person, so that nothing is ever sent for it."""
        return self.provider == MANUAL

    @property
    def provider_key(self) -> str:
        """What shares a key, a queue and a fate: the provider, its address and its key's name."""
        if self.simulated and "wire" in self.options:
            return f"{self.provider} {self.options['wire']}"
        address = f"@{self.base_url}" if self.base_url else ""
        return f"{self.provider}{address}" + (f" ({self.key_env})" if self.key_env else "")

    def identity(self) -> dict[str, object]:
        """Everything that makes this config another config: not its name, prices or limits."""
        identity: dict[str, object] = {
            "provider": self.provider,
            "model": self.model,
            "effort": self.effort,
            "tools": sorted(self.tools),
            "harness": self.harness,
            "base_url": self.base_url,
            "max_output_tokens": self.max_output_tokens,
            "options": dict(self.options),
        }
        # What came in later versions counts only where it is used: older digests stay as they are.
        if self.instructions is not None:
            identity["instructions"] = self.instructions
        if self.blocked_domains:
            identity["blocked_domains"] = sorted(self.blocked_domains)
        if self.max_continuations != MAX_CONTINUATIONS:
            identity["max_continuations"] = self.max_continuations
        if self.harness == PERSISTENT:
            identity["max_nudges"], identity["nudge"] = self.max_nudges, self.nudge
        return identity

    @property
    def digest(self) -> str:
        """SHA-256 of the identity, in hexadecimal."""
        text = json.dumps(self.identity(), sort_keys=True, separators=(",", ":"), default=str)
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def label(self) -> str:
        """How tables call this config: the model, and what differs from its provider's default.

        A mark stands in square brackets behind it.
        """
        words = [self.effort] if self.effort else []
        words += [PERSISTENT] if self.harness == PERSISTENT else []
        words += self._settings_words() if self.harness != IMPORTED else []
        label = f"{self.model} ({', '.join(words)})" if words else self.model
        return f"{label} [{self.mark}]" if self.mark else label

    def _settings_words(self) -> list[str]:
        whose = tool_provider(self.provider, self.options)
        every = all_tools(whose)
        words = []
        if set(every) != set(self.tools) and every:
            known = [*known_tools(whose), *self.tools]
            tools = [name for name in dict.fromkeys(known) if name in self.tools]
            words.append(f"tools: {' + '.join(tools)}" if tools else "no tools")
        if self.blocked_domains:
            words.append("domains blocked")
        if self._own_instructions(every):
            words.append("instructed")
        return words

    def _own_instructions(self, every: tuple[str, ...]) -> bool:
        """Whether the user wrote instructions, besides what is said of tools that are off."""
        if self.instructions is None:
            return False
        # What is said of tools is the first paragraph (``workbench.instructing``).
        off = not set(every) <= set(self.tools)
        return not off or bool(self.instructions.partition("\n\n")[2].strip())
