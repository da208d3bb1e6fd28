"""What can be changed of a class, as functions from one value to the next.

Fields are named as in a problem file; a column of the table of instances is ``id``, ``data.NAME``,
``answer`` or ``status``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from relaybench.domain.problem import ID_PATTERN, Instance, ProblemClass, Status
from relaybench.domain.slots import all_slots

#: Fields of one line, those of several lines.
LINES: Final = ("title", "example", "pattern", "literal")
TEXTS: Final = ("prompt", "rules")
_DATA: Final = "data."


def field_text(problem: ProblemClass, field: str) -> str:
    """A field as its editor shows it: rules line by line, literal names with spaces between."""
    if field == "rules":
        return "\n".join(problem.rules)
    if field == "literal":
        return " ".join(problem.literal)
    return str(getattr(problem, field) or "")


def with_field(problem: ProblemClass, field: str, text: str) -> ProblemClass:
    """The class with one field as it was typed."""
    if field == "rules":
        return replace(problem, rules=tuple(each for each in text.split("\n") if each.strip()))
    if field == "literal":
        return replace(problem, literal=tuple(text.replace(",", " ").split()))
    if field == "pattern":
        return replace(problem, pattern=text or None)
    if field == "prompt":
        return replace(problem, prompt=text.strip("\n"))
    return replace(problem, **{field: text})  # type: ignore[arg-type]


def columns(problem: ProblemClass) -> list[str]:
    """Columns of the table of instances: a slot that the prompt has and no data yet is one too."""
    slots = [name for name in all_slots(problem.prompt) if name not in problem.literal]
    more = dict.fromkeys(name for each in problem.instances for name in each.data)
    data = dict.fromkeys([*slots, *more])
    return ["id", *(f"{_DATA}{name}" for name in data), "answer", "status"]


def cell(instance: Instance, column: str) -> str | None:
    """A value of an instance; None for data that it does not have."""
    if column.startswith(_DATA):
        return instance.data.get(column.removeprefix(_DATA))
    return str(getattr(instance, column))


def with_cell(problem: ProblemClass, index: int, column: str, text: str) -> ProblemClass:
    """The class with one value of an instance changed.

    An empty text takes data out that the prompt has no slot for, and adds none that was not there.
    """
    instance = problem.instances[index]
    if column.startswith(_DATA):
        name = column.removeprefix(_DATA)
        data = dict(instance.data)
        if text or (name in data and name in all_slots(problem.prompt)):
            data[name] = text
        else:
            data.pop(name, None)
        return _with_instance(problem, index, replace(instance, data=data))
    if column == "status":
        return _with_instance(problem, index, replace(instance, status=Status(text)))
    if column == "answer":
        return _with_instance(problem, index, replace(instance, answer=text))
    return _with_instance(problem, index, replace(instance, id=text))


def _with_instance(problem: ProblemClass, index: int, instance: Instance) -> ProblemClass:
    rows = list(problem.instances)
    rows[index] = instance
    return replace(problem, instances=tuple(rows))


def next_status(status: Status) -> Status:
    """The status after another, round and round."""
    order = list(Status)
    return order[(order.index(status) + 1) % len(order)]


def added(problem: ProblemClass) -> tuple[ProblemClass, int]:
    """The class with an empty instance at its end, and where that stands."""
    slots = [each.removeprefix(_DATA) for each in columns(problem) if each.startswith(_DATA)]
    known = problem.inputs
    data = {name: "" for name in slots if name in known}
    fresh = Instance(free_id(problem, "new"), data, "")
    return replace(problem, instances=(*problem.instances, fresh)), len(problem.instances)


def copied(problem: ProblemClass, index: int) -> tuple[ProblemClass, int]:
    """The class with a copy of an instance below it, as a draft, and where that stands."""
    rows = list(problem.instances)
    new_id = free_id(problem, rows[index].id or "new")
    rows.insert(index + 1, replace(rows[index], id=new_id, status=Status.DRAFT))
    return replace(problem, instances=tuple(rows)), index + 1


def removed(problem: ProblemClass, index: int) -> ProblemClass:
    """The class without one of its instances."""
    return replace(problem, instances=problem.instances[:index] + problem.instances[index + 1 :])


def free_id(problem: ProblemClass, like: str) -> str:
    """An id that no instance has yet: ``like`` itself, else with a number."""
    taken = {each.id for each in problem.instances}
    stem, _, number = like.rpartition("-")
    stem = stem if number.isdigit() and stem else like
    names = (like, *(f"{stem}-{count}" for count in range(2, len(taken) + 3)))
    return next(name for name in names if name not in taken)


def misnamed(text: str, taken: Sequence[str]) -> str | None:
    """Why a text cannot be the id of an instance, or None."""
    if not ID_PATTERN.fullmatch(text):
        return "use small letters, digits and single - _ . between them"
    return f"there is a {text!r} already" if text in taken else None
