"""Several tables as one text: merged where their columns agree, a list in json."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from relaybench.reports.formats import Format, render
from relaybench.reports.several_tables import render_all
from relaybench.reports.tables import Column, Kind, Table

ONE = Table("one", "One", (Column("a", "A", Kind.WHOLE),), ((1,), (2,)))
TWO = replace(ONE, name="two", rows=((3,),))
OTHER = Table("other", "Other", (Column("b", "B", Kind.WHOLE),), ())


@pytest.mark.parametrize("form", Format)
def test_one_table_is_what_it_always_is(form: Format) -> None:
    assert render_all([OTHER], form, as_list=False) == render(OTHER, form)


def test_tables_of_the_same_columns_are_one_in_a_file() -> None:
    assert render_all([ONE, TWO], "csv", as_list=True).splitlines() == ["a", "1", "2", "3"]
    lines = render_all([ONE, TWO], "jsonl", as_list=True).splitlines()
    assert [json.loads(line) for line in lines] == [{"a": 1}, {"a": 2}, {"a": 3}]


def test_json_is_a_list_where_several_were_asked_for() -> None:
    found = json.loads(render_all([ONE, OTHER], "json", as_list=True))
    assert [each["table"] for each in found] == ["one", "other"]
    assert [each["table"] for each in json.loads(render_all([ONE], "json", as_list=True))] == [
        "one"
    ]


@pytest.mark.parametrize("form", [Format.CSV, Format.JSONL])
def test_tables_of_other_columns_are_never_mixed(form: Format) -> None:
    with pytest.raises(ValueError, match="different columns"):
        render_all([ONE, OTHER], form, as_list=True)


@pytest.mark.parametrize("form", [Format.TABLE, Format.MD, Format.LATEX])
def test_people_get_them_one_below_the_other(form: Format) -> None:
    both = render_all([ONE, OTHER], form, as_list=True)
    assert both == render(ONE, form) + "\n" + render(OTHER, form)
