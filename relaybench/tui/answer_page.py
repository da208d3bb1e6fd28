"""The page that sets an answer against its key, step by step, and tells how it was graded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from relaybench.domain.literal import visible
from relaybench.grading.difference import PartDifference, spelled
from relaybench.reports.answer_lines import FILLER, Piece, aligned
from relaybench.tui.outcome_marks import SIGNS, STYLES
from relaybench.tui.widgets.page import Page

if TYPE_CHECKING:
    from relaybench.workbench.results.opening import OpenedAttempt

_LABEL: Final = 9
#: Characters of an answer or key that are shown as a whole.
_MOST: Final = 2_000
_INDENT: Final = "    "
#: Not by colour alone: underlined too, and marked in the line below.
_OF_KEY: Final = "bold underline $text-success"
_OF_ANSWER: Final = "bold underline $text-error"
_LEGEND: Final = "^ other   - missing   + too many   ░ nothing"
_SIGNS: Final = {True: ("✓", "$text-success"), False: ("✗", "$text-error"), None: ("?", "")}


def answer_page(opened: OpenedAttempt, width: int, cells: Callable[[str], int]) -> Page:
    """The page, for a width in cells; ``cells`` measures a text in them."""
    page = Page()
    row, grade = opened.detail.row, opened.grade
    if row.error_message:
        page.line(f"{row.error_kind}: {row.error_message}", "$text-error")
    if grade is None:
        page.line("No grade yet: there is no answer to grade." if not row.error_message else "")
    elif grade.answer is None:
        page.line(f"No answer was read: {grade.note or grade.outcome.value}.")
        page.line(f"The key is {_short(grade.key)}")
    else:
        _compare(page, opened, max(width, 24), cells)
    _trail(page, opened)
    return page


def _compare(page: Page, opened: OpenedAttempt, width: int, cells: Callable[[str], int]) -> None:
    uses = {step.label: step.use for step in opened.graded.steps}
    differs = [part for part in opened.parts if part.answer is not None and part.right is False]
    if len(opened.parts) > 1 and opened.parts[0].label is None and opened.parts[0].right is False:
        page.line("Which steps are wrong cannot be told: the answer does not fall into the parts")
        page.line("of the key. The whole answer against the whole key:")
        page.line()
    for part in opened.parts:
        _part(page, part, uses, width, cells)
    if differs:
        page.line()
        page.line(_LEGEND, "$text-muted")


def _part(
    page: Page,
    part: PartDifference,
    uses: dict[str, str],
    width: int,
    cells: Callable[[str], int],
) -> None:
    sign, style = _SIGNS[part.right]
    label = part.label or ""
    use = f"  {visible(uses[label])}" if label in uses else ""
    page.add(f"{sign} ", style)
    page.add(f"{visible(label)} " if label else "whole answer ", "bold")
    if part.answer is None or part.right:
        _equal(page, part, use, width, cells)
        return
    page.line(use, "$text-muted")
    for row in aligned(part.segments, width - _LABEL - len(_INDENT), cells):
        _line(page, "key", row.key, _OF_KEY)
        _line(page, "answer", row.answer, _OF_ANSWER)
        page.line(f"{_INDENT}{'':{_LABEL}}{row.marks}", "bold $text-warning")
    for name in spelled(part.segments):
        page.line(f"{_INDENT}{name}", "$text-warning")


def _equal(
    page: Page, part: PartDifference, use: str, width: int, cells: Callable[[str], int]
) -> None:
    shown = _short(part.key)
    if cells(shown) + cells(use) + 8 <= width:
        page.add(f" {shown} ")
        page.line(use, "$text-muted")
        return
    page.line(use, "$text-muted")
    page.line(f"{_INDENT}{shown}")


def _line(page: Page, label: str, pieces: Sequence[Piece], style: str) -> None:
    if not "".join(text for text, _ in pieces).strip(FILLER):
        return
    page.add(f"{_INDENT}{label:{_LABEL}}", "$text-muted")
    for text, differs in pieces:
        page.add(text, style if differs else "")
    page.line()


def _trail(page: Page, opened: OpenedAttempt) -> None:
    grades = opened.detail.grades
    if grades:
        page.heading("grades, the newest first")
    for grade in reversed(grades):
        page.add(f"{SIGNS[grade.outcome]} {grade.outcome.value}", STYLES[grade.outcome])
        said = [
            "counts now" if grade.current else "before",
            *(["strict"] if grade.strict else []),
            *(["fences mended"] if grade.repaired else []),
            *(["near miss"] if grade.near_miss else []),
            grade.extractor,
            _moment(grade.created_at),
        ]
        page.line("  " + " · ".join(said), "" if grade.current else "$text-muted")
        page.line(f"{_INDENT}{'key':{_LABEL}}{_short(grade.key)}")
        if grade.answer is not None:
            page.line(f"{_INDENT}{'answer':{_LABEL}}{_short(grade.answer)}")
        if grade.note:
            page.line(f"{_INDENT}{'why':{_LABEL}}{visible(grade.note)}")
    if opened.marks:
        page.heading("triage, the newest first; a mark changes no outcome")
    for mark in reversed(opened.marks):
        what = f"{mark.blame.value} fault" if mark.blame else "marks taken back"
        note = f": {visible(mark.note)}" if mark.note else ""
        page.line(f"{what}{note} · {_moment(mark.created_at)}")


def _short(text: str) -> str:
    left_out = len(text) - _MOST
    return visible(text[:_MOST]) + (f" … {left_out:,} more characters" if left_out > 0 else "")


def _moment(text: str) -> str:
    return text[:16].replace("T", " ") + " UTC"
