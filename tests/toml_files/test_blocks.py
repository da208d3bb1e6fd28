"""Tables as blocks of lines: what belongs to a table moves or goes with it, nothing else does."""

from __future__ import annotations

from relaybench.toml_files.blocks import added, block_of, removed, replaced, text_of

TEXT = """\
# head

# about a
[models.a]
x = '''
[not.a.header]
# not a comment
'''

[models.a.prices]  # dear
y = 1
# z = 2 (ends a)

# --- section ---

# about b
[models."b.c"]
x = 1
# about cohorts
[cohorts]
m = ["a"]
# the end
"""


def test_a_block_ends_where_its_own_lines_end() -> None:
    block = block_of(TEXT, ("models", "a"))
    assert block is not None
    shown = text_of(TEXT, block)
    assert shown.startswith("[models.a]\n")
    assert shown.endswith("y = 1\n# z = 2 (ends a)\n")
    last = block_of(TEXT, ("models", "b.c"))
    assert last is not None
    assert text_of(TEXT, last) == '[models."b.c"]\nx = 1\n'
    cohorts = block_of(TEXT, ("cohorts",))
    assert cohorts is not None
    assert text_of(TEXT, cohorts) == '[cohorts]\nm = ["a"]\n# the end\n'


def test_a_block_goes_with_the_comments_right_above_it_and_no_others() -> None:
    block = block_of(TEXT, ("models", "a"))
    assert block is not None
    assert removed(TEXT, block) == "# head\n\n" + TEXT.partition("(ends a)\n\n")[2]
    other = block_of(TEXT, ("models", "b.c"))
    assert other is not None
    assert removed(TEXT, other) == TEXT.replace('# about b\n[models."b.c"]\nx = 1\n', "")


def test_a_block_is_replaced_and_added_in_place() -> None:
    block = block_of(TEXT, ("models", "b.c"))
    assert block is not None
    assert replaced(TEXT, block, "[models.q]\n") == TEXT.replace(
        '[models."b.c"]\nx = 1\n', "[models.q]\n"
    )
    assert added(TEXT, "[models.n]\nx = 2\n", block) == TEXT.replace(
        "# about cohorts", "\n[models.n]\nx = 2\n\n# about cohorts"
    )
    assert added("", "[t]\n", None) == "[t]\n"
    assert added("a = 1", "[t]\nb = 2\n", None) == "a = 1\n\n[t]\nb = 2\n"
    assert added("a = 1\r\n\r\n", "[t]\nb = 2\n", None) == "a = 1\r\n\r\n[t]\r\nb = 2\r\n"


def test_a_table_without_a_header_of_its_own_is_no_block() -> None:
    assert block_of("models.a.x = 1\n", ("models", "a")) is None
    assert block_of("[models.a.prices]\nx = 1\n", ("models", "a")) is None
    assert block_of("[models.a]\n[models.b]\n[models.a.prices]\n", ("models", "a")) is None
    assert block_of("a = 1\n", ("models", "a")) is None
