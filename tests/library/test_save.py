"""Saving keeps everything that was not changed, and nothing is overwritten unseen."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.domain.errors import ProblemError, StaleFileError
from relaybench.library.load import load_library
from relaybench.library.merge import merged_text
from relaybench.library.save import class_data, composite_data, save
from tests.library.support import PAIR_FILE, POWER, POWER_FILE, Bench

SHIPPED = Path(__file__).resolve().parents[2]

EDITED = """\
# Written by hand.
title = 'Powers'   # single quotes
id = "power"
mine = [1, 2]
prompt = '''

  What is {{base}}
'''
domain="math"
example = "42"

# The first one is easy.
[[instances]]
answer = "8"   # checked by Ann
id = "a"
data.base = '2'  # dotted
note = "keep"

# About b.
[[instances]]
id = "b"
answer = 'x\\y'
status = "draft"
[instances.data]
# inside
base = '''
###
#S#'''

# The end.
"""


def test_saving_unchanged_data_changes_no_byte_of_any_shipped_file() -> None:
    library = load_library(SHIPPED)
    assert library.classes
    for loaded in library.classes.values():
        before = loaded.source.path.read_bytes()
        assert save(loaded.source, class_data(loaded.problem)).encode() == before
    for other in library.composites.values():
        before = other.source.path.read_bytes()
        assert save(other.source, composite_data(other.composite)).encode() == before


def saved(bench: Bench, text: str, change: dict[str, Any] | None = None) -> str:
    """Write a class, save it with answers changed by instance id, and return the new text."""
    path = bench.write(POWER_FILE, text)
    loaded = bench.library().classes["math/power"]
    data = class_data(loaded.problem)
    for row in data["instances"]:
        row.update((change or {}).get(row["id"], {}))
    result = save(loaded.source, {**data, **(change or {}).get("", {})})
    assert path.read_bytes().decode() == result
    return result


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_unchanged_hand_written_files_keep_every_byte(bench: Bench, newline: str) -> None:
    for text in (EDITED, POWER, EDITED.replace('"8"', "8"), EDITED.replace('"42"', "42")):
        text = text.replace("\n", newline)
        assert saved(bench, text) == text


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_only_what_was_changed_changes(bench: Bench, newline: str) -> None:
    text = EDITED.replace("\n", newline)
    assert saved(bench, text, {"a": {"answer": "16"}}) == text.replace('"8"', '"16"')
    after = saved(bench, text, {"b": {"answer": "z\\q"}})
    assert after == text.replace("'x\\y'", "'z\\q'")
    after = saved(bench, text, {"b": {"data": {"base": "##\n#E"}}})
    assert after == text.replace("###" + newline + "#S#", "##" + newline + "#E")
    after = saved(bench, text, {"": {"prompt": "New {{base}}\nline"}})
    was = f"{newline}  What is {{{{base}}}}{newline}'''"
    assert after == text.replace(was, f"New {{{{base}}}}{newline}line{newline}'''")


def test_values_that_could_not_be_read_are_not_overwritten(bench: Bench) -> None:
    text = EDITED.replace("'x\\y'", "12.50")
    after = saved(bench, text, {"a": {"answer": "16"}})
    assert after == text.replace('"8"', '"16"')


def test_two_instances_of_one_name_are_not_mixed_up(bench: Bench) -> None:
    text = EDITED.replace('id = "b"', 'id = "a"')
    with pytest.raises(ProblemError, match="two instances have the id 'a'"):
        saved(bench, text)
    assert (bench.root / POWER_FILE).read_text("utf-8") == text


def test_a_removed_instance_takes_only_its_own_comments(bench: Bench) -> None:
    bench.write(POWER_FILE, EDITED)
    loaded = bench.library().classes["math/power"]
    rows = class_data(loaded.problem)["instances"]
    after = save(loaded.source, {"instances": rows[1:]})
    assert '# About b.\n[[instances]]\nid = "b"' in after
    assert "# The first one is easy." not in after
    assert "# The end." in after
    assert [each["id"] for each in tomllib.loads(after)["instances"]] == ["b"]


def test_instances_move_with_the_comments_above_them(bench: Bench) -> None:
    text = EDITED + '\n# About c.\n[[instances]]\nid = "c"\ndata.base = "1"\nanswer = "1"\n'
    bench.write(POWER_FILE, text)
    loaded = bench.library().classes["math/power"]
    a, b, c = class_data(loaded.problem)["instances"]
    after = save(loaded.source, {"instances": [c, a, b]})
    told = tomllib.loads(after)
    assert [each["id"] for each in told["instances"]] == ["c", "a", "b"]
    assert told["instances"][1]["note"] == "keep"
    for comment in [line for line in text.split("\n") if "#" in line and "##" not in line]:
        assert comment.split("#")[1] in after
    assert '# About b.\n[[instances]]\nid = "b"' in after
    assert '# About c.\n[[instances]]\nid = "c"' in after


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_new_instance(bench: Bench, newline: str) -> None:
    text = EDITED.replace("\n", newline)
    bench.write(POWER_FILE, text)
    loaded = bench.library().classes["math/power"]
    data = class_data(loaded.problem)
    new = {"id": "n", "data": {"base": "a\nb'"}, "answer": "\x7f\\'\"", "status": "draft"}
    after = save(loaded.source, {"instances": [*data["instances"], new]})
    assert tomllib.loads(after)["instances"][2] == new
    assert after.startswith(text[: text.index("# The end.")] + "[[instances]]")
    assert after.endswith("# The end." + newline)
    assert newline == "\n" or "\n" not in after.replace("\r\n", "")


def test_defaults_that_were_left_out_stay_out(bench: Bench) -> None:
    path = bench.root / PAIR_FILE
    text = path.read_text() + "[bloat]\ncharacters = 5\nnote = 'mine'\n[encoding]\nseed = 3\n"
    path.write_text(text)
    loaded = bench.library().composites["first/pair"]
    assert save(loaded.source, composite_data(loaded.composite)) == text
    assert loaded.composite.bloat is not None
    changed = replace(loaded.composite, bloat=replace(loaded.composite.bloat, characters=7))
    assert save(loaded.source, composite_data(changed)) == text.replace("= 5", "= 7")


def test_what_was_taken_away_goes(bench: Bench) -> None:
    path = bench.root / PAIR_FILE
    path.write_text(path.read_text() + "[bloat]\ncharacters = 5\n")
    loaded = bench.library().composites["first/pair"]
    steps = tuple(replace(step, inputs={}, augment=()) for step in loaded.composite.steps)
    save(loaded.source, composite_data(replace(loaded.composite, bloat=None, steps=steps)))
    told = tomllib.loads(path.read_text())
    assert set(told) == {"id", "steps"}
    assert set(told["steps"][1]) == {"label", "use"}


@pytest.mark.parametrize("change", ["edited", "removed", "damaged"])
def test_a_file_that_somebody_else_changed_is_left_alone(bench: Bench, change: str) -> None:
    path = bench.root / POWER_FILE
    loaded = bench.library().classes["math/power"]
    if change == "removed":
        path.unlink()
    else:
        path.write_bytes(b"\xff" if change == "damaged" else path.read_bytes() + b" ")
    before = path.read_bytes() if path.exists() else None
    with pytest.raises(StaleFileError, match=r"power\.toml was .*nothing was saved"):
        save(loaded.source, {"title": "x"})
    assert (path.read_bytes() if path.exists() else None) == before


def test_text_that_cannot_be_merged_is_an_error_of_ours() -> None:
    with pytest.raises(ProblemError, match="make it by hand"):
        merged_text("a = ", {"a": "x"})


ANY = st.text(st.characters(exclude_categories=["Cs"]), max_size=20) | st.text(
    "\n\\'\"{}$ ", max_size=12
)


@given(ANY, ANY, st.sampled_from(["\n", "\r\n"]))
def test_any_text_reads_back_as_it_was_saved(answer: str, value: str, newline: str) -> None:
    text = EDITED.replace("\n", newline)
    prompt = value.strip("\n")
    rows = [{"id": "a", "answer": answer, "data": {"base": value}}, {"id": "b"}]
    after = merged_text(text, {"prompt": prompt, "instances": rows})
    told = tomllib.loads(after)
    assert told["prompt"].strip("\n") == prompt
    assert told["instances"][0] == {
        "answer": answer,
        "id": "a",
        "data": {"base": value},
        "note": "keep",
    }
    assert told["instances"][1] == tomllib.loads(EDITED)["instances"][1]
    assert "# checked by Ann" in after
    assert newline == "\n" or "\n" not in after.replace("\r\n", "")
