"""Student's t against its closed forms, and what the statistics load."""

from __future__ import annotations

import math
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.stats.intervals import z_quantile
from relaybench.stats.student import t_quantile, t_two_sided_p

_PROBE = """
import importlib, pkgutil, sys
import relaybench.stats as room
for found in pkgutil.iter_modules(room.__path__, "relaybench.stats."):
    importlib.import_module(found.name)
from relaybench.stats.paired import mcnemar_exact
from relaybench.stats.pass_k import pass_at_k
from relaybench.stats.rates import score_summary
mcnemar_exact(3, 11), pass_at_k(10, 3, 5), score_summary([[1, 0], [1]])
print(*sorted({"numpy", "scipy"} & set(sys.modules)))
print(len([name for name in sys.modules if name.startswith("relaybench.stats.")]))
"""


def test_importing_the_statistics_loads_no_library() -> None:
    """Nor do the figures that need none of Student's t."""
    done = subprocess.run(
        [sys.executable, "-c", _PROBE], capture_output=True, text=True, check=True, timeout=60
    )
    loaded, modules = done.stdout.split("\n")[:2]
    assert loaded == ""
    assert int(modules) >= 12


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.999])
def test_closed_forms(confidence: float) -> None:
    """One degree of freedom is Cauchy's distribution, two have a root, many are normal."""
    assert t_quantile(1, confidence) == pytest.approx(math.tan(math.pi * confidence / 2))
    two = confidence * math.sqrt(2 / (1 - confidence**2))
    assert t_quantile(2, confidence) == pytest.approx(two)
    assert t_quantile(1e9, confidence) == pytest.approx(z_quantile(confidence), rel=1e-8)
    assert t_two_sided_p(math.tan(math.pi * confidence / 2), 1) == pytest.approx(1 - confidence)


def test_a_table() -> None:
    """The usual ones, to four decimals."""
    assert [round(t_quantile(df), 4) for df in (4, 9, 29)] == [2.7764, 2.2622, 2.0452]


@given(st.floats(1, 500), st.floats(0.05, 0.999))
def test_quantile_and_p_agree(df: float, confidence: float) -> None:
    """One is the inverse of the other, for fractions of a degree of freedom too."""
    assert t_two_sided_p(t_quantile(df, confidence), df) == pytest.approx(1 - confidence, rel=1e-8)


def test_far_tails() -> None:
    """A small p is small, not 0; t = 0 gives 1, and the sign is nothing."""
    assert t_two_sided_p(1e8, 1) == pytest.approx(2 / math.pi / 1e8)
    assert 0 < t_two_sided_p(40, 200) < 1e-90
    assert t_two_sided_p(0, 3) == 1
    assert t_two_sided_p(math.inf, 3) == 0
    assert t_two_sided_p(-2, 7) == t_two_sided_p(2, 7)


@pytest.mark.parametrize("df", [0, -1, math.nan, math.inf])
def test_no_such_degrees(df: float) -> None:
    """Refused in words."""
    with pytest.raises(ValueError, match="degrees of freedom"):
        t_quantile(df)
    with pytest.raises(ValueError, match="degrees of freedom"):
        t_two_sided_p(1, df)


def test_no_such_value() -> None:
    """Neither a confidence of 1 nor a statistic that is none."""
    with pytest.raises(ValueError, match="confidence"):
        t_quantile(3, 1)
    with pytest.raises(ValueError, match="not NaN"):
        t_two_sided_p(math.nan, 3)
