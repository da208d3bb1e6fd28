"""Models, prices and cohorts: the shipped models.toml and the workspace's own on top of it."""
