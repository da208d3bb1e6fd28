"""What is to be said of a run's session, in the words of both front ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from relaybench.reports.numbers import counted, usd

if TYPE_CHECKING:
    from relaybench.workbench.runs.cell_states import CellStates
    from relaybench.workbench.runs.running import RunSession


def opening_words(session: RunSession) -> list[str]:
    """What earlier sessions of a run left behind, a sentence each; nothing for a new run."""
    words = []
    if session.rescued:
        words.append(f"{counted(session.rescued, 'rescued answer')} taken in; not sent again")
    turns, under_way = session.begun
    if turns:
        go = "goes" if turns == 1 else "go"
        words.append(f"{counted(turns, 'attempt')} {go} on from turns that arrived earlier")
    if under_way:
        words.append(
            f"{counted(under_way, 'attempt')} with work under way at the provider: its result "
            "is asked for, nothing is sent again"
        )
    if session.lost > under_way:
        words.append(
            f"{session.lost - under_way} calls of an earlier session never came back; they may "
            "have been billed and are sent again"
        )
    return words


def standing(states: CellStates) -> str:
    """How a run stands that this process does not send: ``complete``, or what is open of it."""
    if states.elsewhere:
        return "goes on elsewhere"
    send, by_hand = states.open_cells()
    parts = [f"{send:,} open"] if send else []
    if by_hand:
        parts.append(f"{by_hand:,} by hand")
    return ", ".join(parts) or "complete"


def budget_words(session: RunSession) -> str:
    """Why the budget has no room: what the next call sets aside, and what is left."""
    budget = session.runner.budget
    if budget.refused is None:
        return "Stopped by the budget: the next call could have gone over it."
    digest, amount = budget.refused
    return (
        f"Stopped by the budget: the next call of {session.stored.configs[digest].label} may cost "
        f"up to {usd(amount)}; {usd(budget.left)} is left."
    )
