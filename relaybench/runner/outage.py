"""Whether a provider can be reached at all. While it cannot, single calls feel for it.

Each attempt has its 30 tries. If every cell went on trying through an outage of an hour, all would
have used them up by its end; so after some failures in a row without a sign of life only one call
at a time goes out, after growing waits, and the others keep their tries.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from relaybench.domain.errors import ConnectionFailed, ProviderError, RateLimited, ServerFault

#: So many failures in a row, with nothing heard of any call meanwhile, are an outage.
FAILURES_IN_A_ROW: Final = 6
#: The longest wait between two feelers, in seconds.
LONGEST_S: Final = 60.0
#: A feeler that has neither failed nor been heard of for so long has reached its provider: making
#: a connection gives up before that, and an answer that is not streamed is silent till its end.
SILENT_S: Final = 45.0
_OUT_OF_REACH: Final = (ConnectionFailed, RateLimited, ServerFault)


@dataclass(slots=True)
class Outage:
    """What has been heard of a provider lately. Moments are those of the runner's clock."""

    failures: int = 0
    not_before: float = 0.0
    _feeler: float | None = None  # when the feeler that is out was sent

    @property
    def lasting(self) -> bool:
        """Whether the provider is out of reach, as far as is known."""
        return self.failures >= FAILURES_IN_A_ROW

    def heard(self) -> bool:
        """The provider gave a sign of life; returns whether that ends an outage."""
        ended = self.lasting
        self.failures, self._feeler = 0, None
        return ended

    def failed(self, error: ProviderError, now: float) -> bool:
        """A call failed; returns whether that begins an outage."""
        if not isinstance(error, _OUT_OF_REACH):
            self.heard()  # it said something
            return False
        self.failures += 1
        self._feeler = None
        if self.lasting:
            more = min(self.failures - FAILURES_IN_A_ROW, 10)
            self.not_before = now + min(LONGEST_S, 2.0**more)
        return self.failures == FAILURES_IN_A_ROW

    def sent(self, now: float) -> None:
        """A call goes out."""
        if self.lasting:
            self._feeler = now

    def opens(self, now: float) -> float | None:
        """When the next call may go out; None: now."""
        if not self.lasting:
            return None
        if self._feeler is not None:
            if now < self._feeler + SILENT_S:
                return self._feeler + SILENT_S
            self.heard()
            return None
        return self.not_before if now < self.not_before else None
