"""The panes of the Library screen, and which of them is in front where there is room for one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Input

from relaybench.tui.library.class_form import ClassForm
from relaybench.tui.library.instances_pane import InstancesPane
from relaybench.tui.library.library_tree import LibraryTree
from relaybench.tui.library.outline import Marks
from relaybench.tui.widgets.empty import Empty
from relaybench.tui.widgets.findings_list import FindingsList
from relaybench.tui.widgets.long_text import LongText
from relaybench.tui.widgets.pane import Pane
from relaybench.tui.widgets.pane_tabs import PaneTabs

TREE: Final = "tree-pane"
CLASS: Final = "class-pane"
TABLE: Final = "instances-pane"
PREVIEW: Final = "preview-pane"
FINDINGS: Final = "findings-pane"

#: Below so many columns or rows there is room for one pane only; as in ``WorkScreen``.
NARROW: Final = 100
SHORT: Final = 30

_NAMES: Final[Mapping[str, str]] = {
    TREE: "Library",
    CLASS: "Class",
    TABLE: "Instances",
    PREVIEW: "Prompt",
    FINDINGS: "Findings",
}
_GROUPS: Final = {"editing": (CLASS, TABLE), "outcome": (PREVIEW, FINDINGS)}


class LibraryPanes(Vertical):
    """Tree, editor, instances, prompt and findings."""

    def __init__(self) -> None:
        super().__init__(id="panes-of-library")
        self._front = TREE
        self._shown = CLASS  # which of the others is in front

    def compose(self) -> ComposeResult:
        """Everything; the stylesheet says what is beside what."""
        yield PaneTabs(_NAMES, id="panes")
        with Horizontal():
            with Pane("Library", id=TREE):
                yield Input(placeholder="/ to filter", id="filter", compact=True)
                yield LibraryTree(id="tree")
                yield Empty(
                    "No classes yet",
                    "Press n to write the first one: a prompt with its instances.",
                    id="no-classes",
                )
            with Vertical(id="right"):
                with Vertical(id="editing"):
                    with Pane("Class", id=CLASS):
                        yield ClassForm()
                        yield Empty("No class is open", "Choose one in the tree.", id="broken")
                    yield InstancesPane(id=TABLE)
                with Horizontal(id="outcome"):
                    with Pane("Prompt", id=PREVIEW):
                        yield LongText(id="preview")
                    with Pane("Findings", id=FINDINGS):
                        yield FindingsList(id="findings")

    def on_mount(self) -> None:
        """The tree is in front to begin with, and no class is open."""
        self.open(is_open=False)
        self.empty(is_empty=False)

    def on_resize(self) -> None:
        """Where the tree stands beside the rest it needs no name."""
        self.bring(self._front)

    def open(self, *, is_open: bool) -> None:
        """Show the fields of a class, or words that there is none."""
        self.form.display = is_open
        self.query_one("#broken").display = not is_open

    def empty(self, *, is_empty: bool) -> None:
        """Show words where the library has no class yet."""
        self.query_one("#no-classes").display = is_empty
        self.outline.styles.height = 1 if is_empty else "1fr"

    @property
    def tabs(self) -> PaneTabs:
        """The line that names the panes."""
        return self.query_one(PaneTabs)

    @property
    def outline(self) -> LibraryTree:
        """The tree."""
        return self.query_one(LibraryTree)

    @property
    def form(self) -> ClassForm:
        """The fields of the class."""
        return self.query_one(ClassForm)

    @property
    def instances(self) -> InstancesPane:
        """The table of instances."""
        return self.query_one(InstancesPane)

    @property
    def preview(self) -> LongText:
        """The prompt as it would be sent."""
        return self.query_one(LongText)

    @property
    def findings(self) -> FindingsList:
        """What check finds."""
        return self.query_one(FindingsList)

    @property
    def front(self) -> str:
        """The pane in front."""
        return self._front

    def pane(self, name: str) -> Pane:
        """One of the panes."""
        return self.query_one(f"#{name}", Pane)

    def bring(self, name: str) -> None:
        """Put a pane in front, where there is room for one only.

        Done without style classes: to match all rules anew for all that is inside would be felt.
        """
        self._front = name
        width, height = self.screen.size
        narrow, single = width < NARROW, width < NARROW or height < SHORT
        if name != TREE:
            self._shown = name
        self.tabs.display = single
        self.tabs.leave_out(*(() if narrow else (TREE,)))
        self.tabs.show(name if narrow else self._shown)
        self.pane(TREE).display = not narrow or name == TREE
        self.query_one("#right").display = not narrow or name != TREE
        for group, inside in _GROUPS.items():
            self.query_one(f"#{group}").display = not single or self._shown in inside
            for each in inside:
                self.pane(each).display = not single or each == self._shown

    def go(self, name: str) -> None:
        """Put a pane in front and give it the keys."""
        self.bring(name)
        targets: Mapping[str, Widget] = {
            TREE: self.outline,
            TABLE: self.instances.table,
            PREVIEW: self.preview.body,
            FINDINGS: self.findings,
        }
        if name == CLASS:
            self.form.go_to("prompt")
        else:
            targets[name].focus()

    def step(self, by: int) -> None:
        """Go to the next pane or the one before."""
        names = list(_NAMES)
        here = next((n for n in names if self.pane(n).has_focus_within), self._front)
        self.go(names[(names.index(here) + by) % len(names)])

    @on(PaneTabs.Chosen)
    def _chosen(self, event: PaneTabs.Chosen) -> None:
        event.stop()
        self.go(event.pane)

    def count(self, instances: int, marks: Marks) -> None:
        """Say beside their names how many instances and findings there are."""
        self.tabs.note(TABLE, str(instances) if instances else "")
        self.tabs.note(FINDINGS, marks.text)

    def say_broken(self, shown: str) -> None:
        """Say that the file shown has no class in it, or that none is open."""
        words = self.query_one("#broken", Empty)
        if shown:
            words.say(f"{shown} cannot be read", "^o opens it in your editor. See the findings.")
        else:
            words.say("No class is open", "Choose one in the tree, or press n there for a new one.")
