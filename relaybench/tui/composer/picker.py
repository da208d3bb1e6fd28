"""The library as a list of instances to add as steps; typing filters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input

from relaybench.domain.literal import visible
from relaybench.domain.problem import Status
from relaybench.tui.composer.graph_drawing import DOMAIN_MARKS
from relaybench.tui.widgets.lines_view import LinesView, Piece

if TYPE_CHECKING:
    from relaybench.domain.problem import Instance, ProblemClass

#: Data longer than that many characters is no word that anybody filters by.
_SHORT: Final = 80


@dataclass(frozen=True, slots=True)
class Offer:
    """An instance that could become a step. ``searched`` is what a filter looks at."""

    class_ref: str
    instance_id: str
    answer: str
    status: str
    searched: str

    @property
    def use(self) -> str:
        """Its name in a composite."""
        return f"{self.class_ref}:{self.instance_id}"


def offers(classes: Mapping[str, ProblemClass]) -> list[Offer]:
    """All instances that are not retired, by class and in the order of their files."""
    return [
        Offer(
            ref,
            each.id,
            each.answer,
            each.status.value,
            _searched(classes[ref], each),
        )
        for ref in sorted(classes)
        for each in classes[ref].instances
        if each.status is not Status.RETIRED
    ]


def _searched(problem: ProblemClass, instance: Instance) -> str:
    values = (value for value in instance.data.values() if len(value) < _SHORT)
    words = (f"{problem.ref}:{instance.id}", problem.title, instance.answer, *values)
    return " ".join(words).casefold()


def named(offer: Offer, words: str) -> int:
    """How well an instance's name fits words: 0 one is its name, 1 all are in it, 2 not at all.

    What does not fit by its name fits by its title, data or answer.
    """
    wanted, name = words.casefold().split(), offer.use.casefold()
    if not all(word in name for word in wanted):
        return 2
    parts = (name, *name.replace("/", ":").split(":"))
    return 0 if any(word in parts for word in wanted) else 1


class Filter(Input):
    """The field above the picker: typing filters, the arrow keys move in the list below it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "screen.pick_by(1)", "Next", show=False, id="picker.down",
                tooltip="Next instance in the list below"),
        Binding("up", "screen.pick_by(-1)", "Previous", show=False, id="picker.up",
                tooltip="Previous instance in the list below"),
    ]  # fmt: skip


class InstancePicker(LinesView):
    """One line an instance: domain, class, instance, answer; what is used already says where."""

    class Picked(Message):
        """An instance is to be added."""

        def __init__(self, use: str) -> None:
            super().__init__()
            self.use = use

    class Sifted(Message):
        """So many instances of all are listed."""

        def __init__(self, fitting: int, total: int) -> None:
            super().__init__()
            self.fitting, self.total = fitting, total

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._all: Sequence[Offer] = ()
        self._fitting: Sequence[Offer] = ()
        self._used: Mapping[str, str] = {}
        self._words = ""

    @property
    def line_count(self) -> int:
        """Instances that fit the filter."""
        return len(self._fitting)

    def show(self, offered: Sequence[Offer], used: Mapping[str, str]) -> None:
        """Show other instances; ``used`` says which class which step uses."""
        if offered is not self._all or used != self._used:
            self._all, self._used = offered, used
            self._sift()

    def filter(self, words: str) -> None:
        """Show only what has all these words in its name, title or answer."""
        self._words = words
        self.cursor = 0
        self._sift()

    def _sift(self) -> None:
        wanted = self._words.casefold().split()
        fitting = [each for each in self._all if all(word in each.searched for word in wanted)]
        self._fitting = sorted(fitting, key=self._place) if wanted else fitting
        self.lines_changed()
        self.post_message(self.Sifted(len(self._fitting), len(self._all)))

    def _place(self, offer: Offer) -> tuple[bool, int]:
        """Where an instance stands in the list: what is used last, what is named so first."""
        return offer.class_ref in self._used, named(offer, self._words)

    def action_choose(self) -> None:
        """Add the instance that has the cursor."""
        if self._fitting:
            self.post_message(self.Picked(self._fitting[self.cursor].use))

    def line_at(self, number: int) -> list[Piece]:
        """What is on a line."""
        offer = self._fitting[number]
        domain, _, class_id = offer.class_ref.partition("/")
        mark = DOMAIN_MARKS.get(domain, "??")
        label = self._used.get(offer.class_ref)
        name = f"{visible(class_id)}:{visible(offer.instance_id)}"
        if label is not None:
            return [(f"{visible(label):<2} ", "accent"), (name, "muted")]
        draft = " draft" if offer.status == Status.DRAFT.value else ""
        answer = f" = {visible(offer.answer)}"
        return [(f"{mark} ", "muted"), (name, ""), (draft, "warning"), (answer, "muted")]
