"""What is seen of a composite while it is edited is what would be sent and graded."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from relaybench.composing.freeze import freeze
from relaybench.composing.style import standard_style
from relaybench.domain.model import SIMULATED, ModelConfig
from relaybench.domain.problem import Bloat, Encoding, InstanceRef, Step
from relaybench.reports.predictions import MeasuredRates, Prediction, predictions
from relaybench.reports.step_rates import ALONE, ATTRIBUTED
from relaybench.workbench.results.predicting import measured_rates
from relaybench.workbench.workspace import Workspace
from tests.workbench.examined import PAIR, M, N, X, Y, write
from tests.workbench.problems.example import Example, example_at


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Example:
    return example_at(tmp_path_factory.mktemp("example") / "ws")


def test_prompt_and_key_are_those_of_the_frozen_item(example: Example) -> None:
    composite = replace(example.first, bloat=Bloat(300, 2), encoding=Encoding(3))
    told = example.seen(composite)
    item = freeze(composite, example.library.problems(), standard_style())
    assert told.item == item
    assert told.key == item.key == "1170-XXLCM"
    assert told.plain is not None
    assert "A_STR as a Roman numeral" in told.plain
    assert told.findings == ()
    assert [(part.label, part.before, part.changes, part.after) for part in told.parts] == [
        ("A", "1170", (), "1170"),
        ("B", "MCLXX", (("reverse", "XXLCM"),), "XXLCM"),
    ]


def test_parts_stand_in_the_order_of_the_answer(example: Example) -> None:
    told = example.seen(replace(example.first, answer=("B",)))
    assert [(part.label, part.in_answer) for part in told.parts] == [("B", True), ("A", False)]
    assert told.key == "XXLCM"


def test_a_wrong_key_is_found_and_the_prompt_shown_all_the_same(example: Example) -> None:
    a, b = example.first.steps
    told = example.seen(replace(example.first, steps=(replace(a, augment=("reverse",)), b)))
    assert [finding.code for finding in told.findings] == ["bound-value"]
    assert told.plain is not None
    assert told.blocked == ""


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        ((), "there are no steps yet"),
        ((Step("A", InstanceRef("math", "gone", "x")),), "step A has no instance"),
        (
            (
                Step("A", InstanceRef("math", "divisor-sum", "three-hundred-sixty"), {"n": "A"}),
                Step("B", InstanceRef("coding", "roman-numeral", "x"), {"number": "A"}),
            ),
            "step B has no instance",
        ),
        (
            (Step("A", InstanceRef("math", "divisor-sum", "three-hundred-sixty"), {"n": "A"}),),
            "in a loop: A -> A",
        ),
        (
            (Step("A", InstanceRef("math", "divisor-sum", "three-hundred-sixty"), {"n": "Q"}),),
            "there is no step Q",
        ),
    ],
)
def test_a_prompt_that_cannot_be_written_says_why(
    example: Example,
    steps: tuple[Step, ...],
    reason: str,
) -> None:
    told = example.seen(replace(example.first, steps=steps))
    assert told.plain is None
    assert told.item is None
    assert reason in told.blocked
    assert told.findings


def test_an_unknown_style_blocks_the_prompt_but_not_the_key(example: Example) -> None:
    told = example.seen(replace(example.first, style="nowhere"))
    assert told.plain is None
    assert "nowhere" in told.blocked
    assert told.key == "1170-XXLCM"


def test_measured_rates_predict_where_every_step_was_measured(tmp_path: Path) -> None:
    place = Workspace(tmp_path, tmp_path / "results.db", {})
    uses = ["math/x:1", "math/y:1"]
    assert predictions(measured_rates(place), uses) == ()
    write(place.database, "made-up", [(X, ModelConfig("sim", SIMULATED, "sim"), ["1"])])
    made_up = measured_rates(place)
    assert made_up.simulated
    assert predictions(made_up, uses) == (Prediction("sim", None),)
    write(place.database, "singles", [(X, M, ["1", "1"]), (Y, M, ["2", "3"])])
    write(place.database, "composites", [(PAIR, N, ["1-2", "1-9", "1-2", "1-2"])])
    measured = measured_rates(place)
    assert not measured.simulated
    assert predictions(measured, uses) == (
        Prediction("n", 0.75, ATTRIBUTED, 4),
        Prediction("m", 0.5, ALONE, 2),
    )
    assert [each.rate for each in predictions(measured, ["math/x:1", "math/z:1"])] == [None, None]
    assert predictions(measured, []) == ()
    assert predictions(MeasuredRates(), uses) == ()
