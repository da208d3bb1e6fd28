"""The workbench on screen: screens over the same functions that the commands call.

This module stays light: what a screen needs is loaded when it is first shown.
"""
