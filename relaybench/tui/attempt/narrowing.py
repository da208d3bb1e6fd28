"""Which attempts of a list are shown, and which comes next. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from relaybench.domain.results import Outcome
from relaybench.domain.triage import Blame
from relaybench.tui.outcome_marks import SIGNS

if TYPE_CHECKING:
    from relaybench.store.attempt_lists import AttemptEntries, AttemptEntry


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


def choices(entries: Iterable[AttemptEntry], runs: Sequence[str]) -> list[tuple[str, str, str]]:
    """What a list can be narrowed to: key, words, and how many attempts that are."""
    outcomes: Counter[Outcome] = Counter()
    models: Counter[str] = Counter()
    marks: Counter[Blame | None] = Counter()
    near = 0
    for entry in entries:
        outcomes[entry.outcome] += 1
        models[entry.model] += 1
        marks[entry.blame] += 1
        near += entry.near_miss is not None
    every = marks.total()
    marked = every - marks[None]
    found = [("all", "all attempts", str(every))]
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


def step(count: int, at: int, by: int, wanted: Callable[[int], bool]) -> int | None:
    """The place of the next wanted one of so many (``by`` 1), or the one before (-1); None: none.

    ``wanted`` is asked by place.
    """
    place = at + by
    while 0 <= place < count:
        if wanted(place):
            return place
        place += by
    return None


def kept(
    entries: Iterable[AttemptEntry], count: int, narrowing: Narrowing, wanted: int | None
) -> tuple[Sequence[int], int]:
    """Places of the attempts that are shown, of so many, and which of these has the cursor.

    That is the one of the number ``wanted``, or the next after it; the first where there is none.
    """
    every = narrowing == Narrowing()
    if every and wanted is None:
        return range(count), 0
    shown: list[int] = []
    at = None
    passed = wanted is None
    for place, entry in enumerate(entries):
        passed = passed or entry.id == wanted
        if every and passed:
            return range(count), place
        if narrowing.keeps(entry):
            if passed and at is None:
                at = len(shown)
            shown.append(place)
    return shown, at or 0


def narrowed(
    entries: AttemptEntries, narrowing: Narrowing, wanted: int | None
) -> tuple[AttemptEntries, int]:
    """The attempts that are shown, and the place of the one that has the cursor. In a thread."""
    places, at = kept(entries, len(entries), narrowing, wanted)
    return entries.at(places), at
