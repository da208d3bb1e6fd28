"""Texts for the encoder's tests: the paper's pair, any Unicode, and hostile pieces."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

import encoder

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("RELAYBENCH_SHARED") or ROOT.parent / "shared")

LAWS = settings(
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=200,
    suppress_health_check=[HealthCheck.too_slow],
)


def from_the_paper(name: str) -> str:
    """Read one of the paper's two files, or skip the test where they are absent."""
    path = SHARED / "paper" / name
    if not path.is_file():
        pytest.skip(f"the paper's example is not at {path}; set RELAYBENCH_SHARED to its folder")
    return path.read_bytes().decode("utf-8")


def without_space(text: str) -> str:
    """Drop all white space."""
    return re.sub(r"\s", "", text)


HOSTILE = [
    *("", " ", "\n", "\r\n", "\r", "\t", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x1f", "\x85"),
    *("\xa0", "\u2028", "\u2029", "\u3000", "\0", "\x07", "\x7f", "\ufeff"),
    *("\u200b", "\u200d", "\u2060", "\u00ad", "e\u0301", "\u0300", "\u05e9\u05dc\u05d5\u05dd"),
    *("\u202e", "\u0645\u0631\u062d\u0628\u0627", "\U0001f469\u200d\U0001f680", "\U00010400"),
    *("\ud800", "\udfff", "\udc80", "x\u00b2", "\u2167", "\u0661\u0662", "\u4e00\u4e8c"),
    *("```", "\n```\n", "```\r\n", "`", "<AvY>", "<AvY> : word", "\n<AvY> : word\n", "<", ">"),
    *("<>", ":", " : ", "<AvY", "AvY>", "<avy>", "a", "A", "2021", "Qwen3", "4th", "it's", "_"),
    *("\\", "\\n", "{{x}}", "%s", "&lt;"),
]

anything = st.text(st.characters(exclude_categories=()), max_size=60)
hostile = st.lists(st.sampled_from(HOSTILE) | anything, max_size=12).map("".join)
nested = st.builds(
    lambda text, seed: encoder.encode(text, seed=seed).prompt, hostile, st.integers()
)
texts = st.one_of(anything, hostile, nested)
seeds = st.integers()
