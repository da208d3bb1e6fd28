"""Choose problems and freeze them into items: what `show` prints and `run` sends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from relaybench.composing.freeze import freeze, freeze_single
from relaybench.composing.style import Style
from relaybench.domain.errors import ProblemError, UnknownNameError, UsageError
from relaybench.domain.finding import Finding
from relaybench.domain.item import Item
from relaybench.domain.problem import ProblemClass, Status, Variant
from relaybench.library.load import Library, LoadedComposite
from relaybench.workbench.problems.authoring import Styles, errors, findings_of, lint_all
from relaybench.workbench.workspace import Workspace

#: Prefix of targets that are single subproblems: ``library:math/definite-integral``.
SINGLE_PREFIX = "library:"


@dataclass(frozen=True, slots=True)
class Selection:
    """Items chosen for a run.

    ``same_text`` counts variants that turned out to be one text; ``warnings`` are findings that
    do not keep the chosen problems from being run; ``unapproved`` names the instances used that are
    drafts or retired.
    """

    items: tuple[Item, ...]
    same_text: int = 0
    warnings: tuple[Finding, ...] = ()
    unapproved: tuple[str, ...] = ()


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
    composites = any(not target.startswith(SINGLE_PREFIX) for target in targets)
    for target in targets:
        if target.startswith(SINGLE_PREFIX):
            if Variant.ENCODED in variants and not composites:
                raise UsageError(
                    "single subproblems are always asked in plain text; leave out the encoded "
                    "form, or add a composite"
                )
            items, bad = _singles(library, styles, target)
        else:
            linted = lint_all(library, styles) if linted is None else linted
            items, bad = _composites(library, styles, linted, target, variants)
        findings += bad
        frozen += len(items)
        for item in items:
            chosen.setdefault(item.digest, item)
    unfit = errors(findings)
    if unfit:
        raise ProblemError("these problems cannot be run as they are", tuple(dict.fromkeys(unfit)))
    return Selection(tuple(chosen.values()), frozen - len(chosen), tuple(dict.fromkeys(findings)))


def _composites(
    library: Library,
    styles: Styles,
    linted: Mapping[str, list[Finding]],
    target: str,
    variants: Sequence[Variant],
) -> tuple[list[Item], list[Finding]]:
    classes = library.problems()
    items: list[Item] = []
    found = _unread(library, target)
    for loaded in find_composites(library, target):
        composite = loaded.composite
        found += (own := findings_of(library, loaded, linted[composite.ref]))
        style = styles.get(composite.style)
        if errors(own) or isinstance(style, ProblemError):
            continue
        items += [freeze(composite, classes, style, variant) for variant in variants]
    return items, found


def _unread(library: Library, target: str) -> list[Finding]:
    """Findings of a set's files that could not be read at all: they may not be left out."""
    read = {each.source.shown for each in library.composites.values()}
    return [
        each
        for each in library.findings
        if f"/sets/{target}/" in f"/{each.file}" and each.file not in read
    ]


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
    found: list[Finding] = []
    for ref in refs:
        loaded = library.classes[ref]
        found += (own := [each for each in library.findings if each.file == loaded.source.shown])
        if errors(own):
            continue
        items += _single_items(loaded.problem, instance_id if colon else None, style)
    return items, found


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
