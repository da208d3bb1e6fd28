"""What the composer says of a composite: its graph, the inspector's lines, key and facts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from relaybench.domain.problem import Encoding, InstanceRef, Step
from relaybench.reports.predictions import Prediction
from relaybench.tui.composer.composite_list import entries
from relaybench.tui.composer.graph_of import graph_of, place_of, step_keys
from relaybench.tui.composer.graph_values import Feed, StageName
from relaybench.tui.composer.inspector import Line, setting_lines, step_lines
from relaybench.tui.composer.open_composite import OpenComposite
from relaybench.tui.composer.picker import Offer, named, offers
from relaybench.tui.composer.telling import facts_text, key_text
from relaybench.workbench.problems.drafts import composite_draft
from tests.workbench.problems.example import Example, example_at


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Example:
    return example_at(tmp_path_factory.mktemp("example") / "ws")


def words(lines: list[Line]) -> list[str]:
    return ["".join(text for text, _ in line.pieces).rstrip() for line in lines]


def test_the_graph_marks_what_is_wrong_where_it_is_wrong(example: Example) -> None:
    sound = graph_of(example.seen(example.first))
    assert [(step.key, step.answer, step.problems) for step in sound.steps] == [
        ("A", "1170", 0),
        ("B", "XXLCM", 0),
    ]
    assert sound.steps[1].feeds == (Feed("number", "A"),)
    a, b = example.first.steps
    told = example.seen(replace(example.first, steps=(replace(a, augment=("reverse",)), b)))
    wrong = graph_of(told)
    assert wrong.steps[1].feeds == (Feed("number", "A", wrong=True),)
    assert [step.problems for step in wrong.steps] == [0, 1]
    assert place_of(told.composite, told.findings[0]) == "B"
    short = example.seen(replace(example.first, steps=(a,)))
    assert place_of(short.composite, short.findings[0]) == StageName.COMPOSITE.value


def test_steps_without_a_label_of_their_own_are_told_apart(example: Example) -> None:
    a, b = example.first.steps
    twins = replace(example.first, steps=(a, replace(b, label="A"), replace(b, label="")))
    assert step_keys(twins) == ["A#1", "A#2", "#3"]
    graph = graph_of(example.seen(twins))
    assert len({step.key for step in graph.steps}) == 3


def test_every_line_of_the_inspector_leads_to_what_it_shows(example: Example) -> None:
    told = example.seen(example.first)
    lines = step_lines(told, example.library.problems(), example.first.steps[1])
    assert " number     ← A  '1170'" in words(lines)
    assert " as written MCLXX" in words(lines)
    assert " 1 reverse  XXLCM" in words(lines)
    assert {(line.action, line.argument) for line in lines if line.action} == {
        ("relabel", ""),
        ("swap", ""),
        ("bind", "number"),
        ("augment", "0"),
        ("go", StageName.ANSWER.value),
    }
    feeding = step_lines(told, example.library.problems(), example.first.steps[0])
    assert " B.number" in words(feeding)
    gone = Step("Q", InstanceRef("math", "gone", "[/b]"))
    assert " there is no such class or instance" in words(
        step_lines(told, example.library.problems(), gone)
    )
    settings = setting_lines(told)
    assert " Separator  '-'" in words(settings)
    assert {line.argument for line in settings if line.action} == {
        "title",
        "style",
        "bloat",
        "bloat-seed",
        "encoding",
        "twin-share",
        "answer",
        "separator",
    }


def test_key_and_facts_as_texts(example: Example) -> None:
    composite = replace(example.first, answer=("B",), encoding=Encoding(4))
    told = example.seen(composite)
    key, marks = key_text(told)
    assert key.startswith("Key  XXLCM\n")
    assert "   reverse     XXLCM\n" in key
    assert key.index("Only feed other steps") < key.index("math/divisor-sum")
    assert all(0 <= mark.start < mark.end <= len(key) for mark in marks)
    facts, _ = facts_text(told)
    assert "Steps             2, 1 of them not in the answer" in facts
    assert "Encoding          seed 4, twin share 0.5" in facts
    assert "unknown: no model has been measured on every step" in facts
    known = replace(
        told, predictions=(Prediction("m", 0.125, "asked alone", 7), Prediction("n", None))
    )
    facts, _ = facts_text(known)
    assert "  m   12.5 %  n = 7 for the least known step, asked alone" in facts
    assert "1 more without rates of every step" in facts
    empty, _ = facts_text(example.seen(replace(example.first, steps=())))
    assert "none yet: there are no steps yet" in empty


def test_lists_of_composites_and_of_instances(example: Example) -> None:
    each = OpenComposite(composite_draft(example.library.composites["example/first"]))
    each.history.do(replace(each.value, title="[/red]"), "title")
    listed = entries(example.library, {}, [each])
    assert [(entry.set_name, entry.ref, entry.changed) for entry in listed] == [
        ("example", "", False),
        ("example", "example/first", True),
    ]
    offered = offers(example.library.problems())
    assert [each.use for each in offered if "3999" in each.searched] == [
        "coding/roman-numeral:three-thousand-nine-hundred-ninety-nine"
    ]


def test_what_is_named_so_comes_before_what_answers_so() -> None:
    roman = Offer("coding/roman", "one-thousand", "mclxx", "draft", "")
    count = Offer("math/word-count", "mclxx", "5", "draft", "")
    assert [named(each, "MCLXX") for each in (roman, count)] == [2, 0]
    assert [named(each, "word") for each in (roman, count)] == [2, 1]
    assert [named(each, "math/word-count:mclxx") for each in (roman, count)] == [2, 0]
