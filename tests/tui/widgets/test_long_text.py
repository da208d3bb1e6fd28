"""A text of any size: shown at once, searched, resized, never raw."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from relaybench.tui.control_filter import ControlCharacters
from relaybench.tui.widgets.editor import Editor
from relaybench.tui.widgets.long_text import LongText
from tests.tui.driving import shown
from tests.tui.watching import WATCH

HOSTILE = "[red]x[/] \x1b[31m \x9b2J \x00 e\u0301 漢字 \u202eabc [A-Z]+ \ud800"


class Reader(App[None]):
    """Nothing but a text."""

    def compose(self) -> ComposeResult:
        yield LongText()


async def quiet(pilot: Pilot[None]) -> None:
    await pilot.pause()
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def test_2_mb_stand_at_once_and_never_block() -> None:
    text = "".join(f"line {n} " + "word " * 30 + "\n" for n in range(12_000)) + "the end"
    assert len(text) > 1_900_000
    async with Reader().run_test(size=(80, 24)) as pilot:
        view = pilot.app.query_one(LongText)
        await pilot.pause()
        WATCH.begin()
        try:
            view.show(text)
            await pilot.pause()
            assert shown(pilot).startswith("line 0 word")  # type: ignore[arg-type]
            await quiet(pilot)
            view.body.focus()
            await pilot.press("end")
            await quiet(pilot)
        finally:
            WATCH.end()
        assert "the end" in shown(pilot)  # type: ignore[arg-type]


async def test_a_line_of_2_mb_can_be_read_to_its_end() -> None:
    async with Reader().run_test(size=(80, 24)) as pilot:
        view = pilot.app.query_one(LongText)
        view.show("x" * 2_000_000 + "the end")
        await quiet(pilot)
        view.body.focus()
        await pilot.press("end")
        await quiet(pilot)
        assert "the end" in shown(pilot)  # type: ignore[arg-type]


async def test_search_goes_from_place_to_place() -> None:
    async with Reader().run_test(size=(60, 10)) as pilot:
        view = pilot.app.query_one(LongText)
        view.show("\n".join("Needle here" if n in (50, 90) else "hay" for n in range(100)))
        await quiet(pilot)
        view.body.focus()
        await pilot.press("slash", *"needle")
        await quiet(pilot)
        assert view.border_subtitle == "1 of 2"
        assert "Needle here" in shown(pilot)  # type: ignore[arg-type]
        first = view.body.scroll_y
        await pilot.press("enter")
        await quiet(pilot)
        assert view.border_subtitle == "2 of 2"
        assert view.body.scroll_y > first
        await pilot.press("escape")
        assert view.body.has_focus


async def test_another_width_keeps_the_place() -> None:
    async with Reader().run_test(size=(80, 10)) as pilot:
        view = pilot.app.query_one(LongText)
        view.show("\n".join(f"paragraph {n} " + "word " * 40 for n in range(200)))
        await quiet(pilot)
        view.body.go_to_offset(view.text.index("paragraph 100 "))
        await quiet(pilot)
        await pilot.resize_terminal(40, 10)
        await quiet(pilot)
        text = shown(pilot)  # type: ignore[arg-type]
        assert "word" in text
        assert "paragraph 99 " in text or "paragraph 100 " in text or "paragraph 98 " in text


@pytest.mark.parametrize("text", [HOSTILE, HOSTILE * 40])
async def test_hostile_text_is_literal(text: str) -> None:
    async with Reader().run_test(size=(200, 24)) as pilot:
        pilot.app.query_one(LongText).show(text)
        await quiet(pilot)
        seen = shown(pilot)  # type: ignore[arg-type]
        assert "[red]x[/] \\x1b[31m \\x9b2J \\x00 e\u0301 漢字 \\u202eabc [A-Z]+ \\ud800" in seen


class Writer(App[None]):
    """Nothing but an editor, with our filter."""

    def __init__(self) -> None:
        super().__init__()
        self._filters.append(ControlCharacters())

    def compose(self) -> ComposeResult:
        yield Editor(HOSTILE.replace("\ud800", ""))


async def test_an_editor_shows_pictures_and_keeps_the_text() -> None:
    async with Writer().run_test(size=(100, 5)) as pilot:
        await pilot.pause()
        seen = shown(pilot)  # type: ignore[arg-type]
        assert "␛[31m" in seen
        assert "␀" in seen
        assert not any(ord(each) < 32 or 0x7F <= ord(each) < 0xA0 for each in seen if each != "\n")
        assert pilot.app.query_one(Editor).text == HOSTILE.replace("\ud800", "")


async def test_a_paste_of_200_kb_is_taken_at_once() -> None:
    async with Writer().run_test(size=(100, 20)) as pilot:
        editor = pilot.app.query_one(Editor)
        editor.text = ""
        WATCH.begin()
        try:
            editor.replace("some words of a paste\n" * 10_000, (0, 0), (0, 0))
            await pilot.pause()
        finally:
            WATCH.end()
        assert len(editor.text) == 220_000
