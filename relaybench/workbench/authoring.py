"""Write problems: check them, look at the exact prompt, choose what to run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from relaybench.composing.freeze import freeze, freeze_single
from relaybench.composing.lint import lint
from relaybench.composing.style import Style, load_style
from relaybench.domain.errors import ProblemError, UnknownNameError
from relaybench.domain.finding import Fault, Finding, Severity
from relaybench.domain.item import Item
from relaybench.domain.problem import Composite, ProblemClass, Status, Variant
from relaybench.library.load import Library, LoadedComposite, shown_path
from relaybench.library.save import class_data, save
from relaybench.workbench.workspace import Workspace

#: Prefix of targets that are single subproblems: ``library:math/definite-integral``.
SINGLE_PREFIX = "library:"


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What ``check`` found. ``files`` counts the problem files looked at."""

    findings: tuple[Finding, ...]
    files: int
    classes: int
    instances: int
    composites: int

    def by_file(self) -> dict[str, list[Finding]]:
        """Findings grouped by file, in the order of files and lines."""
        grouped: dict[str, list[Finding]] = {}
        for finding in self.findings:
            grouped.setdefault(finding.file, []).append(finding)
        return grouped


class Styles:
    """Wordings of a workspace, each read once; a style that cannot be read is remembered too."""

    def __init__(self, workspace: Workspace) -> None:
        self._folder = workspace.styles
        self._read: dict[str, Style | ProblemError] = {}

    def get(self, name: str) -> Style | ProblemError:
        """The style, or why there is none."""
        if name not in self._read:
            try:
                self._read[name] = load_style(name, self._folder)
            except ProblemError as error:
                self._read[name] = error
        return self._read[name]


def _lint_all(library: Library, styles: Styles) -> dict[str, list[Finding]]:
    """Findings of every composite, by its name, those of its own file included."""
    classes = library.problems()
    found: dict[str, list[Finding]] = {}
    for ref, loaded in library.composites.items():
        own = [each for each in library.findings if each.file == loaded.source.shown]
        style = styles.get(loaded.composite.style)
        faults = lint(loaded.composite, classes, style if isinstance(style, Style) else None)
        if isinstance(style, ProblemError):
            faults = [_with_reason(fault, style) for fault in faults]
        found[ref] = own + loaded.source.place(faults)
    return found


def _with_reason(fault: Fault, error: ProblemError) -> Fault:
    if fault.code != "unknown-style":
        return fault
    return Fault(fault.path, fault.code, str(error), fault.mend)


def clean_composites(library: Library, styles: Styles) -> Iterator[Composite]:
    """Composites that could be run as they are."""
    for ref, findings in _lint_all(library, styles).items():
        loaded = library.composites[ref]
        if not _errors(findings) and not _class_errors(library, loaded):
            yield loaded.composite


def check(workspace: Workspace, paths: Sequence[Path] = ()) -> CheckReport:
    """Judge every problem file, or only those in ``paths`` (files or folders).

    Files elsewhere are still read, since composites need their classes; one broken file never
    hides the findings of the others.
    """
    library = workspace.library()
    findings = list(library.findings)
    for loaded_findings in _lint_all(library, Styles(workspace)).values():
        findings += loaded_findings
    wanted = _wanted_files(workspace, library, paths) if paths else set(library.files)
    kept = sorted({each for each in findings if each.file in wanted})
    return CheckReport(
        tuple(kept),
        files=len(wanted),
        classes=sum(each.source.shown in wanted for each in library.classes.values()),
        instances=sum(
            len(each.problem.instances)
            for each in library.classes.values()
            if each.source.shown in wanted
        ),
        composites=sum(each.source.shown in wanted for each in library.composites.values()),
    )


def _wanted_files(workspace: Workspace, library: Library, paths: Sequence[Path]) -> set[str]:
    wanted: set[str] = set()
    for path in paths:
        if not path.exists():
            raise UnknownNameError(f"there is no file or folder {path}")
        target = path.absolute()
        found = {
            file
            for file in library.files
            if (full := (workspace.root / file).absolute()) == target or target in full.parents
        }
        if not found:
            raise UnknownNameError(
                f"{path} holds no problem file of the workspace {workspace.root}; problem files "
                "are problems/library/DOMAIN/CLASS.toml and problems/sets/SET/COMPOSITE.toml"
            )
        wanted |= found
    return wanted


@dataclass(frozen=True, slots=True)
class Selection:
    """Items chosen for a run. ``same_text`` counts variants that turned out to be one text."""

    items: tuple[Item, ...]
    same_text: int = 0


def select(
    workspace: Workspace,
    targets: Sequence[str],
    variants: Sequence[Variant] = (Variant.AS_WRITTEN,),
) -> Selection:
    """Freeze the items that targets name: sets, composites, or ``library:`` subproblems.

    Raises UnknownNameError for a target that names nothing, and ProblemError with all findings
    where a chosen problem has an error: nothing broken is ever sent.
    """
    library = workspace.library()
    chosen: dict[str, Item] = {}
    findings: list[Finding] = []
    frozen = 0
    styles = Styles(workspace)
    linted: dict[str, list[Finding]] | None = None
    for target in targets:
        if target.startswith(SINGLE_PREFIX):
            items, bad = _singles(library, styles, target)
        else:
            linted = _lint_all(library, styles) if linted is None else linted
            items, bad = _composites(library, styles, linted, target, variants)
        findings += bad
        frozen += len(items)
        for item in items:
            chosen.setdefault(item.digest, item)
    if findings:
        raise ProblemError(
            "these problems cannot be run as they are", tuple(dict.fromkeys(findings))
        )
    return Selection(tuple(chosen.values()), frozen - len(chosen))


def _errors(findings: Sequence[Finding]) -> list[Finding]:
    return [each for each in findings if each.severity is Severity.ERROR]


def _composites(
    library: Library,
    styles: Styles,
    linted: Mapping[str, list[Finding]],
    target: str,
    variants: Sequence[Variant],
) -> tuple[list[Item], list[Finding]]:
    classes = library.problems()
    items: list[Item] = []
    bad: list[Finding] = []
    for loaded in find_composites(library, target):
        composite = loaded.composite
        errors = _errors(linted[composite.ref]) + _class_errors(library, loaded)
        style = styles.get(composite.style)
        if errors or isinstance(style, ProblemError):
            bad += errors
            continue
        items += [freeze(composite, classes, style, variant) for variant in variants]
    return items, bad


def _class_errors(library: Library, loaded: LoadedComposite) -> list[Finding]:
    """Errors in the files of the classes that a composite uses."""
    files = {
        library.classes[step.use.class_ref].source.shown
        for step in loaded.composite.steps
        if step.use.class_ref in library.classes
    }
    return [each for each in _errors(library.findings) if each.file in files]


def find_composites(library: Library, target: str) -> list[LoadedComposite]:
    """The composites that ``SET`` or ``SET/COMPOSITE`` names; raises UnknownNameError."""
    sets = library.sets()
    if target in sets:
        return [library.composites[ref] for ref in sets[target]]
    if target in library.composites:
        return [library.composites[target]]
    broken = [each for each in library.files if each.endswith(f"sets/{target}.toml")]
    if broken:
        raise ProblemError(
            f"{target} cannot be read",
            [each for each in library.findings if each.file in broken],
        )
    known = ", ".join(sets) or "none yet"
    inside = sets.get(target.split("/")[0])
    if inside:
        known = ", ".join(inside)
    raise UnknownNameError(
        f"no set or composite is called {target!r}; there are: {known}. Single subproblems are "
        f"written {SINGLE_PREFIX}domain/class or {SINGLE_PREFIX}domain/class:instance"
    )


def _singles(library: Library, styles: Styles, target: str) -> tuple[list[Item], list[Finding]]:
    name, colon, instance_id = target.removeprefix(SINGLE_PREFIX).partition(":")
    refs = [ref for ref in sorted(library.classes) if name in ("", ref, ref.split("/")[0])]
    if not refs:
        raise UnknownNameError(
            f"{target!r} names no class; there are: {', '.join(sorted(library.classes))}"
        )
    style = styles.get("standard")
    if isinstance(style, ProblemError):
        raise style
    items: list[Item] = []
    bad: list[Finding] = []
    for ref in refs:
        loaded = library.classes[ref]
        bad += [each for each in _errors(library.findings) if each.file == loaded.source.shown]
        if bad:
            continue
        items += _single_items(loaded.problem, instance_id if colon else None, style)
    return items, bad


def _single_items(problem: ProblemClass, instance_id: str | None, style: Style) -> list[Item]:
    if instance_id is not None:
        instance = problem.instance(instance_id)
        if instance is None:
            known = ", ".join(each.id for each in problem.instances)
            raise UnknownNameError(f"{problem.ref} has no instance {instance_id!r}; it has {known}")
        return [freeze_single(problem, instance, style)]
    return [
        freeze_single(problem, instance, style)
        for instance in problem.instances
        if instance.status is not Status.RETIRED
    ]


def show(workspace: Workspace, target: str, variant: Variant) -> Item:
    """The item of exactly one composite or subproblem, as it would be sent."""
    items = select(workspace, [target], [variant]).items
    if len(items) != 1:
        names = ", ".join(item.ref for item in items)
        raise UnknownNameError(f"{target!r} names {len(items)} items; name one of: {names}")
    return items[0]


def set_answer(workspace: Workspace, target: str, answer: str) -> tuple[str, str]:
    """Correct the answer of ``domain/class:instance`` in its file; returns file and old answer.

    Comments, order and unknown keys of the file stay. Raises UnknownNameError, StaleFileError.
    """
    library = workspace.library()
    name, _, instance_id = target.removeprefix(SINGLE_PREFIX).partition(":")
    loaded = library.classes.get(name)
    if loaded is None:
        raise UnknownNameError(
            f"no class is called {name!r}; there are: {', '.join(sorted(library.classes))}"
        )
    if loaded.problem.instance(instance_id) is None:
        known = ", ".join(each.id for each in loaded.problem.instances)
        raise UnknownNameError(f"{name} has no instance {instance_id!r}; it has {known}")
    data = class_data(loaded.problem)
    old = ""
    for entry in data["instances"]:
        if entry["id"] == instance_id:
            old, entry["answer"] = entry["answer"], answer
    save(loaded.source, {"instances": data["instances"]})
    return shown_path(loaded.source.path, workspace.root), old
