"""What a pasted answer becomes, in words; and how it is stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from relaybench.workbench.runs.manual import record_manual

if TYPE_CHECKING:
    from relaybench.tui.manual.known_fields import Known
    from relaybench.tui.manual.typed_answers import Key
    from relaybench.tui.work_screen import WorkScreen
    from relaybench.workbench.runs.manual import Recorded
    from relaybench.workbench.workspace import Workspace


def store(workspace: Workspace, key: Key, text: str, known: Known) -> Recorded:
    """Store an answer in whichever results file its cell is in, and grade it, in a thread.

    Raises what ``record_manual`` does.
    """
    return record_manual(
        key.place(workspace),
        key.run,
        key.cell,
        text,
        ended=known.ended,
        usage=known.usage,
        cost=known.cost,
    )


def tell_left(screen: WorkScreen, back: Sequence[Key], aside: Sequence[Path]) -> None:
    """Tell of answers that earlier sessions left.

    ``back`` are here again, files ``aside`` are of cells that have other answers by now.
    """
    if back:
        where = ", ".join(dict.fromkeys(key.run for key in back))
        what = "1 answer was" if len(back) == 1 else f"{len(back)} answers were"
        screen.notice(f"{what} kept and not graded yet: here again (✎, run {where}); ^s grades.")
    if aside:
        listed = "\n".join(str(path) for path in aside)
        screen.notice(
            f"Kept and never graded, for their cells have other answers by now:\n{listed}",
            "warning",
        )


def tell_overtaken(screen: WorkScreen, attempts: Mapping[Key, int]) -> None:
    """Tell of answers here whose cells were answered elsewhere, by these attempts."""
    if attempts:
        listed = "\n".join(f"{key.called}: attempt {at}" for key, at in attempts.items())
        screen.notice(
            f"Answered elsewhere while you had an answer here:\n{listed}\n"
            "Yours is not graded. It stays (✎); ^s there sets it aside in a file and says where.",
            "warning",
        )
