"""Where keys stand: by hand for every form of TOML, and for generated documents."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from typing import cast

import pytest
import tomlkit
from hypothesis import given
from hypothesis import strategies as st

from relaybench.domain.finding import KeyPath
from relaybench.toml_files.positions import key_lines, line_of

FORMS = """\
# [no.table] "quotes' and = signs
plain = 1 # ] } ''' \"\"\"
dotted . "quoted.key" . 'x' = "a # b [ ] { } \\" '"
long = '''
[not] = 'a key'
"" '''
basic = \"\"\"
[[no]] \\\"\"\" x = 1
two more: \"\"\"\"\"
list = [ # [
  "a", [1, 2], # , ]
  { in = "x", deep = { er = [
    3] } },
]
"esc\\u0041ped" = 2026-01-01 12:00:00
[ table . 'of' ] # [x]
k = true

[[many]]
a = 1
[many.sub]
b = 2
[[many.inner]]
c = 3
[[many.inner]]
c = 4
[[ many ]]
[many.sub]
b = 5
[one.two.three]
[one]
x = ""
"""

LINES: dict[KeyPath, int] = {
    ("plain",): 2,
    ("dotted",): 3,
    ("dotted", "quoted.key"): 3,
    ("dotted", "quoted.key", "x"): 3,
    ("long",): 4,
    ("basic",): 7,
    ("list",): 10,
    ("list", 0): 11,
    ("list", 1): 11,
    ("list", 1, 1): 11,
    ("list", 2): 12,
    ("list", 2, "in"): 12,
    ("list", 2, "deep"): 12,
    ("list", 2, "deep", "er"): 12,
    ("list", 2, "deep", "er", 0): 13,
    ("escAped",): 15,
    ("table",): 16,
    ("table", "of"): 16,
    ("table", "of", "k"): 17,
    ("many",): 19,
    ("many", 0): 19,
    ("many", 0, "a"): 20,
    ("many", 0, "sub", "b"): 22,
    ("many", 0, "inner", 1): 25,
    ("many", 0, "inner", 1, "c"): 26,
    ("many", 1): 27,
    ("many", 1, "sub"): 28,
    ("many", 1, "sub", "b"): 29,
    ("one", "two"): 30,
    ("one", "two", "three"): 30,
    ("one",): 31,  # where it is declared, not where it is implied
    ("one", "x"): 32,
}


def paths(value: object, path: KeyPath = ()) -> Iterator[KeyPath]:
    """Every path of parsed data."""
    if path:
        yield path
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from paths(each, (*path, key))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from paths(each, (*path, index))


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_every_form_of_toml(newline: str) -> None:
    lines = key_lines(FORMS.replace("\n", newline))
    assert {path: lines.get(path) for path in LINES} == LINES
    assert set(lines) == set(paths(tomllib.loads(FORMS)))


def test_a_path_that_is_not_there_has_the_line_of_what_is_around_it() -> None:
    lines = key_lines("a = 1\n[[b]]\n[[b]]\nx = 1\n")
    assert line_of(lines, ("b", 1, "y", "z")) == 3
    assert line_of(lines, ("c", "d")) == 1
    assert line_of(lines, ()) == 1


KEYS = st.text("ab \".'#[]={}é\t", min_size=1, max_size=4) | st.sampled_from(["id", "data", "x-1"])
TEXTS = st.text("ab\n\"'#[]={}\\, é", max_size=12)
SCALARS = TEXTS | st.integers(-99, 99) | st.booleans() | st.floats(0, 9) | st.dates()
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
DOCUMENTS = st.dictionaries(
    KEYS,
    VALUES | st.lists(st.dictionaries(KEYS, VALUES, max_size=3), min_size=1, max_size=3),
    max_size=5,
)


@given(DOCUMENTS, st.sampled_from(["\n", "\r\n"]))
def test_every_key_of_a_generated_document_has_a_line(
    data: dict[str, object], newline: str
) -> None:
    text = tomlkit.dumps(data).replace("\r\n", "\n").replace("\n", newline)
    lines = key_lines(text)
    assert set(paths(tomllib.loads(text))) == set(lines)
    count = text.count("\n") + 1
    assert all(1 <= line <= count for line in lines.values())


SAFE = st.text('ab#[]={}", ', max_size=6)
ENTRIES = st.lists(
    st.tuples(
        st.sampled_from(["basic", "literal", "block", "raw", "list", "inline", "dotted", "header"]),
        SAFE,
        st.sampled_from(["", ' # a ] } \' " """ comment', "\n", "\n# '''\n"]),
    ),
    max_size=12,
)


@given(ENTRIES, st.sampled_from(["\n", "\r\n"]))
def test_keys_stand_where_a_writer_put_them(
    entries: list[tuple[str, str, str]], newline: str
) -> None:
    text, table = "", cast(KeyPath, ())
    wanted: dict[KeyPath, int] = {}
    for number, (form, body, after) in enumerate(entries):
        line = text.count("\n") + 1
        key = f"k{number}"
        escaped = body.replace('"', '\\"')
        values = {
            "basic": f'"{escaped}"',
            "literal": f"'{body}'",
            "block": f'"""\n{escaped}\n\n[x] = 1\n"""',
            "raw": f"'''\n{body}\n''x''\n'''",
            "list": f'[ # [ "\n  "{escaped}", # ]\n  \'{body}\',\n]',
            "inline": f'{{ a = \'{body}\', "b.c" = "{escaped}" }}',
        }
        if form == "header":
            table, wanted[(key,)] = (key,), line
            text += f"[{key}]"
        elif form == "dotted":
            wanted[(*table, key)] = wanted[(*table, key, "x.y")] = line
            text += f"{key} . 'x.y' = '{body}'"
        else:
            wanted[(*table, key)] = line
            text += f"{key} = {values[form]}"
        if form == "list":
            wanted |= {(*table, key, 0): line + 1, (*table, key, 1): line + 2}
        if form == "inline":
            wanted |= {(*table, key, "a"): line, (*table, key, "b.c"): line}
        text += after + "\n"
    text = text.replace("\n", newline)
    tomllib.loads(text)
    assert key_lines(text) == wanted


def test_a_big_file_is_scanned_in_passing() -> None:
    rows = "".join(f"[[rows]]\nid = 'r{n}'\ndata = {{ a = \"1\", b = '2' }}\n" for n in range(3000))
    lines = key_lines(rows + f"text = '''\n{'x' * 200_000}\n'''\nlast = 1\n")
    assert lines[("rows", 2999, "data", "b")] == 9000
    assert lines[("rows", 2999, "last")] == 9004
