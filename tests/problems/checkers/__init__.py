"""Independent checkers: one function for each class that works out an answer from its text data.

No checker knows the answers of the files, and none imports the product. Each takes another route
than the author of the class took (brute force instead of a formula, exact fractions instead of
integers, parsing the rendered text instead of reading the table it was made from), so that a key
is wrong only if two different pieces of work are wrong in the same way.
"""

from tests.problems.checkers import (
    coding,
    data_analysis,
    general_knowledge,
    information_extraction,
    math,
    problem_solving,
    visual_reasoning,
)
from tests.problems.checkers.registry import Checker, Solver

CHECKERS: dict[str, Checker] = {
    **coding.CHECKERS,
    **data_analysis.CHECKERS,
    **general_knowledge.CHECKERS,
    **information_extraction.CHECKERS,
    **math.CHECKERS,
    **problem_solving.CHECKERS,
    **visual_reasoning.CHECKERS,
}
"""The checker of each class, by "domain/class"."""

FACTS: dict[str, str] = general_knowledge.FACTS
"""Classes that rest on facts, each with the reason why its facts stay as they are."""

SOLVERS: dict[str, Solver] = {**problem_solving.SOLVERS, **visual_reasoning.SOLVERS}
"""Puzzles that claim exactly one solution: functions that find every solution by brute force."""

__all__ = ["CHECKERS", "FACTS", "SOLVERS", "Checker", "Solver"]
