"""A workspace: the folder with problems/, models.toml and results.db."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from relaybench.domain.errors import NoProblemsError, WorkspaceError

if TYPE_CHECKING:
    from relaybench.catalog.load import Catalog
    from relaybench.library.load import Library

DATABASE = "results.db"


@dataclass(frozen=True, slots=True)
class Workspace:
    """Where problems, models and results are. ``environment`` holds the keys, never stored."""

    root: Path
    database: Path
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ, repr=False)

    @property
    def styles(self) -> Path:
        """Folder of the workspace's own wordings."""
        return self.root / "problems" / "styles"

    def library(self) -> Library:
        """Load all problem files."""
        if not (self.root / "problems").is_dir():
            raise NoProblemsError(
                f"{self.root} has no folder problems/; go to a workspace, name one with "
                "--workspace, or make one with `relaybench init DIR`"
            )
        from relaybench.library.load import load_library  # slow to load: not before it is needed

        return load_library(self.root)

    def catalog(self) -> Catalog:
        """Load models, prices and cohorts; each config says which tools it allows."""
        from relaybench.catalog.load import load_catalog
        from relaybench.composing.style import load_style
        from relaybench.workbench.instructing import instructed, switched_off

        catalog = load_catalog(self.root)
        if not any(switched_off(each) for each in catalog.models.values()):
            return catalog
        return instructed(catalog, load_style("standard", self.styles))


def find_workspace(
    folder: Path | None = None,
    database: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Workspace:
    """The workspace at ``folder``, or the one that the current folder lies in.

    Without any the current folder is taken: commands that need problems then say so.
    """
    if folder is not None and not folder.is_dir():
        raise WorkspaceError(f"there is no folder {folder}; make one with `relaybench init`")
    start = (folder or Path.cwd()).absolute()
    root = start
    if folder is None:
        root = next(
            (each for each in (start, *start.parents) if (each / "problems").is_dir()), start
        )
    return Workspace(
        root,
        (database or root / DATABASE).absolute(),
        os.environ if environment is None else environment,
    )
