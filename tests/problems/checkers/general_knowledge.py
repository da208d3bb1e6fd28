"""Checkers of the knowledge classes: a second table of the facts, and the computable rest.

Dates are turned into Julian day numbers by the usual integer formula, not by `datetime`, which
the author used. The names in a prompt are found by a key word, so that a prompt may be reworded.
"""

import re
from collections.abc import Callable, Iterable
from decimal import Decimal, localcontext

from tests.problems.checkers.registry import Checker, Data

# Encyclopaedia Britannica, articles on the persons: born, died.
LIVES: dict[str, tuple[str, str]] = {
    "Ada Lovelace": ("10 12 1815", "27 11 1852"),
    "Charles Darwin": ("12 2 1809", "19 4 1882"),
    "Emmy Noether": ("23 3 1882", "14 4 1935"),
    "Srinivasa Ramanujan": ("22 12 1887", "26 4 1920"),
    "Abraham Lincoln": ("12 2 1809", "15 4 1865"),
}

# Encyclopaedia Britannica, articles on the events: day, month, year.
EVENTS: dict[str, str] = {
    "Battle of Waterloo": "18 6 1815",
    "Bastille": "14 7 1789",
    "Berlin Wall": "9 11 1989",
    "Titanic sank": "15 4 1912",
    "Sputnik 1": "4 10 1957",
    "Wright brothers": "17 12 1903",
}

# IUPAC Periodic Table of the Elements, period by period, elements 1 to 103.
PERIODS: dict[int, str] = {
    1: "H He",
    3: "Li Be B C N O F Ne",
    11: "Na Mg Al Si P S Cl Ar",
    19: "K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr",
    37: "Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe",
    55: "Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu",
    72: "Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn",
    87: "Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr",
}

# Project Gutenberg nos. 1342, 98 and 10; U.S. National Archives, transcript of the Declaration.
OPENINGS: dict[str, str] = {
    "Pride and Prejudice": (
        "It is a truth universally acknowledged, that a single man in possession of a good fortune"
    ),
    "A Tale of Two Cities": (
        "It was the best of times, it was the worst of times, it was the age of wisdom, "
        "it was the age of foolishness"
    ),
    "Declaration of Independence": (
        "When in the Course of human events, it becomes necessary for one people to dissolve the "
        "political bands which have connected them with another"
    ),
    "King James Version": (
        "In the beginning God created the heaven and the earth. And the earth was without form, "
        "and void; and darkness was upon the face of the deep."
    ),
}


def _only(keys: Iterable[str], text: str) -> str:
    (key,) = (key for key in keys if key in text)
    return key


def _day_number(text: str) -> int:
    """Return the Julian day number of "day month year" in the Gregorian calendar."""
    day, month, year = map(int, text.split())
    shift = (14 - month) // 12
    years, months = year + 4800 - shift, month + 12 * shift - 3
    leaps = years // 4 - years // 100 + years // 400
    return day + (153 * months + 2) // 5 + 365 * years + leaps - 32045


def days_lived(data: Data) -> str:
    """Subtract two Julian day numbers."""
    born, died = LIVES[_only(LIVES, data["person"])]
    return str(_day_number(died) - _day_number(born))


def date_after_event(data: Data) -> str:
    """Add the days and turn the Julian day number back into a date."""
    start = _day_number(EVENTS[_only(EVENTS, data["event"])])
    rest = start + int(data["days"]) + 32044
    centuries = (4 * rest + 3) // 146097
    rest -= 146097 * centuries // 4
    years = (4 * rest + 3) // 1461
    rest -= 1461 * years // 4
    months = (5 * rest + 2) // 153
    day = rest - (153 * months + 2) // 5 + 1
    year = 100 * centuries + years - 4800 + months // 10
    return f"{year:04d}{months + 3 - 12 * (months // 10):02d}{day:02d}"


def element_symbols(data: Data) -> str:
    """Look each atomic number up in its period."""
    symbols = {
        first + place: symbol
        for first, period in PERIODS.items()
        for place, symbol in enumerate(period.split())
    }
    assert sorted(symbols) == list(range(1, 104))
    return "".join(symbols[int(number)] for number in data["numbers"].split(", "))


def _pi() -> Decimal:
    """Return pi by the arithmetic-geometric mean of Gauss and Legendre."""
    a, b, t, p = Decimal(1), 1 / Decimal(2).sqrt(), Decimal("0.25"), 1
    for _ in range(12):
        mean = (a + b) / 2
        b, t = (a * b).sqrt(), t - p * (a - mean) ** 2
        a, p = mean, 2 * p
    return (a + b) ** 2 / (4 * t)


def constant_digits(data: Data) -> str:
    """Work the constant out with decimals of 1,100 digits."""
    start, length = int(data["start"]), int(data["length"])
    assert start + length < 1050
    with localcontext() as context:
        context.prec = 1100
        constants: dict[str, Callable[[], Decimal]] = {
            "pi": _pi,
            "e": lambda: Decimal(1).exp(),
            "the positive square root of 2": lambda: Decimal(2).sqrt(),
            "the golden ratio": lambda: (1 + Decimal(5).sqrt()) / 2,
        }
        value = constants[data["constant"].split(",")[0]]()
        _, _, digits = f"{value:f}".partition(".")
    return digits[start - 1 :][:length]


def opening_letters(data: Data) -> str:
    """Take the last letters of the words of the opening."""
    opening = OPENINGS[_only(OPENINGS, data["work"])]
    words = re.sub(r"[^a-z ]", " ", opening.lower()).split()
    count = int(data["count"])
    assert len(words) >= count
    return "".join(word[-1] for word in words[:count])


CHECKERS: dict[str, Checker] = {
    "general-knowledge/days-lived": days_lived,
    "general-knowledge/date-after-event": date_after_event,
    "general-knowledge/element-symbols": element_symbols,
    "general-knowledge/constant-digits": constant_digits,
    "general-knowledge/opening-letters": opening_letters,
}

FACTS: dict[str, str] = {
    "general-knowledge/days-lived": "Recorded dates of birth and death of people long dead.",
    "general-knowledge/date-after-event": "Recorded dates of events; the rest is the calendar.",
    "general-knowledge/element-symbols": "IUPAC symbols of elements named long ago.",
    "general-knowledge/constant-digits": "Digits of mathematical constants.",
    "general-knowledge/opening-letters": "Printed texts in the public domain.",
}
