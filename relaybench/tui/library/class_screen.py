"""The half of the Library screen that shows a class and follows the files it comes from."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Final

from textual import on, work
from textual.app import ComposeResult

from relaybench.domain.problem import ProblemClass
from relaybench.tui.draft_screen import DraftScreen
from relaybench.tui.library import panes
from relaybench.tui.library.class_files import ClassFiles
from relaybench.tui.library.open_class import OpenClass
from relaybench.tui.library.outline import Entry, Kind, Marks, Row, entries, marks_of
from relaybench.tui.library.panes import LibraryPanes
from relaybench.tui.library.places import place_of, wrong_cells
from relaybench.tui.messages import OpenClass as Target
from relaybench.tui.messages import OpenComposite, OpenTarget
from relaybench.tui.widgets.findings_list import FindingsList
from relaybench.tui.widgets.lines_view import LinesView
from relaybench.workbench.problems.drafts import class_draft

if TYPE_CHECKING:
    from relaybench.domain.finding import Finding
    from relaybench.tui.desk import Desk, Problems
    from relaybench.tui.library.preview import Preview
    from relaybench.workbench.problems.drafts import ClassDraft

#: Seconds without a key until findings are asked for.
JUDGE_AFTER_S: Final = 0.2


class ClassScreen(DraftScreen[OpenClass]):
    """Shows a class in every pane, judges it as it is, and keeps up with its file."""

    AUTO_FOCUS = "#tree"  # from the first moment: keys pressed early are no words to filter by

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.files: ClassFiles = ClassFiles(self, self.opened)
        self.panes = LibraryPanes()
        self._listed: list[Entry] = []
        self._judged: dict[Path, Marks] = {}
        self._target: Target | None = None
        self._wanted = self._judging = False
        self._judged_last: object = None
        self._previewed = ""
        self._started = False

    def compose_work(self) -> ComposeResult:
        """Its panes."""
        yield self.panes

    def on_mount(self) -> None:
        """Follow the problem files."""
        self.desk.problems_changed.subscribe(self, self._read)
        self.panes.instances.is_used = self._is_used
        self.panes.outline.focus()
        if self.desk.problems is not None:
            self._read(self.desk.problems)

    # What is read

    def _read(self, problems: Problems) -> None:
        """The files were read again: follow those without unsaved work, ask about the others."""
        first, self._started = not self._started, True
        classes = problems.library.classes.values()
        found = {each.source.path: (each.problem, each.source) for each in classes}
        for moved in self.follow(problems, found):
            self._judged.pop(moved.file.path, None)
        self.list_classes()
        self.show_class()
        if self._target is not None:
            self.open_target(self._target)
        elif first or self.current is None:
            self._open_row(self.panes.outline.row)
        self.judge_soon()
        self.ask_about_files()

    def list_classes(self) -> None:
        """Show the tree again: names, counts or marks may have changed."""
        problems = self.desk.problems
        if problems is None:
            return
        by_file: dict[str, list[Finding]] = {}
        for each in problems.library.findings:
            by_file.setdefault(each.file, []).append(each)
        self._listed = entries(problems.library, by_file, self.opened.by_path, self._judged)
        self.panes.outline.show(self._listed)
        self.panes.empty(is_empty=not self._listed)

    def turn_to(self, each: OpenClass | None) -> None:
        """Show another of the open classes."""
        self.after_files(each.file.path if each else None)
        if each is not None:
            self.panes.go(panes.CLASS)

    def after_files(self, path: Path | None = None, instance: int | None = None) -> None:
        """Show what the disk work changed; ``path`` is a class to go to."""
        self.drop_closed()
        if path is not None:
            self._open_path(path, instance)
        self.list_classes()
        if path is not None:
            self.panes.outline.find(path, instance)
        self.show_class()
        self.judge_soon()

    async def after_offers(self) -> None:
        """Unsaved composites are offered by the Composer: say so, and go there if wanted."""
        from relaybench.tui.dialogs.confirm import Confirm

        if any(each.MODE == "composer" for each in self.workbench.work_screens):
            return  # it has offered them
        names = ", ".join(each.shown for each in await self.files.found(elsewhere=True))
        if not names:
            return
        question = f"Unsaved work on {names} was found, kept by an earlier session."
        confirm = Confirm(question, yes="Go to the Composer", no="Later", variant="primary")
        if await self.app.push_screen_wait(confirm):
            await self.workbench.action_go("composer")

    async def errors_in(self, each: OpenClass) -> int:
        """How many errors ``check`` finds in a class that was saved."""
        problems = self.desk.problems
        if problems is None:
            return 0
        found = await asyncio.to_thread(_judged, problems, each.draft, [])
        return marks_of([one for one in found if one.file == each.file.shown]).errors

    def _is_used(self, instance: str) -> bool:
        """Whether a composite uses an instance of the current class."""
        each = self.current
        return each is not None and bool(self.files.users(f"{each.ref}:{instance}"))

    # What is shown

    @on(LinesView.Moved, "#tree")
    def _tree_moved(self) -> None:
        self._open_row(self.panes.outline.row)

    @on(LinesView.Chosen, "#tree")
    def _tree_chosen(self) -> None:
        row = self.panes.outline.row
        self._open_row(row)
        if row is not None and row.kind is Kind.INSTANCE:
            self.panes.go(panes.TABLE)
        elif row is not None:
            self.panes.go(panes.CLASS if row.kind is Kind.CLASS else panes.FINDINGS)

    def _open_row(self, row: Row | None) -> None:
        if row is None or row.path is None:
            return
        if row.kind is Kind.BROKEN:
            self.current = None
            self.show_class()
            return
        self._open_path(row.path, row.instance)
        self.show_class()
        self.judge_soon()

    def _open_path(self, path: Path, instance: int | None = None) -> None:
        problems = self.desk.problems
        each = self.opened.by_path.get(path)
        if each is None and problems is not None:
            loaded = next(
                (one for one in problems.library.classes.values() if one.source.path == path), None
            )
            each = self.opened.open(OpenClass(class_draft(loaded))) if loaded else None
        if each is not None:
            self.current = each
            each.instance = each.instance if instance is None else instance

    def show_class(self) -> None:
        """Show the current class in every pane."""
        each = self.current
        self.panes.open(is_open=each is not None)
        self.panes.instances.show(each.file.path if each else Path(), each.value if each else None)
        if each is None:
            self._show_broken()
            return
        self.panes.form.show(each.file.path, each.value)
        table = self.panes.instances.table
        table.go_to(each.instance, tell=False)
        title = (
            f"{'* ' if each.changed else ''}{each.ref}{' (new)' if not each.file.source else ''}"
        )
        self.panes.pane(panes.CLASS).call_it(title, each.file.shown)
        count = len(each.value.instances)
        self.panes.pane(panes.TABLE).call_it(f"Instances ({count})")

    def _show_broken(self) -> None:
        """Show a file that cannot be read, or that there is nothing."""
        row = self.panes.outline.row
        self.panes.pane(panes.CLASS).call_it("Class")
        self.panes.pane(panes.TABLE).call_it("Instances")
        shown = ""
        if row is not None and row.kind is Kind.BROKEN:
            shown = next((each.shown for each in self._listed if each.path == row.path), "")
        findings = self.desk.problems.library.findings if self.desk.problems else []
        self._take_findings([each for each in findings if shown and each.file == shown], shown)
        self.panes.say_broken(shown)
        self._show_preview(None)

    def open_target(self, target: OpenTarget) -> None:
        """Go to a class, one of its instances, a field."""
        if not isinstance(target, Target):
            return
        problems = self.desk.problems
        each = self.opened.named(target.ref)  # one that is new has no file yet
        loaded = problems.library.classes.get(target.ref) if problems else None
        if each is None and loaded is not None:
            each = self.opened.open(OpenClass(class_draft(loaded)))
        if each is None:
            self._target = target if problems is None else None
            if problems is not None:
                self.notice(f"There is no class {target.ref} any more.", "warning")
            return
        self._target = None
        ids = [one.id for one in each.value.instances]
        index = ids.index(target.instance) if target.instance in ids else None
        self.after_files(each.file.path, index)
        if target.key or index is None:
            self._go_to_key(target.key)
        else:
            self.panes.go(panes.TABLE)

    def _go_to_key(self, key: str) -> None:
        place = place_of(key)
        if place is None:
            self.panes.go(panes.CLASS)
        elif place.field:
            self.panes.bring(panes.CLASS)
            self.panes.form.go_to(place.field, place.row or 0)
        else:
            self.panes.go(panes.TABLE)
            self.panes.instances.table.go_to_cell(place.row or 0, place.column)

    @on(FindingsList.Jump)
    def _jump(self, event: FindingsList.Jump) -> None:
        finding, problems = event.finding, self.desk.problems
        if self.current is not None and finding.file == self.current.file.shown:
            self._go_to_key(finding.key)
            return
        composites = problems.library.composites.values() if problems else ()
        for each in composites:
            if each.source.shown == finding.file:
                self.post_message(OpenComposite(each.composite.ref))

    # What is worked out while somebody types

    def judge_soon(self) -> None:
        """Ask for findings and prompt when no key has come for a moment; all may look at drafts."""
        self.desk.class_drafts = tuple(each.draft for each in self.opened.changed)
        self._wanted = True
        if not self._judging:
            self._judging = True
            self._judge()

    @work(group="judge")
    async def _judge(self) -> None:
        """Judge the class again and again until it is judged as it is now; one at a time."""
        try:
            while self._wanted and self.is_running:
                self._wanted = False
                await asyncio.sleep(JUDGE_AFTER_S)
                each, problems = self.current, self.desk.problems
                if self._wanted or each is None or problems is None:
                    continue
                draft, number = each.draft, each.instance
                others = [one.draft for one in self.opened.changed if one is not each]
                preview = await asyncio.to_thread(_preview, draft.problem, number, problems)
                if self.current is each:
                    self._show_preview(preview)
                judged = (draft, problems, [one.problem for one in others])
                if judged == self._judged_last:
                    continue
                found = await asyncio.to_thread(_judged, problems, draft, others)
                self._judged_last = judged
                if self.current is each:
                    self._take_findings(found, each.file.shown)
                    marks = marks_of([one for one in found if one.file == each.file.shown])
                    if self._judged.get(each.file.path) != marks:
                        self._judged[each.file.path] = marks
                        self.list_classes()
        finally:
            self._judging = False

    def _take_findings(self, found: list[Finding], shown: str) -> None:
        self.panes.findings.show(found, shown)
        self.panes.instances.mark(wrong_cells(found, shown))
        marks = marks_of(found)
        self.panes.pane(panes.FINDINGS).call_it(f"Findings {marks.text}".rstrip())
        self.panes.count(len(self.current.value.instances) if self.current else 0, marks)

    def _show_preview(self, preview: Preview | None) -> None:
        pane, view = self.panes.pane(panes.PREVIEW), self.panes.preview
        if preview is None:
            pane.call_it("Prompt")
            view.show("")
            self._previewed = ""
            return
        pane.call_it(f"Prompt of {preview.about}" if preview.text else "Prompt")
        if preview.text:
            size = f"{len(preview.text):,} characters, about {preview.tokens:,} tokens"
            pane.border_subtitle = size
        text = preview.text or preview.about
        if text != self._previewed:
            top = view.body.scroll_y
            view.show(text)
            view.body.scroll_to(y=top, animate=False, immediate=True, force=True)
            self._previewed = text


def _preview(problem: ProblemClass, number: int, problems: Problems) -> Preview:
    from relaybench.tui.library.preview import preview_of

    return preview_of(problem, number, problems.styles)


def _judged(problems: Problems, draft: ClassDraft, others: list[ClassDraft]) -> list[Finding]:
    from relaybench.workbench.problems.overlay import judge

    return judge(problems.library, problems.styles, draft, others)
