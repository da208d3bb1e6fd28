"""A composite of three steps, as values."""

from __future__ import annotations

from relaybench.composing.solve import Classes
from relaybench.domain.problem import (
    Bloat,
    Composite,
    Domain,
    Encoding,
    Instance,
    InstanceRef,
    ProblemClass,
    Step,
)

POWER = ProblemClass(
    "power",
    Domain.MATH,
    "Powers",
    "What is {{base}} to the power of 3?",
    "42",
    ("Give an integer.",),
    None,
    (Instance("two", {"base": "2"}, "8"),),
)
SPELL = ProblemClass(
    "spell",
    Domain.CODING,
    "Words",
    "Spell {{number}} {literal} $x 100% \\n <b> {{nobody}}, not {{hint}}.",
    "twenty one",
    (),
    None,
    (Instance("eight", {"number": "8", "hint": "{{number}}"}, "eight no"),),
)
SIGN = ProblemClass(
    "sign", Domain.CODING, "Signs", "Which sign?", "?", (), None, (Instance("bang", {}, "!"),)
)
CLASSES: Classes = {each.ref: each for each in (POWER, SPELL, SIGN)}
TRIO = Composite(
    "trio",
    "first",
    (
        Step("B", InstanceRef("coding", "spell", "eight"), {"number": "A"}, ("upper", "last:7")),
        Step("C", InstanceRef("coding", "sign", "bang")),
        Step("A", InstanceRef("math", "power", "two")),
    ),
    answer=("C", "B"),
    bloat=Bloat(100, 1),
    encoding=Encoding(7),
)
