"""The fields of a class: title, prompt, rules, example, pattern, literal names."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Input, Static, TextArea

from relaybench.domain.problem import ProblemClass
from relaybench.tui.library.changes import LINES, TEXTS, field_text
from relaybench.tui.widgets.editor import Editor

#: What the fields of one line say while they are empty.
_HINTS = {
    "title": "what kind of problem this is",
    "example": "the form of an answer",
    "pattern": "regular expression",
    "literal": "names sent as they are",
}
_TIPS = {
    "title": "Shown in lists; never sent",
    "prompt": "The question. {{name}} is filled with each instance's own data",
    "rules": "Sentences on the form of the answer, one per line; they are put into the prompt",
    "example": "Shows the form of an answer; no instance may have it as its answer",
    "pattern": "Optional: what every answer and the example must match in full",
    "literal": "Optional: names whose {{name}} in the prompt is meant to be sent as it stands",
}


class ClassForm(Vertical):
    """Shows a class and tells of every change of a field; never waits for anybody."""

    DEFAULT_CSS = """
    ClassForm { height: 1fr; }
    ClassForm .line { height: 1; }
    ClassForm .label { width: 9; color: $text-muted; text-align: right; padding-right: 1; }
    ClassForm Input { width: 1fr; height: 1; border: none; padding: 0 1; background: $surface; }
    ClassForm Input:focus { border: none; background: $surface-lighten-2; }
    ClassForm #prompt-line { height: 1fr; min-height: 3; margin: 0; }
    ClassForm #rules-line { height: 3; }
    ClassForm Editor {
        height: 100%; width: 1fr; background: $surface; padding: 0 1; scrollbar-size: 1 1;
    }
    ClassForm Editor:focus { background: $surface-lighten-1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        # With priority they count before the next key is given to anybody: somebody who types on
        # after Tab would else type into the field that was left.
        Binding("tab", "app.focus_next", "Next field", show=False, id="class-form.next",
                priority=True, tooltip="Go to the next field"),
        Binding("shift+tab", "app.focus_previous", "Previous field", show=False, priority=True,
                id="class-form.previous", tooltip="Go to the field before"),
    ]  # fmt: skip

    class Typed(Message):
        """A field of the class kept at ``path`` says something else now."""

        def __init__(self, path: Path, field: str, text: str) -> None:
            super().__init__()
            self.path, self.field, self.text = path, field, text

    def __init__(self) -> None:
        super().__init__()
        self._path = Path()
        self._shown: dict[str, str] = {}  # each field's text as its widget gave it back
        self._untaken: dict[str, str] = {}  # what was told and not heard yet, by field

    def compose(self) -> ComposeResult:
        """A line for each field, the prompt with all the room that is left."""
        with Horizontal(classes="line"):
            yield _label("title")
            yield _line("title")
        with Horizontal(id="prompt-line"):
            yield _label("prompt")
            yield _area("prompt")
        with Horizontal(id="rules-line"):
            yield _label("rules")
            yield _area("rules")
        with Horizontal(classes="line"):
            yield _label("example")
            yield _line("example")
            yield _label("pattern")
            yield _line("pattern")
            yield _label("literal")
            yield _line("literal")

    def show(self, path: Path, problem: ProblemClass) -> None:
        """Show the class kept at ``path``; fields that say the same keep cursor and undo.

        What is being typed stays: nobody has heard of it yet, and ``problem`` is older than that.
        """
        other = path != self._path
        if other:
            for name in (*LINES, *TEXTS):
                self._tell(name, self._text(name))
            self._path = path
            self._untaken.clear()
        for name in (*LINES, *TEXTS):
            if not other and (name in self._untaken or self._text(name) != self._shown.get(name)):
                continue
            text = field_text(problem, name)
            if other or _meant(name, self._text(name)) != _meant(name, text):
                self._put(name, text)

    def taken(self, event: Typed) -> None:
        """What was typed is part of the class now."""
        if event.path == self._path and self._untaken.get(event.field) == event.text:
            del self._untaken[event.field]

    def _text(self, name: str) -> str:
        field = self.query_one(f"#{name}")
        return field.text if isinstance(field, Editor) else self.query_one(f"#{name}", Input).value

    def _put(self, name: str, text: str) -> None:
        field = self.query_one(f"#{name}")
        if isinstance(field, Editor):
            field.load_text(text)
        elif isinstance(field, Input):
            field.value = text
            field.cursor_position = len(text)
        self._shown[name] = self._text(name)

    @on(Input.Changed)
    def _line_typed(self, event: Input.Changed) -> None:
        event.stop()
        self._tell(event.input.id or "", event.input.value)

    @on(TextArea.Changed)
    def _area_typed(self, event: TextArea.Changed) -> None:
        event.stop()
        self._tell(event.text_area.id or "", event.text_area.text)

    def _tell(self, name: str, text: str) -> None:
        if self._shown.get(name, "") != text:  # not what was put there to be shown
            self._shown[name] = self._untaken[name] = text
            self.post_message(self.Typed(self._path, name, text))

    def go_to(self, name: str, row: int = 0) -> None:
        """Put the cursor into a field, in an area on one of its lines."""
        field = self.query_one(f"#{name}")
        field.focus()
        if isinstance(field, Editor):
            field.move_cursor((min(row, field.document.line_count - 1), 0))


def _meant(name: str, text: str) -> str:
    """What a text comes to in a field: white space that is not kept left out."""
    if name == "prompt":
        return text.strip("\n")
    if name == "literal":
        return " ".join(text.replace(",", " ").split())
    if name == "rules":
        return "\n".join(each for each in text.split("\n") if each.strip())
    return text


def _label(name: str) -> Static:
    return Static(name, classes="label", markup=False)


def _line(name: str) -> Input:
    return Input(
        id=name, placeholder=_HINTS[name], tooltip=_tip(name), compact=True, select_on_focus=False
    )


def _area(name: str) -> Editor:
    area = Editor(id=name, soft_wrap=True, show_line_numbers=False)
    area.tooltip = _tip(name)
    return area


def _tip(name: str) -> str:
    return _TIPS[name]
