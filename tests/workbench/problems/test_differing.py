"""What unsaved work changes: the lines that differ, told in the first column."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from relaybench.workbench.problems.differing import difference
from relaybench.workbench.problems.saving import Recovery


def unsaved(path: Path, text: str) -> Recovery:
    return Recovery(path, path, path.name, False, text, datetime.now(UTC), False)


def test_only_what_differs_is_told_with_two_lines_around_it(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text("one\ntwo\nthree\nfour\nfive\n", "utf-8")
    told = difference(unsaved(path, "one\ntwo\nthree\n4\u2028\r\nfive\n"))
    assert told.split("\n") == [
        "--- the file",
        "+++ unsaved work",
        "@@ -2,4 +2,4 @@",
        " two",
        " three",
        "-four",
        "+4\u2028\r",
        " five",
    ]


def test_no_difference_is_said_and_a_file_that_is_not_there_is_all_new(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    told = difference(unsaved(path, "one\n"))
    assert told.endswith("@@ -0,0 +1 @@\n+one")
    path.write_text("one\n", "utf-8")
    assert difference(unsaved(path, "one\n")) == "There is no difference to the file."
