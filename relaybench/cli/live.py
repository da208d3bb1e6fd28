"""What a run looks like in a terminal while it goes on: a line per model, on stderr."""

from __future__ import annotations

import sys
from types import TracebackType

from rich.console import Console, ConsoleOptions, RenderResult
from rich.live import Live
from rich.table import Table
from rich.text import Text

from relaybench.cli.output import say, usd
from relaybench.domain.literal import visible
from relaybench.domain.results import Outcome
from relaybench.runner.events import CellFinished, CellWaiting, Event, LaneClosed, ReachChanged
from relaybench.workbench.runs.progress import Progress, duration

#: Cells of a progress bar, on a terminal with at least ``_ROOMY`` cells and on a narrower one.
_BAR, _SHORT_BAR, _ROOMY = 20, 8, 100
#: The most cells of a model's name.
_LABEL = 24


def _known(progress: Progress) -> str:
    """What is known of the cost, and whether there is more that is not."""
    unknown = any(model.unknown_costs for model in progress.models.values())
    if unknown and not progress.cost:
        return "cost unknown"
    return usd(progress.cost) + (" and an unknown part" if unknown else "")


def _short(label: str) -> str:
    shown = visible(label)
    if len(shown) <= _LABEL:
        return shown
    return f"{shown[: _LABEL // 2]}…{shown[-(_LABEL // 2 - 1) :]}"  # both ends tell labels apart


class _Display:
    """A table that rich draws anew a few times a second."""

    def __init__(self, progress: Progress, simulated: bool) -> None:
        self._progress = progress
        self._simulated = simulated

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self._table(_BAR if options.max_width >= _ROOMY else _SHORT_BAR)
        progress = self._progress
        under_way = sum(model.under_way for model in progress.models.values())
        yield Text(
            f"{progress.done}/{progress.total} done, {under_way} under way, "
            f"{duration(progress.elapsed)} so far, {_known(progress)}",
            style="dim",
        )

    def _table(self, bar: int) -> Table:
        table = Table(box=None, pad_edge=False, header_style="bold")
        table.add_column("simulated model" if self._simulated else "model", no_wrap=True)
        table.add_column("progress", no_wrap=True)
        for heading in ("done", "right", "errors", "retries", "cost", "left"):
            table.add_column(heading, justify="right", no_wrap=True)
        for digest, model in self._progress.models.items():
            filled = round(bar * model.done / model.total) if model.total else bar
            table.add_row(
                Text(_short(model.config.label)),
                Text("━" * filled + "·" * (bar - filled)),
                f"{model.done}/{model.total}",
                str(model.correct),
                str(model.failed),
                str(model.retries),
                usd(model.cost) + ("+?" if model.unknown_costs else ""),
                duration(self._progress.model_seconds_left(digest)),
            )
        return table


class LiveRun:
    """Shows a run's progress: drawn live on a terminal, a line now and then elsewhere."""

    def __init__(self, progress: Progress, *, simulated: bool) -> None:
        self.progress = progress
        self._console = Console(stderr=True, markup=False, highlight=False)
        self._live: Live | None = None
        self._simulated = simulated
        self._said = 0
        self._told: set[tuple[str, str]] = set()
        if self._console.is_terminal and sys.stderr.isatty():
            self._live = Live(
                _Display(progress, simulated), console=self._console, refresh_per_second=5
            )

    def __enter__(self) -> LiveRun:
        """Start drawing."""
        if self._live:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop drawing; the last state stays on the screen."""
        if self._live:
            self._live.stop()

    def take(self, event: Event) -> None:
        """Count an event, and say what must not be missed."""
        self.progress.take(event)
        if isinstance(event, CellFinished) and event.outcome is Outcome.ERROR:
            model = self.progress.models[event.cell.config].config.label
            what = "" if event.answered else "an attempt failed: "
            self.message(f"{model}: {what}{event.message}")
        elif isinstance(event, CellWaiting):
            self._waiting(event)
        elif isinstance(event, LaneClosed | ReachChanged):
            self.message(self.progress.messages[-1])
        if not self._live and isinstance(event, CellFinished):
            self._line()

    def _waiting(self, event: CellWaiting) -> None:
        """Tell the first failure of each kind of each model; the retries column counts the rest."""
        model = self.progress.models[event.cell.config].config.label
        if (model, event.kind) in self._told:
            return
        self._told.add((model, event.kind))
        self.message(
            f"{model}: {event.message} (try {event.number} of {event.of}; "
            f"the next in {duration(event.wait_s)})"
        )

    def message(self, text: str) -> None:
        """Say something above the table."""
        if self._live:
            self._console.print(Text(visible(text)))
        else:
            say(text)

    def _line(self) -> None:
        progress = self.progress
        step = max(1, progress.total // 10)
        if progress.done // step == self._said and progress.done < progress.total:
            return
        self._said = progress.done // step
        right = sum(model.correct for model in progress.models.values())
        each = ", ".join(
            f"{_short(model.config.label)} {model.correct} right of {model.done}/{model.total}"
            for model in progress.models.values()
        )
        say(
            f"{progress.done}/{progress.total} done, {right} right, {_known(progress)}, "
            f"{duration(progress.seconds_left())} left ({each})"
        )
