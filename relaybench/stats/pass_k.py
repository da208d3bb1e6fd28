"""pass@k and pass^k: at least one, and every one, of k attempts right; unbiased estimates.

Source of the formulas: STATISTICS, section 2 (pass@k: Chen et al. 2021; pass^k: Yao et al. 2024).
Binomials are integers and are divided once, so nothing overflows and nothing cancels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PassBench:
    """pass@k and pass^k of a benchmark: means over its problems, both in [0, 1]."""

    pass_at_k: float
    pass_hat_k: float


def _possible(n: int, c: int, k: int) -> bool:
    """Whether k attempts can be drawn from n; ValueError unless 0 <= c <= n."""
    if not 0 <= c <= n:
        raise ValueError(f"correct attempts must be between 0 and all attempts, not {c} of {n}")
    return 1 <= k <= n


def pass_at_k(n: int, c: int, k: int) -> float | None:
    """Chance that k of a problem's n attempts, c of them correct, hold a correct one.

    1 - C(n-c, k) / C(n, k); None unless 1 <= k <= n. ValueError unless 0 <= c <= n.
    """
    if not _possible(n, c, k):
        return None
    ways = math.comb(n, k)
    return (ways - math.comb(n - c, k)) / ways


def pass_hat_k(n: int, c: int, k: int) -> float | None:
    """Chance that k of a problem's n attempts, c of them correct, are all correct.

    C(c, k) / C(n, k); None unless 1 <= k <= n. ValueError unless 0 <= c <= n.
    """
    if not _possible(n, c, k):
        return None
    return math.comb(c, k) / math.comb(n, k)


def pass_bench(problems: Sequence[tuple[int, int]], k: int) -> PassBench | None:
    """Means over problems, given as (attempts n, correct attempts c), of pass@k and pass^k.

    None without problems, and where any problem has n < k: such a problem is never dropped in
    silence. ValueError unless 0 <= c <= n.
    """
    # Problems with the same counts share their binomials.
    found = {counts: (pass_at_k(*counts, k), pass_hat_k(*counts, k)) for counts in set(problems)}
    at_k = [at for at, _ in (found[counts] for counts in problems) if at is not None]
    hat_k = [hat for _, hat in (found[counts] for counts in problems) if hat is not None]
    if not problems or len(at_k) < len(problems):
        return None
    return PassBench(math.fsum(at_k) / len(problems), math.fsum(hat_k) / len(problems))
