"""How many calls may be under way at one provider: falls on 429, recovers by itself."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Pace:
    """Additive increase, multiplicative decrease, between 1 and ``most`` calls.

    After a 429 the limit is halved, once per wave: 429s of calls that were under way when it was
    lowered do not lower it again. After as many good answers in a row as the limit it rises by 1.
    """

    most: int
    limit: int = 0
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
        if self.limit < self.most and self._good >= self.limit:
            self.limit += 1
            self._good = 0
            return True
        return False

    def limited(self, epoch: int) -> bool:
        """A call sent at that epoch met a 429; returns whether the limit fell."""
        self._good = 0
        if epoch != self._epoch:
            return False
        self._epoch += 1
        lower = max(1, self.limit // 2)
        fell = lower < self.limit
        self.limit = lower
        return fell
