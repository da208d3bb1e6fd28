"""Grade answers, again and again if need be: old grades stay, and what changed is told."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

from relaybench.composing.freeze import freeze, freeze_single
from relaybench.composing.style import Style
from relaybench.domain.item import Item, ItemKind
from relaybench.domain.problem import Variant
from relaybench.domain.results import Grade, Outcome
from relaybench.grading.grade import grade
from relaybench.library.load import Library
from relaybench.store.attempts import Attempts, Gradable
from relaybench.store.database import Connection
from relaybench.store.grades import add_grade
from relaybench.store.plans import Plans, RunRow
from relaybench.workbench.problems.authoring import Styles, clean_composites
from relaybench.workbench.workspace import Workspace


def judge(answer: Gradable, item: Item, *, strict: bool) -> Grade:
    """Grade one stored answer against one version of its item."""
    return grade(
        text=answer.text,
        stop_reason=answer.stop_reason,
        raw_stop_reason=answer.raw_stop_reason,
        refusal=answer.refusal,
        key=item.key,
        parts=item.answer_parts,
        labels=item.answer_labels,
        separator=item.separator,
        strict=strict,
    )


@dataclass(frozen=True, slots=True)
class Change:
    """A verdict that re-grading changed, and why."""

    attempt_id: int
    item: str
    model: str
    repeat: int
    before: Outcome
    after: Outcome
    why: str


@dataclass(frozen=True, slots=True)
class Regrade:
    """What re-grading a run came to.

    ``corrected`` names items whose key is another one in the workspace's files now while their
    prompt is the same: they can be graded against the corrected key. ``unsound`` names those whose
    composite has errors now, so that its key is not known.
    """

    run: str
    graded: int
    by_corrected: int
    changes: tuple[Change, ...]
    corrected: tuple[str, ...]
    unsound: tuple[str, ...] = ()


def current_versions(workspace: Workspace, items: list[Item]) -> dict[str, Item]:
    """For each item digest the workspace's version with the same prompt but another key.

    Items whose prompt has changed, or that are no longer there, have none.
    """
    library = workspace.library()
    by_prompt = {
        (item.set_name, item.name, item.prompt_sha256): item
        for item in _current_items(workspace, library, {item.ref for item in items})
    }
    found: dict[str, Item] = {}
    for item in items:
        now = by_prompt.get((item.set_name, item.name, item.prompt_sha256))
        if now and now.key != item.key:
            found[item.digest] = now
    return found


def _current_items(workspace: Workspace, library: Library, refs: set[str]) -> Iterator[Item]:
    styles = Styles(workspace)
    classes = library.problems()
    for composite in clean_composites(library, styles):
        style = styles.get(composite.style)
        if composite.ref in refs and isinstance(style, Style):
            for variant in Variant:
                yield freeze(composite, classes, style, variant)
    style = styles.get("standard")
    for ref, loaded in library.classes.items():
        for instance in loaded.problem.instances:
            if f"library/{ref}:{instance.id}" in refs and isinstance(style, Style):
                yield freeze_single(loaded.problem, instance, style)


def regrade(
    workspace: Workspace,
    run_name: str | None,
    *,
    strict: bool | None = None,
    use_corrected: bool = False,
    dry: bool = False,
) -> Regrade:
    """Grade every stored answer of a run again; sends nothing and costs nothing.

    ``strict`` None: as the run itself is graded. ``use_corrected`` grades against corrected keys
    of unchanged prompts. ``dry`` changes nothing and only tells what would change. New grades are
    added where the verdict, the key or the extractor differ; the old ones stay in the trail.
    """
    with contextlib.closing(Connection(workspace.database, create=False)) as connection:
        run = Plans(connection).find(run_name)
        chosen = run.strict if strict is None else strict
        return _regrade(connection, run, workspace, chosen, use_corrected, dry)


def _regrade(
    connection: Connection,
    run: RunRow,
    workspace: Workspace,
    strict: bool,
    use_corrected: bool,
    dry: bool,
) -> Regrade:
    plans, attempts = Plans(connection), Attempts(connection)
    numbers = attempts.answered(run)
    items = Versions(attempts)
    corrected = _corrected(workspace, items, attempts, numbers)
    changes: list[Change] = []
    by_corrected = 0
    grades: list[tuple[int, Item, Grade]] = []
    for number in numbers:
        answer = attempts.gradable(number)
        item = items.get(answer.item_id)
        judged_before = item.digest
        why = "strict extraction" if strict else "graded again"
        if use_corrected and item.digest in corrected:
            why = f"key corrected from {item.key!r} to {corrected[item.digest].key!r}"
            item = corrected[item.digest]
            by_corrected += 1
        verdict = judge(answer, item, strict=strict)
        if verdict.outcome is not answer.outcome:
            changes.append(_change(answer, verdict, why))
        if (verdict.outcome, verdict.answer, verdict.extractor, item.digest) != (
            answer.outcome,
            answer.answer,
            answer.extractor,
            judged_before,
        ):
            grades.append((number, item, verdict))
    if grades and not dry:
        with connection.writing():  # all or none: one table never mixes two keys
            for number, item, verdict in grades:
                add_grade(connection, number, plans.add_item(item), verdict, strict=strict)
    names = sorted({each.ref for each in corrected.values()})
    unsound = _unsound(workspace, {items.get(attempts.graded_item(n)).ref for n in numbers})
    return Regrade(run.name, len(numbers), by_corrected, tuple(changes), tuple(names), unsound)


def _unsound(workspace: Workspace, refs: set[str]) -> tuple[str, ...]:
    """Composites among ``refs`` that are in the workspace and have errors."""
    if not (workspace.root / "problems").is_dir():
        return ()
    library = workspace.library()
    clean = {composite.ref for composite in clean_composites(library, Styles(workspace))}
    return tuple(sorted((refs & library.composites.keys()) - clean))


class Versions:
    """Items by row id, each read once."""

    def __init__(self, attempts: Attempts) -> None:
        self._attempts = attempts
        self._items: dict[int, Item] = {}

    def get(self, item_id: int) -> Item:
        """The item of a row id."""
        if item_id not in self._items:
            self._items[item_id] = self._attempts.item(item_id)
        return self._items[item_id]


def _corrected(
    workspace: Workspace, items: Versions, attempts: Attempts, numbers: list[int]
) -> dict[str, Item]:
    if not (workspace.root / "problems").is_dir():
        return {}
    used = {
        item.digest: item
        for number in numbers
        if (item := items.get(attempts.graded_item(number))).kind is not ItemKind.IMPORTED
    }
    return current_versions(workspace, list(used.values()))


def _change(answer: Gradable, verdict: Grade, why: str) -> Change:
    note = f"{why}; {verdict.note}" if verdict.note else why
    return Change(
        answer.attempt_id,
        answer.item,
        answer.model,
        answer.repeat,
        answer.outcome,
        verdict.outcome,
        note,
    )
