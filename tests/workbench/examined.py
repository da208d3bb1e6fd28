"""Results files with answers to a composite and to its subproblems alone, graded."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from relaybench.domain.item import Item, ItemKind, ItemStep
from relaybench.domain.model import COMPATIBLE, ModelConfig
from relaybench.domain.results import Cell, Grade, Outcome
from relaybench.grading.attribution import attribute
from relaybench.store.database import Connection
from relaybench.store.plans import Plans
from relaybench.store.recording import Recording
from tests.store.support import answer

M = ModelConfig("m", COMPATIBLE, "m")
N = ModelConfig("n", COMPATIBLE, "n")


def pair(second: str = "2") -> Item:
    """A composite of two steps, the second of which may have another key."""
    steps = (
        ItemStep("A", "math/x:1", "math", "1"),
        ItemStep("B", "math/y:1", "math", second, inputs=(("n", "A"),)),
    )
    return Item("s", "pair", ItemKind.COMPOSITE, "What?", f"1-{second}", "-", steps, ("math",))


def single(use: str, key: str) -> Item:
    """A subproblem asked alone."""
    step = ItemStep("A", use, "math", key)
    return Item("library", use, ItemKind.SINGLE, use, key, "", (step,), ("math",))


PAIR, X, Y = pair(), single("math/x:1", "1"), single("math/y:1", "2")


#: An item, who was asked, and the answer of each repeat: None for one without a code block.
Asked = tuple[Item, ModelConfig, Sequence[str | None]]


def write(path: Path, name: str, answers: Sequence[Asked]) -> None:
    """A run with these answers, graded."""
    items = list({item.digest: item for item, _, _ in answers}.values())
    configs = list({config.digest: config for _, config, _ in answers}.values())
    with closing(Connection(path)) as on:
        plans = Plans(on)
        plans.create(name, items, configs, max(len(texts) for _, _, texts in answers))
        plan = plans.load(plans.find(name))
        recording = Recording(on, plan)
        for item, config, texts in answers:
            for repeat, text in enumerate(texts):
                cell = Cell(item.digest, config.digest, repeat)
                call = recording.call_started(cell)
                attempt = recording.answered(cell, call, answer())
                right = Outcome.CORRECT if text == item.key else Outcome.WRONG
                grade = Grade(Outcome.UNPARSEABLE, None, "code_block/1")
                if text is not None:
                    steps = attribute(
                        text, item.key, item.answer_parts, item.answer_labels, item.separator
                    )
                    grade = Grade(right, text, "code_block/1", steps=steps)
                recording.graded(attempt, plan.item_ids[item.digest], grade, strict=False)
