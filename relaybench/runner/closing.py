"""When a provider or a config is given up, because nothing more that is sent to it can work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from relaybench.domain.errors import FaultScope, ProviderError, RequestRejected
from relaybench.domain.model import ModelConfig
from relaybench.runner.budget import Budget
from relaybench.runner.events import LaneClosed
from relaybench.runner.lane import Lane

#: After so many rejected requests in a row, with no answer ever, a config is given up.
REJECTIONS_IN_A_ROW: Final = 3


@dataclass(slots=True)
class Closing:
    """What a run knows of its configs (by digest): which have ``answered``, how often not."""

    configs: Mapping[str, ModelConfig]
    budget: Budget
    answered: set[str] = field(default_factory=set)
    _rejections: dict[str, int] = field(default_factory=dict)

    def forget(self) -> None:
        """Count rejections anew: the user asked for another try."""
        self._rejections.clear()

    def after(self, lane: Lane, config: str, error: ProviderError) -> LaneClosed | None:
        """Close the lane, or the config in it, where nothing more can work; None where it can."""
        scope = error.scope
        if isinstance(error, RequestRejected) and config not in self.answered:
            self._rejections[config] = self._rejections.get(config, 0) + 1
            if self._rejections[config] >= REJECTIONS_IN_A_ROW:
                # A rejection comes at once and an answer after an hour: calls that are under way
                # may yet show that the config works.
                if self.budget.under_way[config]:
                    lane.held.add(config)
                else:
                    scope = FaultScope.CONFIG
        if scope not in (FaultScope.CONFIG, FaultScope.PROVIDER) or not lane.open_for(config):
            return None
        only = config if scope is FaultScope.CONFIG else None
        dropped = lane.close(only)
        name = self.configs[config].name if only else None
        return LaneClosed(lane.name, name, error.kind, str(error), dropped)
