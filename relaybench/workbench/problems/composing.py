"""Write composites: begin, copy, change and remove them, each in its own file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from relaybench.composing.solve import Classes
from relaybench.composing.wiring import lost_bindings
from relaybench.domain.errors import EditError, UnknownNameError
from relaybench.domain.finding import Finding
from relaybench.domain.problem import ID_PATTERN, Composite
from relaybench.library.load import Library, LoadedComposite
from relaybench.library.save import preview as text_of
from relaybench.workbench.problems.authoring import Styles
from relaybench.workbench.problems.drafts import (
    CompositeDraft,
    composite_draft,
    new_composite_draft,
)
from relaybench.workbench.problems.overlay import judge
from relaybench.workbench.problems.previewing import Preview, preview
from relaybench.workbench.problems.rewriting import Rewrite, rewrite
from relaybench.workbench.problems.saving import save_draft
from relaybench.workbench.problems.selecting import SINGLE_PREFIX, find_composites
from relaybench.workbench.workspace import Workspace

#: An edit of a composite, given the classes that it may use.
Change = Callable[[Composite, Classes], Composite]


@dataclass(frozen=True, slots=True)
class Changed:
    """A composite after an edit that was saved.

    ``lost`` names the bindings that the edit took away besides, ``findings`` what is wrong now.
    """

    draft: CompositeDraft
    lost: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


def find_composite(library: Library, ref: str) -> LoadedComposite:
    """The composite ``set/name``; raises UnknownNameError, ProblemError for a broken file."""
    found = find_composites(library, ref)
    if ref not in library.composites:
        names = ", ".join(each.composite.ref for each in found)
        raise UnknownNameError(f"{ref!r} is a set; name one of its composites: {names}")
    return library.composites[ref]


def blank_composite(library: Library, ref: str, title: str = "") -> Composite:
    """A composite without steps; raises EditError for a name that is taken or cannot be one."""
    set_name, _, name = ref.partition("/")
    if not (ID_PATTERN.fullmatch(set_name) and ID_PATTERN.fullmatch(name)):
        raise EditError(
            f"{ref!r} cannot be the name of a composite: write SET/NAME with small letters, "
            "digits and single - _ . between them"
        )
    if f"{set_name}:" == SINGLE_PREFIX:
        raise EditError(f"no set may be called {set_name!r}, which is kept for single subproblems")
    taken = [each for each in library.files if each.endswith(f"sets/{ref}.toml")]
    if taken:
        raise EditError(f"there is a composite {ref} already: {taken[0]}")
    return Composite(name, set_name, (), title=title)


def new_composite(
    workspace: Workspace, ref: str, title: str = "", *, private: bool = False
) -> CompositeDraft:
    """Write the file of a composite without steps."""
    composite = blank_composite(workspace.library(), ref, title)
    return save_draft(new_composite_draft(workspace, composite, private=private))


def duplicate_composite(workspace: Workspace, ref: str, new: str) -> str:
    """Copy a composite, with the remarks of its file, under another name; returns the new file.

    The copy is public or private as the first is.
    """
    library = workspace.library()
    loaded = find_composite(library, ref)
    blank = blank_composite(library, new)
    copy = new_composite_draft(workspace, blank, private=loaded.private)
    text = text_of(loaded.source, {"id": blank.id})
    rewrite([Rewrite(copy.file.path, copy.file.shown, None, text)])
    return copy.file.shown


def delete_composite(workspace: Workspace, ref: str) -> str:
    """Remove a composite's file, as it was read; returns its name. Runs keep what they sent."""
    source = find_composite(workspace.library(), ref).source
    rewrite([Rewrite(source.path, source.shown, source.text, None)])
    return source.shown


def change_composite(workspace: Workspace, ref: str, change: Change) -> Changed:
    """Edit a composite and save it, unfinished or not.

    Raises EditError, with nothing changed, where the edit is refused.
    """
    library = workspace.library()
    draft = composite_draft(find_composite(library, ref))
    after = change(draft.composite, library.problems())
    changed = replace(draft, composite=after)
    findings = judge(library, Styles(workspace), changed)
    if after != draft.composite:
        changed = save_draft(changed)
    return Changed(changed, lost_bindings(draft.composite, after), tuple(findings))


def preview_of(workspace: Workspace, ref: str) -> Preview:
    """What there is to be seen of a composite as it is saved, but for what was measured."""
    library = workspace.library()
    draft = composite_draft(find_composite(library, ref))
    return preview(draft, library, Styles(workspace))
