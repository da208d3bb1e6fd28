"""What ``check`` would find if drafts were saved now: judged on a copy of the library.

The copy has each draft's text in place of its file, read as the loader would read it, so that
lines, keys and names that are taken twice are those that the author would be told of after saving.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import TypeVar

from relaybench.domain.errors import ProblemError
from relaybench.domain.finding import Finding
from relaybench.library.load import Library, LoadedClass, LoadedComposite, duplicate_fault
from relaybench.library.reading import read_class, read_composite
from relaybench.toml_files.source import SourceFile, parse_source
from relaybench.workbench.problems.authoring import Styles, lint_loaded
from relaybench.workbench.problems.drafts import ClassDraft, CompositeDraft, Draft, draft_text

Loaded = TypeVar("Loaded", LoadedClass, LoadedComposite)


def judge(
    library: Library, styles: Styles, draft: Draft, others: Iterable[Draft] = ()
) -> list[Finding]:
    """What ``check`` would find in the draft's file if it and ``others`` were saved now.

    For a class also what it would find in the composites that use it. Where the text cannot be
    made at all, that is the one finding. ``others`` whose text cannot be made are left out.
    """
    try:
        after = overlaid(with_drafts(library, others), [draft])
    except ProblemError as error:
        if error.findings:
            return sorted(error.findings)
        return [
            Finding(draft.file.shown, 0, "", "cannot-save", str(error), "mend the file by hand")
        ]
    return findings_about(after, styles, draft)


def with_drafts(library: Library, drafts: Iterable[Draft]) -> Library:
    """The library as it would be read if the drafts were saved now.

    A draft whose text cannot be made, or cannot be read, leaves its file as it is.
    """
    for draft in drafts:
        with contextlib.suppress(ProblemError):
            library = overlaid(library, [draft])
    return library


def findings_about(library: Library, styles: Styles, draft: Draft) -> list[Finding]:
    """Findings that concern a draft, in a library that it has been put into; see ``judge``."""
    found = {each for each in library.findings if each.file == draft.file.shown}
    classes = library.problems()
    for loaded in library.composites.values():
        if _concerns(draft, loaded):
            found.update(lint_loaded(loaded, classes, styles))
    return sorted(found)


def _concerns(draft: Draft, loaded: LoadedComposite) -> bool:
    if isinstance(draft, CompositeDraft):
        return loaded.source.path == draft.file.path
    return any(step.use.class_ref == draft.ref for step in loaded.composite.steps)


def overlaid(library: Library, drafts: Iterable[Draft]) -> Library:
    """A copy of the library with drafts in place of their files.

    Raises ProblemError for a draft whose text cannot be made or cannot be read.
    """
    after = Library(
        dict(library.classes),
        dict(library.composites),
        list(library.findings),
        list(library.files),
    )
    for draft in drafts:
        file = draft.file
        source = parse_source(file.path, file.shown, draft_text(draft))
        if isinstance(source, Finding):
            raise ProblemError(f"{file.shown} could not be read again", [source])
        after.findings = [each for each in after.findings if each.file != file.shown]
        if file.shown not in after.files:
            after.files.append(file.shown)
        if isinstance(draft, ClassDraft):
            _put_class(after, source, file.private)
        else:
            _put_composite(after, source, file.private)
    return after


def _put_class(after: Library, source: SourceFile, private: bool) -> None:
    problem, faults = read_class(source)
    after.findings += source.place(faults)
    if problem is not None:
        mine = LoadedClass(problem, source, private)
        _put(after, after.classes, problem.ref, mine, "class")


def _put_composite(after: Library, source: SourceFile, private: bool) -> None:
    composite, faults = read_composite(source, source.path.parent.name)
    after.findings += source.place(faults)
    mine = LoadedComposite(composite, source, private)
    _put(after, after.composites, composite.ref, mine, "composite")


def _put(after: Library, entries: dict[str, Loaded], ref: str, mine: Loaded, what: str) -> None:
    """Put an entry in; where two files share a name, the one that is read first counts."""
    for name in [name for name, each in entries.items() if each.source.path == mine.source.path]:
        del entries[name]
    other = entries.get(ref)
    if other is None:
        entries[ref] = mine
        return
    first, second = mine, other
    if (other.private, other.source.path) < (mine.private, mine.source.path):
        first, second = other, mine
    entries[ref] = first
    after.findings += second.source.place([duplicate_fault(what, ref, first.source.shown)])
