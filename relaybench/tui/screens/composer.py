"""The screen Composer: subproblems are wired into composites, with the graph drawn as they are."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Input

from relaybench.tui.composer.composite_files import CompositeFiles
from relaybench.tui.composer.composite_list import CompositeList, entries
from relaybench.tui.composer.graph_of import place_of, step_keys
from relaybench.tui.composer.graph_view import GraphView
from relaybench.tui.composer.inspector import SETTING_LINE, Inspector, setting_lines, step_lines
from relaybench.tui.composer.keys import EDITING_KEYS, EXPLAINS
from relaybench.tui.composer.looking import Looking, looked_at
from relaybench.tui.composer.open_composite import OpenComposite
from relaybench.tui.composer.picker import Filter, InstancePicker
from relaybench.tui.composer.tabs import Tabs
from relaybench.tui.messages import OpenClass, OpenTarget
from relaybench.tui.messages import OpenComposite as OpenCompositeMessage
from relaybench.tui.widgets.empty import Empty
from relaybench.tui.widgets.findings_list import FindingsList
from relaybench.tui.widgets.pane import Pane
from relaybench.workbench.problems.drafts import composite_draft

if TYPE_CHECKING:
    from relaybench.tui.composer.graph_values import Drawing
    from relaybench.tui.desk import Desk, Problems
    from relaybench.workbench.problems.previewing import Preview

#: Seconds without a change until it is looked at.
LOOK_AFTER_S: Final = 0.03


class ComposerScreen(Looking):
    """Lists at the left, the graph in the middle, the inspector at the right, tabs below."""

    MODE: ClassVar[str] = "composer"
    EXPLAINS: ClassVar[str] = EXPLAINS
    CSS_PATH = "composer.tcss"
    AUTO_FOCUS = "#graph"
    BINDINGS: ClassVar[list[BindingType]] = EDITING_KEYS

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.files = CompositeFiles(self, self.opened)
        self.preview: Preview | None = None
        self._works = (False, False)
        self._wanted = ""

    def compose_work(self) -> ComposeResult:
        """Lists, graph, inspector; tabs."""
        with Horizontal(id="top"):
            with Vertical(id="left"):
                with Pane("Composites", id="composites"):
                    yield CompositeList(id="list")
                with Pane("Add a step", id="library"):
                    yield Filter(
                        placeholder="type to filter, Enter adds", id="filter", compact=True
                    )
                    yield InstancePicker(id="picker")
            with Pane("Graph", id="graph-pane"):
                yield Empty("No composite is open.", id="nothing")
                yield GraphView(id="graph")
            with Pane("Inspector", id="inspector-pane"):
                yield Inspector(id="inspector")
        yield Tabs(id="bottom")

    def on_mount(self) -> None:
        """Show what has been read, and follow it from now on."""
        self.lay_out()
        self.desk.problems_changed.subscribe(self, self._problems_read)
        self.desk.results_changed.subscribe(self, lambda _: self.rates_changed())
        if self.desk.problems is None:
            self._show_open()
        else:
            self._problems_read(self.desk.problems)

    # What was read.

    def _problems_read(self, problems: Problems) -> None:
        """Files were read, for the first time or again."""
        library = problems.library
        self.take_classes()
        composites = library.composites.values()
        found = {each.source.path: (each.composite, each.source) for each in composites}
        self.follow(problems, found)
        if self._wanted:
            self.show_composite(self._wanted)
        elif self.current is None and library.composites:
            self.show_composite(min(library.composites))
        else:
            self._show_open()
        self.ask_about_files()

    def open_target(self, target: OpenTarget) -> None:
        """Open the composite that another screen asks for."""
        if isinstance(target, OpenCompositeMessage):
            self.show_composite(target.ref)
            self.query_one(GraphView).focus()

    def show_composite(self, ref: str) -> None:
        """Open a composite by its name, once it has been read."""
        problems = self.desk.problems
        each = self.opened.named(ref)
        if each is None and problems is not None:
            loaded = problems.library.composites.get(ref)
            if loaded is None:
                self.notice(f"there is no composite {ref} that can be read", "warning")
                self._wanted = ""
                self._show_open()
                return
            each = self.opened.open(OpenComposite(composite_draft(loaded)))
        self._wanted = "" if each is not None else ref
        if each is not None:
            self.turn_to(each)

    def turn_to(self, each: OpenComposite | None) -> None:
        """Show another of the open composites."""
        self.current, self.preview = each, None
        self._show_open()

    def classes_taken(self) -> None:
        """Offer other classes, together with what is made of them: all is drawn at once."""
        if self.current is None:
            self._show_open()
        else:
            self.look()

    # What is shown.

    def _show_open(self) -> None:
        """Lists and titles at once, the rest when it has been worked out."""
        problems, each = self.desk.problems, self.current
        library = problems.library if problems else None
        if library is not None and problems is not None:
            listed = entries(library, problems.findings, self.opened.by_path.values())
            self.query_one(CompositeList).show(listed, each.ref if each else "")
            if self.preview is not None or each is None:
                self._offer(each)
        self._show_empty(each, bool(library and library.composites))
        if each is None:
            self.query_one("#graph-pane", Pane).call_it("Graph")
            self.query_one(Inspector).show((), "")
        else:
            self._title(each)
        self._show_keys()
        self.look()

    def _offer(self, each: OpenComposite | None) -> None:
        used = {step.use.class_ref: step.label for step in each.value.steps} if each else {}
        self.query_one(InstancePicker).show(self.offered, used)

    def _show_keys(self) -> None:
        """The footer is made anew only where other keys work now: that is felt."""
        works = (self.current is not None, self.selected_step is not None)
        if works != self._works:
            self._works = works
            self.refresh_bindings()

    def _show_empty(self, each: OpenComposite | None, there: bool) -> None:
        """Words in place of a graph that has nothing in it."""
        nothing, graph = self.query_one("#nothing", Empty), self.query_one(GraphView)
        empty = each is None or not each.value.steps
        if nothing.display != empty or graph.display == empty:
            nothing.display, graph.display = empty, not empty
        if each is None:
            first = "Choose one at the left (l), or begin" if there else "Begin"
            nothing.say("No composite is open.", f"{first} a new one: n")
        elif empty:
            nothing.say("No steps yet.", "Add a step at the left: type to filter, Enter adds.")

    def _title(self, each: OpenComposite) -> None:
        star = "*" if each.changed else ""
        title = f"{each.ref}{star}  {each.value.title}".strip()
        note = "changed outside" if each.contested else f"undo: {each.history.undoes}"
        self.query_one("#graph-pane", Pane).call_it(title, note if each.history.undoes else "")

    @work(exclusive=True, group="look")
    async def look(self) -> None:
        """Work out what there is to be seen of the open composite, and show it."""
        await asyncio.sleep(LOOK_AFTER_S)
        each, problems, library = self.current, self.desk.problems, self.library
        if each is None or problems is None or library is None:
            return
        value = each.value
        room = self.query_one(GraphView).room or self.query_one("#nothing").size.width
        preview, drawing = await asyncio.to_thread(
            looked_at, each, library, problems.styles, self.measured, max(room, 20)
        )
        if self.current is each and each.value == value:
            self.preview = preview
            self._show(each, preview, drawing)

    def _show(self, each: OpenComposite, preview: Preview, drawing: Drawing) -> None:
        keys = step_keys(preview.composite)
        if drawing.box(each.selected) is None:
            each.selected = keys[min(each.place, len(keys) - 1)] if keys else ""
        self._offer(each)
        self.query_one(GraphView).show(drawing, each.selected)
        unsaved = ", ".join(self.unsaved_classes(preview.composite))
        with_unsaved = f"with unsaved changes of {unsaved}" if unsaved else ""
        self.query_one(Tabs).call_it(with_unsaved)
        self.query_one(Tabs).show(preview, each.file.shown)
        self._inspect()

    def _inspect(self) -> None:
        """Fill the inspector with the selected box."""
        each, preview = self.current, self.preview
        if each is None or preview is None:
            return
        keys = step_keys(each.value)
        each.place = keys.index(each.selected) if each.selected in keys else each.place
        inspector = self.query_one(Inspector)
        step = self.selected_step
        about = f"{each.ref} {each.selected}"
        if step is None:
            at = SETTING_LINE.get(each.selected, 1)
            inspector.show(setting_lines(preview), about, at)
            inspector.show_cursor()
            self.query_one("#inspector-pane", Pane).call_it("Settings")
        else:
            inspector.show(step_lines(preview, self.known_classes, step), about)
            self.query_one("#inspector-pane", Pane).call_it(f"Step {step.label}")
        self._show_keys()

    def on_resize(self) -> None:
        """Sides are shut where it gets narrow, and open where it gets wide."""
        self.call_after_refresh(self.lay_out)

    @on(GraphView.RoomChanged)
    def _room_changed(self) -> None:
        self.look()

    # What was clicked or pressed.

    @on(CompositeList.Chosen, "#list")
    def _list_chosen(self) -> None:
        ref = self.query_one(CompositeList).chosen
        if ref:
            self.show_composite(ref)
            self.action_back()

    @on(GraphView.Selected)
    def _graph_selected(self, event: GraphView.Selected) -> None:
        if self.current is not None:
            self.current.selected = event.key
            self._inspect()

    @on(GraphView.Chosen)
    def _graph_chosen(self) -> None:
        self.show_side("right")
        self.call_after_refresh(self.query_one(Inspector).focus)

    @on(Inspector.Chosen, "#inspector")
    def _inspector_chosen(self) -> None:
        line = self.query_one(Inspector).line
        if line is not None:
            self.change_line(line.action, line.argument)

    @on(Input.Changed, "#filter")
    def _filter_changed(self, event: Input.Changed) -> None:
        self.query_one(InstancePicker).filter(event.value)

    @on(Input.Submitted, "#filter")
    def _filter_submitted(self) -> None:
        self.query_one(InstancePicker).action_choose()

    @on(InstancePicker.Chosen, "#picker")
    def _picker_chosen(self) -> None:
        self.query_one(InstancePicker).action_choose()

    @on(InstancePicker.Sifted)
    def _sifted(self, event: InstancePicker.Sifted) -> None:
        count = f"{event.fitting:,}" if event.fitting else "nothing fits"
        note = count if event.fitting == event.total else f"{count} of {event.total:,}"
        self.query_one("#library", Pane).call_it("Add a step", note)

    @on(InstancePicker.Picked)
    def _picked(self, event: InstancePicker.Picked) -> None:
        self.add_step(event.use)

    @on(FindingsList.Jump)
    def _jump(self, event: FindingsList.Jump) -> None:
        """To the box that a finding is about, or to the class whose file it is in."""
        finding, each, library = event.finding, self.current, self.library
        if each is None or library is None:
            return
        if finding.file == each.file.shown:
            self.select(place_of(each.value, finding))
            self.query_one(GraphView).focus()
            return
        for ref, loaded in library.classes.items():
            if loaded.source.shown == finding.file:
                self.post_message(OpenClass(ref, key=finding.key))

    def select(self, key: str) -> None:
        """Select a box of the graph."""
        if self.current is not None:
            self.current.selected = key
            self.query_one(GraphView).select(key)
            self._inspect()

    # What was changed.

    def changed(self) -> None:
        """The open composite was changed: show it, and keep it before long."""
        self._show_open()
        self.keep_later()

    def after_files(self) -> None:
        """Show what work on files has changed."""
        self.drop_closed()
        self.turn_to(self.current)
