"""One line of an import file: its form, and what it means in our own values."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from relaybench.domain.answer_rules import unfit_form
from relaybench.domain.completion import Completion, StopReason, Usage
from relaybench.domain.item import Item, ItemKind
from relaybench.domain.model import IMPORTED, ModelConfig, Prices, PriceTier

Tokens = Annotated[int, Field(ge=0, le=10**12, strict=True)]
Text = Annotated[str, Field(min_length=1)]
Price = Annotated[Decimal, Field(ge=0, max_digits=16, decimal_places=6)]

#: Stop reasons that lines may carry: ours, and the words that providers use for them.
_STOPS = {
    **{each.value: each for each in StopReason},
    "stop": StopReason.END,
    "end_turn": StopReason.END,
    "completed": StopReason.END,
    "length": StopReason.MAX_TOKENS,
    "max_output_tokens": StopReason.MAX_TOKENS,
    "model_context_window_exceeded": StopReason.MAX_TOKENS,
    "content_filter": StopReason.BLOCKED,
    "safety": StopReason.BLOCKED,
    "pause_turn": StopReason.PAUSE,
    "tool_calls": StopReason.TOOL_USE,
}


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


Line = TypeVar("Line", bound=_Strict)


class UsageLine(_Strict):
    """Tokens by bucket; buckets do not overlap. Left out: not reported."""

    input: Tokens | None = None
    cached_input: Tokens | None = None
    cache_write: Tokens | None = None
    output: Tokens | None = None
    reasoning: Tokens | None = None


class PricesLine(_Strict):
    """USD per million tokens; left out: unknown."""

    input: Price | None = None
    cached_input: Price | None = None
    cache_write: Price | None = None
    output: Price | None = None

    @field_validator("*", mode="before")
    @classmethod
    def _exact(cls, value: object) -> object:
        """Read a float by its shortest form, so that 0.1 is a tenth."""
        return str(value) if isinstance(value, float) else value


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What a line says: the item it answers, the config it is of, and the response.

    ``repeat`` is None where the line names none.
    """

    item: Item
    config: ModelConfig
    completion: Completion
    repeat: int | None


class BaseLine(_Strict):
    """What all lines have, whatever form their response is in."""

    set: Text
    composite: Text
    key: Text
    domains: tuple[str, ...] = ()
    effort: Annotated[str, Field(max_length=200)] | None = None
    repeat: Annotated[int, Field(ge=0, le=100_000, strict=True)] | None = None
    prices: PricesLine | None = None

    @field_validator("key")
    @classmethod
    def _answerable(cls, key: str) -> str:
        reason = unfit_form(key)
        if reason:
            raise ValueError(f"it {reason}, so that no answer could ever equal it")
        return key

    def item(self) -> Item:
        """The item that the line answers; its prompt is not known."""
        return Item(
            set_name=self.set,
            name=self.composite,
            kind=ItemKind.IMPORTED,
            prompt="",
            key=self.key,
            domains=tuple(sorted(set(self.domains))),
        )

    def config_of(self, provider: str, model: str) -> ModelConfig:
        """The model config that the line is of."""
        prices = self.prices
        return ModelConfig(
            name=f"{model} ({self.effort})" if self.effort else model,
            provider=provider,
            model=model,
            effort=self.effort or None,
            harness=IMPORTED,
            prices=None
            if prices is None
            else Prices(
                (
                    PriceTier(
                        input=prices.input,
                        cached_input=prices.cached_input,
                        cache_write=prices.cache_write,
                        output=prices.output,
                    ),
                ),
                source="given with the imported results",
            ),
        )


class ImportLine(BaseLine):
    """One line of an import file whose response is the visible text."""

    model: Text
    response: str
    provider: Text = "imported"
    stop_reason: str | None = None
    usage: UsageLine | None = None

    def stop(self) -> StopReason:
        """The stop reason in our words; a line that gives none ended by itself."""
        if self.stop_reason is None:
            return StopReason.END
        return _STOPS.get(self.stop_reason.lower(), StopReason.OTHER)

    def completion(self) -> Completion:
        """The response as if an adapter had read it."""
        usage = self.usage
        return Completion(
            text=self.response,
            stop_reason=self.stop(),
            raw_stop_reason=self.stop_reason,
            usage=Usage(**usage.model_dump()) if usage else Usage(),
            requested_model=self.model,
        )


def parse_line(raw: bytes) -> ImportResult | str:
    """Read one line; a string says why it cannot be taken."""
    data = read_object(raw)
    line = data if isinstance(data, str) else read_line(ImportLine, data)
    if isinstance(line, str):
        return line
    config = line.config_of(line.provider, line.model)
    return ImportResult(line.item(), config, line.completion(), line.repeat)


def read_object(raw: bytes) -> dict[str, Any] | str:
    """Read the JSON object of a line; a string says why there is none."""
    try:
        data: Any = json.loads(raw.decode("utf-8"), parse_constant=_no_constant)
    except UnicodeDecodeError:
        return "is not UTF-8 text"
    except json.JSONDecodeError as error:
        return f"is not JSON at column {error.colno}: {error.msg}"
    except (ValueError, RecursionError) as error:
        return f"is not JSON: {error}"
    if not isinstance(data, dict):
        return 'is no JSON object; write {"set": …, "composite": …, "key": …, …}'
    return data


def read_line(kind: type[Line], data: dict[str, Any]) -> Line | str:
    """Take a line's values out of its object; a string says why they cannot be taken."""
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        return "; ".join(_reason(each) for each in error.errors()[:3])


def _no_constant(text: str) -> object:
    raise ValueError(f"{text} is no number")


def _reason(error: Any) -> str:
    where = ".".join(str(part) for part in error["loc"] if part not in ("int", "str"))
    if error["type"] == "missing":
        return f"{where} is missing"
    if error["type"] == "extra_forbidden":
        return f"{where} is not a key of a line"
    return f"{where}: {re.sub('^Input', 'it', error['msg'])}"
