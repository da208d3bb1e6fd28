"""What ``check`` finds, with a jump to the place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from textual import on
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from relaybench.domain.finding import Finding, Severity
from relaybench.tui.showing import line

_INSTANCE = re.compile(r"instances\[(\d+)\](?:\.(.+))?")
_RULE = re.compile(r"rules\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the editor of a class: a field, or a cell of its table of instances."""

    field: str = ""
    row: int | None = None
    column: str = ""


def place_of(key: str) -> Place | None:
    """Where a key of a class file stands in the editor; None for one that has no place there."""
    if match := _INSTANCE.fullmatch(key):
        column = match[2] or ""
        if column == "data":
            column = ""
        return Place(row=int(match[1]), column=column)
    if match := _RULE.fullmatch(key):
        return Place("rules", int(match[1]))
    name = key.partition("[")[0]
    if name in ("title", "prompt", "rules", "example", "pattern", "literal"):
        return Place(name)
    return None


def wrong_cells(findings: Sequence[Finding], shown: str) -> set[tuple[int, str]]:
    """Cells of the table of instances that something of a file is found in."""
    cells = set()
    for each in findings:
        place = place_of(each.key) if each.file == shown else None
        if place is not None and not place.field and place.row is not None:
            cells.add((place.row, place.column))
    return cells


class FindingsList(OptionList):
    """Findings, each with what to do about it. Enter goes to the place."""

    DEFAULT_CSS = """
    FindingsList { height: 1fr; border: none; padding: 0; background: $background; }
    FindingsList:focus { border: none; }
    """

    class Jump(Message):
        """Go to where a finding is."""

        def __init__(self, finding: Finding) -> None:
            super().__init__()
            self.finding = finding

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._findings: list[Finding] = []

    @property
    def shown(self) -> list[Finding]:
        """The findings, in the order in which they stand here."""
        return list(self._findings)

    def show(self, findings: Sequence[Finding], own: str) -> None:
        """Show findings; those of the file ``own`` first, without its name."""
        ordered = sorted(findings, key=lambda each: each.file != own)
        if ordered == self._findings and self.option_count:
            return
        kept = self.highlighted
        self._findings = ordered
        self.clear_options()
        if not ordered:
            self.add_option(Option(line("✓ nothing to find fault with", "$text-success")))
            return
        self.add_options(Option(_shown(each, own)) for each in ordered)
        if kept is not None:
            self.highlighted = min(kept, len(ordered) - 1)

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if self._findings:
            self.post_message(self.Jump(self._findings[event.option_index]))


def _shown(finding: Finding, own: str) -> Content:
    error = finding.severity is Severity.ERROR
    head = line("✗ error " if error else "! warning ", "$text-error" if error else "$text-warning")
    where = f"line {finding.line}" + (f" {finding.key}" if finding.key else "")
    if finding.file != own:
        where = f"{finding.file} {where}"
    rest = line(f"\n{finding.problem}".lstrip("\n"))
    return (
        head + line(where, "$text-muted") + Content("\n  ") + rest
        + Content("\n  ") + line(f"→ {finding.mend}", "$text-muted")
    )  # fmt: skip
