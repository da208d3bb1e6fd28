"""Tests of `relaybench.toml_files`."""
