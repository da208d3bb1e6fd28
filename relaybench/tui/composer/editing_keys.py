"""What the keys of the composer do: every edit is one step that can be undone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, ClassVar, Final

from textual import work

from relaybench.domain.errors import RelaybenchError
from relaybench.tui.composer.asking import Done, StepQuestions
from relaybench.tui.composer.composite_list import CompositeList
from relaybench.tui.composer.graph_of import step_keys
from relaybench.tui.composer.graph_view import GraphView
from relaybench.tui.composer.inspector import Inspector
from relaybench.tui.composer.open_composite import OpenComposite
from relaybench.tui.composer.picker import Filter, InstancePicker
from relaybench.tui.composer.tabs import Tabs
from relaybench.tui.draft_screen import DraftScreen

if TYPE_CHECKING:
    from textual.widget import Widget

    from relaybench.composing.solve import Classes
    from relaybench.domain.problem import Composite, Step
    from relaybench.tui.composer.composite_files import CompositeFiles
    from relaybench.tui.desk import Desk

#: Actions that need an open composite; those that need a selected step as well.
_NEED_COMPOSITE: Final = frozenset({"add", "bloat", "encode", "save"})
_NEED_STEP: Final = frozenset({"bind", "unbind", "augment", "swap", "remove", "relabel", "move"})


class EditingKeys(DraftScreen[OpenComposite]):
    """Base of the composer: asks, edits, saves, opens and shuts its sides."""

    files: CompositeFiles

    SIDES: ClassVar[dict[str, str]] = {"left": "#left", "right": "#inspector-pane"}

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._shut: set[str] = set()  # the sides that are not shown
        self._zoomed = ""  # "graph" or "tabs" where that is shown alone
        self._was_narrow = False

    def show_composite(self, ref: str) -> None:
        """Open a composite by its name."""
        raise NotImplementedError

    def select(self, key: str) -> None:
        """Select a box of the graph."""
        raise NotImplementedError

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Edits are greyed out where there is nothing to edit."""
        if action in _NEED_COMPOSITE:
            return True if self.current is not None else None
        if action in _NEED_STEP:
            return True if self.selected_step is not None else None
        if action == "undo":
            return True if self.current and self.current.history.undoes else None
        if action == "redo":
            return True if self.current and self.current.history.redoes else None
        return True

    @property
    def selected_step(self) -> Step | None:
        """The step whose box is selected; None for a stage, or where nothing is open."""
        if self.current is None:
            return None
        composite = self.current.value
        for step, key in zip(composite.steps, step_keys(composite), strict=True):
            if key == self.current.selected:
                return step
        return None

    @property
    def known_classes(self) -> Classes:
        """The classes that steps can be of."""
        raise NotImplementedError

    def apply(self, after: Composite, what: str, select: str | None = None) -> None:
        """Take an edit: into the history, onto the screen; tells which bindings it cost."""
        from relaybench.composing.wiring import lost_bindings

        each = self.current
        if each is None:
            return
        before = each.value
        if not each.history.do(after, what):
            return
        lost = lost_bindings(before, after)
        if lost and not what.startswith("unbind"):
            self.notice(f"no longer bound, since it would not fit: {', '.join(lost)}", "warning")
        if select is not None:
            each.selected = select
        self.changed()

    def edit(self, change: Callable[[Composite, Classes], Composite], what: str) -> None:
        """An edit that asks nothing; refused with its reason in full."""
        if self.current is not None:
            with self.reporting(what):
                self.apply(change(self.current.value, self.known_classes), what)

    @work(exclusive=True, group="ask")
    async def ask(self, question: Callable[[StepQuestions], Awaitable[Done | None]]) -> None:
        """An edit that asks first; refused with its reason in full."""
        each = self.current
        if each is None:
            return
        try:
            done = await question(StepQuestions(self.app, each.value, self.known_classes))
        except RelaybenchError as error:
            self.notice(str(error), "error")
            return
        if done is not None and self.current is each:
            self.apply(*done)

    # Steps.

    def add_step(self, use: str) -> None:
        """Add an instance as a step, and select it."""
        from relaybench.composing.editing import add_step
        from relaybench.domain.problem import InstanceRef

        each, ref = self.current, InstanceRef.parse(use)
        if each is None:
            self.notice("open a composite first, or begin a new one: Esc, then n", "warning")
            return
        if ref is None:
            return
        with self.reporting(f"adding {use}"):
            after = add_step(each.value, ref, self.known_classes)
            self.apply(after, f"add {use}", after.steps[-1].label)
            self.query_one(Filter).value = ""  # the next step is of another class

    def action_add(self) -> None:
        """Go to the library picker."""
        self.show_side("left")
        self._focus(Filter)

    def action_pick_by(self, by: int) -> None:
        """Move in the picker while its filter has the focus."""
        self.query_one(InstancePicker).action_move(by)

    def action_bind(self) -> None:
        """Feed an input of the selected step."""
        self._ask_about_step(lambda asks, label: asks.bind(label))

    def action_unbind(self) -> None:
        """Unbind an input of the selected step."""
        self._ask_about_step(lambda asks, label: asks.unbind(label))

    def action_augment(self) -> None:
        """Add an augmentation to the selected step."""
        self._ask_about_step(lambda asks, label: asks.augment(label))

    def action_swap(self) -> None:
        """Let the selected step use another instance."""
        self._ask_about_step(lambda asks, label: asks.swap(label))

    def action_relabel(self) -> None:
        """Give the selected step another label, and keep it selected."""
        self._ask_about_step(lambda asks, label: asks.relabel(label))

    def _ask_about_step(
        self, question: Callable[[StepQuestions, str], Awaitable[Done | None]]
    ) -> None:
        step = self.selected_step
        if step is not None:
            self.ask(lambda asks: question(asks, step.label))
        elif self.current is not None:
            self.notice("this box is no step: select one first (arrows, or a click)")

    def action_remove(self) -> None:
        """Take the selected step out; it can be undone, so it is not asked."""
        from relaybench.composing.editing import remove_step

        step = self.selected_step
        if step is not None:
            self.edit(lambda c, _: remove_step(c, step.label), f"remove {step.label}")

    def action_move(self, by: int) -> None:
        """Move the selected step in the list."""
        from relaybench.composing.editing import move_step

        step = self.selected_step
        if step is not None:
            self.edit(lambda c, _: move_step(c, step.label, by), f"move {step.label}")

    # Settings.

    def action_bloat(self) -> None:
        """Bloat on or off."""
        from relaybench.tui.composer.asking_settings import toggled_bloat

        self.edit(lambda c, _: toggled_bloat(c), "bloat")

    def action_encode(self) -> None:
        """The code on or off."""
        from relaybench.tui.composer.asking_settings import toggled_encoding

        self.edit(lambda c, _: toggled_encoding(c), "encoding")

    @work(exclusive=True, group="ask")
    async def ask_for(self, setting: str) -> None:
        """Ask for a setting of the composite."""
        from relaybench.tui.composer.asking_settings import ask_setting

        each = self.current
        if each is not None:
            after = await ask_setting(self.app, each.value, setting)
            if after is not None and self.current is each:
                self.apply(after, setting.replace("-", " "))

    def change_line(self, action: str, argument: str) -> None:
        """Change what a line of the inspector shows."""
        match action:
            case "go":
                self.select(argument)
            case "set":
                self.ask_for(argument)
            case "relabel":
                self.action_relabel()
            case "swap":
                self.action_swap()
            case "bind":
                self._ask_about_step(lambda asks, label: asks.bind(label, argument))
            case "augment":
                place = int(argument) if argument else -1
                self._ask_about_step(lambda asks, label: asks.augmentation_at(label, place))

    # Files.

    @work(exclusive=True, group="ask")
    async def action_new(self, private: bool) -> None:
        """Begin a composite in the set of the open one."""
        with self.reporting("beginning a composite"):
            set_name = self.current.value.set_name if self.current else "mine"
            each = await self.files.new(set_name, private=private)
            if each is not None:
                self.turn_to(each)
                self.action_add()

    @work(exclusive=True, group="ask")
    async def action_duplicate(self) -> None:
        """Copy the composite that has the cursor in the list."""
        ref = self.query_one(CompositeList).chosen
        with self.reporting(f"copying {ref}"):
            name = await self.files.duplicate(ref) if ref else None
            if name is not None:
                self.show_composite(name)

    @work(exclusive=True, group="ask")
    async def action_delete(self) -> None:
        """Delete the composite that has the cursor in the list."""
        ref = self.query_one(CompositeList).chosen
        with self.reporting(f"deleting {ref}"):
            if ref and await self.files.delete(ref):
                gone = self.current is not None and self.current.ref == ref
                self.turn_to(None if gone else self.current)

    # Parts of the screen.

    def lay_out(self) -> None:
        """Show what there is room for; displays are set one by one, which costs no new styles."""
        narrow = self.has_class("-narrow")
        if narrow != self._was_narrow:
            self._was_narrow = narrow
            self._shut = {"left", "right"} if narrow else set()
        shown = {name: side not in self._shut for side, name in self.SIDES.items()}
        shown |= {"#top": self._zoomed != "tabs", "#bottom": self._zoomed != "graph"}
        for name, display in shown.items():
            part = self.query_one(name)
            if part.display != display:  # to say it again costs a layout
                part.display = display

    def show_side(self, side: str) -> None:
        """Open a side if it is shut; where it is narrow, one at a time."""
        if side in self._shut or self._zoomed == "tabs":
            self._shut = {"left", "right"} if self._was_narrow else self._shut
            self._shut.discard(side)
            self._zoomed = "" if self._zoomed == "tabs" else self._zoomed
            self.lay_out()

    def action_side(self, side: str) -> None:
        """Open or shut a side; the focus goes where it can be seen."""
        if side in self._shut:
            self.show_side(side)
            self._focus(CompositeList if side == "left" else Inspector)
        else:
            self._shut.add(side)
            self.lay_out()
            self._focus(GraphView)

    def _focus(self, what: type[Widget]) -> None:
        """Give a part the keys at once: the next one may be there already."""
        self.set_focus(self.query_one(what))

    def action_turn(self, by: int) -> None:
        """Another of the tabs below."""
        if self._zoomed == "graph":
            self.action_zoom()
        self.query_one(Tabs).turn(by)

    def action_zoom(self) -> None:
        """Graph or tabs alone, whichever has the focus; again: both."""
        inside = self.query_one(Tabs).has_focus_within
        self._zoomed = "" if self._zoomed else "tabs" if inside else "graph"
        self.lay_out()

    def action_back(self) -> None:
        """Back to the graph; where it is narrow the sides go away."""
        if self._was_narrow:
            self._shut = {"left", "right"}
        self._zoomed = "" if self._zoomed == "tabs" else self._zoomed
        self.lay_out()
        self._focus(GraphView)
