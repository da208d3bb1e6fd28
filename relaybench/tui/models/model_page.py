"""Pages of the panel beside the table: one model in full, or one cohort. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from relaybench.domain.literal import literal, visible
from relaybench.domain.model import PERSISTENT
from relaybench.tui.models.model_rows import ModelRow
from relaybench.tui.widgets.page import Page

if TYPE_CHECKING:
    from relaybench.catalog.load import Catalog
    from relaybench.workbench.models.pinging import PingResult

_LABEL: Final = 16
GOOD, BAD, QUIET = "$text-success", "$text-error", "$text-muted"


def model_page(
    row: ModelRow, facts: Mapping[str, str], result: PingResult | None = None, width: int = 80
) -> Page:
    """Everything about a model, and what came of its ping in this session, if there was one.

    Values are wrapped beside their names, for a page of ``width`` cells.
    """
    page = Page()
    if result is not None:
        _ping(page, result, width)
        page.line()
    if row.key is False:
        page.line(f"✗ The variable {row.config.key_env} is not set: nothing can be sent.", BAD)
        page.line(f"Set it before you start relaybench: export {row.config.key_env}=…", QUIET)
        page.line()
    for name, value in facts.items():
        _fact(page, name, value, width, _style_of(name, value))
    config = row.config
    if config.harness == PERSISTENT:
        _block(page, "nudge", config.nudge)
    if config.instructions:
        _block(page, "instructions", config.instructions)
    return page


def _fact(page: Page, name: str, value: str, width: int, style: str = "") -> None:
    page.add(f"{visible(name):{_LABEL}} ", QUIET)
    room = max(width - _LABEL - 1, 12)
    first, *more = wrap(visible(value), room, break_on_hyphens=False) or [""]
    page.line(first, style)
    for part in more:
        page.add(" " * (_LABEL + 1))
        page.line(part, style)


def _style_of(name: str, value: str) -> str:
    if name == "key":
        return GOOD if value.startswith("present") else BAD if value.startswith("missing") else ""
    if name in ("fees unknown", "price age") or value.startswith("unknown"):
        return "$text-warning"
    return ""


def _block(page: Page, name: str, text: str) -> None:
    page.heading(name)
    page.line(literal(text))


def _ping(page: Page, result: PingResult, width: int) -> None:
    seconds = "" if result.seconds is None else f" after {result.seconds:.1f} s"
    cost = f", cost ${result.cost:.4f}" if result.cost is not None else ""
    words = "✓ pinged: ok" if result.ok else "✗ pinged: failed"
    page.line(f"{words}{seconds}{cost}", f"bold {GOOD if result.ok else BAD}")
    completion = result.completion
    told: dict[str, str] = {}
    if completion is not None:
        told["answered by"] = completion.served_model or "not reported"
        told["answer"] = result.answer
        if result.other_model:
            told["mind"] = "another model answered than was asked for"
    if result.error is not None:
        told["error"] = f"{result.error.kind}: {result.error}"
        told["what to do"] = result.advice
    for name, value in told.items():
        _fact(page, name, value, width)


def cohort_page(name: str, catalog: Catalog, rows: Sequence[ModelRow]) -> Page:
    """A cohort: its members in order, and which of them cannot be sent."""
    page = Page()
    known = {row.config.name: row for row in rows}
    members = catalog.cohorts[name]
    page.line(f"{len(members)} model{'' if len(members) == 1 else 's'}, in the order of tables:")
    for number, member in enumerate(members, 1):
        row = known.get(member)
        page.add(f"{number:>3}  ")
        page.add(visible(member), "bold")
        if row is not None:
            config = row.config
            page.add(f"  {visible(config.provider)} · {visible(config.model)}", QUIET)
            page.add(f" · {visible(config.effort)}" if config.effort else "", QUIET)
            if row.key is False:
                page.add(f"  ✗ {config.key_env} is not set", BAD)
            elif row.ping is not None:
                words, style = ("✓ pinged", GOOD) if row.ping.ok else ("✗ ping failed", BAD)
                page.add(f"  {words}", style)
        page.line()
    own = name in catalog.own_cohorts
    page.line()
    page.line("written in your models.toml" if own else "shipped with relaybench", QUIET)
    return page
