"""Tests of dialogs that several screens use."""
