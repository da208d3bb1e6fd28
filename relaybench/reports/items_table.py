"""Item analysis: which items tell models apart, and which keys had better be looked at."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from relaybench.reports.grid_facts import grid_simulated, grid_table
from relaybench.reports.run_facts import SIMULATED_COLUMN
from relaybench.reports.suspect_keys import suspect_notes
from relaybench.reports.tables import (
    EXACT_ONLY,
    NARROW,
    NO_SCORED,
    PAGE,
    UNKNOWN,
    Column,
    Kind,
    Missing,
    Table,
    Value,
    not_enough,
)
from relaybench.stats.agreement import agreement
from relaybench.stats.items import LEAST_CONFIGS, SOLVED, ItemStatistic, item_statistics
from relaybench.store.grid import GridItem, OutcomeGrid
from relaybench.store.wrong_answers import WrongAnswer


class Flag(StrEnum):
    """What is odd about an item, the most suspicious first."""

    DISPUTED = "disputed"
    AGREEING = "agreeing"
    INVERTED = "inverted"
    NO_MODEL = "no-model"
    EVERY_MODEL = "every-model"


_WORDS: Final[Mapping[Flag, str]] = {
    Flag.DISPUTED: "disputed",
    Flag.AGREEING: "agreeing",
    Flag.INVERTED: "inverted",
    Flag.NO_MODEL: "no model",
    Flag.EVERY_MODEL: "every model",
}
#: Flags after which the key is to be looked at.
_SUSPECT: Final = frozenset({Flag.AGREEING, Flag.INVERTED})
_SEVERAL: Final = 2
_DISPUTED: Final = Missing("disputed")

_COLUMNS: Final = (
    SIMULATED_COLUMN,
    Column("item", "Item", Kind.TEXT, "", NARROW, mark="simulated"),
    Column("form", "Form", Kind.TEXT, "", NARROW),
    Column("flags", "Flags", Kind.TEXT, "", NARROW),
    Column("suspect", "Suspect", Kind.FLAG, "whether to look at its key", EXACT_ONLY),
    Column("pass_at_1", "Pass@1", Kind.SHARE, "mean over models", NARROW),
    Column("solved", "Solved by", Kind.WHOLE, "models", NARROW),
    Column("models", "Models", Kind.WHOLE, "with a scored attempt", PAGE),
    Column("agree", "Agree", Kind.WHOLE, "models with the most common wrong answer", NARROW),
    Column("wrong", "Wrong", Kind.WHOLE, "models with a wrong answer", PAGE),
    Column("discrimination", "Discr.", Kind.NUMBER, "correlation", PAGE, quiet=True),
    Column("near_misses", "Near misses", Kind.WHOLE, "answers, counted as wrong", quiet=True),
    Column("steps", "Steps", Kind.WHOLE, "steps", PAGE),
)
_ANSWER: Final = Column(
    "wrong_answer", "Most common wrong answer", Kind.TEXT, "as it was given", NARROW
)


@dataclass(frozen=True, slots=True)
class _Wrong:
    """Wrong answers to one item; models are told apart by their ids, whatever their effort."""

    agree: int
    models: int
    suspect: bool
    answer: str | None
    near_misses: int


def _givers(grid: OutcomeGrid, answer: WrongAnswer) -> dict[str, int]:
    """How often an answer came, by model id."""
    found: dict[str, int] = {}
    for digest, count in answer.configs.items():
        if digest in grid.configs:
            model = grid.configs[digest].model
            found[model] = found.get(model, 0) + count
    return found


def _wrong(grid: OutcomeGrid, answers: Sequence[WrongAnswer], right: int) -> _Wrong:
    """What the wrong answers to an item say; ``right`` models gave the key's."""
    given = [(_givers(grid, answer), answer) for answer in answers]
    given = sorted(
        ((by, answer) for by, answer in given if by),
        key=lambda pair: (-len(pair[0]), -sum(pair[0].values()), pair[1].answer),
    )
    found = agreement([by for by, _ in given])
    if found is None:
        return _Wrong(0, 0, False, None, 0)
    return _Wrong(
        agree=found.top,
        models=found.models,
        suspect=found.suspect and found.top > right,
        answer=given[0][1].answer,
        near_misses=sum(sum(by.values()) for by, answer in given if answer.near_miss),
    )


def _flags(statistic: ItemStatistic, wrong: _Wrong) -> list[Flag]:
    raised = {
        Flag.AGREEING: wrong.suspect,
        Flag.INVERTED: statistic.inverted,
        Flag.NO_MODEL: statistic.none,
        Flag.EVERY_MODEL: statistic.all,
    }
    return [flag for flag, up in raised.items() if up] if statistic.configs >= _SEVERAL else []


@dataclass(frozen=True, slots=True)
class _Analysed:
    """One item with its flags; ``scores`` are means by config digest, ``ids`` its model ids."""

    item: GridItem
    scores: Mapping[str, float]
    ids: int
    statistic: ItemStatistic | None
    wrong: _Wrong
    flags: Sequence[Flag]

    @property
    def suspect(self) -> bool:
        """Whether its key is to be looked at."""
        return not _SUSPECT.isdisjoint(self.flags)

    @property
    def _compared(self) -> bool:
        return len(self.scores) >= _SEVERAL

    def order(self) -> tuple[object, ...]:
        """Suspicious first: the worst flag, most models that agree, lowest score."""
        order = list(Flag)
        suspicious = [flag for flag in self.flags if flag is not Flag.EVERY_MODEL]
        worst = min(map(order.index, suspicious), default=len(order))
        agree = -self.wrong.agree if Flag.AGREEING in self.flags else 0
        mean = self.statistic.mean if self.statistic else 2.0
        return (worst, agree, mean, self.item.ref, self.item.digest)

    def cells(self, simulated: bool, scored_items: int) -> dict[str, Value]:
        """The row's values; of a disputed item nothing that rests on its grades."""
        if Flag.DISPUTED in self.flags:
            return {
                **{column.key: _DISPUTED for column in (*_COLUMNS, _ANSWER)},
                **self._known(simulated),
                "flags": _WORDS[Flag.DISPUTED],
            }
        solved = sum(mean >= SOLVED for mean in self.scores.values())
        return {
            **self._known(simulated),
            "flags": self._flags_cell(),
            "suspect": self.suspect if self._compared else not_enough(len(self.scores)),
            "pass_at_1": self.statistic.mean if self.statistic else NO_SCORED,
            "solved": solved if self.scores else NO_SCORED,
            "models": len(self.scores),
            "agree": self.wrong.agree if self.ids >= _SEVERAL else not_enough(self.ids),
            "wrong": self.wrong.models if self.scores else NO_SCORED,
            "discrimination": self._discrimination(scored_items),
            "near_misses": self.wrong.near_misses,
            "wrong_answer": Missing("no wrong answer")
            if self.wrong.answer is None
            else self.wrong.answer,
        }

    def _known(self, simulated: bool) -> dict[str, Value]:
        return {
            "simulated": simulated,
            "item": self.item.ref,
            "form": self.item.form.value if self.item.form else UNKNOWN,
            "steps": UNKNOWN if self.item.imported else len(self.item.steps),
        }

    def _flags_cell(self) -> Value:
        if not self._compared:
            return not_enough(len(self.scores))
        return ", ".join(_WORDS[flag] for flag in self.flags)

    def _discrimination(self, scored_items: int) -> Value:
        if len(self.scores) < LEAST_CONFIGS or self.statistic is None:
            return not_enough(len(self.scores))
        if self.statistic.discrimination is not None:
            return self.statistic.discrimination
        return Missing("no spread" if scored_items > 1 else "no other item")


def _analysed(grid: OutcomeGrid, wrong_answers: Sequence[WrongAnswer]) -> list[_Analysed]:
    scores: dict[str, dict[str, float]] = {digest: {} for digest in grid.items}
    disputed = {item.digest for item in grid.disputed}
    for digest in grid.items.keys() - disputed:
        for config in grid.configs:
            found = grid.scored(digest, config)
            if found:
                scores[digest][config] = sum(found) / len(found)
    statistics = item_statistics(scores)
    answers: dict[str, list[WrongAnswer]] = {}
    for answer in wrong_answers:
        answers.setdefault(answer.item, []).append(answer)
    rows = []
    for digest, item in grid.items.items():
        means = scores[digest]
        right = {grid.configs[config].model for config, mean in means.items() if mean > 0}
        wrong = _wrong(grid, answers.get(digest, ()), len(right))
        statistic = statistics.get(digest)
        flags = _flags(statistic, wrong) if statistic else []
        if digest in disputed:
            flags = [Flag.DISPUTED]
        ids = len({grid.configs[config].model for config in means})
        rows.append(_Analysed(item, means, ids, statistic, wrong, flags))
    return sorted(rows, key=_Analysed.order)


def _columns(grid: OutcomeGrid, *, with_answers: bool) -> tuple[Column, ...]:
    """The columns; where the form tells two rows apart it names them, too, on a narrow terminal."""
    refs = [item.ref for item in grid.items.values()]
    apart = len(set(refs)) < len(refs)
    levels = {"agree": PAGE} if apart else {"form": PAGE}
    columns = (*_COLUMNS, _ANSWER) if with_answers else _COLUMNS
    return tuple(
        replace(
            each,
            level=levels.get(each.key, each.level),
            names=apart and each.key == "form",
        )
        for each in columns
    )


def items_table(
    grid: OutcomeGrid,
    wrong_answers: Sequence[WrongAnswer],
    *,
    with_answers: bool = False,
    flags: Collection[Flag] = (),
) -> Table:
    """A row an item, suspicious ones first; only those with one of ``flags`` where any is given.

    The most common wrong answer itself stands there only ``with_answers``.
    """
    analysed = _analysed(grid, wrong_answers)
    shown = [each for each in analysed if not flags or set(flags) & set(each.flags)]
    columns = _columns(grid, with_answers=with_answers)
    simulated = grid_simulated(grid)
    scored_items = sum(bool(each.scores) for each in analysed)
    return grid_table(
        grid,
        "items",
        "Items",
        columns,
        (each.cells(simulated, scored_items) for each in shown),
        _notes(grid, analysed, len(shown)),
    )


def _notes(grid: OutcomeGrid, analysed: Sequence[_Analysed], shown: int) -> list[str]:
    notes = []
    if shown < len(analysed):
        notes.append(
            f"Shown are the {shown:,} of {len(analysed):,} items with the flags asked for."
        )
    notes += suspect_notes(grid, [each.item.ref for each in analysed if each.suspect])
    notes.append(
        "Pass@1 is the mean over models of their means at the item. Solved by counts the models "
        "with at least half of their scored attempts right. No model: nobody was right even "
        "once; every model: nobody ever failed, so that the item tells nobody apart."
    )
    notes.append(
        "Agree counts the models that gave the most common wrong answer, Wrong those that gave "
        "any; efforts and settings of one model id count as one model. Agreeing: at least 2 "
        "models and half of the wrong ones gave one and the same, and more models gave it than "
        "ever gave the key's. Where only few answers are possible, models agree by chance."
    )
    most = max((len(each.scores) for each in analysed), default=0)
    if most < LEAST_CONFIGS:
        notes.append(
            f"No discrimination (Discr.) and no inverted items: both need {LEAST_CONFIGS} models "
            f"with a scored attempt at an item, and here are {most:,} at most."
        )
        return notes
    notes.append(
        "Discr. (discrimination) is the correlation of the models' means at the item with their "
        f"means over the other items, from {LEAST_CONFIGS} models on. Inverted: it is below 0, and "
        "the models that solve the item are weaker than those that don't. With few models that "
        "often comes by chance: it is a reason to look, no proof."
    )
    return notes
