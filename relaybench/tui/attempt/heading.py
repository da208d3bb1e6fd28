"""The two lines above an attempt: what became of it, and what it took. Pure text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from relaybench.domain.model_ids import same_model
from relaybench.reports.numbers import counted, usd
from relaybench.tui.outcome_marks import SIGNS, STYLES
from relaybench.tui.showing import line

if TYPE_CHECKING:
    from relaybench.domain.completion import Usage
    from relaybench.workbench.results.opening import OpenedAttempt


def heading(opened: OpenedAttempt) -> Content:
    """Outcome, marks and identity; then cost, tokens, time and models."""
    detail, row = opened.detail, opened.detail.row
    first = [line(f"{SIGNS[row.outcome]} {row.outcome.value}", f"bold {STYLES[row.outcome]}")]
    if row.near_miss:
        first.append(line("~ near miss", "$text-warning"))
    if row.repaired:
        first.append(line("mended", "$text-muted"))
    if detail.simulated:
        first.append(line("SIMULATED", "bold $text-warning"))
    first += [
        line(f"#{row.id} {row.item}", "bold"),
        *([line(str(row.form), "$text-accent")] if row.form and row.form != "plain" else []),
        line(f"{row.model} r{row.repeat + 1}"),
    ]
    second = [line(each) for each in facts(opened)]
    if opened.mark and opened.mark.blame:
        note = f": {opened.mark.note}" if opened.mark.note else ""
        letter = opened.mark.blame.letter
        second.insert(0, line(f"[{letter}] {opened.mark.blame} fault{note}", "$text-accent"))
    return _joined(first) + Content("\n") + _joined(second)


def _joined(pieces: list[Content]) -> Content:
    return Content(" · ").join(pieces)


def facts(opened: OpenedAttempt) -> list[str]:
    """Cost, tokens, calls, time, and the model that answered where it is another."""
    detail, row = opened.detail, opened.detail.row
    retries = max(0, row.calls - max(len(detail.turns), 1))
    seconds = opened.seconds
    found = [
        "cost unknown" if row.cost is None else usd(row.cost),
        tokens(row.usage),
        counted(row.calls, "call"),
        *([f"{retries} retried"] if retries else []),
        "not finished" if seconds is None else duration(seconds),
        f"run {detail.run}",
    ]
    if row.served_model and not same_model(detail.config.model, row.served_model):
        found.append(f"asked {detail.config.model}, served by {row.served_model}")
    if row.raw_stop_reason and row.raw_stop_reason not in ("stop", "end_turn", "STOP"):
        found.append(f"stopped: {row.raw_stop_reason}")
    return found


def tokens(usage: Usage) -> str:
    """Tokens in and out; what was not reported is not shown as 0."""
    if usage.input_total is None and usage.output is None:
        return "tokens not reported"
    found = "?" if usage.input_total is None else f"{usage.input_total:,}"
    if usage.cached_input:
        found += f" ({usage.cached_input:,} cached)"
    output = "?" if usage.output is None else f"{usage.output:,}"
    return f"{found} in, {output} out"


def duration(seconds: float) -> str:
    """Seconds as people say them: ``0.4 s``, ``12 s``, ``3 min 05 s``, ``2 h 10 min``."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"
