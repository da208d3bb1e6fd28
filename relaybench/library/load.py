"""Load every problem file of a workspace; a broken one never hides the healthy ones."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from relaybench.domain.finding import Fault, Finding
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


def _toml_files(folder: Path) -> Iterator[Path]:
    if folder.is_dir():
        yield from sorted(path for path in folder.glob("*/*.toml") if path.is_file())


def shown_path(path: Path, root: Path) -> str:
    """Path as the user would type it: relative to the workspace where it lies inside."""
    return os.fspath(path.relative_to(root) if path.is_relative_to(root) else path)


def load_library(root: Path) -> Library:
    """Load ``problems/`` of the workspace at ``root``, public and private.

    Never raises for what a file holds: that becomes findings.
    """
    library = Library()
    for folder, private in ((root / "problems", False), (root / "problems" / "private", True)):
        for path in _toml_files(folder / "library"):
            _load_class(library, path, root, private)
        for path in _toml_files(folder / "sets"):
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
        library.findings += source.place([_duplicate("class", problem.ref, first.source.shown)])
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
            [_duplicate("composite", composite.ref, first.source.shown)]
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


def _duplicate(what: str, ref: str, first: str) -> Fault:
    return Fault(
        ("id",),
        "duplicate-id",
        f"another {what} is called {ref!r}: {first}",
        "rename one of the two files and its id",
    )
