"""What one class file shows by itself to be wrong with its answers, its pattern and its slots.

A class's ``pattern`` is a regular expression that its author writes and Python runs. Python cannot
stop a match that has begun, so patterns in which a repetition is repeated without anything fixed
between, such as ``(a+)+``, are refused: they can take for ever. Other slow patterns, such as an
alternative that overlaps another in a repetition, are not recognised; Ctrl-C ends those.
"""

from __future__ import annotations

import re
import warnings
from typing import Final

from relaybench.domain.answer_rules import broken_rules, unfit_form
from relaybench.domain.finding import Fault, KeyPath, Severity
from relaybench.domain.problem import ProblemClass
from relaybench.domain.slots import SLOT_NAME, all_slots, almost_slots, fill, slots_in

#: From how many characters on an answer in the prompt is hardly there by chance.
_TELLING: Final = 4
#: One escape or one set of characters: for the search below each is a single character.
_ATOM: Final = re.compile(r"\\.|\[\^?\]?(?:[^\]\\]|\\.)*\]", re.DOTALL)
#: The innermost groups, and whether something repeats them without end.
_GROUP: Final = re.compile(r"\((?:\?:|\?P<\w+>)?([^()]*)\)([*+]|\{\d*,\})?")
#: An alternative made only of parts that may repeat or be missing, one of them without end.
_LOOSE: Final = re.compile(r"(?=.*(?:[*+]|\{\d*,\}))(?:[^*+?{}|](?:[*+?]|\{\d*,\d*\})\??)+")


def class_faults(problem: ProblemClass) -> list[Fault]:
    """Judge a class's example and answers, its pattern, and the data of its slots."""
    return _answer_faults(problem) + _slot_faults(problem) + _leak_faults(problem)


def repeats_a_repetition(pattern: str) -> bool:
    """Whether a pattern holds something like ``(a+)+``, whose matching can take for ever."""
    rest = _ATOM.sub("x", pattern)
    while group := _GROUP.search(rest):
        body, repeated = group.groups()
        loose = any(_LOOSE.fullmatch(each) for each in body.split("|"))
        if repeated and loose:
            return True
        # A group that is not repeated is as loose as what it holds.
        stands = ("x+" if loose else "x") + (repeated or "" if not loose else "")
        rest = rest[: group.start()] + stands + rest[group.end() :]
    return False


def _compiled(pattern: str, faults: list[Fault]) -> re.Pattern[str] | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of sets that may mean something else one day
            compiled = re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        faults.append(
            Fault(
                ("pattern",),
                "bad-pattern",
                f"pattern is not a regular expression: {error}",
                "mend it, or leave it out",
            )
        )
        return None
    if repeats_a_repetition(pattern):
        faults.append(
            Fault(
                ("pattern",),
                "slow-pattern",
                f"pattern {pattern!r} repeats a repetition, which can take for ever to match",
                "repeat once, as a+ for (a+)+, or put something fixed into the group",
            )
        )
        return None
    return compiled


def _answer_faults(problem: ProblemClass) -> list[Fault]:
    faults: list[Fault] = []
    compiled = _compiled(problem.pattern, faults) if problem.pattern else None

    def judge(answer: str, path: KeyPath, what: str) -> None:
        if not answer:
            return  # the file reader has said so
        reason = unfit_form(answer)
        if reason:
            faults.append(
                Fault(path, "key-form", f"{what} {reason}", "an answer is one line of plain text")
            )
        for broken in broken_rules(answer, problem.rules):
            faults.append(
                Fault(path, "key-form", f"{what} is {answer!r}, but {broken}", "mend one of them")
            )
        if compiled and not compiled.fullmatch(answer):
            faults.append(
                Fault(
                    path,
                    "key-form",
                    f"{what} is {answer!r}, which pattern {problem.pattern!r} does not match",
                    "mend the answer or the pattern",
                )
            )

    judge(problem.example, ("example",), "example")
    for index, instance in enumerate(problem.instances):
        judge(instance.answer, ("instances", index, "answer"), "answer")
        if instance.answer and instance.answer == problem.example:
            faults.append(
                Fault(
                    ("instances", index, "answer"),
                    "example-is-key",
                    f"the example {problem.example!r} is the answer of {instance.id!r}",
                    "choose an example that no instance has as its answer",
                )
            )
    return faults


def _slot_faults(problem: ProblemClass) -> list[Fault]:
    faults: list[Fault] = []
    used = slots_in(problem.prompt, problem.inputs)
    for index, instance in enumerate(problem.instances):
        for name in used:
            if name not in instance.data:
                faults.append(
                    Fault(
                        ("instances", index, "data"),
                        "missing-data",
                        f"{instance.id!r} has no value for the slot {{{{{name}}}}}",
                        f'add {name} = "…" to its data',
                    )
                )
        for name in instance.data:
            if name not in used and not SLOT_NAME.fullmatch(name):
                faults.append(
                    Fault(
                        ("instances", index, "data", name),
                        "bad-slot-name",
                        f"{name!r} cannot be the name of a slot",
                        "use letters, digits and _, here and between the braces in the prompt",
                    )
                )
            elif name not in used:
                faults.append(
                    Fault(
                        ("instances", index, "data", name),
                        "dangling-input",
                        f"the prompt has no slot {{{{{name}}}}} for this value",
                        "put the slot into the prompt, or take the value out",
                    )
                )
    return faults + _literal_faults(problem)


def _leak_faults(problem: ProblemClass) -> list[Fault]:
    """Answers that stand in the template itself, outside of any instance's data.

    Only a warning, and only for answers of some length: a template may have to name all possible
    answers. What stands in the data is not looked at, since many problems ask to find it there.
    """
    faults: list[Fault] = []
    template = fill(problem.prompt, dict.fromkeys(all_slots(problem.prompt), " "))
    for index, instance in enumerate(problem.instances):
        answer = instance.answer
        if len(answer) < _TELLING or not re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", template):
            continue
        faults.append(
            Fault(
                ("instances", index, "answer"),
                "key-leak",
                f"the answer {answer!r} stands in the prompt that every instance shares",
                "take it out of the prompt, unless the prompt has to name all possible answers",
                Severity.WARNING,
            )
        )
    return faults


def _literal_faults(problem: ProblemClass) -> list[Fault]:
    """What looks like a slot and will be sent as it stands: hardly ever what its author means."""
    faults: list[Fault] = []
    declared = ", ".join(sorted(problem.inputs)) or "nothing"
    shown = [
        f"{{{{{name}}}}}"
        for name in all_slots(problem.prompt)
        if name not in problem.inputs and name not in problem.literal
    ]
    shown += [
        text for text in almost_slots(problem.prompt) if text.strip("{} ") not in problem.literal
    ]
    for text in shown:
        name = text.strip("{} ")
        mend = (
            f"write {{{{{name}}}}} without spaces"
            if name in problem.inputs
            else f'add {name} = "…" to the data of the instances (they have {declared}), or '
            f'literal = ["{name}"] to the class if it is meant to be sent like that'
        )
        faults.append(
            Fault(
                ("prompt",),
                "unfilled-slot",
                f"{text} is no slot of an instance's data and would be sent as it stands",
                mend,
                Severity.WARNING,
            )
        )
    return faults
