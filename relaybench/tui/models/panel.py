"""The panel that shows one model or one cohort in full."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual.app import ComposeResult

from relaybench.tui.models.keys import NO_CATALOG, NO_MODEL
from relaybench.tui.models.model_page import cohort_page, model_page
from relaybench.tui.models.model_rows import ModelRow
from relaybench.tui.widgets.long_text import LongText
from relaybench.tui.widgets.pane import Pane
from relaybench.workbench.models.model_facts import facts_of, key_text

if TYPE_CHECKING:
    from relaybench.catalog.load import Catalog
    from relaybench.tui.widgets.page import Page
    from relaybench.workbench.models.pinging import PingResult


class ModelPanel(Pane):
    """One model or cohort in full; what is shown again stays as it was scrolled."""

    def __init__(self, *, id: str) -> None:
        super().__init__("", id=id)
        self._shown = ""
        self._again: Callable[[], None] | None = None

    def compose(self) -> ComposeResult:
        """The text."""
        yield LongText(id="one")

    @property
    def text(self) -> LongText:
        """The text."""
        return self.query_one(LongText)

    def show_model(
        self,
        row: ModelRow,
        catalog: Catalog,
        environment: Mapping[str, str],
        result: PingResult | None,
    ) -> None:
        """Show a model, with what came of its ping in this session."""
        self._again = partial(self.show_model, row, catalog, environment, result)
        facts = facts_of(
            row.config, key=key_text(row.config, environment), ping=row.ping, catalog=catalog
        )
        self.call_it(row.config.name, row.config.label)
        self._show(model_page(row, facts, result, self.text.body.scrollable_content_region.width))

    def show_cohort(self, name: str, catalog: Catalog, rows: Sequence[ModelRow]) -> None:
        """Show a cohort's members."""
        self._again = None
        self.call_it(f"cohort {name}")
        self._show(cohort_page(name, catalog, rows))

    def show_nothing(self, *, known: bool) -> None:
        """Say why there is nothing to show: no model fits, or none is ``known``."""
        self._again = None
        self.call_it("")
        self._show(None, NO_MODEL if known else NO_CATALOG)

    def on_resize(self) -> None:
        """What is wrapped beside its name is wrapped anew."""
        if self._again is not None:
            self.call_after_refresh(self._again)

    def _show(self, page: Page | None, words: str = "") -> None:
        text = page.text if page else words
        if text != self._shown:
            self._shown = text
            self.text.show(text, page.marks if page else ())
