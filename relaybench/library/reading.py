"""Turn a class file or a composite file into values, with a fault for everything amiss in it.

Only what one file shows by itself is judged here; what takes several files together (a step's
class, a bound value, the key) is judged by ``composing.lint``.
"""

from __future__ import annotations

from pathlib import Path

from relaybench.domain.finding import Fault
from relaybench.domain.problem import (
    ID_PATTERN,
    LABEL_PATTERN,
    MAX_BLOAT,
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
from relaybench.library.class_rules import class_faults
from relaybench.toml_files.fields import Fields
from relaybench.toml_files.source import SourceFile

_FREE_KEYS = ("source", "sources", "notes", "author", "authors", "tags", "title")


#: A set of this name would be taken for the subproblems asked on their own.
_RESERVED_SET = "library"
_ID_FORM = "use small letters, digits and single - _ . between them"


def _id(fields: Fields, path: Path, faults: list[Fault]) -> str:
    value = fields.filled("id")
    if not value:
        return path.stem
    fits_file, fits_id = (bool(ID_PATTERN.fullmatch(each)) for each in (path.stem, value))
    if not fits_id:
        faults.append(Fault(("id",), "bad-id", f"{value!r} cannot be an id", _ID_FORM))
    if value != path.stem:
        mends = [f'write id = "{path.stem}"'] if fits_file else []
        mends += [f"rename the file to {value}.toml"] if fits_id else []
        faults.append(
            Fault(
                ("id",),
                "id-not-file-name",
                f"id is {value!r} but the file is called {path.name!r}",
                " or ".join(mends) or f"give both one name: {_ID_FORM}",
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
    example = fields.filled("example")
    rules = fields.texts("rules")
    pattern = fields.text("pattern", required=False)
    literal = fields.texts("literal")
    instances = _instances(fields)
    fields.close(*_FREE_KEYS)
    if domain is None:
        return None, faults
    problem = ProblemClass(
        id=class_id,
        domain=domain,
        title=title,
        prompt=prompt.strip("\n"),
        example=example,
        rules=rules,
        pattern=pattern or None,
        literal=literal,
        instances=instances,
    )
    if "prompt" in source.data and not prompt.strip():
        faults.append(Fault(("prompt",), "empty-prompt", "prompt is empty", "write the question"))
    faults += class_faults(problem)
    return problem, faults


def _domain(fields: Fields, path: Path) -> Domain | None:
    text = fields.filled("domain")
    folder = path.parent.name
    all_domains = [each.value for each in Domain]
    if text not in all_domains:
        if text:
            allowed = ", ".join(all_domains)
            fields.fault("domain", "bad-domain", f"{text!r} is no domain", f"use one of: {allowed}")
        return Domain(folder) if folder in all_domains else None
    if text != folder:
        either = f'write domain = "{folder}" or ' if folder in all_domains else ""
        fields.fault(
            "domain",
            "domain-not-folder",
            f"domain is {text!r} but the file lies in {folder!r}",
            f"{either}move the file to {text}/",
        )
    return Domain(text)


def _instances(fields: Fields) -> tuple[Instance, ...]:
    instances: list[Instance] = []
    seen: set[str] = set()
    for entry in fields.tables("instances"):
        instance_id = entry.filled("id")
        if instance_id and not ID_PATTERN.fullmatch(instance_id):
            entry.fault("id", "bad-id", f"{instance_id!r} cannot be an id", _ID_FORM)
        if instance_id and instance_id in seen:
            entry.fault(
                "id",
                "duplicate-id",
                f"two instances are called {instance_id!r}",
                "rename one of them",
            )
        seen.add(instance_id)
        data = entry.text_table("data")
        answer = entry.text("answer")
        if entry.table.get("answer") == "":
            entry.fault("answer", "key-form", "answer is empty", "write the right answer")
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


def read_composite(source: SourceFile, set_name: str) -> tuple[Composite, list[Fault]]:
    """Read a composite file of a set."""
    faults: list[Fault] = []
    fields = Fields(source.data, (), faults)
    composite_id = _id(fields, source.path, faults)
    if not ID_PATTERN.fullmatch(set_name) or set_name == _RESERVED_SET:
        reason = "is kept for single subproblems" if set_name == _RESERVED_SET else "is no name"
        mend = f"rename the folder; {_ID_FORM}"
        faults.append(Fault((), "bad-set-name", f"{set_name!r} {reason} of a set", mend))
    separator = fields.text("separator", required=False, default="-")
    if any(ord(char) < 32 for char in separator):
        fields.fault(
            "separator", "bad-separator", "separator holds a control character", 'use "-" or "/"'
        )
    elif separator != separator.strip() and separator != " ":
        fields.fault(
            "separator",
            "bad-separator",
            f"separator {separator!r} begins or ends with white space, which a reader of the "
            "prompt cannot see",
            'use "-", "/" or exactly one space',
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
    seen: set[str] = set()
    for entry in fields.tables("steps"):
        label = entry.filled("label")
        if label and not LABEL_PATTERN.fullmatch(label):
            entry.fault(
                "label", "bad-label", f"{label!r} cannot be a label", "use capitals: A, B, C …"
            )
        if label and label in seen:
            entry.fault(
                "label", "duplicate-id", f"two steps are labelled {label!r}", "relabel one of them"
            )
        seen.add(label)
        use = entry.filled("use")
        ref = InstanceRef.parse(use)
        if use and ref is None:
            entry.fault(
                "use",
                "bad-use",
                f"{use!r} does not name an instance",
                'write use = "domain/class:instance", as in "math/digit-sum:twelve-factorial"',
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
