"""The calls of an attempt as rows of a table, and one call in words. Pure text."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final

from relaybench.reports.numbers import usd
from relaybench.tui.attempt.heading import duration, tokens
from relaybench.tui.widgets.page import Page

if TYPE_CHECKING:
    from relaybench.store.attempts import CallRow
    from relaybench.workbench.results.opening import OpenedAttempt

COLUMNS: Final = ("Call", "Status", "Took", "Tokens", "Cost", "Then waited", "Error")


def call_rows(opened: OpenedAttempt) -> list[tuple[str, ...]]:
    """A row for each call, oldest first."""
    return [_row(opened, call) for call in opened.detail.calls]


def _row(opened: OpenedAttempt, call: CallRow) -> tuple[str, ...]:
    http = f" {call.http_status}" if call.http_status else ""
    used = call.usage.input_total is not None or call.usage.output is not None
    known = call.number in opened.call_costs
    error = f"{call.error_kind}: {call.error_message or ''}" if call.error_kind else ""
    return (
        str(call.number),
        f"{call.status}{http}",
        took(call),
        tokens(call.usage) if used else "-",
        usd(opened.call_costs[call.number]) if known else "-",
        "-" if call.wait_s is None else duration(call.wait_s),
        error,
    )


def took(call: CallRow) -> str:
    """How long a call took."""
    if call.finished_at is None:
        return "-"
    began, ended = (datetime.fromisoformat(t) for t in (call.started_at, call.finished_at))
    return duration((ended - began).total_seconds())


def call_page(call: CallRow) -> Page:
    """One call in words: its error in full, what was sent, its tools."""
    page = Page()
    page.line(f"call {call.number}: {call.status}, begun {call.started_at}", "bold")
    if call.error_kind:
        page.line(f"{call.error_kind}: {call.error_message or ''}", "$text-error")
    if call.wait_s is not None:
        asked = f", {call.retry_after_s:g} s asked for" if call.retry_after_s else ""
        page.line(f"then waited {duration(call.wait_s)}{asked}")
    if call.followed:
        page.line("another turn followed on its response")
    if not call.billed:
        page.line("not billed, by the provider's rules")
    for name, value in (("response id", call.response_id), ("work", call.handle)):
        if value:
            page.line(f"{name}: {value}")
    if call.settings_sent:
        page.line("settings sent:", "$text-muted")
        for name, setting in call.settings_sent.items():
            page.line(f"  {name} = {setting}")
    for tool in call.tools:
        page.line(f"⚙ {tool.kind}  {tool.status}", "$text-secondary")
        if tool.detail:
            page.line(f"  {tool.detail}")
    page.line()
    page.line("Enter shows its request and response as they were sent.", "$text-muted")
    return page
