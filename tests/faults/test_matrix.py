"""Every passing fault at every provider: 200 attempts, each answered, stored and paid for once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from relaybench.domain.results import Outcome
from relaybench.runner.events import LaneClosed
from tests.faults.support import (
    ITEMS,
    Lab,
    cohort,
    hold,
    items,
    kinds,
    maybe_billed,
    undelivered,
)
from tests.workbench.support import stored

#: Faults after which a later try gets through.
PASSING = ["429", "storm", "500", "503", "529", "refused", "reset", "cut", "half_json", "empty",
           "html", "malformed", "failed", "trickle", "stall"]  # fmt: skip


@pytest.mark.parametrize("fault", PASSING)
async def test_a_passing_fault(fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = items()
    lab = Lab.at(tmp_path, monkeypatch, given)
    await lab.send(lab.plan(given, cohort(fail=0.4, faults=[fault])))
    hold(lab)
    for _ in range(3):
        await lab.resume_if_open()
    s = hold(lab)
    for result in s.results:
        assert result.outcomes == {Outcome.CORRECT: ITEMS}, result.config.name
    # What was made and lost on the way is known to have been made. A failure that a provider
    # reports itself may or may not be charged, nor can anyone tell what a server did that hung
    # up on a whole request: both count, though the simulator forgoes them.
    if fault in ("failed", "reset"):
        assert maybe_billed(lab) >= undelivered(lab.ledger)
    else:
        assert maybe_billed(lab) == undelivered(lab.ledger)


#: Faults that no other try cures, and the kind and reach that each must have: whether the other
#: cells of the model can still be answered.
LASTING = {
    "400": ("bad_request", True),
    "401": ("auth", False),
    "402": ("quota", False),
    "403": ("auth", False),
    "404": ("not_found", False),
    "413": ("bad_request", True),
}


@pytest.mark.parametrize("fault", LASTING)
async def test_a_lasting_fault(fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kind, others_go_on = LASTING[fault]
    given = items()
    lab = Lab.at(tmp_path, monkeypatch, given)
    ended, events = await lab.send(lab.plan(given, cohort(fail=0.1, faults=[fault])))
    hold(lab)
    with stored(lab.workspace) as s:
        assert set(kinds(s)) == {kind}
        for result in s.results:
            right = result.outcomes.get(Outcome.CORRECT, 0)
            failed = result.outcomes.get(Outcome.ERROR, 0)
            assert failed > 0
            assert right == result.scored
            assert (right + failed == ITEMS) is others_go_on, result.config.name
    closed = [event for event in events if isinstance(event, LaneClosed)]
    assert (len(closed) == 0) is others_go_on
    assert all(kind in (event.kind, "") for event in closed)
    assert maybe_billed(lab) == 0
    assert (ended.left > 0) is not others_go_on


async def test_a_stream_that_never_ends_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = items(2)
    lab = Lab.at(tmp_path, monkeypatch, given)
    configs = [
        replace(config, timeout_s=0.3)
        for config in cohort(fail=1.0, faults=["endless"], fail_tries=100)
        if config.options["wire"] != "responses"
    ]
    await lab.send(lab.plan(given, configs))
    hold(lab)
    with stored(lab.workspace) as s:
        assert set(kinds(s)) == {"timeout"}
        for result in s.results:
            assert result.outcomes == {Outcome.ERROR: 2}
    # Each may be billed, so it was tried three times and no more.
    assert maybe_billed(lab) == undelivered(lab.ledger) == 2 * 3 * len(configs)
