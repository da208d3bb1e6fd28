"""The screen Library: classes and their instances are written here, and judged as they are."""

from __future__ import annotations

from typing import ClassVar

from textual import on, work
from textual.binding import BindingType
from textual.widgets import Input

from relaybench.domain.problem import ProblemClass, Status
from relaybench.tui.library import changes, panes
from relaybench.tui.library.class_form import ClassForm
from relaybench.tui.library.class_screen import ClassScreen
from relaybench.tui.library.instances_pane import InstancesPane
from relaybench.tui.library.keys import BINDINGS, EXPLAINS
from relaybench.tui.library.library_tree import LibraryTree
from relaybench.tui.library.open_class import OpenClass
from relaybench.tui.library.outline import Kind
from relaybench.tui.widgets.lines_view import LinesView


class LibraryScreen(ClassScreen):
    """Tree of the library, editor of a class, its instances, its prompt, what check finds."""

    MODE: ClassVar[str] = "library"
    CSS_PATH = "library.tcss"
    EXPLAINS: ClassVar[str] = EXPLAINS
    BINDINGS: ClassVar[list[BindingType]] = BINDINGS

    # What is typed

    @on(ClassForm.Typed)
    def _typed(self, event: ClassForm.Typed) -> None:
        self.panes.form.taken(event)
        each = self.opened.by_path.get(event.path)  # not what is shown by now
        if each is not None:
            fresh = changes.with_field(each.value, event.field, event.text)
            self._do(each, fresh, event.field, join=True, show=event.field == "prompt")

    def _do(
        self,
        each: OpenClass,
        fresh: ProblemClass,
        what: str,
        *,
        join: bool = False,
        show: bool = True,
    ) -> None:
        """Change a class; ``show``: its table may look otherwise now."""
        before = each.changed
        if each.history.do(fresh, what, join=join):
            self.changed(show=show or before != each.changed)

    def changed(self, *, show: bool = True) -> None:
        """Show the current class as it is now, judge it, and keep it before long."""
        if show:
            self.list_classes()
            self.show_class()
        self.judge_soon()
        self.keep_later()

    @on(InstancesPane.CellTyped)
    def _cell_typed(self, event: InstancesPane.CellTyped) -> None:
        each = self.opened.by_path.get(event.path)
        if each is None or event.row >= len(each.value.instances):
            return
        if each is self.current:  # Tab may have gone on to another row
            each.instance = self.panes.instances.table.cursor
        fresh = changes.with_cell(each.value, event.row, event.column, event.text)
        self._do(each, fresh, f"edit {event.column}")

    @on(LinesView.Moved, "#table")
    def _row_moved(self, event: LinesView.Moved) -> None:
        if self.current is not None:
            self.current.instance = event.number
            self.judge_soon()

    @on(InstancesPane.Picked)
    def _picked(self, event: InstancesPane.Picked) -> None:
        each = self.opened.by_path.get(event.path)
        if each is None:
            return
        if event.column == "status":
            status = changes.next_status(each.value.instances[event.row].status)
            fresh = changes.with_cell(each.value, event.row, "status", status.value)
            self._do(each, fresh, "set status")
        else:
            self._rename_instance(each, event.row, event.text)

    @work(exclusive=True, group="value")
    async def _edit_in_window(self, event: InstancesPane.WindowAsked) -> None:
        from relaybench.tui.library.value_dialog import ValueDialog

        each = self.opened.by_path.get(event.path)
        if each is None:
            return
        name = event.column.removeprefix("data.")
        title = f"{name} of {each.ref}:{each.value.instances[event.row].id}"
        text = await self.app.push_screen_wait(ValueDialog(title, event.text))
        if text is not None and event.row < len(each.value.instances):
            fresh = changes.with_cell(each.value, event.row, event.column, text)
            self._do(each, fresh, f"edit {event.column}")

    @on(InstancesPane.WindowAsked)
    def _window_asked(self, event: InstancesPane.WindowAsked) -> None:
        self._edit_in_window(event)

    # Actions

    def action_filter(self) -> None:
        """Type to filter the tree."""
        self.panes.bring(panes.TREE)
        self.query_one("#filter", Input).focus()

    @on(Input.Changed, "#filter")
    def _filtered(self, event: Input.Changed) -> None:
        self.panes.outline.filter(event.value)

    @on(Input.Submitted, "#filter")
    def _filter_done(self) -> None:
        self.panes.outline.focus()

    def action_back(self) -> None:
        """Clear the filter where one is typed, else go back to the tree."""
        field = self.query_one("#filter", Input)
        if field.value and (field.has_focus or self.panes.outline.has_focus):
            field.value = ""
        self.panes.go(panes.TREE)

    @on(LibraryTree.Listed)
    def _listed_rows(self, event: LibraryTree.Listed) -> None:
        count = (
            f"{event.count}" if event.count == event.total else f"{event.count} of {event.total}"
        )
        self.panes.pane(panes.TREE).call_it("Library", f"{count} classes")

    def action_step(self, by: int) -> None:
        """Go to the next pane or the one before."""
        self.panes.step(by)

    def action_go_to_pane(self, name: str) -> None:
        """Go to a pane."""
        self.panes.go(name)

    def _instance_meant(self) -> int | None:
        """The instance that a key means: that of the table, or of the tree where one has it."""
        if self.current is None or not self.current.value.instances:
            return None
        if self.focused is self.panes.instances.table:
            return self.panes.instances.table.cursor
        row = self.panes.outline.row
        return row.instance if row is not None and row.kind is Kind.INSTANCE else None

    @work(exclusive=True, group="dialog")
    async def action_new_class(self, private: bool) -> None:
        """Begin a class in the domain that has the cursor."""
        row = self.panes.outline.row
        domain = row.name if row is not None and row.kind is Kind.DOMAIN else ""
        if not domain and self.current is not None:
            domain = self.current.value.domain.value
        with self.reporting("No class was begun"):
            each = await self.files.new(domain or "math", private)
            if each is not None:
                self.after_files(each.file.path)
                self.panes.go(panes.CLASS)
                self.keep_later()

    def action_new_instance(self) -> None:
        """Add an instance, and edit its name."""
        if self.current is None:
            return
        fresh, index = changes.added(self.current.value)
        self._add(self.current, fresh, index, "new instance")
        self.panes.instances.action_edit()

    def _add(self, each: OpenClass, fresh: ProblemClass, index: int, what: str) -> None:
        each.instance = index
        self._do(each, fresh, what)
        self.panes.instances.table.go_to_cell(index, 0)

    def action_duplicate(self) -> None:
        """Copy the instance or the class that is meant."""
        index = self._instance_meant()
        if self.current is None:
            return
        if index is not None:
            fresh, at = changes.copied(self.current.value, index)
            self._add(self.current, fresh, at, "duplicate instance")
        else:
            self._duplicate_class(self.current)

    @work(exclusive=True, group="dialog")
    async def _duplicate_class(self, each: OpenClass) -> None:
        with self.reporting(f"{each.ref} was not copied"):
            path = await self.files.duplicate_class(each)
            if path is not None:
                self.after_files(path)

    def action_rename(self) -> None:
        """Rename the instance or the class that is meant."""
        index = self._instance_meant()
        if self.current is None:
            return
        if index is not None:
            self._rename_instance(self.current, index)
        else:
            self._rename_class(self.current)

    @work(exclusive=True, group="dialog")
    async def _rename_class(self, each: OpenClass) -> None:
        with self.reporting(f"{each.ref} was not renamed"):
            path = await self.files.rename_class(each)
            if path is not None:
                self.after_files(path)

    @work(exclusive=True, group="dialog")
    async def _rename_instance(self, each: OpenClass, index: int, typed: str | None = None) -> None:
        with self.reporting("The instance was not renamed"):
            name = await self.files.ask_instance_name(each, index, typed)
            if name is None or self.current is not each:
                return
            if not await self.files.rename_instance(each, index, name):
                fresh = changes.with_cell(each.value, index, "id", name)
                self._do(each, fresh, "rename instance")
                return
        self.after_files(each.file.path, index)

    def action_retire(self) -> None:
        """Retire the instance, or all of the class; those that are retired become drafts."""
        each, index = self.current, self._instance_meant()
        if each is None:
            return
        rows = each.value.instances
        meant = range(len(rows)) if index is None else [index]
        retired = all(rows[number].status is Status.RETIRED for number in meant)
        status = Status.DRAFT if retired else Status.RETIRED
        fresh = each.value
        for number in meant:
            fresh = changes.with_cell(fresh, number, "status", status.value)
        self._do(each, fresh, "retire" if status is Status.RETIRED else "back to draft")

    def action_remove(self) -> None:
        """Remove the instance or the class that is meant."""
        each, index = self.current, self._instance_meant()
        if each is None:
            return
        if index is None:
            self._remove_class(each)
            return
        name = f"{each.ref}:{each.value.instances[index].id}"
        with self.reporting("The instance was not removed"):
            self.files.refuse_used(name)
            each.instance = max(min(index, len(each.value.instances) - 2), 0)
            self._do(each, changes.removed(each.value, index), "remove instance")
            self.notice(f"{name} is removed; ^z brings it back.")

    @work(exclusive=True, group="dialog")
    async def _remove_class(self, each: OpenClass) -> None:
        with self.reporting(f"{each.ref} was not removed"):
            await self.files.remove_class(each)
        self.after_files()

    @work(exclusive=True, group="dialog")
    async def action_edit_outside(self) -> None:
        """Open the file in the user's own editor."""
        each, row = self.current, self.panes.outline.row
        path = each.file.path if each else row.path if row else None
        if path is None:
            return
        with self.reporting("The file was not edited"):
            await self.files.edit_outside(self.desk.workspace.root / path, each)
        self.after_files()
