"""Faults of composite files: every check of DESIGN section 4, with file, line, key and values."""

from __future__ import annotations

import itertools

import pytest

from relaybench.domain.finding import Severity
from tests.library.support import PAIR, PAIR_FILE, POWER_FILE, SPELL_FILE, Bench

HEALTHY = PAIR.replace('id = "pair"', 'id = "healthy"')


@pytest.fixture(autouse=True)
def healthy(bench: Bench) -> None:
    """A second composite, which must load whatever is wrong with the first."""
    bench.write("problems/sets/first/healthy.toml", HEALTHY)


def expect(bench: Bench, code: str, line: int, key: str, *named: str) -> None:
    found = bench.only()
    assert (found.code, found.file, found.line, found.key) == (code, PAIR_FILE, line, key)
    for each in named:
        assert each in found.problem + found.mend
    assert "first/healthy" in bench.library().composites


def test_a_loop_is_printed(bench: Bench) -> None:
    bench.edit(PAIR_FILE, '"math/power:two-cubed"', '"math/power:two-cubed"\ninputs.base = "B"')
    expect(bench, "cycle", 5, "steps[0].inputs", "A -> B -> A")


def test_a_step_bound_to_itself_is_a_loop(bench: Bench) -> None:
    bench.edit(PAIR_FILE, 'number = "A"', 'number = "B"')
    expect(bench, "cycle", 8, "steps[1].inputs", "B -> B")


def test_a_long_loop_beside_a_sound_part(bench: Bench) -> None:
    steps = "".join(
        f'[[steps]]\nlabel = "{label}"\nuse = "math/power:two-cubed"\n'
        f'inputs = {{ base = "{up}" }}\n'
        for label, up in ("BC", "CD", "DB", "EA")
    )
    first = '[[steps]]\nlabel = "A"\nuse = "coding/spell:none"\n'
    bench.write(PAIR_FILE, f'id = "pair"\n{first}{steps}')
    loops = [each for each in bench.findings() if each.code == "cycle"]
    assert [(each.line, each.key) for each in loops] in (
        [(line, f"steps[{index}].inputs")] for line, index in ((8, 1), (12, 2), (16, 3))
    )
    printed = loops[0].problem.split(": ")[1].split(" -> ")
    assert sorted(set(printed)) == ["B", "C", "D"]
    assert printed[0] == printed[-1]
    waits = {"B": "C", "C": "D", "D": "B"}
    pairs = list(itertools.pairwise(printed))
    assert all(waits[b] == a for a, b in pairs) or all(waits[a] == b for a, b in pairs)


def test_an_unknown_label(bench: Bench) -> None:
    bench.edit(PAIR_FILE, 'number = "A"', 'number = "C"')
    expect(bench, "unknown-label", 8, "steps[1].inputs.number", "'C'", "number", "A, B")


def test_an_unknown_label_in_the_answer(bench: Bench) -> None:
    bench.edit(PAIR_FILE, 'id = "pair"', 'id = "pair"\nanswer = [\n  "B",\n  "Z",\n]')
    expect(bench, "unknown-label", 4, "answer[1]", "'Z'", "A, B")


def test_a_label_twice_in_the_answer(bench: Bench) -> None:
    bench.edit(PAIR_FILE, 'id = "pair"', 'id = "pair"\nanswer = ["B", "B"]')
    expect(bench, "duplicate-id", 2, "answer[1]", "'B'", "twice")


def test_an_unknown_class(bench: Bench) -> None:
    bench.edit(PAIR_FILE, "math/power:", "math/powers:")
    expect(bench, "unknown-class", 4, "steps[0].use", "'math/powers'", "math/power")


def test_the_same_id_in_another_domain_is_another_class(bench: Bench) -> None:
    text = (bench.root / POWER_FILE).read_text("utf-8").replace('"math"', '"coding"')
    bench.write("problems/library/coding/power.toml", text)
    assert bench.findings() == []
    assert {"math/power", "coding/power"} <= set(bench.library().classes)


def test_an_unknown_domain(bench: Bench) -> None:
    bench.edit(PAIR_FILE, "math/power:", "maths/power:")
    expect(bench, "unknown-class", 4, "steps[0].use", "'maths/power'", "check the domain")


def test_an_unknown_instance(bench: Bench) -> None:
    bench.edit(PAIR_FILE, ":two-cubed", ":two-squared")
    named = ("'two-squared'", "two-cubed, three-squared")
    expect(bench, "unknown-instance", 4, "steps[0].use", *named)


@pytest.mark.parametrize("use", ["math/power", "power:two-cubed", "math/power:", "a b/c:d", "x"])
def test_a_use_that_names_no_instance(bench: Bench, use: str) -> None:
    bench.edit(PAIR_FILE, "math/power:two-cubed", use)
    expect(bench, "bad-use", 4, "steps[0].use", repr(use), "domain/class:instance")


def test_a_use_that_is_missing_or_empty(bench: Bench) -> None:
    bench.edit(PAIR_FILE, 'use = "math/power:two-cubed"', 'use = ""')
    expect(bench, "empty", 4, "steps[0].use", "use is empty")
    bench.edit(PAIR_FILE, 'use = ""\n', "")
    expect(bench, "missing", 2, "steps[0]", 'add use = "…"')


def test_an_input_that_the_class_does_not_have(bench: Bench) -> None:
    bench.edit(PAIR_FILE, "number = ", "numeral = ")
    expect(bench, "dangling-input", 8, "steps[1].inputs.numeral", "'numeral'", "it has: number")


def test_two_instances_of_one_class(bench: Bench) -> None:
    extra = '[[steps]]\nlabel = "C"\nuse = "math/power:three-squared"\n'
    bench.write(PAIR_FILE, PAIR + extra)
    expect(bench, "class-twice", 12, "steps[2].use", "steps A and C", "math/power")


def test_a_step_that_the_answer_does_not_depend_on(bench: Bench) -> None:
    bench.edit(PAIR_FILE, 'inputs = { number = "A" }\n', "")
    bench.edit(PAIR_FILE, 'id = "pair"', 'id = "pair"\nanswer = ["B"]')
    expect(bench, "unused-step", 3, "steps[0]", "'A'")


def test_a_step_that_only_feeds_another_is_used(bench: Bench) -> None:
    bench.edit(PAIR_FILE, 'id = "pair"', 'id = "pair"\nanswer = ["B"]')
    assert bench.findings() == []


@pytest.mark.parametrize("count", [0, 1, 14])
def test_the_number_of_steps(bench: Bench, count: int) -> None:
    power = (bench.root / POWER_FILE).read_text("utf-8")
    steps = ""
    for number in range(count):
        name = f"p{number}"
        text = power.replace('id = "power"', f'id = "{name}"')
        bench.write(f"problems/library/math/{name}.toml", text)
        steps += f'[[steps]]\nlabel = "S{number}"\nuse = "math/{name}:two-cubed"\n'
    bench.write(PAIR_FILE, f'id = "pair"\n{steps}')
    named = ("2 to 13 steps", f"this one has {count}")
    expect(bench, "step-count", 2 if count else 1, "steps", *named)


def test_one_table_of_steps(bench: Bench) -> None:
    bench.write(PAIR_FILE, 'id = "pair"\n[steps]\nlabel = "A"\n')
    found = {each.code: each for each in bench.findings()}
    assert set(found) == {"not-tables", "step-count"}
    assert {(each.line, each.key) for each in found.values()} == {(2, "steps")}
    assert found["not-tables"].mend == "start each with [[steps]]"


def test_labels(bench: Bench) -> None:
    bench.edit(PAIR_FILE, 'label = "B"', 'label = "b"')
    expect(bench, "bad-label", 6, "steps[1].label", "'b'", "capitals")
    bench.edit(PAIR_FILE, 'label = "b"', 'label = ""')
    expect(bench, "empty", 6, "steps[1].label", "label is empty")
    bench.edit(PAIR_FILE, 'label = ""\n', "")
    expect(bench, "missing", 5, "steps[1]", "label is missing")


def test_two_steps_of_one_label(bench: Bench) -> None:
    bench.edit(PAIR_FILE, 'inputs = { number = "A" }\n', "")
    bench.edit(PAIR_FILE, 'label = "B"', 'label = "A"')
    expect(bench, "duplicate-id", 6, "steps[1].label", "'A'")


def test_augment_that_is_no_list(bench: Bench) -> None:
    bench.edit(PAIR_FILE, 'augment = ["upper"]', 'augment = "upper"')
    expect(bench, "not-list", 9, "steps[1].augment", "augment is text, not a list")


@pytest.mark.parametrize("text", ["uper", "upper:2", "caesar", "caesar:0", "caesar:26", "every:x"])
def test_an_augmentation_that_does_not_exist(bench: Bench, text: str) -> None:
    bench.edit(PAIR_FILE, 'augment = ["upper"]', f'augment = [ # loud\n  "lower",\n  "{text}"\n]')
    expect(bench, "bad-augmentation", 11, "steps[1].augment[1]", text.split(":")[0])


def test_a_bound_value_that_differs_names_both(bench: Bench) -> None:
    bench.edit(PAIR_FILE, "coding/spell:eight", "coding/spell:none")
    expect(bench, "bound-value", 8, "steps[1].inputs.number", "gives '8'", "number = '0'")


def test_a_bound_value_is_held_against_the_answer_after_augmentation(bench: Bench) -> None:
    old = 'use = "math/power:two-cubed"'
    bench.edit(PAIR_FILE, old, f'{old}\naugment = ["non-letters-to-underscores"]')
    found = [each for each in bench.findings() if each.code == "bound-value"]
    assert [(each.line, each.key) for each in found] == [(9, "steps[1].inputs.number")]
    assert "gives '_'" in found[0].problem
    assert "number = '8'" in found[0].problem


def test_a_bound_slot_for_which_the_instance_has_no_value(bench: Bench) -> None:
    bench.edit(SPELL_FILE, 'data = { number = "8" }\n', "")
    found = [each for each in bench.findings() if each.file == PAIR_FILE]
    assert [(each.code, each.line) for each in found] == [("bound-value", 8)]
    assert "coding/spell:eight has no number of its own" in found[0].problem


def test_a_retired_instance_is_a_warning(bench: Bench) -> None:
    bench.edit(SPELL_FILE, 'answer = "eight"', 'answer = "eight"\nstatus = "retired"')
    found = [each for each in bench.findings() if each.file == PAIR_FILE]
    assert [(each.code, each.severity) for each in found] == [("retired", Severity.WARNING)]


@pytest.mark.parametrize(
    ("separator", "fine"),
    [
        ("", True),
        ("/", True),
        (" ", True),
        ("::", True),
        (" - ", False),
        (", ", False),
        ("  ", False),
    ],
)
def test_separators(bench: Bench, separator: str, fine: bool) -> None:
    bench.edit(PAIR_FILE, 'id = "pair"', f'id = "pair"\nseparator = "{separator}"')
    if fine:
        assert bench.findings() == []
    else:
        expect(bench, "bad-separator", 2, "separator", repr(separator))


def test_sizes_of_bloat_and_seeds(bench: Bench) -> None:
    bench.write(PAIR_FILE, PAIR + "[bloat]\ncharacters = 0\nseed = -1\n[encoding]\n")
    found = [each for each in bench.findings() if each.file == PAIR_FILE]
    assert [(each.line, each.key, each.problem) for each in found] == [
        (11, "bloat.characters", "characters is 0"),
        (12, "bloat.seed", "seed is -1"),
        (13, "encoding.seed", "seed is missing"),
    ]


@pytest.mark.parametrize(
    ("share", "fine"),
    [
        ("0.25", True),
        ("0", True),
        ("1.0", True),
        ("1e-1", True),
        ("1.1", False),
        ("-0.1", False),
        ("nan", False),
        ("inf", False),
        ('"0.5"', False),
        ("true", False),
        ("2", False),
    ],
)
def test_the_share_of_twins(bench: Bench, share: str, fine: bool) -> None:
    bench.write(PAIR_FILE, PAIR + f"[encoding]\nseed = 1\ntwin_share = {share}\n")
    if fine:
        assert bench.findings() == []
        encoding = bench.library().composites["first/pair"].composite.encoding
        assert encoding is not None
        assert encoding.twin_share == float(share)
    else:
        expect(bench, "not-share", 12, "encoding.twin_share", "from 0 to 1")
