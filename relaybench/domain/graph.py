"""The dependency graph of a composite: order, loops and what the answer rests on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter


def dependency_order(
    labels: Sequence[str], upstream: Mapping[str, Iterable[str]]
) -> tuple[str, ...]:
    """Order labels so that each comes after what it depends on; ties keep the listed order.

    ``upstream`` maps a label to those it takes input from; unknown labels are ignored.
    Raises ``graphlib.CycleError`` where there is a loop (see ``find_cycle``).
    """
    waiting = {
        label: {up for up in upstream.get(label, ()) if up in set(labels)} for label in labels
    }
    done: list[str] = []
    while waiting:
        ready = next((label for label, needs in waiting.items() if needs <= set(done)), None)
        if ready is None:
            raise CycleError("the steps form a loop", list(waiting))
        done.append(ready)
        del waiting[ready]
    return tuple(done)


def find_cycle(upstream: Mapping[str, Iterable[str]]) -> tuple[str, ...] | None:
    """Return one loop as labels, first repeated at the end (``A, B, A``), or None."""
    try:
        TopologicalSorter({k: sorted(set(v)) for k, v in upstream.items()}).prepare()
    except CycleError as error:
        nodes: list[str] = list(error.args[1])
        return tuple(nodes)
    return None


def unused_labels(
    labels: Sequence[str], upstream: Mapping[str, Iterable[str]], answer: Iterable[str]
) -> tuple[str, ...]:
    """Return the labels that the final answer does not depend on, in listed order."""
    reached: set[str] = set()
    queue = list(answer)
    while queue:
        label = queue.pop()
        if label not in reached:
            reached.add(label)
            queue.extend(upstream.get(label, ()))
    return tuple(label for label in labels if label not in reached)
