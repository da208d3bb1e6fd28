"""Checkers of the puzzle classes: brute force over every assignment, subset, order or state."""

import itertools
import re
from collections.abc import Callable
from functools import cache
from typing import TypeVar

from tests.problems.checkers.registry import Checker, Data, Solver, integers, rows

Kinds = dict[str, bool]
Seats = dict[str, int]
Groups = tuple[str, ...]
World = TypeVar("World", bool, int)


def _parse(
    forms: dict[str, Callable[[Groups, dict[str, World]], bool]], text: str
) -> Callable[[dict[str, World]], bool]:
    """Return the test that the only fitting form makes of a text."""
    ((groups, test),) = (
        (match.groups(), test)
        for form, test in forms.items()
        if (match := re.fullmatch(form, text))
    )
    return lambda world: test(groups, world)


# What each form of statement says about an assignment; g holds the groups of the match.
CLAIMS: dict[str, Callable[[Groups, Kinds], bool]] = {
    r"(\w+) is a liar\.": lambda g, kinds: not kinds[g[0]],
    r"(\w+) and (\w+) are of the same kind\.": lambda g, kinds: kinds[g[0]] is kinds[g[1]],
    r"If (\w+) is a truth-teller, then (\w+) is a liar\.": lambda g, kinds: (
        (not kinds[g[0]]) or (not kinds[g[1]])
    ),
    r"Exactly one of (\w+) and (\w+) is a liar\.": lambda g, kinds: (
        [kinds[g[0]], kinds[g[1]]].count(False) == 1
    ),
    r"Both (\w+) and (\w+) are truth-tellers\.": lambda g, kinds: all((kinds[g[0]], kinds[g[1]])),
    r"Exactly (\d+) of the \d+ of us are liars\.": lambda g, kinds: (
        list(kinds.values()).count(False) == int(g[0])
    ),
    r"At least (\d+) of the \d+ of us are truth-tellers\.": lambda g, kinds: (
        list(kinds.values()).count(True) >= int(g[0])
    ),
}


def _claim(speaker: str, claim: str) -> Callable[[Kinds], bool]:
    """Turn one statement of an islander into a test of an assignment."""
    if match := re.fullmatch(r"(\w+) and I are of different kinds\.", claim):
        other = match[1]
        return lambda kinds: kinds[other] is not kinds[speaker]
    return _parse(CLAIMS, claim)


def truth_teller_solutions(data: Data) -> list[str]:
    """Return every assignment that fits, as letters in the alphabetical order of the names."""
    spoken = [re.fullmatch(r'(\w+) says: "(.+)"', line) for line in rows(data["statements"])]
    claims = {m[1]: _claim(m[1], m[2]) for m in spoken if m}
    assert len(claims) == len(spoken)
    assert all(f"of the {len(claims)} of us" in m[2] for m in spoken if m and " of us " in m[2])
    names = sorted(claims)
    found = []
    for letters in itertools.product("TL", repeat=len(names)):
        kinds = {name: letter == "T" for name, letter in zip(names, letters, strict=True)}
        if all(claims[name](kinds) == kinds[name] for name in names):
            found.append("".join(letters))
    return found


def truth_tellers(data: Data) -> str:
    """Return the only assignment."""
    (only,) = truth_teller_solutions(data)
    return only


def night_bridge(data: Data) -> str:
    """Relax the times of all states until nothing changes any more."""
    minutes = {name: int(number) for name, number in re.findall(r"(\w+) (\d+)", data["times"])}
    quarrels = {frozenset(pair.split(" and ")) for pair in data["quarrels"].split(", ")}
    assert all(len(pair) == 2 and pair <= set(minutes) for pair in quarrels)
    groups = [
        frozenset(group)
        for size in (1, 2)
        for group in itertools.combinations(minutes, size)
        if frozenset(group) not in quarrels
    ]
    everybody = frozenset(minutes)
    # A state is (those still in the west, whether the lamp is in the west).
    best: dict[tuple[frozenset[str], bool], int] = {(everybody, True): 0}
    changed = True
    while changed:
        changed = False
        for (west, lamp_west), spent in list(best.items()):
            bank = west if lamp_west else everybody - west
            for group in groups:
                if not group <= bank:
                    continue
                after = (west - group if lamp_west else west | group, not lamp_west)
                total = spent + max(minutes[name] for name in group)
                if total < best.get(after, total + 1):
                    best[after] = total
                    changed = True
    return str(best[frozenset(), False])


def subtraction_game(data: Data) -> str:
    """Play every position out, without any theory."""
    moves = integers(data["moves"])
    heaps = integers(data["heaps"])

    def follow(position: tuple[int, ...]) -> list[tuple[int, ...]]:
        return [
            tuple(sorted((*position[:at], heap - move, *position[at + 1 :])))
            for at, heap in enumerate(position)
            for move in moves
            if move <= heap
        ]

    @cache
    def wins(position: tuple[int, ...]) -> bool:
        return any(not wins(after) for after in follow(position))

    return str(sum(not wins(after) for after in follow(tuple(heaps))))


def deadline_solutions(data: Data) -> list[str]:
    """Try every set of jobs in the order of deadlines and return all the best ones."""
    jobs = []
    for line in rows(data["table"])[1:]:
        name, *numbers = line.split(",")
        hours, deadline, profit = map(int, numbers)
        jobs.append((deadline, name, hours, profit))
    jobs.sort()
    best, found = -1, list[str]()
    for chosen in itertools.product((False, True), repeat=len(jobs)):
        done = list(itertools.compress(jobs, chosen))
        ends = itertools.accumulate(job[2] for job in done)
        if any(end > job[0] for end, job in zip(ends, done, strict=True)):
            continue
        profit = sum(job[3] for job in done)
        if profit > best:
            best, found = profit, []
        if profit == best:
            found.append(f"{profit}:{''.join(sorted(job[1] for job in done))}")
    return found


def deadline_jobs(data: Data) -> str:
    """Return the only best set."""
    (only,) = deadline_solutions(data)
    return only


# What each form of clue says about the seats.
CLUES: dict[str, Callable[[Groups, Seats], bool]] = {
    r"(\w+) sits somewhere to the left of (\w+)\.": lambda g, seat: seat[g[0]] < seat[g[1]],
    r"(\w+) sits somewhere between (\w+) and (\w+)\.": lambda g, seat: (
        (seat[g[1]] - seat[g[0]]) * (seat[g[2]] - seat[g[0]]) < 0
    ),
    r"(\w+) and (\w+) sit next to each other\.": lambda g, seat: seat[g[0]] - seat[g[1]] in (-1, 1),
    r"(\w+) and (\w+) do not sit next to each other\.": lambda g, seat: (
        seat[g[0]] - seat[g[1]] not in (-1, 1)
    ),
    r"Between (\w+) and (\w+) there (?:is|are) exactly (\d+) \w+\.": lambda g, seat: (
        abs(seat[g[0]] - seat[g[1]]) - 1 == int(g[2])
    ),
    r"(\w+) does not sit at either end of the bench\.": lambda g, seat: (
        1 < seat[g[0]] < max(seat.values())
    ),
    r"The number of the seat of (\w+) is (odd|even)\.": lambda g, seat: (
        seat[g[0]] % 2 == ["even", "odd"].index(g[1])
    ),
}


def bench_solutions(data: Data) -> list[str]:
    """Return every order of the people that fits all clues."""
    people = data["people"].split(", ")
    tests = [_parse(CLUES, clue) for clue in rows(data["clues"])]
    found = []
    for order in itertools.permutations(people):
        seat = {name: place for place, name in enumerate(order, start=1)}
        if all(test(seat) for test in tests):
            found.append("".join(name[0] for name in order))
    return found


def bench_order(data: Data) -> str:
    """Return the only order."""
    (only,) = bench_solutions(data)
    return only


CHECKERS: dict[str, Checker] = {
    "problem-solving/truth-tellers": truth_tellers,
    "problem-solving/night-bridge": night_bridge,
    "problem-solving/subtraction-game": subtraction_game,
    "problem-solving/deadline-jobs": deadline_jobs,
    "problem-solving/bench-order": bench_order,
}

SOLVERS: dict[str, Solver] = {
    "problem-solving/truth-tellers": truth_teller_solutions,
    "problem-solving/deadline-jobs": deadline_solutions,
    "problem-solving/bench-order": bench_solutions,
}
