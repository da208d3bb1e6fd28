"""Save drafts, and keep what is unsaved in recovery files so that a crash loses nothing.

A recovery file lies beside the problem file as ``.NAME.toml.PROCESS.recover``: hidden, so that the
loader never reads it and git can be told to leave it out; one for each process, so that two windows
on one workspace leave each other's unsaved work alone. Its first line is a comment that says which
text of the file the draft was based on; the rest is the text as it would have been saved.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from relaybench.domain.errors import ProblemError, WorkspaceError
from relaybench.domain.finding import Finding
from relaybench.domain.item import text_digest
from relaybench.library.load import shown_path
from relaybench.library.reading import read_class, read_composite
from relaybench.library.save import create, new_text, save
from relaybench.toml_files.replace import replace_file
from relaybench.toml_files.source import parse_source, read_source, read_text
from relaybench.workbench.problems.drafts import (
    AnyDraft,
    ClassDraft,
    CompositeDraft,
    Draft,
    DraftFile,
    draft_text,
    reread,
)
from relaybench.workbench.windows import free_aside, is_others
from relaybench.workbench.workspace import Workspace

_NAME: Final = re.compile(r"\.(.+\.toml)(?:\.aside-\d+|\.(\d+))?\.recover")
_NEW: Final = "a new file"
_HEAD: Final = re.compile(r"# Unsaved work of relaybench, based on (a new file|[0-9a-f]{64})\.")


def save_draft(draft: AnyDraft) -> AnyDraft:
    """Write the draft into its file and return it as it is now kept there.

    Its recovery file goes. Raises StaleFileError where the file was changed outside since it was
    read, ProblemError where the change cannot be made in it without doing damage, WorkspaceError
    where it cannot be written or, for a new one, where a file of that name is there already. In
    all these cases file and recovery are left as they were.
    """
    file = draft.file
    if file.source is None:
        text = create(file.path, draft.data())
    else:
        text = save(file.source, draft.data())
    drop_recovery(file.path)
    fresh = parse_source(file.path, file.shown, text)
    if isinstance(fresh, Finding):
        raise ProblemError(f"{file.shown} was saved but cannot be read", [fresh])
    return reread(draft, fresh)


@dataclass(frozen=True, slots=True)
class Recovery:
    """Unsaved work that was found in the file ``kept_in``.

    ``path`` and ``shown`` name the problem file that it belongs to, ``outdated`` says that this is
    no longer the file that the work was based on.
    """

    kept_in: Path
    path: Path
    shown: str
    private: bool
    text: str
    kept: datetime
    outdated: bool

    @property
    def of_class(self) -> bool:
        """Whether it is a class, not a composite."""
        return self.path.parent.parent.name == "library"


def recovery_path(path: Path) -> Path:
    """Where this process keeps unsaved work on a problem file."""
    return path.with_name(f".{path.name}.{os.getpid()}.recover")


def _aside_path(path: Path) -> Path:
    """A free name for work on a problem file that is to outlive what is done to it now."""
    return free_aside(path.parent, f".{path.name}", "recover")


def keep_recovery(draft: Draft, *, aside: bool = False) -> Path:
    """Write a draft's text into its recovery file, in one step; returns that file.

    A text that cannot be merged into the file is kept as that of a new one. What is kept ``aside``
    stays when the file is saved. Raises WorkspaceError where it cannot be written.
    """
    try:
        text = draft_text(draft)
    except ProblemError:
        text = new_text(draft.data())
    source = draft.file.source
    path = (_aside_path if aside else recovery_path)(draft.file.path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WorkspaceError(f"{path} cannot be written: {error.strerror}") from error
    base = _NEW if source is None else source.digest
    replace_file(path, f"# Unsaved work of relaybench, based on {base}.\n{text}")
    return path


def drop_recovery(path: Path) -> None:
    """Remove the recovery file that this process has of a problem file, if there is one."""
    with contextlib.suppress(OSError):
        recovery_path(path).unlink()


def forget(recovery: Recovery) -> None:
    """Remove unsaved work that was found."""
    with contextlib.suppress(OSError):
        recovery.kept_in.unlink()


def set_aside(recovery: Recovery) -> None:
    """Keep unsaved work that was found where new work on the same file does not replace it."""
    if ".aside-" not in recovery.kept_in.name:
        with contextlib.suppress(OSError):
            recovery.kept_in.rename(_aside_path(recovery.path))


def recoveries(workspace: Workspace) -> list[Recovery]:
    """Unsaved work that an earlier session left behind, by file.

    What says the same as its file, and so was saved after all, is removed and not given. What
    belongs to another process that still lives is left to that.
    """
    found = []
    for path, private in _recovery_files(workspace):
        name = _NAME.fullmatch(path.name)
        if name is None or (name[2] and is_others(int(name[2]))):
            continue
        try:
            head, _, text = read_text(path).partition("\n")
            kept = datetime.fromtimestamp(path.stat().st_mtime, UTC)
        except (OSError, UnicodeDecodeError):
            continue
        base = _HEAD.fullmatch(head)
        if base is None:
            continue
        target = path.with_name(name[1])
        current = _text_or_none(target)
        if current == text:
            path.unlink(missing_ok=True)
            continue
        outdated = base[1] != (_NEW if current is None else text_digest(current))
        shown = shown_path(target, workspace.root)
        found.append(Recovery(path, target, shown, private, text, kept, outdated))
    return found


def _recovery_files(workspace: Workspace) -> Iterator[tuple[Path, bool]]:
    problems = workspace.root / "problems"
    for folder, private in ((problems, False), (problems / "private", True)):
        for kind in ("library", "sets"):
            for path in sorted((folder / kind).glob("*/.*.recover")):
                yield path, private


def _text_or_none(path: Path) -> str | None:
    try:
        return read_text(path)
    except (OSError, UnicodeDecodeError):
        return None


def restored(recovery: Recovery) -> Draft:
    """The draft that was unsaved, on top of its file as that is now.

    Raises ProblemError where text or file cannot be read.
    """
    path, shown = recovery.path, recovery.shown
    then = parse_source(path, shown, recovery.text)
    if isinstance(then, Finding):
        raise ProblemError(f"the unsaved work on {shown} cannot be read", [then])
    now = read_source(path, shown) if path.exists() else None
    if isinstance(now, Finding):
        raise ProblemError(f"{shown} cannot be read; mend it first", [now])
    file = DraftFile(path, shown, recovery.private, now)
    if not recovery.of_class:
        return CompositeDraft(read_composite(then, path.parent.name)[0], file)
    problem, _ = read_class(then)
    if problem is None:
        raise ProblemError(f"{shown} names no domain and does not lie in the folder of one")
    return ClassDraft(problem, file)
