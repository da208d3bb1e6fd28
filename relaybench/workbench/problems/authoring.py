"""Write problems: check them, correct them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from relaybench.composing.lint import lint
from relaybench.composing.solve import Classes
from relaybench.composing.style import Style, load_style
from relaybench.domain.answer_rules import unfit_form
from relaybench.domain.errors import ProblemError, UnknownNameError, UsageError
from relaybench.domain.finding import Fault, Finding, Severity
from relaybench.domain.problem import Composite, Instance
from relaybench.library.load import Library, LoadedClass, LoadedComposite, shown_path
from relaybench.library.save import class_data, save
from relaybench.workbench.workspace import Workspace


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


def lint_all(library: Library, styles: Styles) -> dict[str, list[Finding]]:
    """Findings of every composite, by its name, those of its own file included."""
    classes = library.problems()
    found: dict[str, list[Finding]] = {}
    for ref, loaded in library.composites.items():
        own = [each for each in library.findings if each.file == loaded.source.shown]
        found[ref] = own + lint_loaded(loaded, classes, styles)
    return found


def lint_loaded(loaded: LoadedComposite, classes: Classes, styles: Styles) -> list[Finding]:
    """What one composite and the classes it uses show together, without its file's own findings."""
    style = styles.get(loaded.composite.style)
    faults = lint(loaded.composite, classes, style if isinstance(style, Style) else None)
    if isinstance(style, ProblemError):
        faults = [_with_reason(fault, style) for fault in faults]
    return loaded.source.place(faults)


def _with_reason(fault: Fault, error: ProblemError) -> Fault:
    if fault.code != "unknown-style":
        return fault
    return Fault(fault.path, fault.code, str(error), fault.mend)


def findings_of(library: Library, loaded: LoadedComposite, own: Sequence[Finding]) -> list[Finding]:
    """Findings of a composite, its own given, and of the files of the classes that it uses."""
    files = {
        library.classes[step.use.class_ref].source.shown
        for step in loaded.composite.steps
        if step.use.class_ref in library.classes
    }
    return [*own, *(each for each in library.findings if each.file in files)]


def errors(findings: Sequence[Finding]) -> list[Finding]:
    """Those findings that keep a problem from being run."""
    return [each for each in findings if each.severity is Severity.ERROR]


def clean_composites(library: Library, styles: Styles) -> Iterator[Composite]:
    """Composites that could be run as they are."""
    for ref, findings in lint_all(library, styles).items():
        loaded = library.composites[ref]
        if not errors(findings_of(library, loaded, findings)):
            yield loaded.composite


def check(workspace: Workspace, paths: Sequence[Path] = ()) -> CheckReport:
    """Judge every problem file, or only those in ``paths`` (files or folders).

    Files elsewhere are still read, since composites need their classes; one broken file never
    hides the findings of the others.
    """
    library = workspace.library()
    findings = list(library.findings)
    for loaded_findings in lint_all(library, Styles(workspace)).values():
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


def _existing(workspace: Workspace, path: Path) -> Path:
    """A path from the current folder, or else from the workspace, with every link followed."""
    for place in (path, workspace.root / path):
        if place.exists():
            return place.resolve()
    raise UnknownNameError(f"there is no file or folder {path}")


def _wanted_files(workspace: Workspace, library: Library, paths: Sequence[Path]) -> set[str]:
    wanted: set[str] = set()
    for path in paths:
        target = _existing(workspace, path)
        found = {
            file
            for file in library.files
            if (full := (workspace.root / file).resolve()) == target or target in full.parents
        }
        if not found:
            raise UnknownNameError(
                f"{path} holds no problem file of the workspace {workspace.root}; problem files "
                "are problems/library/DOMAIN/CLASS.toml and problems/sets/SET/COMPOSITE.toml"
            )
        wanted |= found
    return wanted


def find_class(library: Library, name: str) -> LoadedClass:
    """The class of that name; raises UnknownNameError, ProblemError where its file is broken."""
    if name in library.classes:
        return library.classes[name]
    broken = [each for each in library.files if each.endswith(f"library/{name}.toml")]
    if broken:
        raise ProblemError(
            f"{name} cannot be read", [each for each in library.findings if each.file in broken]
        )
    raise UnknownNameError(
        f"no class is called {name!r}; there are: {', '.join(sorted(library.classes)) or 'none'}"
    )


def find_instance(library: Library, target: str) -> tuple[LoadedClass, Instance]:
    """The instance that ``domain/class:instance`` names; raises as ``find_class`` does."""
    name, _, instance_id = target.removeprefix("library:").partition(":")
    loaded = find_class(library, name)
    instance = loaded.problem.instance(instance_id)
    if instance is None:
        known = ", ".join(each.id for each in loaded.problem.instances)
        raise UnknownNameError(f"{name} has no instance {instance_id!r}; it has {known or 'none'}")
    return loaded, instance


def set_answer(workspace: Workspace, target: str, answer: str) -> tuple[str, str]:
    """Correct the answer of ``domain/class:instance`` in its file; returns file and old answer.

    Comments, order and unknown keys of the file stay. Raises UnknownNameError, StaleFileError.
    """
    loaded, instance = find_instance(workspace.library(), target)
    reason = unfit_form(answer) if answer else "is empty"
    if reason:
        raise UsageError(f"the answer {reason}; nothing was changed")
    data = class_data(loaded.problem)
    for entry in data["instances"]:
        if entry["id"] == instance.id:
            entry["answer"] = answer
    save(loaded.source, {"instances": data["instances"]})
    return shown_path(loaded.source.path, workspace.root), instance.answer
