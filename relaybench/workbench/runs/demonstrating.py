"""The demo: a run on simulated providers, free and offline, apart from a user's own results."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from relaybench.domain.errors import PlanError
from relaybench.providers.registry import key_present
from relaybench.workbench.problems.selecting import select
from relaybench.workbench.runs.planning import Proposal, propose
from relaybench.workbench.workspace import DATABASE, Workspace

#: The cohort of simulated models that the demo runs.
COHORT = "demo"
_SET = "starter"
#: Attempts for each model at least.
_ENOUGH = 5


def demo_workspace(workspace: Workspace) -> Workspace:
    """The same problems with a results file of their own: .demo/results.db."""
    return replace(workspace, database=workspace.root / ".demo" / DATABASE)


def propose_demo(workspace: Workspace) -> Proposal:
    """Plan the demo: the set `starter`, or the first set there is. Raises PlanError without any."""
    sets = list(workspace.library().sets())
    if not sets:
        raise PlanError("there is no set to run; write a composite first")
    items = select(workspace, [_SET if _SET in sets else sets[0]]).items
    # A set of one or two composites alone would show nothing of what tables and plots are for.
    repeats = 1 if len(items) >= _ENOUGH else -(-_ENOUGH // len(items))
    return propose(workspace, items, workspace.catalog().cohort(COHORT), repeats=repeats)


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
