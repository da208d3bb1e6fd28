"""What ``check`` finds, with a jump to the place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from relaybench.domain.finding import Finding, Severity
from relaybench.tui.showing import line


class FindingsList(OptionList):
    """Findings, each with what to do about it. Enter goes to the place."""

    DEFAULT_CSS = """
    FindingsList { height: 1fr; border: none; padding: 0; background: $background; }
    FindingsList:focus { border: none; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "select", "Go to the place", id="findings.go", key_display="Enter",
                tooltip="Go to the place that the finding is about"),
    ]  # fmt: skip

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
        if kept is not None or self.has_focus:
            self.highlighted = min(kept or 0, len(ordered) - 1)

    def on_focus(self) -> None:
        """The first one is highlighted: Enter goes to it."""
        if self.highlighted is None and self._findings:
            self.highlighted = 0

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
