"""The workspace that ``init`` makes, and what is to be seen of its composite once it is changed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from relaybench.domain.problem import Composite
from relaybench.library.load import Library
from relaybench.workbench.problems.authoring import Styles
from relaybench.workbench.problems.drafts import composite_draft
from relaybench.workbench.problems.previewing import Preview, preview
from relaybench.workbench.problems.starting import init_workspace
from relaybench.workbench.workspace import Workspace, find_workspace


@dataclass(frozen=True)
class Example:
    """A workspace, its library as read, and the composite ``example/first``."""

    workspace: Workspace
    library: Library
    first: Composite

    def seen(self, composite: Composite) -> Preview:
        """What is to be seen of another composite in the file of ``example/first``."""
        draft = composite_draft(self.library.composites["example/first"])
        return preview(replace(draft, composite=composite), self.library, Styles(self.workspace))


def example_at(root: Path) -> Example:
    """Make the workspace in a folder."""
    init_workspace(root)
    workspace = find_workspace(root, environment={})
    library = workspace.library()
    return Example(workspace, library, library.composites["example/first"].composite)
