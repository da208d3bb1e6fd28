"""Checkers of the coding classes: bit lists, spelled-out semantics, predicates, real SQLite."""

import sqlite3
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import floor

from tests.problems.checkers.registry import Checker, Data, integers, rows


def xorshift_variant(data: Data) -> str:
    """Run the rounds on a list of 32 bits, most significant first."""
    bits = [int(bit) for bit in f"{int(data['seed']) % 2**32:032b}"]

    def mix(shifted: list[int]) -> list[int]:
        return [a ^ b for a, b in zip(bits, shifted, strict=True)]

    for _ in range(int(data["rounds"])):
        bits = mix(bits[13:] + [0] * 13)
        bits = mix([0] * 17 + bits[:-17])
        bits = mix(bits[5:] + [0] * 5)
        bits = [1 - bit for bit in bits] if bits[-1] else bits[7:] + bits[:7]
    word = "".join(map(str, bits))
    return "".join(f"{int(word[at : at + 4], 2):x}" for at in range(0, 32, 4))


def python_surprises(data: Data) -> str:
    """Spell out what the program does, without using the features that surprise."""
    history: list[int] = []  # the default list of tally lives as long as the function
    total = 0
    for number in integers(data["numbers"]):
        if Fraction(number, 3).denominator == 1:
            # -n % 7 is (-n) % 7; it is subtracted, and the else branch is skipped.
            total -= -number - 7 * floor(Fraction(-number, 7))
        else:
            half = Fraction(number, 2)
            below = floor(half)
            rounded = below if half == below else below + (below & 1)
            # Every lambda sees the last k, which is 4; the list has 4 elements by then.
            total += floor(Fraction(number, 4)) + rounded + number * 4 + 4
        history.append(number - 5 * floor(Fraction(number, 5)))
        total += len(history) - min(
            place for place, value in enumerate(history) if value == history[-1]
        )
    counts = Counter(data["word"])
    ranked = sorted(counts)
    ranked.sort(key=lambda letter: counts[letter], reverse=True)
    picked = []
    place = len(ranked) - 1
    while place >= 0:
        picked.append(ranked[place])
        place -= 2
    return f"{total}:{''.join(picked)}"


def _balanced(text: str) -> bool:
    """Match a(b|ca)*c?b+ by taking it apart from both ends."""
    if not text.startswith("a") or not text.endswith("b"):
        return False
    middle = text[1:].rstrip("b").removesuffix("c")
    return set(middle.replace("ca", "b")) <= {"b"}


def _same_ends(text: str) -> bool:
    """Match ([abc])(?!\\1)[abc]*\\1: equal ends, and another letter after the first."""
    return len(text) > 2 and set(text) <= set("abc") and text[0] == text[-1] != text[1]


def _double_c(text: str) -> bool:
    """Match (?=[a-c]*cc)[abc]{3,9}(?<!a): holds cc, has 3 to 9 letters, no final a."""
    return set(text) <= set("abc") and 3 <= len(text) <= 9 and "cc" in text and text[-1] != "a"


def _even_vowels(text: str) -> bool:
    """Match ([^ae]*[ae][^ae]*[ae])+[^ae]*: a and e occur an even number of times, at least 2."""
    vowels = text.count("a") + text.count("e")
    return vowels >= 2 and vowels % 2 == 0


def _framed(text: str) -> bool:
    """Match [a-z]?([a-z])[a-z]*\\1[^aeiou]?: equal ends after dropping a letter or none."""
    for head in (0, 1):
        for tail in (0, 1):
            core = text[head : len(text) - tail]
            if tail and (not text or text[-1] in "aeiou"):
                continue
            if len(core) >= 2 and core[0] == core[-1]:
                return True
    return False


PREDICATES: dict[str, Callable[[str], bool]] = {
    r"a(b|ca)*c?b+": _balanced,
    r"([abc])(?!\1)[abc]*\1": _same_ends,
    r"(?=[a-c]*cc)[abc]{3,9}(?<!a)": _double_c,
    r"([^ae]*[ae][^ae]*[ae])+[^ae]*": _even_vowels,
    r"[a-z]?([a-z])[a-z]*\1[^aeiou]?": _framed,
}


def regex_substrings(data: Data) -> str:
    """Count the slices that a hand-written predicate for the expression accepts."""
    text, accepts = data["text"], PREDICATES[data["pattern"]]
    return str(
        sum(
            accepts(text[start:end])
            for start in range(len(text) + 1)
            for end in range(start, len(text) + 1)
        )
    )


def sqlite_nulls(data: Data) -> str:
    """Ask SQLite itself."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.executescript(data["setup"])
        ((value,),) = connection.execute(data["query"]).fetchall()
    finally:
        connection.close()
    assert isinstance(value, str)
    return value


def stack_machine(data: Data) -> str:
    """Interpret the program with a list as the stack."""
    labels: dict[str, int] = {}
    program: list[list[str]] = []
    for line in rows(data["program"]):
        label, colon, rest = line.partition(":")
        if colon:
            labels[label] = len(program)
        program.append((rest if colon else line).split())
    queue = integers(data["input"])
    stack: list[int] = []
    output: list[int] = []
    arithmetic: dict[str, Callable[[int, int], int]] = {
        "ADD": lambda a, b: a + b,
        "SUB": lambda a, b: a - b,
        "MUL": lambda a, b: a * b,
        "DIV": lambda a, b: floor(Fraction(a, b)),
        "MOD": lambda a, b: a - b * floor(Fraction(a, b)),
    }
    at = 0
    for _ in range(1_000_000):
        name, *operands = program[at]
        at += 1
        match name:
            case "HALT":
                return ",".join(map(str, output))
            case "PUSH":
                stack.append(int(operands[0]))
            case "IN":
                stack.append(queue.pop(0) if queue else 0)
            case "PRINT":
                output.append(stack.pop())
            case "DUP":
                stack.append(stack[-1])
            case "DROP":
                stack.pop()
            case "SWAP":
                stack[-2:] = [stack[-1], stack[-2]]
            case "OVER":
                stack.append(stack[-2])
            case "ROT":
                stack.append(stack.pop(-3))
            case "JMP":
                at = labels[operands[0]]
            case "JZ":
                at = labels[operands[0]] if stack.pop() == 0 else at
            case _:
                top = stack.pop()
                stack.append(arithmetic[name](stack.pop(), top))
    raise AssertionError("the program does not halt")


CHECKERS: dict[str, Checker] = {
    "coding/xorshift-variant": xorshift_variant,
    "coding/python-surprises": python_surprises,
    "coding/regex-substrings": regex_substrings,
    "coding/sqlite-nulls": sqlite_nulls,
    "coding/stack-machine": stack_machine,
}
