"""Turn a class file or a composite file into values, with a fault for everything amiss in it.

Only what one file shows by itself is judged here; what takes several files together (a step's
class, a bound value, the key) is judged by ``composing.lint``.
"""

from __future__ import annotations

import re
from pathlib import Path

from relaybench.domain.answer_rules import broken_rules, unfit_form
from relaybench.domain.finding import Fault, KeyPath
from relaybench.domain.problem import (
    ID_PATTERN,
    LABEL_PATTERN,
    Bloat,
    Composite,
    Domain,
    Encoding,
    Instance,
    InstanceRef,
    ProblemClass,
    Status,
    Step,
)
from relaybench.domain.slots import slots_in
from relaybench.toml_files.fields import Fields
from relaybench.toml_files.source import SourceFile

#: Longest fabricated context that can be asked for, in characters.
MAX_BLOAT = 200_000
_FREE_KEYS = ("source", "notes", "author", "tags", "title")


def _id(fields: Fields, path: Path, faults: list[Fault]) -> str:
    value = fields.text("id")
    if value and value != path.stem:
        faults.append(
            Fault(
                ("id",),
                "id-not-file-name",
                f"id is {value!r} but the file is called {path.name!r}",
                f'write id = "{path.stem}" or rename the file to {value}.toml',
            )
        )
    elif value and not ID_PATTERN.fullmatch(value):
        faults.append(
            Fault(
                ("id",),
                "bad-id",
                f"{value!r} cannot be an id",
                "use small letters, digits and single - _ . between them",
            )
        )
    return path.stem


def read_class(source: SourceFile) -> tuple[ProblemClass | None, list[Fault]]:
    """Read a class file. The value is None only where it has no domain to stand in."""
    faults: list[Fault] = []
    fields = Fields(source.data, (), faults)
    class_id = _id(fields, source.path, faults)
    domain = _domain(fields, source.path)
    title = fields.text("title")
    prompt = fields.text("prompt")
    example = fields.text("example")
    rules = fields.texts("rules")
    pattern = fields.text("pattern", required=False)
    instances = _instances(fields)
    fields.close(*_FREE_KEYS)
    if domain is None:
        return None, faults
    problem = ProblemClass(
        class_id, domain, title, prompt.strip("\n"), example, rules, pattern or None, instances
    )
    if "prompt" in source.data and not prompt.strip():
        faults.append(Fault(("prompt",), "empty-prompt", "prompt is empty", "write the question"))
    faults += _answer_faults(problem) + _slot_faults(problem)
    return problem, faults


def _domain(fields: Fields, path: Path) -> Domain | None:
    text = fields.text("domain")
    folder = path.parent.name
    if text not in {each.value for each in Domain}:
        if text:
            allowed = ", ".join(each.value for each in Domain)
            fields.fault("domain", "bad-domain", f"{text!r} is no domain", f"use one of: {allowed}")
        return Domain(folder) if folder in {each.value for each in Domain} else None
    if text != folder:
        fields.fault(
            "domain",
            "domain-not-folder",
            f"domain is {text!r} but the file lies in {folder!r}",
            f'write domain = "{folder}" or move the file to {text}/',
        )
    return Domain(text)


def _instances(fields: Fields) -> tuple[Instance, ...]:
    instances: list[Instance] = []
    for entry in fields.tables("instances"):
        instance_id = entry.text("id")
        if instance_id and not ID_PATTERN.fullmatch(instance_id):
            entry.fault(
                "id",
                "bad-id",
                f"{instance_id!r} cannot be an id",
                "use small letters, digits and single - _ . between them",
            )
        if instance_id in {each.id for each in instances}:
            entry.fault(
                "id",
                "duplicate-id",
                f"two instances are called {instance_id!r}",
                "rename one of them",
            )
        data = entry.text_table("data")
        answer = entry.text("answer")
        status = entry.text("status", required=False, default="draft")
        if status not in {each.value for each in Status}:
            entry.fault(
                "status",
                "bad-status",
                f"{status!r} is no status",
                "use draft, approved or retired",
            )
            status = "draft"
        entry.close(*_FREE_KEYS)
        instances.append(Instance(instance_id, data, answer, Status(status)))
    return tuple(instances)


def _answer_faults(problem: ProblemClass) -> list[Fault]:
    faults: list[Fault] = []
    compiled: re.Pattern[str] | None = None
    if problem.pattern:
        try:
            compiled = re.compile(problem.pattern)
        except re.error as error:
            faults.append(
                Fault(
                    ("pattern",),
                    "bad-pattern",
                    f"pattern is not a regular expression: {error}",
                    "mend it, or leave it out",
                )
            )

    def judge(answer: str, path: KeyPath, what: str) -> None:
        if not answer:
            if what == "answer":
                faults.append(Fault(path, "key-form", "answer is empty", "write the right answer"))
            return
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
            if name not in used:
                faults.append(
                    Fault(
                        ("instances", index, "data", name),
                        "dangling-input",
                        f"the prompt has no slot {{{{{name}}}}} for this value",
                        "put the slot into the prompt, or take the value out",
                    )
                )
    return faults


def read_composite(source: SourceFile, set_name: str) -> tuple[Composite, list[Fault]]:
    """Read a composite file of a set."""
    faults: list[Fault] = []
    fields = Fields(source.data, (), faults)
    composite_id = _id(fields, source.path, faults)
    separator = fields.text("separator", required=False, default="-")
    if any(ord(char) < 32 for char in separator):
        fields.fault(
            "separator", "bad-separator", "separator holds a control character", 'use "-" or "/"'
        )
    composite = Composite(
        id=composite_id,
        set_name=set_name,
        title=fields.text("title", required=False),
        separator=separator,
        answer=fields.texts("answer"),
        style=fields.text("style", required=False, default="standard"),
        steps=_steps(fields),
        bloat=_bloat(fields.table_or_none("bloat")),
        encoding=_encoding(fields.table_or_none("encoding")),
    )
    fields.close(*_FREE_KEYS)
    return composite, faults


def _steps(fields: Fields) -> tuple[Step, ...]:
    steps: list[Step] = []
    for entry in fields.tables("steps"):
        label = entry.text("label")
        if label and not LABEL_PATTERN.fullmatch(label):
            entry.fault(
                "label", "bad-label", f"{label!r} cannot be a label", "use capitals: A, B, C …"
            )
        if label in {each.label for each in steps}:
            entry.fault(
                "label", "duplicate-id", f"two steps are labelled {label!r}", "relabel one of them"
            )
        use = entry.text("use")
        ref = InstanceRef.parse(use)
        if use and ref is None:
            entry.fault(
                "use",
                "bad-use",
                f"{use!r} does not name an instance",
                'write use = "domain/class:instance"',
            )
        inputs = entry.text_table("inputs")
        augment = entry.texts("augment")
        entry.close(*_FREE_KEYS)
        steps.append(Step(label, ref or InstanceRef("", use, ""), inputs, augment))
    return tuple(steps)


def _bloat(fields: Fields | None) -> Bloat | None:
    if fields is None:
        return None
    bloat = Bloat(
        fields.whole("characters", 1, MAX_BLOAT), fields.whole("seed", 0, 2**63 - 1, default=0)
    )
    fields.close()
    return bloat


def _encoding(fields: Fields | None) -> Encoding | None:
    if fields is None:
        return None
    encoding = Encoding(fields.whole("seed", 0, 2**63 - 1), fields.share("twin_share", 0.5))
    fields.close()
    return encoding
