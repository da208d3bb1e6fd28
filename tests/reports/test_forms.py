"""The form of an item: one word for it in breakdowns, lists, logs and the table of items."""

from __future__ import annotations

from dataclasses import replace

import pytest

from relaybench.domain.item import Form, ItemKind
from relaybench.reports.dimensions import UNKNOWN_GROUP, Dimension, groups
from relaybench.reports.inspect_log.names import sample_ids
from relaybench.reports.items_table import items_table
from relaybench.reports.tables import UNKNOWN
from relaybench.store.grid import GridItem
from tests.reports.examined import a_config, a_grid
from tests.reports.examined import an_item as a_grid_item
from tests.reports.samples import an_attempt, an_item

FORMS = [
    (False, 0, Form.PLAIN),
    (False, 9, Form.BLOATED),
    (True, 0, Form.ENCODED),
    (True, 9, Form.BLOATED_AND_ENCODED),
]


def in_form(encoded: bool, bloat: int) -> GridItem:
    item = a_grid_item("i", encoded=encoded)
    return replace(item, digest=f"{encoded} {bloat}", bloat_characters=bloat)


@pytest.mark.parametrize(("encoded", "bloat", "form"), FORMS)
def test_the_same_word_everywhere(encoded: bool, bloat: int, form: Form) -> None:
    grid_item = in_form(encoded, bloat)
    assert grid_item.form is form
    assert list(groups([grid_item], Dimension.FORM)) == [form]
    table = items_table(a_grid([grid_item], [a_config("a")], {grid_item.digest: ["+"]}), [])
    assert table.value(0, "form") == form
    item = replace(an_item(), encoded=encoded, bloat_characters=bloat)
    other = replace(item, encoded=not encoded, prompt="other")
    assert sample_ids({each.digest: each for each in (item, other)})[item.digest].endswith(
        f" [{form}]"
    )
    attempt = replace(an_attempt(), encoded=encoded, bloat_characters=bloat, imported=False)
    assert attempt.form is form


def test_forms_stand_in_the_order_of_what_was_done_to_the_prompt() -> None:
    items = [in_form(encoded, bloat) for encoded, bloat, _ in reversed(FORMS)]
    assert list(groups(items, Dimension.FORM)) == [form for _, _, form in FORMS]


def test_the_form_of_what_was_asked_elsewhere_is_not_known() -> None:
    grid_item = a_grid_item("i", ItemKind.IMPORTED)
    assert grid_item.form is None
    assert list(groups([grid_item], Dimension.FORM)) == [UNKNOWN_GROUP]
    table = items_table(a_grid([grid_item], [a_config("a")], {"i": ["+"]}), [])
    assert table.value(0, "form") == UNKNOWN
    item = replace(an_item(), kind=ItemKind.IMPORTED)
    assert item.form is None
    other = replace(item, kind=ItemKind.COMPOSITE, encoded=False, bloat_characters=0, prompt="p")
    names = sample_ids({each.digest: each for each in (item, other)})
    assert names[item.digest].endswith(f" [{item.prompt_sha256[:8]}]")
    assert replace(an_attempt(), imported=True).form is None
