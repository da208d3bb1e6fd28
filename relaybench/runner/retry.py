"""The one retry layer: how often, how long to wait, and when to stop trying."""

from __future__ import annotations

import random
from dataclasses import dataclass

from relaybench.domain.errors import ProviderError


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Exponential waits with full jitter, in seconds.

    Before try n+1 the wait is drawn evenly from 0 to min(longest, first * 2^(n-1)); a wait that
    the provider asks for is a lower bound, however long, plus the same jitter up to ``first``.
    A failure that may have been billed (cut off in mid-answer, timed out) is tried again only
    until there were ``billed_tries`` of them: thirty broken answers could cost thirty times.
    """

    tries: int = 30
    billed_tries: int = 3
    first_s: float = 1.0
    longest_s: float = 60.0

    def wait_before_next(
        self, tried: int, error: ProviderError, draw: random.Random, *, billed: int = 0
    ) -> float | None:
        """Seconds to wait after ``tried`` tries (from 1), or None: this failure is final.

        ``billed`` says how many of the tries failed and may have been billed, this one included.
        """
        if not error.retryable or tried >= self.tries or billed >= self.billed_tries:
            return None
        ceiling = min(self.longest_s, self.first_s * 2.0 ** min(tried - 1, 30))
        wait = draw.uniform(0.0, ceiling)
        asked = error.retry_after_s
        if asked is not None and asked > wait:
            # All calls of a storm are told the same moment: spread them a little behind it.
            return asked + draw.uniform(0.0, min(self.first_s, asked))
        return wait
