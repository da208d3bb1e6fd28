"""What code and bloat do to a score: forms of the same problems, paired."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from relaybench.domain.model import ModelConfig
from relaybench.reports.grid_facts import grid_table, model_cells
from relaybench.reports.model_columns import CONFIG, MODEL
from relaybench.reports.paired_columns import (
    DEFAULT_SEED,
    correct,
    difference_columns,
    paired_cells,
    paired_notes,
    test_columns,
    with_tests,
)
from relaybench.reports.run_facts import SIMULATED_COLUMN
from relaybench.reports.tables import (
    NARROW,
    PAGE,
    Column,
    Kind,
    Table,
    Value,
)
from relaybench.stats.paired import compare_pairs
from relaybench.store.grid import GridItem, OutcomeGrid

_ENCODING: Final = "encoding"
_BLOAT: Final = "bloat"
_BOTH: Final = "encoding and bloat"

_COLUMNS: Final = (
    SIMULATED_COLUMN,
    Column("effect", "Effect of", Kind.TEXT, "", NARROW),
    MODEL,
    *difference_columns("changed form minus base form"),
    Column("pass_at_1_a", "Pass@1 with", Kind.SHARE, "share, changed form", PAGE, begins=True),
    Column("pass_at_1_b", "Pass@1 without", Kind.SHARE, "share, base form", PAGE),
    *test_columns("Better with", "Worse with"),
    CONFIG,
)

#: Encoded or not, and characters of bloat.
Form = tuple[bool, int]


@dataclass(frozen=True, slots=True)
class _Problem:
    """One problem in the forms that it was asked in; equal forms with other prompts together."""

    forms: dict[Form, list[GridItem]] = field(default_factory=dict)

    def pairs(self, effect: str) -> list[tuple[Form, Form]]:
        """(changed, base) forms that differ in that alone, as often as there are any."""
        found = [
            (changed, base)
            for changed in self.forms
            for base in self.forms
            if _effect_of(changed, base) == effect
        ]
        # Where code and bloat can be told apart, their sum says nothing new.
        apart = effect == _BOTH and (self.pairs(_ENCODING) or self.pairs(_BLOAT))
        return [] if apart else sorted(found)


def _effect_of(changed: Form, base: Form) -> str | None:
    encoded, bloated = changed[0] and not base[0], changed[1] > 0 and base[1] == 0
    if encoded and changed[1] == base[1]:
        return _ENCODING
    if bloated and changed[0] == base[0]:
        return _BLOAT
    return _BOTH if encoded and bloated else None


def _problems(grid: OutcomeGrid) -> dict[str, _Problem]:
    disputed = {item.digest for item in grid.disputed}
    found: dict[str, _Problem] = {}
    for item in grid.items.values():
        if not item.imported and item.digest not in disputed:
            form = (item.encoded, item.bloat_characters)
            found.setdefault(item.problem, _Problem()).forms.setdefault(form, []).append(item)
    return found


def effects(grid: OutcomeGrid, seed: int = DEFAULT_SEED) -> Table:
    """One row for each effect that forms of one problem show, and each model: with minus without.

    Effects: encoding (at equal bloat), bloat (at equal encoding), and both at once where they
    cannot be told apart. A problem with several pairs of forms counts once, with their mean. The
    p-values are corrected over all rows. Without any pair there are no rows, and a note says what
    to run. ``seed`` is the bootstrap's, 0 or more.
    """
    problems = _problems(grid)
    named: list[tuple[str, ModelConfig]] = []
    pairs: list[tuple[_Scores, _Scores]] = []
    for effect in (_ENCODING, _BLOAT, _BOTH):
        paired = {name: forms for name, each in problems.items() if (forms := each.pairs(effect))}
        for digest, config in grid.configs.items():
            if paired:
                named.append((effect, config))
                pairs.append(_scores(grid, problems, paired, digest))
    found = compare_pairs(pairs, seed)
    rows: list[dict[str, Value]] = [
        {
            **model_cells(grid, config),
            "effect": effect,
            **paired_cells(compared, seed),
        }
        for (effect, config), compared in zip(named, found, strict=True)
    ]
    tests = correct(rows, found)
    what = "the changed form minus that of the base form of the same problem"
    return grid_table(
        grid,
        "effects",
        "Paired effect of encoding and bloat",
        with_tests(_COLUMNS, tests),
        rows,
        (*_notes(problems, rows), *paired_notes(found, seed, what)),
    )


def has_pairs(grid: OutcomeGrid) -> bool:
    """Whether any problem was asked in two forms that can be compared."""
    return any(
        each.pairs(effect)
        for each in _problems(grid).values()
        for effect in (_ENCODING, _BLOAT, _BOTH)
    )


_Scores = dict[str, Sequence[float]]


def _scores(
    grid: OutcomeGrid,
    problems: Mapping[str, _Problem],
    paired: Mapping[str, Sequence[tuple[Form, Form]]],
    config: str,
) -> tuple[_Scores, _Scores]:
    """Scores by problem in the changed form and in the base form.

    Those of single attempts where there is one pair of forms, else one mean for each pair, so
    that every pair weighs the same.
    """
    changed: _Scores = {}
    base: _Scores = {}
    for name, pairs in paired.items():
        forms = problems[name].forms
        both = [
            (a, b)
            for one, other in pairs
            if (a := _attempts(grid, forms[one], config))
            and (b := _attempts(grid, forms[other], config))
        ]
        if len(both) == 1:
            changed[name], base[name] = both[0]
        elif both:
            changed[name] = [math.fsum(a) / len(a) for a, _ in both]
            base[name] = [math.fsum(b) / len(b) for _, b in both]
    return changed, base


def _attempts(grid: OutcomeGrid, items: Sequence[GridItem], config: str) -> tuple[float, ...]:
    return tuple(score for item in items for score in grid.scored(item.digest, config))


def _notes(problems: Mapping[str, _Problem], rows: Sequence[Mapping[str, Value]]) -> Iterator[str]:
    if not rows:
        yield (
            "No problem was asked in two forms that differ in code or bloat. Run the same set with "
            "--variant plain --variant bloated --variant encoded; then this table says what "
            "each does to every model."
        )
        return
    several = sum(
        any(len(items) > 1 for items in each.forms.values()) for each in problems.values()
    )
    if several:
        yield (
            f"{several:,} {'problem was' if several == 1 else 'problems were'} asked with several "
            "prompts of one form; their attempts are taken together."
        )
    told = {row["effect"] for row in rows}
    if _ENCODING in told:
        yield "Encoding: the encoded form against the one in plain text, with the same bloat."
    if _BLOAT in told:
        yield "Bloat: the form with bloat against the one without, both encoded or both not."
    if _BOTH in told:
        yield (
            "Encoding and bloat: problems whose forms differ in both at once, so that the two "
            "cannot be told apart; --variant bloated would tell them."
        )
    yield "Each pair is of one problem with one key, so unlike two rows of a breakdown it is fair."
