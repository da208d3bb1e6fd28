"""How many calls may be under way at one provider: falls on 429, recovers by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from relaybench.domain.errors import ProviderError, RateLimited, ServerFault

#: After so many seconds without being limited the pace rises, however long answers take: a limit
#: on tokens a minute says nothing of how many hour-long turns may be under way.
CALM_S: Final = 60.0
_OVERLOADED: Final = frozenset({"overloaded_error", "overloaded", "unavailable", "503", "529"})


def asks_for_less(error: ProviderError) -> bool:
    """Whether fewer calls at once would help: a limit was met, or the provider is overloaded."""
    if not isinstance(error, ServerFault):
        return isinstance(error, RateLimited)
    words = {(word or "").lower() for word in (error.error_type, error.error_code)}
    said = "overloaded" in str(error).lower()
    return error.http_status in (503, 529) or said or bool(words & _OVERLOADED)


@dataclass(slots=True)
class Pace:
    """Slow increase, multiplicative decrease, between 1 and ``most`` calls.

    When a call is limited the number is halved, once per wave: limits met by calls that were under
    way when it was lowered do not lower it again. After as many good answers in a row, or after
    ``CALM_S``, it rises by a quarter, at least by 1.
    """

    most: int
    limit: int = 0
    rises_at: float | None = None  # by the runner's clock; None where nothing is to be regained
    _good: int = 0
    _epoch: int = 0

    def __post_init__(self) -> None:
        """Start at full speed."""
        self.limit = self.limit or self.most

    @property
    def epoch(self) -> int:
        """A stamp for a call that goes out now; hand it back to ``limited``."""
        return self._epoch

    def answered(self) -> bool:
        """A call came back well; returns whether the limit rose."""
        self._good += 1
        return self._good >= self.limit and self._rise()

    def rested(self, now: float) -> bool:
        """Time has passed; returns whether the limit rose."""
        if self.rises_at is None or now < self.rises_at:
            return False
        self.rises_at = now + CALM_S
        return self._rise()

    def limited(
        self,
        epoch: int,
        *,
        now: float | None = None,
        wait_s: float | None = None,
        under_way: int | None = None,
    ) -> bool:
        """A call sent at that epoch was limited; returns whether the limit fell.

        ``now`` is the runner's clock, ``wait_s`` what the provider asked for: the calm is counted
        from its end. With ``under_way`` calls, fewer than the limit, it falls below those.
        """
        self._good = 0
        if now is not None:
            calm = now + (wait_s or 0.0) + CALM_S
            self.rises_at = max(calm, self.rises_at or calm)
        if epoch != self._epoch:
            return False
        self._epoch += 1
        met = self.limit if under_way is None else min(self.limit, under_way)
        lower = max(1, met // 2)
        fell = lower < self.limit
        self.limit = lower
        return fell

    def change(self, most: int) -> None:
        """Set another ``most``: one that was lowered by the provider is not raised past that.

        Calls under way beyond the new number finish; none goes out until they are fewer.
        """
        full = self.limit == self.most and self.rises_at is None
        self.most = most
        self.limit = most if full else min(self.limit, most)

    def _rise(self) -> bool:
        rose = self.limit < self.most
        self.limit = min(self.most, self.limit + max(1, self.limit // 4))
        self._good = 0
        if self.limit == self.most:
            self.rises_at = None
        return rose
