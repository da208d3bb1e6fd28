"""Load every problem file of a workspace; a broken one never hides the healthy ones."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from relaybench.domain.finding import Fault, Finding, Severity
from relaybench.domain.problem import Composite, ProblemClass
from relaybench.library.reading import read_class, read_composite
from relaybench.toml_files.source import SourceFile, read_source


@dataclass(frozen=True, slots=True)
class LoadedClass:
    """A class and the file it came from."""

    problem: ProblemClass
    source: SourceFile
    private: bool


@dataclass(frozen=True, slots=True)
class LoadedComposite:
    """A composite and the file it came from."""

    composite: Composite
    source: SourceFile
    private: bool


@dataclass(slots=True)
class Library:
    """All problems of a workspace, by name, and what is wrong with their files."""

    classes: dict[str, LoadedClass] = field(default_factory=dict)
    composites: dict[str, LoadedComposite] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    files: list[str] = field(default_factory=list)

    def problems(self) -> dict[str, ProblemClass]:
        """The classes as plain values, by ``domain/class``."""
        return {ref: loaded.problem for ref, loaded in self.classes.items()}

    def sets(self) -> dict[str, list[str]]:
        """Names of the sets, each with its composites' names, both sorted."""
        found: dict[str, list[str]] = {}
        for ref in sorted(self.composites):
            found.setdefault(self.composites[ref].composite.set_name, []).append(ref)
        return found


@dataclass(frozen=True, slots=True)
class _Place:
    """A folder of problem files and how a path inside it should look."""

    folder: Path
    form: str
    root: Path


def _entries(library: Library, folder: Path, root: Path) -> list[Path]:
    """What a folder holds, by name; hidden files are an editor's or a system's, never ours."""
    try:
        return sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError as error:
        shown = shown_path(folder, root)
        library.files.append(shown)
        library.findings.append(
            Finding(
                shown,
                0,
                "",
                "unreadable",
                f"the folder cannot be read: {error.strerror}",
                "check its permissions",
            )
        )
        return []


def _toml_files(library: Library, place: _Place) -> list[Path]:
    """Problem files where they belong; those elsewhere are warned of, since nothing reads them."""
    files: list[Path] = []
    if not place.folder.is_dir():
        return files
    for outer in _entries(library, place.folder, place.root):
        if not outer.is_dir():
            _warn_misplaced(library, place, outer)
            continue
        for path in _entries(library, outer, place.root):
            if path.suffix == ".toml":
                files.append(path)
            elif path.is_dir() and not path.is_symlink():
                for inner in sorted(path.rglob("*.toml")):
                    _warn_misplaced(library, place, inner)
            else:
                _warn_misplaced(library, place, path)
    return files


def _warn_misplaced(library: Library, place: _Place, path: Path) -> None:
    if path.suffix.lower() != ".toml" or any(
        part.startswith(".") for part in path.relative_to(place.folder).parts
    ):
        return
    shown = shown_path(path, place.root)
    library.files.append(shown)
    library.findings.append(
        Finding(
            shown,
            0,
            "",
            "misplaced",
            "this file is not read, because of where it lies or how its name is written",
            f"problem files are {shown_path(place.folder, place.root)}/{place.form}",
            Severity.WARNING,
        )
    )


def shown_path(path: Path, root: Path) -> str:
    """Path as the user would type it: relative to the workspace where it lies inside."""
    return os.fspath(path.relative_to(root) if path.is_relative_to(root) else path)


def load_library(root: Path) -> Library:
    """Load ``problems/`` of the workspace at ``root``, public and private.

    Never raises for what a file holds: that becomes findings.
    """
    library = Library()
    for folder, private in ((root / "problems", False), (root / "problems" / "private", True)):
        place = _Place(folder / "library", "DOMAIN/CLASS.toml", root)
        for path in _toml_files(library, place):
            _load_class(library, path, root, private)
        place = _Place(folder / "sets", "SET/COMPOSITE.toml", root)
        for path in _toml_files(library, place):
            _load_composite(library, path, root, private)
    return library


def _load_class(library: Library, path: Path, root: Path, private: bool) -> None:
    source = _open(library, path, root)
    if source is None:
        return
    problem, faults = read_class(source)
    library.findings += source.place(faults)
    if problem is None:
        return
    first = library.classes.get(problem.ref)
    if first:
        library.findings += source.place(
            [duplicate_fault("class", problem.ref, first.source.shown)]
        )
        return
    library.classes[problem.ref] = LoadedClass(problem, source, private)


def _load_composite(library: Library, path: Path, root: Path, private: bool) -> None:
    source = _open(library, path, root)
    if source is None:
        return
    composite, faults = read_composite(source, path.parent.name)
    library.findings += source.place(faults)
    first = library.composites.get(composite.ref)
    if first:
        library.findings += source.place(
            [duplicate_fault("composite", composite.ref, first.source.shown)]
        )
        return
    library.composites[composite.ref] = LoadedComposite(composite, source, private)


def _open(library: Library, path: Path, root: Path) -> SourceFile | None:
    shown = shown_path(path, root)
    library.files.append(shown)
    source = read_source(path, shown)
    if isinstance(source, Finding):
        library.findings.append(source)
        return None
    return source


def duplicate_fault(what: str, ref: str, first: str) -> Fault:
    """What is wrong with a class or composite whose name the file shown as ``first`` has."""
    return Fault(
        ("id",),
        "duplicate-id",
        f"another {what} is called {ref!r}: {first}",
        "rename one of the two files and its id",
    )
