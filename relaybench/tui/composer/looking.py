"""What is worked out in threads for the composer: classes, previews, drawings, measured rates."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from textual import work
from textual.worker import Worker

from relaybench.domain.errors import RelaybenchError
from relaybench.tui.composer.editing_keys import EditingKeys

if TYPE_CHECKING:
    from textual.timer import Timer

    from relaybench.composing.solve import Classes
    from relaybench.domain.problem import Composite
    from relaybench.library.load import Library
    from relaybench.reports.predictions import MeasuredRates
    from relaybench.tui.composer.graph_values import Drawing
    from relaybench.tui.composer.open_composite import OpenComposite
    from relaybench.tui.composer.picker import Offer
    from relaybench.tui.desk import Desk, Problems
    from relaybench.workbench.problems.authoring import Styles
    from relaybench.workbench.problems.drafts import ClassDraft, CompositeDraft
    from relaybench.workbench.problems.previewing import Preview

#: Seconds from an answer that a run was given until rates are read anew.
RATES_AFTER_S: Final = 15.0


class Looking(EditingKeys):
    """Base of the composer that knows what can become a step, and how often it was right in runs.

    ``library`` is as if what is unsaved on the screen Library were saved.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.library: Library | None = None
        self.offered: list[Offer] = []
        self._drafts: tuple[ClassDraft, ...] = ()
        self.measured: MeasuredRates | None = None
        self._rates_stale = True
        self._rates_timer: Timer | None = None

    def look(self) -> Worker[None]:
        """Work out what there is to be seen of the open composite, and show it."""
        raise NotImplementedError

    def on_screen_resume(self) -> None:
        """Coming here: classes and rates are taken anew where they may have changed."""
        if self.desk.class_drafts != self._drafts:
            self.take_classes()
        if self._rates_stale:
            self.read_rates()

    @property
    def known_classes(self) -> Classes:
        """The classes that steps can be of."""
        return self.library.problems() if self.library else {}

    def unsaved_classes(self, composite: Composite) -> list[str]:
        """Those classes of a composite that have unsaved changes."""
        used = {step.use.class_ref for step in composite.steps}
        return sorted(used & {each.ref for each in self._drafts})

    @work(exclusive=True, group="classes")
    async def take_classes(self) -> None:
        """Take the classes as last read, with what is unsaved of them."""
        problems, self._drafts = self.desk.problems, self.desk.class_drafts
        if problems is not None:
            self.library, self.offered = await asyncio.to_thread(
                _classes_of, problems.library, self._drafts
            )
            self.classes_taken()

    def classes_taken(self) -> None:
        """Other classes are known now."""
        raise NotImplementedError

    async def errors_in(self, each: OpenComposite) -> int:
        """How many errors ``check`` finds in a saved composite, by the files as they are."""
        problems, unsaved = self.desk.problems, self.unsaved_classes(each.value)
        if problems is None:
            return 0
        if unsaved:
            classes = ", ".join(unsaved)
            self.notice(f"{each.ref} uses unsaved changes of {classes}: save them too.", "warning")
        return await asyncio.to_thread(_errors_in, problems, each.draft)

    def rates_changed(self) -> None:
        """Something was answered: a run that goes on says so every few seconds."""
        self._rates_stale = True
        if self._rates_timer is None:
            self._rates_timer = self.set_timer(RATES_AFTER_S, self._rates_due)

    def _rates_due(self) -> None:
        self._rates_timer = None
        if self.is_current:
            self.read_rates()

    @work(exclusive=True, group="rates")
    async def read_rates(self) -> None:
        """Read how often each step was right in past runs."""
        from relaybench.reports.predictions import MeasuredRates
        from relaybench.workbench.results.predicting import measured_rates

        self._rates_stale = False
        before = self.measured or MeasuredRates()
        try:
            self.measured = await asyncio.to_thread(measured_rates, self.desk.workspace)
        except RelaybenchError:  # the results screen says what is wrong with that file
            self.measured = MeasuredRates()
        if self.measured != before:
            self.look()


def _classes_of(library: Library, drafts: tuple[ClassDraft, ...]) -> tuple[Library, list[Offer]]:
    from relaybench.tui.composer.picker import offers
    from relaybench.workbench.problems.overlay import with_drafts

    after = with_drafts(library, drafts)
    return after, offers(after.problems())


def _errors_in(problems: Problems, draft: CompositeDraft) -> int:
    from relaybench.workbench.problems.authoring import errors
    from relaybench.workbench.problems.overlay import judge

    return len(errors(judge(problems.library, problems.styles, draft)))


def looked_at(
    each: OpenComposite,
    library: Library,
    styles: Styles,
    measured: MeasuredRates | None,
    room: int,
) -> tuple[Preview, Drawing]:
    """Preview and drawing of a composite within ``room`` cells; for a thread."""
    from relaybench.reports.predictions import MeasuredRates
    from relaybench.tui.composer.graph_drawing import draw
    from relaybench.tui.composer.graph_of import graph_of
    from relaybench.workbench.problems.previewing import preview

    seen = preview(each.draft, library, styles, measured or MeasuredRates())
    return seen, draw(graph_of(seen), room)
