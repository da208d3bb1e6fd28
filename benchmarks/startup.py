"""How long `relaybench --help` takes, against bare `python -c "import click"` in the same run.

Bound: 300 ms or twice the bare start, whichever is larger. Exits 1 where it is missed.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

ROUNDS = 7
BOUND_S = 0.3
BOUND_RATIO = 2.0
ROOT = Path(__file__).resolve().parents[1]


def seconds(command: list[str]) -> float:
    """Wall-clock seconds of one run of a command."""
    started = time.perf_counter()
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def main() -> int:
    """Time both in turn, print medians and their ratio."""
    bare = [sys.executable, "-c", "import click"]
    ours = [sys.executable, "-m", "relaybench", "--help"]
    for command in (bare, ours):  # once to warm the caches
        seconds(command)
    times = [(seconds(bare), seconds(ours)) for _ in range(ROUNDS)]
    bare_s = sorted(pair[0] for pair in times)[ROUNDS // 2]
    ours_s = sorted(pair[1] for pair in times)[ROUNDS // 2]
    ratio = ours_s / bare_s
    good = ours_s <= max(BOUND_S, BOUND_RATIO * bare_s)
    print(f"python -c 'import click'  {bare_s * 1000:6.0f} ms (median of {ROUNDS})")
    print(f"relaybench --help         {ours_s * 1000:6.0f} ms  ratio {ratio:.2f}")
    print(f"bound: {BOUND_S * 1000:.0f} ms or ratio {BOUND_RATIO:g}: {'met' if good else 'MISSED'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
