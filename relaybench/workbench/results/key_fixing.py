"""Where a key comes from, and what to do where it is wrong: correct it in its problem file.

What was graded stays graded by the old key until it is graded again (``judging.regrade``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from relaybench.domain.augmentation import augment, caesar
from relaybench.domain.errors import AugmentationError, ProblemError, UnknownNameError
from relaybench.domain.finding import Finding
from relaybench.domain.item import ItemKind
from relaybench.library.load import Library
from relaybench.workbench.problems.authoring import check, find_instance, set_answer
from relaybench.workbench.results.opening import OpenedAttempt
from relaybench.workbench.workspace import Workspace


@dataclass(frozen=True, slots=True)
class KeySource:
    """Which instance one part of a key comes from.

    ``part`` is what the attempt was graded by and ``answered`` what it gave instead (None where
    that cannot be told). ``answer`` is what the problem file says now, before the augmentations
    in ``augment``; None where it is not to be found, and ``why`` says why. ``used_by`` names the
    composites that use it.
    """

    label: str
    use: str
    part: str
    answered: str | None
    right: bool | None
    augment: tuple[str, ...] = ()
    answer: str | None = None
    used_by: tuple[str, ...] = ()
    why: str = ""

    @property
    def offer(self) -> str:
        """What the new answer may be: what the model gave, where it can be told from its part."""
        if self.answered is not None and self.right is False:
            given = _undone(self.answered, self.augment)
            if given is not None and self.becomes(given) == self.answered:
                return given
        return self.answer or ""

    def becomes(self, answer: str) -> str:
        """The part of the key that an answer of the instance gives."""
        try:
            return augment(answer, self.augment)
        except AugmentationError:  # an augmentation of an older version
            return answer


def _undone(text: str, augmentations: Sequence[str]) -> str | None:
    """The text before its augmentations; None where one of them cannot be undone."""
    for each in reversed(augmentations):
        name, _, number = each.partition(":")
        if name == "reverse":
            text = text[::-1]
        elif name in ("rot13", "caesar") and (number or "13").isdecimal():
            text = caesar(text, -int(number or 13))
        else:
            return None
    return text


@dataclass(frozen=True, slots=True)
class KeyFix:
    """A corrected answer: ``fresh`` are findings that the files did not have before."""

    file: str
    use: str
    old: str
    new: str
    fresh: tuple[Finding, ...]


def no_key_to_fix(opened: OpenedAttempt) -> str:
    """Why no problem file gives the key of an attempt; "" where one does."""
    item = opened.graded
    if item.kind is ItemKind.IMPORTED:
        return (
            "The key of an imported item stands in no problem file: import its results again with "
            "the right key under another --run name."
        )
    return "" if item.steps else "The steps of this item are not known, so neither is its key's."


def key_sources(workspace: Workspace, opened: OpenedAttempt) -> list[KeySource]:
    """The instances that the parts of an attempt's key come from, in the order of the key."""
    library = workspace.library()
    parts = {each.label: each for each in opened.parts if each.label is not None}
    found = []
    for step in opened.graded.steps:
        if not step.in_answer:
            continue
        part = parts.get(step.label)
        answer, why = _answer_now(library, step.use)
        found.append(
            KeySource(
                label=step.label,
                use=step.use,
                part=step.answer,
                answered=part.answer if part else None,
                right=part.right if part else None,
                augment=step.augment,
                answer=answer,
                why=why,
                used_by=composites_with(library, step.use),
            )
        )
    return found


def _answer_now(library: Library, use: str) -> tuple[str | None, str]:
    """The answer that the problem file gives; None with the reason where it gives none."""
    try:
        return find_instance(library, use)[1].answer, ""
    except ProblemError as error:  # the file is there, but broken
        files = dict.fromkeys(f"{each.file} line {each.line}" for each in error.findings)
        return None, f"{', '.join(files)} cannot be read"
    except UnknownNameError:
        return None, "no longer in the library"


def composites_with(library: Library, use: str) -> tuple[str, ...]:
    """Names of the composites with a step that uses an instance (``domain/class:instance``)."""
    return tuple(
        ref
        for ref, loaded in sorted(library.composites.items())
        if any(str(step.use) == use for step in loaded.composite.steps)
    )


def fix_key(workspace: Workspace, use: str, answer: str) -> KeyFix:
    """Correct the answer of an instance (``domain/class:instance``) in its file.

    Composites in which it feeds another step may not be sound any more: see ``fresh``. Raises
    UnknownNameError, UsageError for an answer that no code block could give, StaleFileError.
    """
    before = set(check(workspace).findings)
    file, old = set_answer(workspace, use, answer)
    fresh: Sequence[Finding] = ()
    if old != answer:
        fresh = [each for each in check(workspace).findings if each not in before]
    return KeyFix(file, use.removeprefix("library:"), old, answer, tuple(fresh))
