"""The inspector: what the selected box is made of, each line of it a place to change it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from relaybench.domain.literal import visible
from relaybench.tui.composer.graph_of import step_keys
from relaybench.tui.composer.graph_values import StageName
from relaybench.tui.widgets.lines_view import LinesView, Piece

if TYPE_CHECKING:
    from relaybench.composing.solve import Classes
    from relaybench.domain.problem import Step
    from relaybench.workbench.problems.previewing import Preview


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the inspector. ``action`` is what Enter does there, with its argument.

    Actions: ``relabel``, ``swap``, ``bind`` (a slot), ``augment`` (a place in the list), ``go``
    (the key of a box), and ``set`` (a setting of the composite); empty: nothing.
    """

    pieces: tuple[Piece, ...]
    action: str = ""
    argument: str = ""


def _title(text: str) -> Line:
    return Line(((text, "strong"),))


def _pair(name: str, value: str, action: str = "", argument: str = "", style: str = "") -> Line:
    return Line(((f" {name:<10} ", "muted"), (visible(value), style)), action, argument)


def step_lines(preview: Preview, classes: Classes, step: Step) -> list[Line]:
    """All there is to say of a step."""
    solved = preview.steps.get(step.label)
    lines = [
        _pair("Label", step.label, "relabel", style="accent"),
        _pair("Class", step.use.class_ref, "swap"),
        _pair("Instance", step.use.instance_id, "swap"),
    ]
    if solved:
        lines.append(_pair("Status", solved.instance.status.value))
    else:
        lines.append(Line(((" there is no such class or instance", "error"),), "swap"))
    lines += [_title("Inputs"), *_input_lines(preview, classes, step)]
    lines += [_title("Answer"), _pair("as written", solved.raw_answer if solved else "?")]
    part = next((each for each in preview.parts if each.label == step.label), None)
    changes = part.changes if part and part.changes else [(each, "?") for each in step.augment]
    for place, (name, result) in enumerate(changes):
        lines.append(_pair(f"{place + 1} {name}", result, "augment", str(place)))
    if not changes:
        lines.append(Line(((" no augmentation", "muted"),), "augment", ""))
    lines.append(_pair("final", solved.answer if solved else "?", style="strong"))
    lines += [_title("Feeds"), *_feed_lines(preview, step)]
    return lines


def _input_lines(preview: Preview, classes: Classes, step: Step) -> list[Line]:
    from relaybench.composing.wiring import slots_of

    solved = preview.steps.get(step.label)
    data = solved.instance.data if solved else {}
    slots = dict.fromkeys((*slots_of(step, classes), *step.inputs))
    lines = []
    for slot in slots:
        source, own = step.inputs.get(slot), data.get(slot)
        if source is None:
            lines.append(
                _pair(slot, f"own  {own!r}" if own is not None else "own  -", "bind", slot)
            )
            continue
        feeding = preview.steps.get(source)
        given = feeding.answer if feeding else None
        fits = feeding is not None and given == own
        shown = f"← {source}  {given!r}" if given is not None else f"← {source}  ?"
        lines.append(_pair(slot, shown, "bind", slot, "accent" if fits else "error"))
        if not fits and given is not None:
            lines.append(Line(((f"   ! made for {visible(repr(own))}", "error"),), "bind", slot))
    return lines or [Line(((" takes none", "muted"),))]


def _feed_lines(preview: Preview, step: Step) -> list[Line]:
    composite = preview.composite
    lines = [
        Line(((f" {visible(other.label)}.{visible(slot)}", ""),), "go", key)
        for other, key in zip(composite.steps, step_keys(composite), strict=True)
        for slot, source in other.inputs.items()
        if source == step.label
    ]
    labels = composite.answer_labels
    if step.label in labels:
        place = f" the final answer, part {labels.index(step.label) + 1} of {len(labels)}"
        lines.append(Line(((place, ""),), "go", StageName.ANSWER.value))
    return lines or [Line(((" nothing yet", "error"),))]


def setting_lines(preview: Preview) -> list[Line]:
    """What is put around the steps and asked of them: the settings of the composite."""
    composite, bloat, encoding = (
        preview.composite,
        preview.composite.bloat,
        preview.composite.encoding,
    )
    answer = ", ".join(composite.answer) if composite.answer else "all steps, as listed"
    return [
        _title("Composite"),
        _pair("Title", composite.title or "-", "set", "title"),
        _pair("Style", composite.style, "set", "style"),
        _title("Bloat"),
        _pair("Characters", f"{bloat.characters:,}" if bloat else "off", "set", "bloat"),
        _pair("Seed", str(bloat.seed) if bloat else "-", "set", "bloat-seed"),
        _title("Encoding"),
        _pair("Seed", str(encoding.seed) if encoding else "off, plain text", "set", "encoding"),
        _pair("Twin share", f"{encoding.twin_share:g}" if encoding else "-", "set", "twin-share"),
        _title("Final answer"),
        _pair("Labels", answer, "set", "answer"),
        _pair("Separator", repr(composite.separator), "set", "separator"),
        _pair("Key", preview.key if preview.key is not None else "?", style="strong"),
    ]


#: At which line of the settings the cursor goes for a stage.
SETTING_LINE = {
    StageName.COMPOSITE.value: 1,
    StageName.BLOAT.value: 4,
    StageName.ENCODING.value: 7,
    StageName.ANSWER.value: 10,
}


class Inspector(LinesView):
    """Lines of the inspector; Enter, or a click on the line that has the cursor, changes it."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lines: Sequence[Line] = ()
        self._about = ""

    @property
    def line_count(self) -> int:
        """How many lines there are."""
        return len(self._lines)

    @property
    def line(self) -> Line | None:
        """The line that has the cursor."""
        return self._lines[self.cursor] if self._lines else None

    @property
    def line_width(self) -> int:
        """Cells of the widest line, so that long answers can be scrolled to."""
        from rich.cells import cell_len

        widths = (sum(cell_len(text) for text, _ in line.pieces) for line in self._lines)
        return max(widths, default=0)

    def show(self, lines: Sequence[Line], about: str, at: int = 0) -> None:
        """Show other lines; the cursor stays while they are ``about`` the same box."""
        if lines == self._lines and about == self._about:
            return
        self._lines = lines
        if about != self._about:
            self.cursor, self._about = at, about
        self.lines_changed()

    def line_at(self, number: int) -> list[Piece]:
        """What is on a line."""
        return list(self._lines[number].pieces)
