"""Which steps of a composite answer are right, as far as that is certain."""

from __future__ import annotations

from collections.abc import Sequence


def attribute(
    answer: str, key: str, parts: Sequence[str], labels: Sequence[str], separator: str
) -> dict[str, bool | None]:
    """Say per label whether its part of the answer is right; None where that cannot be told.

    An equal answer is right throughout, and a key of one part is right or wrong as a whole.
    Otherwise both key and answer must fall into the parts at the separator: with a separator
    that is empty or occurs in a part, or an answer with more or fewer parts, nothing is certain
    (a part may have been left out, or may hold a separator of its own). ValueError if labels and
    parts don't pair up.
    """
    if len(labels) != len(parts):
        raise ValueError(f"{len(labels)} labels for {len(parts)} parts of the key")
    if len(set(labels)) != len(labels):
        raise ValueError(f"labels of the key's parts repeat: {', '.join(labels)}")
    if answer == key:
        return dict.fromkeys(labels, True)
    if len(parts) == 1:
        return {labels[0]: False}
    unattributable: dict[str, bool | None] = dict.fromkeys(labels)
    # Splitting the key says more than a search in its parts: with "--" between, "a-" and "b"
    # hold no separator, yet "a---b" splits into "a" and "-b".
    if not separator or key.split(separator) != list(parts):
        return unattributable
    answered = answer.split(separator)
    if len(answered) != len(parts):
        return unattributable
    return {
        label: mine == right for label, mine, right in zip(labels, answered, parts, strict=True)
    }
