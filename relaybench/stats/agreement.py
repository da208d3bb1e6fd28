"""Agreement of wrong answers: many models with the same wrong answer make its key suspect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far the configs that got an item wrong gave the same wrong answer.

    ``answers`` different wrong answers were given by ``models`` configs; ``top`` of these gave
    the most common one, a ``share`` of top / models in (0, 1].
    """

    answers: int
    top: int
    models: int
    share: float

    @property
    def suspect(self) -> bool:
        """At least 2 configs, and at least half of those that were wrong, agree on one answer.

        A rule to look at the key, not a test: it assumes no chance of agreement, which for free
        answers is small, but for one of few possible answers is not.
        """
        return self.top >= 2 and 2 * self.top >= self.models


def agreement(counts_by_answer: Sequence[Mapping[str, int]]) -> Agreement | None:
    """Agreement from one mapping, config -> times given, per different wrong answer to an item.

    Configs count once per answer however often they gave it, so that repeats of one model are
    no agreement. None where nobody was wrong. ValueError for a negative count.
    """
    givers: list[set[str]] = []
    for counts in counts_by_answer:
        for config, count in counts.items():
            if count < 0:
                raise ValueError(f"{config} cannot have given an answer {count} times")
        given = {config for config, count in counts.items() if count}
        if given:
            givers.append(given)
    if not givers:
        return None
    top, models = max(len(given) for given in givers), len(set().union(*givers))
    return Agreement(len(givers), top, models, top / models)
