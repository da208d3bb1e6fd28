"""What analyses are made of: runs by name, grids, tallies and answers over several runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from relaybench.domain.errors import StoreError, UnknownNameError, UsageError
from relaybench.domain.item import Item
from relaybench.domain.model import ModelConfig
from relaybench.domain.results import Cell, Grade, Outcome
from relaybench.store.database import Connection
from relaybench.store.plans import Plans, RunRow
from relaybench.store.recording import Recording
from relaybench.store.step_tallies import StepTally
from relaybench.store.wrong_answers import WrongAnswer
from relaybench.workbench.results.evidence import (
    find_config,
    find_runs,
    load_grid,
    load_step_tallies,
    load_wrong_answers,
    reading,
)
from relaybench.workbench.workspace import Workspace
from tests.store.support import answer, config, item

OLD, NEW = item(0, key="42"), item(0, key="43")
FAKE = ModelConfig("sim", "simulated", "sim-alpha")


@pytest.fixture
def on(tmp_path: Path) -> Iterator[Connection]:
    with closing(Connection(tmp_path / "results.db")) as connection:
        yield connection


def a_run(on: Connection, name: str, of: Item = OLD, *configs: ModelConfig) -> RunRow:
    return Plans(on).create(name, [of], configs or [config()], 1)


def wrong(on: Connection, run: RunRow, of: Item, text: str, *, right: bool) -> None:
    """A wrong answer whose step A is right or not."""
    plans = Plans(on)
    recording, cell = Recording(on, plans.load(run)), Cell(of.digest, config().digest, 0)
    attempt = recording.answered(cell, recording.call_started(cell), answer())
    grade = Grade(Outcome.WRONG, text, "code_block/1", steps={"A": right})
    recording.graded(attempt, plans.load(run).item_ids[of.digest], grade, strict=False)


def test_runs_are_found_by_name_and_number_once_each(on: Connection) -> None:
    first, second = a_run(on, "first"), a_run(on, "second")
    assert find_runs(on, []) == [second]
    assert find_runs(on, ["second", "first", "1", "second"]) == [second, first]
    with pytest.raises(UnknownNameError, match="no run is called 'third'"):
        find_runs(on, ["first", "third"])


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path, tmp_path / "none.db")
    with pytest.raises(StoreError, match="there is no results file"), reading(workspace):
        pass
    assert not list(tmp_path.iterdir())


def test_simulated_and_real_results_are_never_put_together(on: Connection) -> None:
    real, fake = a_run(on, "real"), a_run(on, "fake", OLD, FAKE)
    again = a_run(on, "fake-2", OLD, FAKE)
    with pytest.raises(UsageError, match=r"never put together; leave out fake, fake-2, or look"):
        load_grid(on, [real, fake, again])
    assert load_grid(on, [fake, again]).runs == (fake, again)


def test_everything_over_two_runs_stands_under_the_first_version_of_an_item(
    on: Connection,
) -> None:
    first, second = a_run(on, "first", OLD), a_run(on, "second", NEW)
    wrong(on, first, OLD, "7", right=True)
    wrong(on, second, NEW, "7", right=False)
    grid = load_grid(on, [first, second])
    m = config().digest
    assert dict(grid.aliases) == {NEW.digest: OLD.digest}
    assert [each.digest for each in grid.disputed] == [OLD.digest]
    assert grid.cells == {(OLD.digest, m): (Outcome.WRONG, Outcome.WRONG)}
    assert load_step_tallies(on, grid) == [StepTally(OLD.digest, m, "A", 1, 1, 0)]
    assert load_wrong_answers(on, grid) == [WrongAnswer(OLD.digest, "7", {m: 2}, near_miss=False)]
    alone = load_grid(on, [second])
    assert load_step_tallies(on, alone) == [StepTally(NEW.digest, m, "A", 0, 1, 0)]
    assert load_wrong_answers(on, alone) == [WrongAnswer(NEW.digest, "7", {m: 1}, near_miss=False)]


CONFIGS = (
    ModelConfig("opus-max", "compatible", "opus", "max"),
    ModelConfig("opus-low", "compatible", "opus", "low"),
    ModelConfig("here", "compatible", "Gem", base_url="http://a.test/v1"),
    ModelConfig("there", "compatible", "Gem", base_url="http://b.test/v1"),
    ModelConfig("gem", "compatible", "other"),
)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("opus-low", "opus-low"),
        ("opus (max)", "opus-max"),
        ("OPUS (Max)", "opus-max"),
        ("Gem [there]", "there"),
        ("gem", "gem"),
        ("other", "gem"),
    ],
)
def test_a_model_is_found_by_name_label_or_id(on: Connection, name: str, found: str) -> None:
    grid = load_grid(on, [a_run(on, "r", OLD, *CONFIGS)])
    assert find_config(grid, name).name == found


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("opus", r"'opus' fits several models: opus-max \(opus \(max\)\), opus-low \(opus \(low"),
        ("Gem", r"'Gem' fits several models: here \(Gem \[here\]\), there \(Gem \[there\]\); name"),
        ("nobody", r"no model of these runs is called 'nobody'; there are: opus \(max\), opus \("),
        ("", r"no model of these runs is called ''"),
    ],
)
def test_a_name_that_fits_none_or_several_says_which_there_are(
    on: Connection, name: str, says: str
) -> None:
    grid = load_grid(on, [a_run(on, "r", OLD, *CONFIGS)])
    with pytest.raises(UnknownNameError, match=says):
        find_config(grid, name)


def test_one_name_for_two_configs_of_two_runs_is_no_guess(on: Connection) -> None:
    one = config("m")
    two = replace(one, effort="high")
    runs = [a_run(on, "first", OLD, one), a_run(on, "second", OLD, two)]
    grid = load_grid(on, runs)
    # The store keeps the newest name of a config; both are called m here.
    with pytest.raises(UnknownNameError, match=r"'m' fits several models: m \(m\), m \(m \(high"):
        find_config(grid, "m")
    assert find_config(grid, "m (high)").digest == two.digest
