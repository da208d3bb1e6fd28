"""Checkers of the math classes: integration by parts, cycles, digit tables, chains of points."""

import itertools
import re
from collections import Counter
from fractions import Fraction
from math import comb

from tests.problems.checkers.registry import Checker, Data


def definite_integral(data: Data) -> str:
    """Integrate x^n (s - x)^m from 0 to u by repeated integration by parts."""
    shift, upper = int(data["shift"]), int(data["upper"])

    def integral(n: int, m: int) -> Fraction:
        edge = Fraction(upper ** (n + 1) * (shift - upper) ** m, n + 1)
        return edge if m == 0 else edge + Fraction(m, n + 1) * integral(n + 1, m - 1)

    return str(integral(int(data["n"]), int(data["m"])))


def power_tower(data: Data) -> str:
    """Walk through the powers of the base until they repeat, then look the exponent up."""
    base, modulus = int(data["base"]), int(data["modulus"])
    exponent = int(data["middle"]) ** int(data["top"])
    seen: dict[int, int] = {}
    powers: list[int] = []
    value = 1 % modulus
    while value not in seen:
        seen[value] = len(powers)
        powers.append(value)
        if len(powers) > exponent:
            return str(powers[exponent])
        value = value * base % modulus
    start = seen[value]
    return str(powers[start + (exponent - start) % (len(powers) - start)])


def _count_up_to(limit: int, divisor: int, banned: str) -> int:
    """Count the right integers n with 1 <= n <= limit, one digit place after the other."""
    text = str(limit)
    total = 0
    for length in range(1, len(text) + 1):
        # A state is (sum of digits, last digit, still equal to the start of the limit).
        states: Counter[tuple[int, str, bool]] = Counter({(0, "", length == len(text)): 1})
        for place in range(length):
            following: Counter[tuple[int, str, bool]] = Counter()
            for (digits, last, tight), count in states.items():
                for digit in "0123456789":
                    if place == 0 and digit == "0":
                        continue
                    if digit == last or last + digit == banned:
                        continue
                    if tight and digit > text[place]:
                        continue
                    key = (digits + int(digit), digit, tight and digit == text[place])
                    following[key] += count
            states = following
        total += sum(count for (digits, _, _), count in states.items() if digits % divisor == 0)
    return total


def restricted_integers(data: Data) -> str:
    """Count by a table over digit places."""
    low, high, divisor = (int(data[name]) for name in ("low", "high", "divisor"))
    banned = data["banned"]
    return str(_count_up_to(high, divisor, banned) - _count_up_to(low - 1, divisor, banned))


def _delannoy(width: int, height: int) -> int:
    """Return the number of walks across a free rectangle, 0 if it runs backwards."""
    if width < 0 or height < 0:
        return 0
    return sum(
        comb(height, k) * comb(width + height - k, height) for k in range(min(width, height) + 1)
    )


def lattice_paths(data: Data) -> str:
    """Add and subtract the walks over every chain of blocked points."""
    blocked = [(int(x), int(y)) for x, y in re.findall(r"\((\d+),(\d+)\)", data["blocked"])]
    end = (int(data["width"]), int(data["height"]))
    total = 0
    for size in range(len(blocked) + 1):
        for chain in itertools.combinations(sorted(blocked), size):
            stops = [(0, 0), *chain, end]
            walks = 1
            for (x, y), (next_x, next_y) in itertools.pairwise(stops):
                walks *= _delannoy(next_x - x, next_y - y)
            total += (-1) ** size * walks
    return str(total)


CHECKERS: dict[str, Checker] = {
    "math/definite-integral": definite_integral,
    "math/power-tower": power_tower,
    "math/restricted-integers": restricted_integers,
    "math/lattice-paths": lattice_paths,
}
