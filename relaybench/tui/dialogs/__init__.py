"""Dialogs that several screens use; each is a modal screen that returns one value."""
