"""Which attempts of a list are shown, and which comes next. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from relaybench.domain.results import Outcome
from relaybench.domain.triage import Blame
from relaybench.tui.outcome_marks import SIGNS

if TYPE_CHECKING:
    from relaybench.store.attempt_lists import AttemptEntry


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What is asked of an attempt for it to be shown; None: nothing.

    ``triage`` is the name of a mark, ``any`` or ``none``.
    """

    outcome: Outcome | None = None
    model: str | None = None
    near_misses: bool = False
    triage: str | None = None

    def keeps(self, entry: AttemptEntry) -> bool:
        """Whether an attempt is shown."""
        if self.outcome is not None and entry.outcome is not self.outcome:
            return False
        if self.model is not None and entry.model != self.model:
            return False
        if self.near_misses and entry.near_miss is None:
            return False
        if self.triage in ("any", "none"):
            return (entry.blame is not None) is (self.triage == "any")
        return self.triage is None or entry.blame == self.triage

    def words(self) -> str:
        """What is asked, in words; "" for nothing."""
        found = [
            *([self.outcome.value] if self.outcome else []),
            *(["near misses"] if self.near_misses else []),
            *([_triage_words(self.triage)] if self.triage else []),
            *([self.model] if self.model else []),
        ]
        return ", ".join(found)

    def changed(self, key: str) -> Narrowing:
        """The narrowing after a choice of ``choices`` (all keys but those of runs)."""
        what, _, value = key.partition(":")
        match what:
            case "outcome":
                return replace(self, outcome=Outcome(value))
            case "model":
                return replace(self, model=value)
            case "near":
                return replace(self, near_misses=not self.near_misses)
            case "triage":
                return replace(self, triage=value)
        return Narrowing()


def _triage_words(triage: str) -> str:
    words = {"any": "with a triage mark", "none": "without a triage mark"}
    return words.get(triage, f"{triage} fault")


def choices(entries: Sequence[AttemptEntry], runs: Sequence[str]) -> list[tuple[str, str, str]]:
    """What a list can be narrowed to: key, words, and how many attempts that are."""
    outcomes = Counter(entry.outcome for entry in entries)
    models = Counter(entry.model for entry in entries)
    marks = Counter(entry.blame for entry in entries)
    marked = len(entries) - marks[None]
    near = sum(entry.near_miss is not None for entry in entries)
    found = [("all", "all attempts", str(len(entries)))]
    found += [
        (f"outcome:{each.value}", f"{SIGNS[each]} {each.value}", str(outcomes[each]))
        for each in Outcome
        if outcomes[each]
    ]
    found.append(("near:", "~ near misses", str(near)))
    found += [
        (f"triage:{each.value}", f"[{each.letter}] {each.value} fault", str(marks[each]))
        for each in Blame
    ]
    found.append(("triage:any", "with a triage mark", str(marked)))
    found.append(("triage:none", "without a triage mark", str(marks[None])))
    if len(models) > 1:
        found += [(f"model:{each}", f"model {each}", str(models[each])) for each in models]
    found += [(f"run:{each}", f"run {each}", "") for each in reversed(runs)]
    return found


def step(
    entries: Sequence[AttemptEntry],
    at: int,
    by: int,
    wanted: Callable[[AttemptEntry], bool] = lambda _: True,
) -> int | None:
    """The place of the next wanted attempt (``by`` 1) or the one before (-1); None: no more."""
    place = at + by
    while 0 <= place < len(entries):
        if wanted(entries[place]):
            return place
        place += by
    return None


def kept(
    entries: Sequence[AttemptEntry], narrowing: Narrowing, wanted: int | None
) -> tuple[list[AttemptEntry], int]:
    """The attempts that are shown, and the place of the one of that number or the next after it."""
    shown: list[AttemptEntry] = []
    at = None
    passed = wanted is None
    for entry in entries:
        passed = passed or entry.id == wanted
        if narrowing.keeps(entry):
            if passed and at is None:
                at = len(shown)
            shown.append(entry)
    return shown, at or 0


def is_wrong(entry: AttemptEntry) -> bool:
    """Whether an attempt's answer is wrong."""
    return entry.outcome is Outcome.WRONG
