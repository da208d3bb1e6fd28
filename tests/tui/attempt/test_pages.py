"""Pages of an attempt and the choice of attempts, without any screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len

from relaybench.domain.item import Form
from relaybench.domain.results import Outcome
from relaybench.domain.triage import Blame
from relaybench.store.attempt_lists import AttemptEntries, AttemptEntry, Names
from relaybench.tui.answer_page import answer_page
from relaybench.tui.attempt.attempt_list import AttemptList
from relaybench.tui.attempt.call_rows import call_page, call_rows
from relaybench.tui.attempt.fixing import said_of
from relaybench.tui.attempt.heading import duration, heading
from relaybench.tui.attempt.narrowing import Narrowing, choices, kept, step
from relaybench.tui.attempt.transcript_page import ANSWER, transcript_page
from relaybench.tui.widgets.fitting import without_set
from relaybench.workbench.results.key_fixing import KeySource
from relaybench.workbench.results.opening import Transcript, open_attempt, transcript
from relaybench.workbench.workspace import Workspace
from tests.tui.attempt.results import made


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return made(tmp_path_factory.mktemp("pages") / "ws")


def lines(workspace: Workspace, number: int, width: int = 76) -> list[str]:
    return answer_page(open_attempt(workspace, number), width, cell_len).text.split("\n")


def test_where_steps_cannot_be_told_the_whole_stands_against_the_whole(
    workspace: Workspace,
) -> None:
    found = lines(workspace, 5)
    assert found[0].startswith("Which steps are wrong cannot be told")
    assert found[3] == "✗ whole answer "
    assert found[4:7] == [
        "    key      ░░░░░░░░1170-VXLCM",
        "    answer   no-such-1170-XXLCM",
        "             ++++++++     ^",
    ]
    assert "? A  1170   math/divisor-sum:three-hundred-sixty" in found


@pytest.mark.parametrize("width", [60, 150])
@pytest.mark.parametrize("number", range(1, 10))
def test_comparisons_fit_into_the_width(workspace: Workspace, number: int, width: int) -> None:
    page = answer_page(open_attempt(workspace, number), width, cell_len)
    for line in page.text.split("\n"):
        assert line.isprintable()
        if line.startswith("             "):  # below a line as wide as itself
            assert cell_len(line) <= width
    ends = [mark.end for mark in page.marks]
    assert ends == sorted(ends)
    assert all(mark.start < mark.end <= len(page.text) for mark in page.marks)


def test_thinking_can_be_folded_away(workspace: Workspace) -> None:
    said = transcript(workspace, 1)
    page = transcript_page(said, thinking=True)
    shown = page.text
    (answer,) = (mark for mark in page.marks if mark.style == ANSWER)
    assert shown[answer.start : answer.end] == "1170-XXLCM"
    assert shown.index("web_search") < shown.index("So it is 1170.") < shown.index("1170-XXLCM")
    assert "divisors of 360" in shown
    folded = transcript_page(said, thinking=False).text
    assert "So it is 1170." not in folded
    assert "thinking, 14 characters" in folded
    assert "Nothing was said" in transcript_page(Transcript(()), thinking=True).text


def test_headings_and_calls_say_what_it_took(workspace: Workspace) -> None:
    opened = open_attempt(workspace, 1)
    text = heading(opened).plain
    assert text.startswith("✗ wrong · #1 example/first · claude-x")
    assert "2 calls · 1 retried" in text
    assert "cost unknown" in text
    assert "SIMULATED" in heading(open_attempt(workspace, 8)).plain
    failed, answered = call_rows(opened)
    assert failed[1] == "failed 429"
    assert failed[5:] == ("12 s", "rate_limit: slow [red] down")
    assert answered[3] == "1,000 in, 10 out"
    assert "slow [red] down" in call_page(opened.detail.calls[0]).text
    assert [duration(each) for each in (0.44, 59, 185, 7800)] == [
        "0.4 s",
        "59 s",
        "3 min 05 s",
        "2 h 10 min",
    ]


ENTRIES = [
    AttemptEntry(1, "r", "s/a", "m", 0, Outcome.CORRECT),
    AttemptEntry(2, "r", "s/a", "n", 0, Outcome.WRONG, "case", Blame.KEY),
    AttemptEntry(3, "r", "s/b", "m", 0, Outcome.WRONG),
    AttemptEntry(4, "r", "s/b", "n", 0, Outcome.REFUSED, None, Blame.MODEL),
]


def test_names_with_slashes_of_their_own_are_told_apart() -> None:
    assert without_set("starter/relay-01") == "relay-01"
    assert without_set("library/math/power-mod:big") == "power-mod:big"
    assert without_set("mine/c0 [/red] é") == "c0 [/red] é"


def shown(narrowing: Narrowing) -> list[int]:
    return [ENTRIES[place].id for place in kept(ENTRIES, len(ENTRIES), narrowing, None)[0]]


@pytest.mark.parametrize(
    ("key", "ids"),
    [
        ("all", [1, 2, 3, 4]),
        ("outcome:wrong", [2, 3]),
        ("model:n", [2, 4]),
        ("near:", [2]),
        ("triage:key", [2]),
        ("triage:any", [2, 4]),
        ("triage:none", [1, 3]),
    ],
)
def test_a_list_is_narrowed(key: str, ids: list[int]) -> None:
    narrowing = Narrowing().changed(key)
    assert shown(narrowing) == ids
    count = next(each for each in choices(ENTRIES, ["r"]) if each[0] == key)[2]
    assert count == str(len(ids))


def test_choices_add_up_and_all_takes_them_back() -> None:
    both = Narrowing().changed("outcome:wrong").changed("model:m")
    assert shown(both) == [3]
    assert both.words() == "wrong, m"
    assert both.changed("all") == Narrowing()
    assert Narrowing().changed("near:").changed("near:") == Narrowing()


def test_the_cursor_stays_or_goes_to_the_next_one() -> None:
    wrong = Narrowing(outcome=Outcome.WRONG)
    assert [kept(ENTRIES, 4, wrong, number)[1] for number in (3, 1, 4)] == [1, 0, 0]
    assert kept(ENTRIES, 4, Narrowing(), 3) == (range(4), 2)
    assert kept(ENTRIES, 4, Narrowing(), 9)[1] == 0

    def is_wrong(place: int) -> bool:
        return ENTRIES[place].outcome is Outcome.WRONG

    assert [step(4, at, 1, is_wrong) for at in range(4)] == [1, 2, None, None]
    assert [step(4, at, -1, is_wrong) for at in range(4)] == [None, None, 1, 2]


def test_a_near_miss_says_its_reason_and_every_row_its_form() -> None:
    names = Names("r", {1: ("starter/relay-03", Form.BLOATED_AND_ENCODED)}, {1: "sim (high)"})
    rows = [(37, 1, 1, 1, 0, "wrong")]
    attempts = AttemptList()
    attempts.entries = AttemptEntries(rows, {1: names}, {37: "differs only in letter case"})

    def row(width: int, reasons: bool) -> str:
        attempts._room, attempts.reasons = width, reasons
        return "".join(text for text, _ in attempts.line_at(0))

    assert "relay-03 +be letter case" in row(41, True)
    assert "starter/relay-03 +be" in row(70, False)
    assert "sim (high) r1 ~" in row(41, False)
    assert "relay-03 +be" in row(41, False)
    assert {cell_len(row(width, True)) for width in (28, 41, 70)} == {28, 41, 70}


def test_what_must_be_known_before_a_key_is_changed(tmp_path: Path) -> None:
    source = KeySource("B", "d/c:i", "CBA", "XBA", False, ("reverse",), "ABC", ("s/one", "s/two"))
    said = said_of(source)
    assert "In the file now: ABC" in said
    assert "Give the answer before reverse" in said
    assert "s/one, s/two" in said
    assert "until they are graded again" in said
