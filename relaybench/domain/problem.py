"""Problems as their authors write them: classes, instances, composites."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

MIN_STEPS: Final = 2
MAX_STEPS: Final = 13
#: Longest fabricated context that can be asked for, in characters.
MAX_BLOAT: Final = 200_000

#: Ids of classes, instances, composites and sets: also file names, so kept to safe characters.
ID_PATTERN: Final = re.compile(r"[a-z0-9]+(?:[-_.][a-z0-9]+)*")
#: Labels of steps: they become ``A_STR`` in the prompt.
LABEL_PATTERN: Final = re.compile(r"[A-Z][A-Z0-9]*")


class Domain(StrEnum):
    """The seven domains of the benchmark; the value is the folder's name."""

    VISUAL_REASONING = "visual-reasoning"
    CODING = "coding"
    MATH = "math"
    INFORMATION_EXTRACTION = "information-extraction"
    PROBLEM_SOLVING = "problem-solving"
    GENERAL_KNOWLEDGE = "general-knowledge"
    DATA_ANALYSIS = "data-analysis"


class Status(StrEnum):
    """How far an instance has come; only approved ones should be published."""

    DRAFT = "draft"
    APPROVED = "approved"
    RETIRED = "retired"


@dataclass(frozen=True, slots=True)
class Instance:
    """One subproblem: the class's template with its own data and its own answer."""

    id: str
    data: Mapping[str, str]
    answer: str
    status: Status = Status.DRAFT


@dataclass(frozen=True, slots=True)
class ProblemClass:
    """A kind of subproblem: one prompt template and its instances.

    ``literal`` names what looks like a slot in the prompt and is meant to stand there as it is.
    """

    id: str
    domain: Domain
    title: str
    prompt: str
    example: str
    rules: tuple[str, ...] = ()
    pattern: str | None = None
    instances: tuple[Instance, ...] = ()
    literal: tuple[str, ...] = ()

    @property
    def ref(self) -> str:
        """The name by which composites use this class: ``math/definite-integral``."""
        return f"{self.domain.value}/{self.id}"

    @property
    def inputs(self) -> frozenset[str]:
        """Names of the slots that this class declares: every key of any instance's data."""
        return frozenset(name for instance in self.instances for name in instance.data)

    def instance(self, instance_id: str) -> Instance | None:
        """Return the instance of that id, or None where the class has none."""
        return next((each for each in self.instances if each.id == instance_id), None)


@dataclass(frozen=True, slots=True)
class InstanceRef:
    """Where a step takes its subproblem from: ``domain/class:instance``."""

    domain: str
    class_id: str
    instance_id: str

    @classmethod
    def parse(cls, text: str) -> InstanceRef | None:
        """Read ``domain/class:instance``; None where the text has another shape."""
        match = re.fullmatch(r"([^/:\s]+)/([^/:\s]+):([^/:\s]+)", text)
        return cls(*match.groups()) if match else None

    @property
    def class_ref(self) -> str:
        """The class's name, ``domain/class``."""
        return f"{self.domain}/{self.class_id}"

    def __str__(self) -> str:
        """Write the reference as a problem file does."""
        return f"{self.class_ref}:{self.instance_id}"


@dataclass(frozen=True, slots=True)
class Step:
    """One labelled place in a composite.

    ``inputs`` binds a slot of the template to the label of an upstream step;
    ``augment`` lists augmentations as written, applied from left to right.
    """

    label: str
    use: InstanceRef
    inputs: Mapping[str, str] = field(default_factory=dict)
    augment: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Bloat:
    """A fabricated user context of exactly ``characters`` characters before the problem."""

    characters: int
    seed: int


@dataclass(frozen=True, slots=True)
class Encoding:
    """The nonce code: its seed and the share of codes that get a case twin."""

    seed: int
    twin_share: float = 0.5


@dataclass(frozen=True, slots=True)
class Composite:
    """Steps wired into a graph whose answers together are one final answer.

    ``answer`` lists the labels whose answers make the final one, in order; empty means all
    steps as listed. ``style`` names the wording in which the prompt is written.
    """

    id: str
    set_name: str
    steps: tuple[Step, ...]
    separator: str = "-"
    title: str = ""
    answer: tuple[str, ...] = ()
    style: str = "standard"
    bloat: Bloat | None = None
    encoding: Encoding | None = None

    @property
    def ref(self) -> str:
        """The name by which commands know this composite: ``starter/relay-01``."""
        return f"{self.set_name}/{self.id}"

    @property
    def answer_labels(self) -> tuple[str, ...]:
        """Labels of the final answer, in order."""
        return self.answer or tuple(step.label for step in self.steps)


class Variant(StrEnum):
    """In which form a composite is asked; the paired forms of one problem share its key."""

    AS_WRITTEN = "as-written"
    PLAIN = "plain"
    BLOATED = "bloated"
    ENCODED = "encoded"
