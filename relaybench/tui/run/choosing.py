"""What can be ticked for a run: problems in a tree, models in another. Pure, free of Textual.

Only leaves are ticked; a branch is ticked when all its leaves are, and is then named as a whole.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from relaybench.catalog.load import Catalog
    from relaybench.domain.finding import Finding
    from relaybench.domain.model import ModelConfig
    from relaybench.library.load import Library


class Tick(Enum):
    """Whether a branch or leaf is ticked."""

    NONE = " "
    PART = "-"
    ALL = "x"


@dataclass(frozen=True, slots=True)
class Branch:
    """A place in a tree: a leaf, or a branch that stands for all leaves below it.

    ``key`` of a leaf is what it is ticked as; ``target`` what is asked for when all of it is
    wanted, empty where only its parts can be named. ``note`` is said behind the label.
    """

    key: str
    label: str
    target: str = ""
    note: str = ""
    children: tuple[Branch, ...] = ()
    leaves: frozenset[str] = field(default_factory=frozenset)

    @classmethod
    def of(
        cls, key: str, label: str, children: Sequence[Branch], *, target: str = "", note: str = ""
    ) -> Branch:
        """A branch with these children."""
        leaves = frozenset(leaf for child in children for leaf in child.leaves)
        return cls(key, label, target, note, tuple(children), leaves)

    @classmethod
    def leaf(cls, key: str, label: str, note: str = "") -> Branch:
        """A leaf, asked for by its key."""
        return cls(key, label, key, note, (), frozenset({key}))

    def tick(self, ticked: Collection[str]) -> Tick:
        """Whether it is ticked, given the leaves that are."""
        count = sum(leaf in ticked for leaf in self.leaves)
        if not count:
            return Tick.NONE
        return Tick.ALL if count == len(self.leaves) else Tick.PART


def targets(branches: Sequence[Branch], ticked: Collection[str]) -> Iterator[str]:
    """The fewest names that ask for exactly the ticked leaves, in the order of the tree."""
    for branch in branches:
        tick = branch.tick(ticked)
        if tick is Tick.ALL and branch.target:
            yield branch.target
        elif tick is not Tick.NONE:
            yield from targets(branch.children, ticked)


def matching(branch: Branch, words: Sequence[str]) -> Branch | None:
    """A branch with what fits all ``words`` (in any case); a fitting branch keeps all below it."""
    text = f"{branch.key} {branch.label}".casefold()
    if all(word.casefold() in text for word in words):
        return branch
    kept = [found for child in branch.children if (found := matching(child, words))]
    if not kept:
        return None
    return Branch.of(branch.key, branch.label, kept, note=branch.note)


def problem_branches(
    library: Library, findings: Mapping[str, Sequence[Finding]]
) -> tuple[Branch, ...]:
    """Sets with their composites, and single subproblems by domain and class."""
    from relaybench.domain.problem import Status
    from relaybench.workbench.problems.authoring import errors
    from relaybench.workbench.problems.selecting import SINGLE_PREFIX

    sets = []
    for name, refs in library.sets().items():
        composites = []
        for ref in refs:
            faults = len(errors(list(findings.get(ref, ()))))
            loaded = library.composites[ref].composite
            note = f"{faults} errors" if faults else f"{len(loaded.steps)} steps"
            composites.append(Branch.leaf(ref, ref.partition("/")[2], note))
        sets.append(Branch.of(f"set {name}", name, composites, target=name, note=f"{len(refs)}"))
    domains: dict[str, list[Branch]] = {}
    for ref in sorted(library.classes):
        problem = library.classes[ref].problem
        target = f"{SINGLE_PREFIX}{ref}"
        instances = [
            Branch.leaf(
                f"{target}:{each.id}",
                each.id,
                "" if each.status is Status.APPROVED else each.status.value,
            )
            for each in problem.instances
            if each.status is not Status.RETIRED
        ]
        if instances:
            name, note = ref.partition("/")[2], str(len(instances))
            own = Branch.of(f"class {ref}", name, instances, target=target, note=note)
            domains.setdefault(ref.partition("/")[0], []).append(own)
    singles = [
        Branch.of(
            f"domain {domain}",
            domain,
            classes,
            target=f"{SINGLE_PREFIX}{domain}",
            note=str(sum(len(each.leaves) for each in classes)),
        )
        for domain, classes in domains.items()
    ]
    if singles:
        count = sum(len(each.leaves) for each in singles)
        sets.append(
            Branch.of(
                "singles", "single subproblems", singles, target=SINGLE_PREFIX, note=str(count)
            )
        )
    return tuple(sets)


def model_branches(catalog: Catalog, keys: Mapping[str, bool | None]) -> tuple[Branch, ...]:
    """Cohorts with their models, and all models; ``keys`` says whose key is missing (False)."""

    def leaf(name: str) -> Branch:
        config = catalog.models[name]
        return Branch.leaf(name, name, _model_note(config, keys.get(name)))

    cohorts = [
        Branch.of(f"cohort {name}", name, [leaf(each) for each in members],
                  note=_cohort_note(name, catalog.cohorts))
        for name, members in catalog.cohorts.items()
    ]  # fmt: skip
    everything = [leaf(name) for name in catalog.models]
    return (*cohorts, Branch.of("models", "all models", everything, note=str(len(everything))))


def _cohort_note(name: str, cohorts: Mapping[str, Sequence[str]]) -> str:
    """That it is a cohort; and of which others it has all models, for they are ticked with it."""
    same = [other for other in cohorts if other != name and {*cohorts[other]} == {*cohorts[name]}]
    return f"cohort, same models as {', '.join(same)}" if same else "cohort"


def _model_note(config: ModelConfig, key: bool | None) -> str:
    notes = []
    if config.simulated:
        notes.append("simulated")
    if config.manual:
        notes.append("by hand")
    if key is False:
        notes.append("no key")
    if config.prices is None and not config.simulated and not config.manual:
        notes.append("no price")
    return ", ".join(notes)
