"""How the steps of an item are wired comes back, and is unknown where it was not kept."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

from relaybench.domain.item import Item, ItemKind, ItemStep
from relaybench.store.database import Connection
from relaybench.store.grid import Grids
from relaybench.store.plans import Plans
from tests.store.support import config

STEPS = (
    ItemStep("A", "math/x:y", "math", "\ud800"),
    ItemStep(
        "B", "u", "coding", "b", False, (("n\0", "A"), ("m", "A")), ("upper", 'caesar:3"\x1b')
    ),
)
ITEM = Item("s", "c", ItemKind.COMPOSITE, "What?", "1", "-", STEPS)


def test_wiring_and_augmentations_come_back(tmp_path: Path) -> None:
    with closing(Connection(tmp_path / "r.db")) as on:
        run = Plans(on).create("r", [ITEM], [config()], 1)
        (loaded,) = Plans(on).load(run).items.values()
        (in_grid,) = Grids(on).load(run).items.values()
    assert loaded.steps == STEPS
    kept = [(step.label, step.in_answer, step.inputs, step.augment) for step in in_grid.steps]
    assert kept == [(step.label, step.in_answer, step.inputs, step.augment) for step in STEPS]


def test_items_stored_before_wiring_was_kept(tmp_path: Path) -> None:
    with closing(Connection(tmp_path / "r.db")) as on:
        run = Plans(on).create("r", [ITEM], [config()], 1)
        (row,) = on.rows("SELECT steps FROM items")
        old = [
            {key: value for key, value in step.items() if key not in ("inputs", "augment")}
            for step in json.loads(row["steps"])
        ]
        with on.writing():
            on.write("UPDATE items SET steps = ?", (json.dumps(old),))
        (loaded,) = Plans(on).load(run).items.values()
        (in_grid,) = Grids(on).load(run).items.values()
    assert [(step.inputs, step.augment) for step in loaded.steps] == [((), ())] * 2
    assert [step.inputs for step in in_grid.steps] == [(), ()]
    assert loaded.digest == ITEM.digest
