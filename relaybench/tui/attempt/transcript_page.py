"""The page of what was said: text, thinking, tools, refusals, and what the model was told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from relaybench.domain.literal import visible
from relaybench.tui.widgets.page import Page

if TYPE_CHECKING:
    from relaybench.workbench.results.opening import Piece, Transcript


#: How the answer stands out that was read from the text.
ANSWER: Final = "bold reverse"


def transcript_page(transcript: Transcript, *, thinking: bool) -> Page:
    """The page; without ``thinking`` only how long it was."""
    page = Page()
    turns = max((piece.turn for piece in transcript.pieces), default=0)
    turn = 0
    for place, piece in enumerate(transcript.pieces):
        if turns > 1 and piece.turn != turn:
            turn = piece.turn
            page.heading(f"turn {turn} of {turns}")
        answer = transcript.answer
        if answer is not None and answer[0] == place:
            page.add(piece.text[: answer[1]])
            page.add(piece.text[answer[1] : answer[2]], ANSWER)
            page.line(piece.text[answer[2] :].rstrip("\n"))
            page.line()
        else:
            _piece(page, piece, thinking)
    if not transcript.pieces:
        page.line("Nothing was said: there is no response.", "$text-muted")
    return page


def _piece(page: Page, piece: Piece, thinking: bool) -> None:
    match piece.kind.value:
        case "thinking" if not thinking:
            page.line(
                f"▸ thinking, {len(piece.text):,} characters (h shows it)", "italic $text-muted"
            )
        case "thinking":
            page.line("▾ thinking (h hides it)", "italic $text-muted")
            page.line(piece.text.rstrip("\n"), "italic $text-muted")
        case "tool":
            page.add(f"⚙ {visible(piece.name)}", "bold $text-secondary")
            page.line(f"  {visible(piece.status)}" if piece.status else "", "$text-muted")
            for line in piece.text.split("\n") if piece.text else ():
                page.line(f"  │ {line}", "$text-secondary")
        case "refusal":
            page.line("⊘ refusal", "bold $text-warning")
            page.line(piece.text, "$text-warning")
        case "nudge":
            what = "told to go on" if piece.text else "paused, and continued as it was"
            page.line(f"» {what}", "bold $text-accent")
            if piece.text:
                page.line(piece.text, "$text-accent")
        case _:
            page.line(piece.text.rstrip("\n"))
    page.line()
