"""Scores that others published, from a CSV file, to stand beside our own."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

from relaybench.domain.errors import UsageError
from relaybench.domain.literal import visible
from relaybench.reports.figures.figure import Share
from relaybench.stats.intervals import wilson

_NEEDED: Final = ("benchmark", "model", "score")
_OPTIONAL: Final = ("n", "date", "source")
#: Bad lines that are told one by one.
_TOLD: Final = 10


@dataclass(frozen=True, slots=True)
class PublishedScore:
    """A model's score (0-1) on a benchmark; with ``n`` items it has a Wilson interval."""

    benchmark: str
    model: str
    share: Share
    n: int | None = None
    when: date | None = None
    source: str = ""


def parse_scores(text: str, file: str) -> list[PublishedScore]:
    """Read ``benchmark,model,score`` and optional ``n,date,source``; ``file`` is for messages.

    A score is in 0-1, or in percent with its sign. Raises UsageError that names file and line
    of everything that cannot be used, and then nothing is.
    """
    try:
        lines = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True))
    except csv.Error as error:
        raise UsageError(f"{file} is not CSV: {error}") from error
    if not lines or not any(lines[0]):
        raise UsageError(f"{file} is empty; its first line names columns: {','.join(_NEEDED)}")
    heading = [name.strip().lower() for name in lines[0]]
    odd = [name for name in heading if name not in (*_NEEDED, *_OPTIONAL)]
    lacking = [name for name in _NEEDED if name not in heading]
    if odd or lacking or len(set(heading)) < len(heading):
        what = (
            f"lacks the column {', '.join(lacking)}"
            if lacking
            else f"has columns that are not known: {', '.join(map(visible, odd))}"
            if odd
            else "names a column twice"
        )
        raise UsageError(
            f"{file}:1: {what}; columns are {', '.join(_NEEDED)}, "
            f"and {', '.join(_OPTIONAL)} where they are known"
        )
    return _rows(text.removeprefix("\ufeff"), heading, file)


def _rows(text: str, heading: list[str], file: str) -> list[PublishedScore]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    found: dict[tuple[str, str, date | None], PublishedScore] = {}
    bad: list[str] = []
    for index, cells in enumerate(reader):
        if index == 0 or not any(cell.strip() for cell in cells):
            continue
        where = f"{file}:{reader.line_num}"
        if len(cells) != len(heading):
            bad.append(f"{where}: {len(cells)} cells for {len(heading)} columns")
            continue
        try:
            row = _row({k: v.strip() for k, v in zip(heading, cells, strict=True)})
        except ValueError as error:
            bad.append(f"{where}: {error}")
            continue
        key = (row.benchmark, row.model, row.when)
        if key in found:
            bad.append(f"{where}: this benchmark, model and date stood in a line before")
        found[key] = row
    if bad:
        more = f"\n... and {len(bad) - _TOLD:,} more" if len(bad) > _TOLD else ""
        raise UsageError("scores that cannot be used:\n" + "\n".join(bad[:_TOLD]) + more)
    if not found:
        raise UsageError(f"{file} holds no score below its first line")
    return list(found.values())


def _row(cells: Mapping[str, str]) -> PublishedScore:
    for name in ("benchmark", "model"):
        if not cells[name]:
            raise ValueError(f"the {name} is empty")
    score = _score(cells["score"])
    n = _n(cells.get("n", ""))
    interval = wilson(score * n, n) if n else None
    return PublishedScore(
        benchmark=cells["benchmark"],
        model=cells["model"],
        share=Share(score, interval.lo, interval.hi) if interval else Share(score),
        n=n,
        when=_date(cells.get("date", "")),
        source=cells.get("source", ""),
    )


def _score(text: str) -> float:
    number = text.removesuffix("%").strip()
    try:
        value = float(number) / (100 if text.endswith("%") else 1)
    except ValueError:
        value = math.nan
    if not 0 <= value <= 1:
        raise ValueError(
            f"the score {visible(text)!r} is no number from 0 to 1, and no percentage like 45.2%"
        )
    return value


def _n(text: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and 0 < len(text) < 10 and int(text) > 0):
        raise ValueError(f"n, the number of items, is {visible(text)!r}; write 1 or more")
    return int(text)


def _date(text: str) -> date | None:
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise ValueError(f"the date {visible(text)!r} is not like 2026-11-30") from error
