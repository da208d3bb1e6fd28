"""Tests of the room ``workbench``."""
