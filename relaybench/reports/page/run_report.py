"""All that a page says about a run, gathered before it is written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from relaybench.domain.model import ModelConfig
from relaybench.reports.run_facts import Simulated, how_simulated, title
from relaybench.reports.tables import Table
from relaybench.store.extractors import ExtractorUse
from relaybench.store.grid import OutcomeGrid
from relaybench.store.item_answers import ItemAnswers
from relaybench.store.plans import RunRow
from relaybench.store.results import ConfigResult
from relaybench.store.retried import RetriedRow


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure as an SVG file with what is said of it; ``alt`` is for people who don't see it."""

    title: str
    alt: str
    caption: str
    svg: bytes


@dataclass(frozen=True, slots=True)
class RunReport:
    """What a page is made from. ``results`` are in plan order, ``analyses`` as they shall stand.

    ``picture_notes`` say which figures there are not, and why. ``answers`` are read once, and only
    where they were asked for; None leaves keys, prompts and answers out. ``version`` is that of
    the relaybench that writes the page.
    """

    run: RunRow
    results: tuple[ConfigResult, ...]
    grid: OutcomeGrid
    leaderboard: Table
    costs: Table
    analyses: tuple[Table, ...]
    pictures: tuple[Picture, ...]
    picture_notes: tuple[str, ...]
    extractors: tuple[ExtractorUse, ...]
    retried: tuple[RetriedRow, ...]
    version: str
    answers: Iterable[ItemAnswers] | None = None

    @property
    def configs(self) -> list[ModelConfig]:
        """Its model configs in the plan's order."""
        return [result.config for result in self.results]

    def analysis(self, name: str) -> Table | None:
        """The analysis of that name, or None."""
        return next((table for table in self.analyses if table.name == name), None)

    @property
    def how_simulated(self) -> Simulated:
        """How much of it is made up."""
        return how_simulated([self.run], self.configs)

    @property
    def simulated(self) -> bool:
        """Whether anything in it is made up."""
        return self.how_simulated.any

    def title(self, what: str) -> str:
        """A table's title, which says of itself that results are made up."""
        return title(what, [self.run], self.how_simulated)
