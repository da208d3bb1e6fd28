"""What is wrong with a class file: code, file, line, key, values; healthy files still load."""

from __future__ import annotations

import re

import pytest

from relaybench.domain.finding import Finding, Severity
from tests.library.support import POWER, POWER_FILE, SPELL_FILE, Bench

TYPES = {
    "9": ("a number", "9"),
    "9.5": ("a number", "9.5"),
    "1e3": ("a number", "1E+3"),
    "nan": ("a number", "NaN"),
    "true": ("true or false", "true"),
    "2026-01-01": ("a date or time", "…"),
    "07:32:00": ("a date or time", "…"),
    "1979-05-27T07:32:00Z": ("a date or time", "…"),
    '["9"]': ("a list", "…"),
    '{ a = "9" }': ("a table", "…"),
    f"0x{'f' * 4000}": ("a number", "…"),
}


def the(findings: list[Finding], code: str) -> Finding:
    found = [each for each in findings if each.code == code]
    assert len(found) == 1, findings
    return found[0]


def healthy(bench: Bench) -> set[str]:
    return set(bench.library().classes)


def test_a_sound_workspace_has_no_findings(bench: Bench) -> None:
    assert bench.findings() == []
    library = bench.library()
    assert set(library.classes) == {"math/power", "coding/spell"}
    assert library.sets() == {"first": ["first/pair"]}
    power = library.classes["math/power"].problem
    assert power.prompt == "What is {{base}} to the power of {{exponent}}?"
    assert power.rules == ("Give an integer.",)
    assert [each.answer for each in power.instances] == ["8", "9"]


@pytest.mark.parametrize("value", TYPES, ids=lambda value: value[:12])
def test_an_answer_that_is_no_text(bench: Bench, value: str) -> None:
    bench.edit(POWER_FILE, 'answer = "9"', f"answer = {value}")
    kind, shown = TYPES[value]
    found = the(bench.findings(), "not-text")
    assert found.file == POWER_FILE
    assert found.line == bench.line(POWER_FILE, "answer = " + value[:9])
    assert found.key == "instances[1].answer"
    assert found.problem == f"answer is {kind}, not text"
    assert found.mend == f'write answer = "{shown}", in quotes just as it is to be read'
    assert [each.code for each in bench.findings()] == ["not-text"]  # not that it is empty too
    assert healthy(bench) == {"math/power", "coding/spell"}


def test_data_that_is_no_text(bench: Bench) -> None:
    bench.edit(POWER_FILE, 'base = "3", exponent = "2"', 'base = "3", exponent = 2')
    found = bench.only()
    assert (found.code, found.line, found.key) == ("not-text", 18, "instances[1].data.exponent")
    assert found.problem == "exponent is a number, not text"


def test_dotted_data_keys_are_data(bench: Bench) -> None:
    dotted = 'data.base = "3"\ndata.exponent = "2"'
    bench.edit(POWER_FILE, 'data = { base = "3", exponent = "2" }', dotted)
    assert bench.findings() == []
    bench.edit(POWER_FILE, 'data.exponent = "2"', "data.exponent = 2")
    assert bench.only().line == bench.line(POWER_FILE, "data.exponent = 2")


def test_nested_data_is_no_text(bench: Bench) -> None:
    bench.edit(
        POWER_FILE,
        'data = { base = "3", exponent = "2" }',
        'data.base = "3"\ndata.exponent.of = "2"',
    )
    found = bench.only()
    assert (found.line, found.key) == (19, "instances[1].data.exponent")
    assert found.problem == "exponent is a table, not text"


@pytest.mark.parametrize("key", ["id", "domain", "title", "prompt", "example"])
def test_a_key_that_is_missing(bench: Bench, key: str) -> None:
    bench.edit(POWER_FILE, f"{key} = ", f"x{key}x = ") if key not in ("id",) else bench.write(
        POWER_FILE, POWER.replace('id = "power"\n', "")
    )
    found = the(bench.findings(), "missing")
    assert (found.file, found.line, found.key) == (POWER_FILE, 1, "")
    assert found.problem == f"{key} is missing"
    assert found.mend == f'add {key} = "…"'
    assert healthy(bench) == {"math/power", "coding/spell"}


@pytest.mark.parametrize("key", ["id", "domain", "example"])
def test_a_key_that_is_empty(bench: Bench, key: str) -> None:
    bench.write(POWER_FILE, re.sub(rf'(?m)^{key} = ".*"', f'{key} = ""', POWER, count=1))
    found = the(bench.findings(), "empty")
    assert (found.key, found.line) == (key, bench.line(POWER_FILE, f'{key} = ""'))


def test_an_empty_file(bench: Bench) -> None:
    bench.write(POWER_FILE, "")
    assert {each.code for each in bench.library().findings} == {"missing"}
    assert {each.line for each in bench.library().findings} == {1}
    assert "coding/spell" in healthy(bench)


def test_an_empty_prompt(bench: Bench) -> None:
    bench.edit(SPELL_FILE, "Write the number {{number}} in English.", "  ")
    assert the(bench.findings(), "empty-prompt").line == 4


@pytest.mark.parametrize(
    ("file", "id_", "codes", "mend"),
    [
        (
            "power",
            "powers",
            {"id-not-file-name"},
            'write id = "power" or rename the file to powers.toml',
        ),
        ("power", "Powers", {"bad-id", "id-not-file-name"}, 'write id = "power"'),
        ("Power", "power", {"id-not-file-name"}, "rename the file to power.toml"),
        ("Power", "Power", {"bad-id"}, "use small letters, digits and single - _ . between them"),
        ("my power", "My Power", {"bad-id", "id-not-file-name"}, "give both one name"),
    ],
)
def test_id_and_file_name(bench: Bench, file: str, id_: str, codes: set[str], mend: str) -> None:
    (bench.root / POWER_FILE).unlink()
    name = f"problems/library/math/{file}.toml"
    bench.write(name, POWER.replace('id = "power"', f'id = "{id_}"'))
    found = bench.library().findings
    assert {each.code for each in found} == codes
    assert {(each.file, each.line, each.key) for each in found} == {(name, 1, "id")}
    last = found[-1]
    assert repr(id_) in last.problem
    assert last.mend.startswith(mend)


def test_a_domain_that_is_none(bench: Bench) -> None:
    bench.edit(POWER_FILE, 'domain = "math"', 'domain = "maths"')
    found = bench.only()
    assert (found.code, found.line, found.key) == ("bad-domain", 2, "domain")
    assert "'maths'" in found.problem
    assert "visual-reasoning, coding, math" in found.mend
    assert "math/power" in healthy(bench)


@pytest.mark.parametrize(
    ("folder", "mend"),
    [
        ("coding", 'write domain = "coding" or move the file to math/'),
        ("maths", "move the file to math/"),
    ],
)
def test_a_domain_that_is_not_the_folder(bench: Bench, folder: str, mend: str) -> None:
    (bench.root / POWER_FILE).unlink()
    bench.write(f"problems/library/{folder}/power.toml", POWER)
    found = bench.only()
    assert (found.code, found.line, found.key) == ("domain-not-folder", 2, "domain")
    assert found.problem == f"domain is 'math' but the file lies in {folder!r}"
    assert found.mend == mend


def test_a_class_without_any_domain_hides_no_other(bench: Bench) -> None:
    bench.write("problems/library/odd/x.toml", 'id = "x"\ndomain = "odd"\n')
    assert healthy(bench) == {"math/power", "coding/spell"}
    assert "bad-domain" in {each.code for each in bench.library().findings}


def test_two_instances_of_one_name(bench: Bench) -> None:
    bench.edit(POWER_FILE, 'id = "three-squared"', 'id = "two-cubed"')
    found = bench.only()
    assert (found.code, found.line, found.key) == ("duplicate-id", 17, "instances[1].id")
    assert "'two-cubed'" in found.problem


@pytest.mark.parametrize(
    ("id_", "code"), [("Two Cubed", "bad-id"), ("a--b", "bad-id"), ("", "empty")]
)
def test_an_instance_with_a_bad_id(bench: Bench, id_: str, code: str) -> None:
    bench.edit(POWER_FILE, 'id = "three-squared"', f'id = "{id_}"')
    found = bench.only()
    assert (found.code, found.line, found.key) == (code, 17, "instances[1].id")


def test_a_status_that_is_none(bench: Bench) -> None:
    bench.edit(SPELL_FILE, 'answer = "zero"', 'answer = "zero"\nstatus = "done"')
    found = bench.only()
    assert (found.code, found.key) == ("bad-status", "instances[1].status")
    assert "'done'" in found.problem


def test_one_table_where_a_list_of_tables_belongs(bench: Bench) -> None:
    text = (bench.root / SPELL_FILE).read_text("utf-8")
    bench.write(
        SPELL_FILE, text[: text.rindex("[[instances]]")].replace("[[instances]]", "[instances]")
    )
    found = the(bench.findings(), "not-tables")
    assert (found.line, found.key, found.mend) == (7, "instances", "start each with [[instances]]")


def test_a_slip_of_a_key_is_a_warning_and_other_keys_are_the_authors(bench: Bench) -> None:
    bench.edit(POWER_FILE, 'rules = ["Give an integer."]', 'rule = ["Give an integer."]\nmine = 3')
    found = bench.only()
    assert (found.code, found.severity) == ("unknown-key", Severity.WARNING)
    assert (found.line, found.key, found.mend) == (7, "rule", "did you mean rules?")


@pytest.mark.parametrize(
    ("rules", "problem"),
    [
        ('"Give an integer."', "rules is text, not a list"),
        ('["Give an integer.", 3]', "entry 2 of rules is a number, not text"),
    ],
)
def test_rules_that_are_no_list_of_texts(bench: Bench, rules: str, problem: str) -> None:
    bench.edit(POWER_FILE, 'rules = ["Give an integer."]', f"rules = {rules}")
    found = bench.only()
    assert (found.line, found.problem) == (7, problem)
