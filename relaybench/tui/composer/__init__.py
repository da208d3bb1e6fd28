"""What the Composer shows besides its plain panes: the dependency graph and its inspector."""
