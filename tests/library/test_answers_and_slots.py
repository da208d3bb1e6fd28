"""Faults of answers, patterns and slots that one class file shows by itself."""

from __future__ import annotations

import time

import pytest

from relaybench.library.class_rules import repeats_a_repetition
from tests.library.support import POWER_FILE, SPELL_FILE, Bench


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (r"a\nb", "has a line break"),
        (r"a\rb", "has a line break"),
        (r"a\u2028b", "has a line break"),
        (r"a\u0085b", "has a line break"),
        ("a```b", "holds a code fence"),
        ("a~~~b", "holds a code fence"),
        (" a", "begins or ends with white space"),
        (r"a\t", "begins or ends with white space"),
        (r"a\u00a0", "begins or ends with white space"),
        (r"a\tb", "holds a control character"),
        (r"a\u007fb", "holds a control character"),
        (r"a\u0000b", "holds a control character"),
        ("", "is empty"),
    ],
)
def test_an_answer_that_no_code_block_gives_back(bench: Bench, answer: str, reason: str) -> None:
    bench.edit(SPELL_FILE, 'answer = "zero"', f'answer = "{answer}"')
    found = bench.only()
    assert (found.code, found.file, found.key) == ("key-form", SPELL_FILE, "instances[1].answer")
    assert found.line == 15
    assert found.problem.startswith(f"answer {reason}")
    assert set(bench.library().classes) == {"math/power", "coding/spell"}


def test_an_example_with_a_line_break(bench: Bench) -> None:
    bench.edit(SPELL_FILE, 'example = "twenty"', "example = '''\ntwen\nty'''")
    found = [each for each in bench.findings() if each.key == "example"]
    assert [(each.code, each.line) for each in found] == [("key-form", 5)]
    assert found[0].problem == "example has a line break"


@pytest.mark.parametrize(
    ("rule", "good", "bad", "wants"),
    [
        ("Give an integer.", "-12", "1.5", "an integer"),
        ("Answer with a whole number", "7", "seven", "an integer"),
        ("Digits only.", "007", "7a", "digits only"),
        ("Write the answer in all caps.", "ABC-9", "ABc", "no small letters"),
        ("Give your answer in lower case letters only.", "abc", "aBc", "no capitals"),
        ("Use no spaces.", "ab", "a b", "no spaces"),
        ("Write the answer without spaces.", "ab", "a b", "no spaces"),
        ("Replace all spaces with underscores.", "a_b", "a b", "no spaces"),
        ("ASCII only.", "abc", "é", "ASCII"),
        ("Write the date as YYYYMMDD.", "20260131", "20261301", "a date as YYYYMMDD"),
        ("Give the date as YYYY-MM-DD.", "2026-01-31", "20260131", "a date as YYYY-MM-DD"),
    ],
)
def test_characters_that_its_rules_forbid(
    bench: Bench, rule: str, good: str, bad: str, wants: str
) -> None:
    head = f'rules = ["{rule}"]\nexample = "{good}"\n\n[[instances]]\nid = "x"\n'
    form = f'id = "rule"\ndomain = "math"\ntitle = "t"\nprompt = "p"\n{head}'
    name = "problems/library/math/rule.toml"
    bench.write(name, f'{form}answer = "{bad}"\n')
    found = [each for each in bench.findings() if each.code == "key-form"]
    assert [(each.file, each.line, each.key) for each in found] == [
        (name, 10, "instances[0].answer")
    ]
    assert found[0].problem == f"answer is {bad!r}, but its rule “{rule}” wants {wants}"
    bench.write(name, f'{form}answer = "{good}"\n')
    assert [each.code for each in bench.findings()] == ["example-is-key"]  # good: no key-form


def test_a_phrase_within_a_longer_rule_is_for_the_model_alone(bench: Bench) -> None:
    bench.edit(
        POWER_FILE, '"Give an integer."', '"Give an integer, then x. Use no spaces after it."'
    )
    bench.edit(POWER_FILE, 'answer = "9"', 'answer = "9 x"')
    assert bench.findings() == []


def test_an_answer_that_pattern_does_not_match(bench: Bench) -> None:
    bench.edit(POWER_FILE, 'example = "42"', 'example = "42"\npattern = "[0-8]|42"')
    found = bench.only()
    assert (found.code, found.line, found.key) == ("key-form", 20, "instances[1].answer")
    assert "'9'" in found.problem
    assert "'[0-8]|42'" in found.problem


def test_a_pattern_holds_for_the_whole_answer_and_the_example(bench: Bench) -> None:
    bench.edit(POWER_FILE, 'example = "42"', 'example = "42"\npattern = "[0-9]"')
    assert [(each.key, each.line) for each in bench.findings()] == [("example", 8)]


@pytest.mark.parametrize(
    "pattern", ["(", "[a", "*", "a{99999999999999}", "(" * 3000, r"(?P<1>a)", "a**"]
)
def test_a_pattern_that_is_no_regular_expression(bench: Bench, pattern: str) -> None:
    bench.edit(POWER_FILE, 'example = "42"', f"example = \"42\"\npattern = '{pattern}'")
    found = bench.only()
    assert (found.code, found.line, found.key) == ("bad-pattern", 9, "pattern")


def test_a_doubtful_set_in_a_pattern_warns_nobody_on_the_terminal(bench: Bench) -> None:
    bench.edit(POWER_FILE, 'example = "42"', "example = \"42\"\npattern = '[[0-9]+'")
    assert bench.findings() == []  # and pytest turns warnings into errors


def test_a_pattern_that_would_take_for_ever_is_refused_at_once(bench: Bench) -> None:
    long = "a" * 60 + "!"
    bench.edit(SPELL_FILE, 'example = "twenty"', "example = \"a\"\npattern = '(\\w+\\s?)+'")
    bench.edit(SPELL_FILE, 'answer = "zero"', f'answer = "{long}"')
    start = time.perf_counter()
    found = [each for each in bench.findings() if each.file == SPELL_FILE]
    assert time.perf_counter() - start < 5
    assert [(each.code, each.line, each.key) for each in found] == [("slow-pattern", 6, "pattern")]
    assert r"'(\\w+\\s?)+'" in found[0].problem


SLOW = ["(a+)+", r"(\w+\s?)*", "(.*)*", "((a+))*", "([^)]+)+", "(a+|b)*", "(a{2,})+", "(?:a*?)*"]
FAST = [
    *("(?:[A-Z]+-)*[A-Z]+", r"\((a+)+\)b"[:5] + "b", r"[0-9]{1,3}(,[0-9]{3})*", "(a|b)*", "(a?)*"),
    *("((a+)b)*", "[(]a+[)]+", "(ab+)*", "(a+)?", "[]a]+", r"\d+(?:\.\d+)?", "(a+){3}", "", "("),
]


@pytest.mark.parametrize("pattern", SLOW)
def test_repeated_repetitions_are_seen(pattern: str) -> None:
    assert repeats_a_repetition(pattern)


@pytest.mark.parametrize("pattern", FAST)
def test_other_patterns_are_let_be(pattern: str) -> None:
    assert not repeats_a_repetition(pattern)


def test_an_example_that_is_an_answer(bench: Bench) -> None:
    bench.edit(POWER_FILE, 'example = "42"', 'example = "9"')
    found = bench.only()
    assert (found.code, found.file, found.line) == ("example-is-key", POWER_FILE, 19)
    assert found.key == "instances[1].answer"
    assert found.problem == "the example '9' is the answer of 'three-squared'"


def test_a_slot_without_a_value(bench: Bench) -> None:
    bench.edit(POWER_FILE, 'base = "3", exponent = "2"', 'base = "3"')
    found = bench.only()
    assert (found.code, found.line, found.key) == ("missing-data", 18, "instances[1].data")
    assert "{{exponent}}" in found.problem
    assert "'three-squared'" in found.problem


def test_an_instance_without_data_is_told_at_its_header(bench: Bench) -> None:
    bench.edit(POWER_FILE, 'data = { base = "3", exponent = "2" }\n', "")
    found = bench.findings()
    assert [(each.code, each.line) for each in found] == [("missing-data", 16)] * 2


def test_a_value_without_a_slot(bench: Bench) -> None:
    bench.edit(POWER_FILE, 'base = "3", exponent = "2"', 'base = "3", exponent = "2", bse = "1"')
    found = bench.only()
    assert (found.code, found.line, found.key) == ("dangling-input", 18, "instances[1].data.bse")
    assert "{{bse}}" in found.problem


def test_a_name_that_no_slot_can_have_is_told_as_such(bench: Bench) -> None:
    bench.edit(SPELL_FILE, "number {{number}} in", "number {{the-number}} in")
    bench.edit(SPELL_FILE, 'number = "0"', 'the-number = "0"')
    found = [each for each in bench.findings() if each.code == "bad-slot-name"]
    assert [(each.line, each.key) for each in found] == [(14, "instances[1].data.the-number")]
    assert "'the-number'" in found[0].problem


def test_braces_of_undeclared_names_are_literal(bench: Bench) -> None:
    bench.edit(SPELL_FILE, "in English.", "in English {{like so}} {{nobody}} {x} $y %s \\\\ <b>.")
    [finding] = bench.findings()
    assert (finding.code, finding.key, finding.severity) == ("unfilled-slot", "prompt", "warning")
    assert "{{nobody}}" in finding.problem
    bench.edit(SPELL_FILE, "example =", 'literal = ["nobody"]\nexample =')
    assert bench.findings() == []


def test_a_slot_with_spaces_is_told(bench: Bench) -> None:
    bench.edit(SPELL_FILE, "in English.", "in English, as {{ nobody }} would.")
    [finding] = bench.findings()
    assert (finding.code, finding.severity) == ("unfilled-slot", "warning")
    assert "{{ nobody }}" in finding.problem
