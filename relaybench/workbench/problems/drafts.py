"""Problems that are being edited and not saved yet.

A draft is a value with the file it was read from, if there is one. Here is its text as it would
be saved; ``overlay`` judges it beside the rest of the library, ``saving`` writes it and keeps a
recovery file while it is unsaved.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from relaybench.domain.errors import ProblemError
from relaybench.domain.problem import Composite, ProblemClass

# What reads and writes files is loaded when it is needed: screens hold drafts from their start.
if TYPE_CHECKING:
    from relaybench.library.load import LoadedClass, LoadedComposite
    from relaybench.toml_files.source import SourceFile
    from relaybench.workbench.workspace import Workspace


@dataclass(frozen=True, slots=True)
class DraftFile:
    """Where a draft is kept. ``source`` is the file as it was read; None: it is yet to be made."""

    path: Path
    shown: str
    private: bool
    source: SourceFile | None = None


@dataclass(frozen=True, slots=True)
class ClassDraft:
    """A class as it is being edited."""

    problem: ProblemClass
    file: DraftFile

    @property
    def ref(self) -> str:
        """The class's name, ``domain/class``."""
        return self.problem.ref

    def data(self) -> dict[str, Any]:
        """The class as its file would hold it."""
        from relaybench.library.save import class_data

        return class_data(self.problem)


@dataclass(frozen=True, slots=True)
class CompositeDraft:
    """A composite as it is being edited."""

    composite: Composite
    file: DraftFile

    @property
    def ref(self) -> str:
        """The composite's name, ``set/composite``."""
        return self.composite.ref

    def data(self) -> dict[str, Any]:
        """The composite as its file would hold it."""
        from relaybench.library.save import composite_data

        return composite_data(self.composite)


Draft = ClassDraft | CompositeDraft
AnyDraft = TypeVar("AnyDraft", ClassDraft, CompositeDraft)


def class_draft(loaded: LoadedClass) -> ClassDraft:
    """Begin to edit a class that was read from a file."""
    return ClassDraft(loaded.problem, _file_of(loaded))


def composite_draft(loaded: LoadedComposite) -> CompositeDraft:
    """Begin to edit a composite that was read from a file."""
    return CompositeDraft(loaded.composite, _file_of(loaded))


def _file_of(loaded: LoadedClass | LoadedComposite) -> DraftFile:
    return DraftFile(loaded.source.path, loaded.source.shown, loaded.private, loaded.source)


def new_class_draft(
    workspace: Workspace, problem: ProblemClass, *, private: bool = False
) -> ClassDraft:
    """Begin a class that has no file yet; its file is named after its domain and its id."""
    return ClassDraft(problem, _new_file(workspace, "library", problem.ref, private))


def new_composite_draft(
    workspace: Workspace, composite: Composite, *, private: bool = False
) -> CompositeDraft:
    """Begin a composite that has no file yet; its file is named after its set and its id."""
    return CompositeDraft(composite, _new_file(workspace, "sets", composite.ref, private))


def _new_file(workspace: Workspace, folder: str, ref: str, private: bool) -> DraftFile:
    from relaybench.library.load import shown_path

    problems = workspace.root / "problems"
    path = (problems / "private" if private else problems) / folder / f"{ref}.toml"
    return DraftFile(path, shown_path(path, workspace.root), private)


def draft_text(draft: Draft) -> str:
    """The text of the draft's file as it would be if it were saved now.

    Comments, order and unknown keys of the file stay. Raises ProblemError where the change cannot
    be made in this file without doing damage.
    """
    from relaybench.library.save import new_text, preview

    source = draft.file.source
    return new_text(draft.data()) if source is None else preview(source, draft.data())


def reread(draft: AnyDraft, source: SourceFile) -> AnyDraft:
    """The draft as the text of its file says, with nothing changed since."""
    from relaybench.library.reading import read_class, read_composite

    file = replace(draft.file, source=source)
    if isinstance(draft, CompositeDraft):
        composite, _ = read_composite(source, source.path.parent.name)
        return replace(draft, composite=composite, file=file)
    problem, _ = read_class(source)
    if problem is None:
        raise ProblemError(f"{file.shown} names no domain and does not lie in the folder of one")
    return replace(draft, problem=problem, file=file)
