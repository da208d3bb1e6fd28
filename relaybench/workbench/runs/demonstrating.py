"""The demo: a run on simulated providers, free and offline, apart from a user's own results.

It runs the starter set, ten composites: the workspace's own where there is one, else the one that
comes with relaybench. Nothing of it is written into the user's problems.
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from pathlib import Path

from relaybench.domain.item import Item
from relaybench.providers.registry import key_present
from relaybench.workbench.problems.selecting import select
from relaybench.workbench.runs.planning import Proposal, propose
from relaybench.workbench.workspace import DATABASE, Workspace

#: The cohort of simulated models that the demo runs.
COHORT = "demo"
_SET = "starter"
_PACKAGE = Path(__file__).parents[2]


def demo_workspace(workspace: Workspace) -> Workspace:
    """The same problems with a results file of their own: .demo/results.db."""
    return replace(workspace, database=workspace.root / ".demo" / DATABASE)


def propose_demo(workspace: Workspace) -> Proposal:
    """Plan the demo. Raises ProblemError for a set `starter` of the user's that has errors."""
    return propose(workspace, _starter_set(workspace), workspace.catalog().cohort(COHORT))


def _starter_set(workspace: Workspace) -> tuple[Item, ...]:
    own = (workspace.root / "problems" / "sets" / _SET).is_dir()
    return select(workspace if own else replace(workspace, root=_shipped()), [_SET]).items


def _shipped() -> Path:
    """The folder whose problems/ holds the starter set: in a package, or in a checkout its root."""
    packed = _PACKAGE / "starter"
    return packed if packed.is_dir() else _PACKAGE.parent


class FirstStart(StrEnum):
    """What somebody who starts the workbench may have to be told."""

    NO_WORKSPACE = "no workspace"  # there are no problems here
    NO_KEYS = "no keys"  # problems, no results yet, and no key of any provider
    KNOWN = "known"  # results, or keys: not the first start


def first_start(workspace: Workspace) -> FirstStart:
    """Whether this looks like a first start. Raises CatalogError for a faulty models.toml."""
    if not (workspace.root / "problems").is_dir():
        return FirstStart.NO_WORKSPACE
    if workspace.database.exists() or demo_workspace(workspace).database.exists():
        return FirstStart.KNOWN
    models = workspace.catalog().models.values()
    if any(key_present(each, workspace.environment) for each in models):
        return FirstStart.KNOWN
    return FirstStart.NO_KEYS
