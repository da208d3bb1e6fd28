"""What a person may know of a pasted answer: how it ended, its tokens, its cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Final, TypeVar

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Button, Input

from relaybench.domain.completion import Usage
from relaybench.domain.errors import UsageError
from relaybench.workbench.runs.manual import Ended

if TYPE_CHECKING:
    from relaybench.domain.completion import Usage

T = TypeVar("T")

_WORDS: Final = {
    Ended.BY_ITSELF: "ended by itself",
    Ended.REFUSED: "refused",
    Ended.CUT_OFF: "cut off",
}


@dataclass(frozen=True, slots=True)
class Known:
    """How an answer ended, its tokens and its cost in USD; None: not known."""

    ended: Ended
    usage: Usage
    cost: Decimal | None


class EndedButton(Button):
    """How the answer ended on its page; pressing it goes on to the next of the three."""

    def __init__(self) -> None:
        super().__init__(Content(_WORDS[Ended.BY_ITSELF]), id="ended")
        self.ended = Ended.BY_ITSELF

    def say(self, ended: Ended) -> None:
        """Say how it ended."""
        self.ended = ended
        self.label = Content(_WORDS[ended])

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """The next of the three."""
        event.stop()
        every = list(Ended)
        self.say(every[(every.index(self.ended) + 1) % len(every)])


class KnownFields(Horizontal):
    """One line of fields; empty ones mean unknown, never 0."""

    def compose(self) -> ComposeResult:
        """Three fields and a choice."""
        yield Input(id="input-tokens", placeholder="tokens in")
        yield Input(id="output-tokens", placeholder="tokens out")
        yield Input(id="cost", placeholder="cost in USD")
        yield EndedButton()

    @property
    def typed(self) -> list[str]:
        """What stands in the fields, as typed."""
        return [field.value for field in self.query(Input)]

    def read(self) -> Known:
        """What stands in the fields.

        Raises UsageError for what is no number, and goes to its field.
        """
        tokens = (self._read(name, tokens_of) for name in ("input-tokens", "output-tokens"))
        usage = Usage(input=next(tokens), output=next(tokens))
        return Known(self.query_one(EndedButton).ended, usage, self._read("cost", cost_of))

    def empty(self) -> None:
        """Nothing is known of the next answer."""
        for field in self.query(Input):
            field.value = ""
        self.query_one(EndedButton).say(Ended.BY_ITSELF)

    def _read(self, name: str, read: Callable[[str], T]) -> T:
        field = self.query_one(f"#{name}", Input)
        try:
            return read(field.value)
        except UsageError:
            field.focus()
            raise


def tokens_of(text: str) -> int | None:
    """A count of tokens as typed, with or without commas; None for nothing. Raises UsageError."""
    typed = text.replace(",", "").strip()
    if not typed:
        return None
    if not typed.isascii() or not typed.isdigit() or len(typed) > 12:
        raise UsageError(f"{text!r} is no number of tokens; leave it empty where it is not known")
    return int(typed)


def cost_of(text: str) -> Decimal | None:
    """An amount of USD as typed; None for nothing. Raises UsageError."""
    typed = text.strip().removeprefix("$")
    if not typed:
        return None
    try:
        amount = Decimal(typed)
    except InvalidOperation as error:
        raise UsageError(f"{text!r} is no amount of USD, such as 0.25") from error
    if not amount.is_finite() or amount < 0:
        raise UsageError(f"{text!r} is no amount of USD from 0")
    return amount
