"""Faults of our own: which of them are none, and what is said of the others."""

from __future__ import annotations

import logging
from typing import Final

from rich.text import Text
from textual._context import active_message_pump
from textual.app import App
from textual.css.query import NoMatches
from textual.dom import DOMNode

from relaybench.domain.literal import visible

_LOG: Final = logging.getLogger(__name__)


def came_too_late(error: Exception) -> bool:
    """Whether a message met a widget that is being taken off the screen: nobody's fault."""
    if not isinstance(error, NoMatches):
        return False
    pump = active_message_pump.get(None)
    if not isinstance(pump, DOMNode) or isinstance(pump, App):
        return False
    nodes = [node for node in pump.ancestors_with_self if not isinstance(node, App)]
    if any(node._pruning or node._closing or not node.is_attached for node in nodes):
        _LOG.info("a message came too late: %s", error)
        return True
    return False


def fault_words(error: BaseException | None) -> Text:
    """What the user reads when the application has to end: no traceback."""
    what = f"{type(error).__name__}: {visible(str(error))}" if error else "unknown"
    return Text(
        f"relaybench: internal error: {what}\n"
        "This is a fault of relaybench, not yours. What was stored is safe, and unsaved work was "
        "kept in recovery files: it is offered at the next start. Set RELAYBENCH_DEBUG=1 to see "
        "where it happened, and please report it."
    )
