"""The dialog in which a model's settings are typed: new, copied, or changed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Button, Input, Static, TextArea

from relaybench.domain.errors import RelaybenchError
from relaybench.tui.dialogs.confirm import Confirm
from relaybench.tui.dialogs.dialog import Dialog
from relaybench.tui.models.form import FIELDS, Field, Kind, changes, text_of
from relaybench.tui.showing import running
from relaybench.tui.widgets.editor import Editor
from relaybench.tui.work_screen import reason

if TYPE_CHECKING:
    from relaybench.workbench.models.model_editing import Saved

#: Writes a model of a name with changed settings; raises RelaybenchError where it is refused.
Save = Callable[[str, Mapping[str, Any]], "Saved"]


class ModelForm(Dialog["Saved | None"]):
    """Settings of a model, a line each. What is refused is said, and stays to be mended.

    Returns what was saved, None where the user left. ``name`` is fixed unless ``named`` here.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "ctrl+s",
            "save",
            "Save",
            id="model-form.save",
            priority=True,
            tooltip="Write it into models.toml",
        ),
        Binding(
            "ctrl+o",
            "more",
            "More",
            id="model-form.more",
            priority=True,
            tooltip="Settings that few models need: time limits, nudges, instructions",
        ),
        Binding("escape", "leave", "Cancel", id="model-form.leave", tooltip="Leave without saving"),
        # Before the next key is given to anybody: whoever types on means the field they go to.
        Binding(
            "tab",
            "app.focus_next",
            "Next",
            show=False,
            id="model-form.next",
            priority=True,
            tooltip="Go to the next field",
        ),
        Binding(
            "shift+tab",
            "app.focus_previous",
            "Previous",
            show=False,
            id="model-form.previous",
            priority=True,
            tooltip="Go to the field before",
        ),
        Binding(
            "enter",
            "go_on",
            "Next",
            show=False,
            id="model-form.go-on",
            priority=True,
            tooltip="Go to the next field",
        ),
    ]

    def __init__(
        self,
        title: str,
        settings: Mapping[str, Any],
        save: Save,
        *,
        name: str = "",
        named: bool = False,
        hint: str = "",
    ) -> None:
        super().__init__()
        self._title, self._settings, self._write = title, dict(settings), save
        self._model_name, self._named, self._hint = name, named, hint

    def compose(self) -> ComposeResult:
        """A line for each setting, what is wrong, two buttons."""
        with Vertical(classes="dialog -form"):
            yield Static(running(self._title, "bold"), classes="question")
            with VerticalScroll(id="fields", can_focus=False):
                # One text for all labels: each widget less is felt when the dialog opens.
                yield Static(self._labels(rare=False), id="labels")
                with Vertical(id="entries"):
                    if self._named:
                        yield Input(self._model_name, id="name")
                    for field in FIELDS:
                        if not field.rare:
                            yield self._entry(field)
            yield Static(running(self._hint), id="wrong")
            with Horizontal(classes="buttons"):
                yield Button(Content(self._more()), id="more")
                yield Button(Content("Cancel"), id="leave")
                yield Button(Content("Save (^s)"), id="save", variant="primary")

    def _labels(self, *, rare: bool) -> Content:
        """The labels, each as many lines high as its field."""
        shown = [each for each in FIELDS if rare or not each.rare]
        lines = ["name"] if self._named else []
        for field in shown:
            lines += [field.label, "", ""] if field.kind is Kind.LONG else [field.label]
        return running("\n".join(lines))

    def _entry(self, field: Field) -> Input | Editor:
        text = text_of(field, self._settings)
        if field.kind is Kind.LONG:
            return Editor(text, id=field.key, placeholder=field.hint)
        return Input(text, placeholder=field.hint, id=field.key)

    def on_mount(self) -> None:
        """The first field has the focus."""
        self.query(Input).first().focus()

    def _more(self) -> str:
        """What the button says that brings the rare settings, and which of them are set."""
        rare = [each.label for each in FIELDS if each.rare and each.key in self._settings]
        return f"More (^o): {', '.join(rare)}" if rare else "More (^o)"

    async def action_more(self) -> None:
        """Bring the rare settings."""
        rare = [each for each in FIELDS if each.rare]
        if self.query(f"#{rare[0].key}"):
            return
        self.query_one("#more").display = False
        self.query_one("#labels", Static).update(self._labels(rare=True))
        await self.query_one("#entries").mount_all([self._entry(field) for field in rare])
        self.query_one(f"#{rare[0].key}").focus()

    def _texts(self) -> dict[str, str]:
        """What stands in the fields; those that are not there stand as they were."""
        texts = {field.key: text_of(field, self._settings) for field in FIELDS}
        texts |= {each.id or "": each.value for each in self.query(Input)}
        return texts | {each.id or "": each.text for each in self.query(Editor)}

    def _typed(self) -> bool:
        """Whether anything was typed that is not saved."""
        texts = self._texts()
        named = self._named and texts["name"] != self._model_name
        return named or any(texts[each.key] != text_of(each, self._settings) for each in FIELDS)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enter goes on from a field of one line; elsewhere it is a new line, or a button."""
        return isinstance(self.focused, Input) if action == "go_on" else True

    def action_go_on(self) -> None:
        """Go to the next field."""
        self.focus_next()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        if event.button.id == "save":
            self.action_save()
        elif event.button.id == "more":
            self.call_later(self.action_more)
        else:
            self.action_leave()

    @on(Input.Changed)
    @on(TextArea.Changed)
    def _changed(self) -> None:
        self._say("")

    def _say(self, words: str) -> None:
        self.query_one("#wrong", Static).update(running(words or self._hint))

    @work(exclusive=True, group="save")
    async def action_save(self) -> None:
        """Write it; what is refused is said here, and nothing that was typed is lost."""
        texts = self._texts()
        name = texts.get("name", self._model_name).strip()
        try:
            changed = changes(self._settings, texts)
            if not changed and not self._named:
                self.dismiss(None)
                return
            saved = await asyncio.to_thread(self._write, name, changed)
        except (RelaybenchError, OSError) as error:
            self._say(reason(error))
            return
        self.dismiss(saved)

    @work(exclusive=True, group="ask")
    async def action_leave(self) -> None:
        """Leave; asks where something was typed."""
        if self._typed():
            question = Confirm("Leave without saving what you typed?", yes="Leave", no="Stay")
            if not await self.app.push_screen_wait(question):
                return
        self.dismiss(None)
