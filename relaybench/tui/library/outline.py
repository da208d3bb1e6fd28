"""What the tree of the library shows: domains, classes, instances, with counts and marks.

Rows are made from values alone and only for what is unfolded, so that thousands of instances cost
nothing until somebody looks at them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from relaybench.domain.finding import Finding, Severity
from relaybench.domain.problem import Domain, ProblemClass

if TYPE_CHECKING:
    from relaybench.library.load import Library
    from relaybench.tui.library.open_class import OpenClass


class Kind(StrEnum):
    """What a row of the tree stands for."""

    DOMAIN = "domain"
    CLASS = "class"
    INSTANCE = "instance"
    BROKEN = "broken"  # a file that cannot be read as a class


@dataclass(frozen=True, slots=True)
class Marks:
    """How many errors and warnings there are."""

    errors: int = 0
    warnings: int = 0

    def __add__(self, other: Marks) -> Marks:
        """Both together."""
        return Marks(self.errors + other.errors, self.warnings + other.warnings)

    @property
    def text(self) -> str:
        """As ``✗2 !1``; empty for none."""
        errors = f"✗{self.errors}" if self.errors else ""
        warnings = f"!{self.warnings}" if self.warnings else ""
        return " ".join(each for each in (errors, warnings) if each)


def marks_of(findings: Iterable[Finding]) -> Marks:
    """Count findings."""
    severities = [each.severity for each in findings]
    errors = severities.count(Severity.ERROR)
    return Marks(errors, len(severities) - errors)


@dataclass(frozen=True, slots=True)
class Entry:
    """A class file of the library. ``problem`` is None for one that cannot be read."""

    path: Path
    shown: str
    domain: str
    name: str
    problem: ProblemClass | None
    private: bool = False
    changed: bool = False
    marks: Marks = Marks()


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the tree. ``open`` is None where there is nothing to unfold."""

    kind: Kind
    name: str
    depth: int
    count: int = 0
    open: bool | None = None
    marks: Marks = Marks()
    private: bool = False
    changed: bool = False
    retired: bool = False
    title: str = ""
    path: Path | None = None
    instance: int | None = None

    def same_as(self, other: Row) -> bool:
        """Whether both stand for the same thing, in one listing and the next."""
        if self.instance != other.instance or self.path != other.path:
            return False
        return self.path is not None or self.name == other.name


def entries(
    library: Library,
    findings: Mapping[str, Sequence[Finding]],
    opened: Mapping[Path, OpenClass],
    judged: Mapping[Path, Marks],
) -> list[Entry]:
    """All class files, those that are new and unsaved included, by domain and name.

    ``findings`` are those of the files by their shown names; ``judged`` are the marks of classes
    that were judged as they are being edited.
    """
    found: dict[Path, Entry] = {}
    for loaded in library.classes.values():
        source, problem = loaded.source, loaded.problem
        marks = marks_of(findings.get(source.shown, ()))
        found[source.path] = Entry(
            source.path, source.shown, problem.domain.value, problem.id, problem,
            loaded.private, marks=marks,
        )  # fmt: skip
    for path, each in opened.items():
        marks = judged.get(path) or (found[path].marks if path in found else Marks())
        problem = each.value
        found[path] = Entry(
            path, each.file.shown, problem.domain.value, problem.id, problem,
            each.file.private, each.changed, marks,
        )  # fmt: skip
    known = {each.shown for each in found.values()}
    for shown in library.files:
        parts = Path(shown).parts
        if shown in known or parts[-3:-2] != ("library",):
            continue
        path = Path(shown)
        marks = marks_of(findings.get(shown, ()))
        found[path] = Entry(
            path, shown, parts[-2], path.name, None, "private" in parts, marks=marks
        )
    order = [each.value for each in Domain]
    return sorted(
        found.values(),
        key=lambda each: (
            order.index(each.domain) if each.domain in order else len(order),
            each.domain,
            each.name,
            each.private,
        ),
    )


def rows(listed: Sequence[Entry], unfolded: Collection[str | Path], words: str = "") -> list[Row]:
    """The lines of the tree; ``unfolded`` names domains and files that are open.

    With ``words`` only what has all of them in its name or title, unfolded as far as it takes to
    see why.
    """
    wanted = words.casefold().split()
    lines: list[Row] = []
    for domain in dict.fromkeys(each.domain for each in listed):
        inside = [each for each in listed if each.domain == domain]
        shown = [line for each in inside for line in _class_rows(each, unfolded, wanted)]
        if wanted and not shown:
            continue
        is_open = bool(wanted) or domain in unfolded
        marks = sum((each.marks for each in inside), Marks())
        lines.append(Row(Kind.DOMAIN, domain, 0, len(inside), is_open, marks))
        if is_open:
            lines += shown
    return lines


def _class_rows(
    entry: Entry, unfolded: Collection[str | Path], wanted: Sequence[str]
) -> Iterator[Row]:
    problem = entry.problem
    if problem is None:
        if _fits(f"{entry.domain}/{entry.name}", wanted):
            yield Row(
                Kind.BROKEN, entry.name, 1, marks=entry.marks, private=entry.private,
                path=entry.path,
            )  # fmt: skip
        return
    whole = _fits(f"{entry.domain}/{entry.name} {problem.title}", wanted)
    fitting = range(len(problem.instances))
    if wanted and not whole:
        label = f"{entry.domain}/{entry.name} {problem.title} "
        chosen = [n for n in fitting if _fits(label + problem.instances[n].id, wanted)]
        if not chosen:
            return
    else:
        chosen = list(fitting)
    is_open = entry.path in unfolded or (bool(wanted) and not whole)
    yield Row(
        Kind.CLASS, entry.name, 1, len(problem.instances), is_open if chosen else None,
        entry.marks, entry.private, entry.changed, title=problem.title, path=entry.path,
    )  # fmt: skip
    if is_open:
        for number in chosen:
            instance = problem.instances[number]
            yield Row(
                Kind.INSTANCE, instance.id or "(no id)", 2, path=entry.path, instance=number,
                retired=instance.status.value == "retired", title=instance.status.value,
            )  # fmt: skip


def _fits(text: str, wanted: Sequence[str]) -> bool:
    folded = text.casefold()
    return all(word in folded for word in wanted)
