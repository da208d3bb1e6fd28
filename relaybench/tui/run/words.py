"""The words of the screen Run: an estimate, the totals of a run, what was tried for a cell."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len
from textual.content import Content

from relaybench.domain.literal import visible
from relaybench.reports.numbers import counted, usd
from relaybench.tui.run.drawing import bar, known_money, model_names, money, tokens
from relaybench.tui.showing import line
from relaybench.tui.widgets.fitting import fitted
from relaybench.workbench.runs.progress import duration

if TYPE_CHECKING:
    from collections.abc import Sequence

    from relaybench.store.cell_facts import CellAttempt
    from relaybench.tui.run.live import BudgetNow
    from relaybench.workbench.runs.cell_states import CellStates, LaneNow
    from relaybench.workbench.runs.estimating import Estimate
    from relaybench.workbench.runs.planning import Proposal

_NAME: Final = 22
#: From this width on an estimate's lines have room for tokens.
_WITH_TOKENS: Final = 64
#: Cells that the name of a run gets in its totals.
_RUN_NAME: Final = 32


def cost_range(low: Decimal | None, high: Decimal | None) -> str:
    """USD from low to high, short; ``unknown`` where a price is."""
    if low is None or high is None:
        return "unknown"
    return money(low) if money(low) == money(high) else f"{money(low)}–{money(high)}"


def size_of(proposal: Proposal) -> str:
    """How many cells a proposal has, and why."""
    parts = [
        counted(len(proposal.items), "item"),
        counted(len(proposal.configs), "model"),
        counted(proposal.repeats, "repeat"),
    ]
    cells = len(proposal.items) * len(proposal.configs) * proposal.repeats
    return f"{' × '.join(parts)} = {counted(cells, 'cell')}"


def estimate_lines(proposal: Proposal, width: int, *, named: bool) -> list[Content]:
    """A proposal in lines: what it will send, what each model may cost, what is noted.

    One that is not ``named`` by the user gets the moment of its start at the end of its name.
    """
    from relaybench.workbench.runs.planning import MOMENT_LENGTH

    low, high = proposal.cost
    kind = "simulated run" if proposal.simulated else "run"
    name = proposal.name if named else f"{proposal.name[:-MOMENT_LENGTH]}…"
    lines = [line(f"{kind} {name}", "bold"), line(size_of(proposal))]
    if proposal.by_hand:
        count = counted(len(proposal.cells), "cell")
        lines.append(line(f"{count} to send, {len(proposal.by_hand)} by hand"))
    room = min(_NAME, max(10, width - 22))
    wide = width >= _WITH_TOKENS
    for each in proposal.estimates:
        lines.append(line(_estimate(each, room, wide=wide)))
    lines.append(
        line(f"{fitted('total', room)} {len(proposal.cells):>4} {cost_range(low, high)}", "bold")
    )
    used = (
        tokens(sum(each.input_tokens for each in proposal.estimates)),
        tokens(sum(each.output_low for each in proposal.estimates)),
        tokens(sum(each.output_high for each in proposal.estimates)),
    )
    lines.append(line(f"tokens: ~{used[0]} in, {used[1]} to {used[2]} out"))
    if proposal.budget is not None:
        lines.append(line(f"budget {usd(proposal.budget)} for the whole run"))
    for basis in dict.fromkeys(each.basis for each in proposal.estimates if each.cells):
        lines.append(line(f"estimate {basis}", "$text-muted"))
    lines += [line(f"note: {note}", "$text-warning") for note in proposal.notes]
    return lines


def _estimate(each: Estimate, room: int, *, wide: bool) -> str:
    name = fitted(visible(each.config.label), room)
    if each.config.manual:
        return f"{name} {each.cells:>4} by hand"
    text = f"{name} {each.cells:>4} {cost_range(each.cost_low, each.cost_high)}"
    used = f"  {tokens(each.input_tokens)} in, to {tokens(each.output_high)} out"
    return text + used if wide else text


def totals(
    states: CellStates, word: str, budget: BudgetNow | None, width: int, *, simulated: bool
) -> Content:
    """How a run stands, in lines of at most ``width`` cells: none breaks within a part."""
    whole, session = states.whole, states.session
    done, total = whole.done, whole.total
    under_way = sum(model.under_way for model in session.models.values())
    kind = Content.styled(" simulated ", "bold $text on $accent-darken-2") if simulated else None
    name = model_names([(states.run.name, states.run.name)], _RUN_NAME)[0]
    head = line(f" {name} ", "bold")
    if kind is not None:
        head = kind + head
    parts = [word, f"{bar(done, total, 10)} {done:,}/{total:,}"]
    if under_way:
        parts.append(f"{under_way} under way")
    parts.append(_money(states, budget))
    if session.total:
        parts.append(f"{duration(session.elapsed)} so far")
        left = session.seconds_left()
        if left and not states.ended:
            parts.append(f"~{duration(left)} left")
    lanes = _lanes(states.lanes)
    if lanes and not states.ended:
        parts.append(lanes)
    return _in_lines(head, parts, width)


def _in_lines(head: Content, parts: Sequence[str], width: int) -> Content:
    lines = [head + line(f" {parts[0]}")]
    for part in parts[1:]:
        if lines[-1].cell_length + 2 + cell_len(part) <= width:
            lines[-1] += line(f"  {part}")
        else:
            lines.append(line(f" {part}"))
    return joined(lines)


def _money(states: CellStates, budget: BudgetNow | None) -> str:
    if budget is None or budget.limit is None:
        unknown = any(model.unknown_costs for model in states.whole.models.values())
        return known_money(states.whole.cost, unknown=unknown)
    aside = f" (+{money(budget.reserved)} set aside)" if budget.reserved else ""
    return f"{money(budget.spent)} of {usd(budget.limit)}{aside}"


def _lanes(lanes: dict[str, LaneNow]) -> str:
    """Calls at once at most, and what holds a provider back."""
    if not lanes:
        return ""
    most = {lane.most for lane in lanes.values()}
    number = f"{most.pop()}" if len(most) == 1 else "/".join(str(x.most) for x in lanes.values())
    parts = [f"{number} at once"]
    slow = [name for name, lane in lanes.items() if lane.limit < lane.most and not lane.closed]
    if slow:
        parts.append(f"slowed to {'/'.join(str(lanes[name].limit) for name in slow)}")
    away = sum(not lane.reached for lane in lanes.values())
    if away:
        parts.append(f"{counted(away, 'provider')} out of reach")
    closed = sum(bool(lane.closed) for lane in lanes.values())
    if closed:
        parts.append(f"{counted(closed, 'provider')} closed")
    return ", ".join(parts)


def tries(attempt: CellAttempt | None) -> list[str]:
    """What was sent for a cell, a line each, with every failure in the provider's words."""
    if attempt is None:
        return ["Nothing was sent yet."]
    lines = []
    for each in attempt.tries:
        when = each.started_at[11:19]
        parts = [f"call {each.number}", when, each.status]
        if each.http_status is not None:
            parts.append(f"HTTP {each.http_status}")
        if each.error_kind:
            parts.append(each.error_kind)
        if each.wait_s is not None:
            parts.append(f"then a wait of {duration(each.wait_s)}")
        text = "  ".join(parts)
        lines.append(f"{text}\n    {each.error_message}" if each.error_message else text)
    return lines


def joined(lines: Sequence[Content]) -> Content:
    """Lines as one text."""
    return Content("\n").join(lines)
