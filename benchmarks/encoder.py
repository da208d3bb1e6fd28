"""How fast the encoder is, against a bare ``re.sub`` with a dictionary look-up.

Run it from anywhere: ``python benchmarks/encoder.py``. It makes seeded text of 0.5 MB and
5 MB, times encoding and decoding (the best of several runs, with the bare substitution timed
in turn with them), prints the sizes, times, ratios and growth, and exits with 1 if a bound
is missed.
"""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

# Before the folder of this file, which has a module of the encoder's name.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from encoder import bloat, decode, encode
from encoder.draws import Draws

RUNS = 5
SIZES = (500_000, 5_000_000)
SMALL = 50_000
ENCODE_RATIO, DECODE_RATIO = 3.0, 2.0  # times the bare substitution, at the largest size
SMALL_SECONDS = 0.1  # for encoding and for decoding SMALL characters
GROWTH = 15.0  # times longer for ten times the text; linear is 10

_TOKEN = re.compile(r"[^\W\d_]+|\S")
_CODE = re.compile(r"<([A-Za-z]{3})>")


def ordinary_text(characters: int, seed: int) -> str:
    """Make text with a vocabulary of some 20,000 words, common ones far commoner."""
    draws = Draws("benchmark text", seed)
    syllables = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "er")]
    words = ["".join(draws.pick(syllables) for _ in range(2 + n % 3)) for n in range(20_000)]
    parts: list[str] = []
    size = 0
    while size < characters:
        rank = draws.below(len(words)) * draws.below(len(words)) // len(words)
        word = words[rank]
        match draws.below(20):
            case 0:
                word = f"{word.capitalize()}."
            case 1:
                word = f"{word},\n"
            case 2:
                word = f"({rank})"
        parts.append(word)
        size += len(word) + 1
    return " ".join(parts)[:characters]


def best(*actions: Callable[[], object]) -> list[float]:
    """Return the shortest time of each action in seconds, over ``RUNS`` turns of all."""
    times = [float("inf")] * len(actions)
    for _ in range(RUNS):
        for number, action in enumerate(actions):
            gc.collect()
            start = perf_counter()
            action()
            times[number] = min(times[number], perf_counter() - start)
    return times


def compare(size: int) -> tuple[float, float, float, float]:
    """Time encode, bare encode, decode and bare decode of a text, and print the times."""
    text = ordinary_text(size, seed=1)
    encoded = encode(text, seed=1)
    body, prompt = encoded.body, encoded.prompt
    codes = {token: f"<{code}>" for code, token in encoded.codebook.entries}
    tokens = dict[str, str](encoded.codebook.entries)
    ours_encode, bare_encode, ours_decode, bare_decode = best(
        lambda: encode(text, seed=1).prompt,
        lambda: _TOKEN.sub(lambda match: codes[match[0]], text),
        lambda: decode(prompt),
        lambda: _CODE.sub(lambda match: tokens[match[1]], body),
    )
    print(
        f"{size:,} characters, {encoded.substitutions:,} tokens, "
        f"{len(encoded.codebook):,} codes, prompt of {len(prompt):,} characters"
    )
    print(f"  encode {ours_encode:7.3f} s, bare substitution {bare_encode:7.3f} s")
    print(f"  decode {ours_decode:7.3f} s, bare substitution {bare_decode:7.3f} s")
    return ours_encode, bare_encode, ours_decode, bare_decode


def main() -> int:
    """Measure, print and judge."""
    missed: list[str] = []

    def judge(what: str, figure: float, bound: float, unit: str) -> None:
        verdict = "ok" if figure <= bound else "MISSED"
        if figure > bound:
            missed.append(what)
        print(f"  {what:<32}{figure:8.3f} {unit:<2} (at most {bound:g}) {verdict}")

    smaller, larger = map(compare, SIZES)
    print("against the bare substitution, at the larger size")
    judge("encode", larger[0] / larger[1], ENCODE_RATIO, "x")
    judge("decode", larger[2] / larger[3], DECODE_RATIO, "x")
    print(f"growth of the time for {SIZES[1] // SIZES[0]} times the text")
    judge("encode", larger[0] / smaller[0], GROWTH, "x")
    judge("decode", larger[2] / smaller[2], GROWTH, "x")

    text = ordinary_text(SMALL, seed=2)
    prompt = encode(text, seed=2).prompt
    small_encode, small_decode, fabricate = best(
        lambda: encode(text, seed=2).prompt,
        lambda: decode(prompt),
        lambda: bloat(SMALL, seed=2),
    )
    print(f"{SMALL:,} characters")
    judge("encode", small_encode, SMALL_SECONDS, "s")
    judge("decode", small_decode, SMALL_SECONDS, "s")
    judge("bloat", fabricate, SMALL_SECONDS, "s")

    if missed:
        print(f"missed: {', '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
