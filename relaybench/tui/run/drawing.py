"""How cells and models of a run look: signs, words, ages, bars. Pure, and free of Textual."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from relaybench.domain.item import Form
from relaybench.domain.literal import visible
from relaybench.reports.numbers import percent
from relaybench.tui.outcome_marks import SIGNS, STYLES
from relaybench.tui.widgets.fitting import both_ends
from relaybench.workbench.runs.cell_state import CellNow, State, outcome_of
from relaybench.workbench.runs.model_figures import ModelNow
from relaybench.workbench.runs.progress import duration


@dataclass(frozen=True, slots=True)
class Look:
    """A state's sign, its word, a shorter word for narrow columns, and its Textual style."""

    sign: str
    word: str
    short: str
    style: str


_LIVE: Final = "$text-primary"
_OPEN_LOOKS: Final[Mapping[State, Look]] = {
    State.QUEUED: Look("·", "queued", "queued", "$text-muted"),
    State.SENDING: Look("↑", "sending", "send", _LIVE),
    State.AT_PROVIDER: Look("≡", "queued there", "line", _LIVE),
    State.THINKING: Look("∴", "thinking", "think", _LIVE),
    State.SEARCHING: Look("⊙", "searching", "search", _LIVE),
    State.RUNNING_CODE: Look("#", "running code", "code", _LIVE),
    State.ANSWERING: Look("»", "answering", "answer", _LIVE),
    State.RETRY: Look("↻", "retry", "retry", "$text-warning"),
    State.PAUSED: Look("‖", "paused turn", "turn", _LIVE),
    State.NUDGED: Look("↷", "nudged turn", "nudge", _LIVE),
    State.OPEN: Look("○", "open", "open", "$text-muted"),
}
_SHORT_OUTCOMES: Final[Mapping[State, str]] = {
    State.UNPARSEABLE: "unparsed",
    State.TRUNCATED: "cut off",
}
#: A cell of a manual model that waits for its answer to be pasted.
BY_HAND: Final = Look("✎", "by hand", "by hand", "$text-accent")


def _looks() -> dict[State, Look]:
    looks = dict(_OPEN_LOOKS)
    for state in State:
        if state not in looks:
            outcome = outcome_of(state)
            short = _SHORT_OUTCOMES.get(state, state.value)
            looks[state] = Look(SIGNS[outcome], state.value, short, STYLES[outcome])
    looks[State.UNCLEAR] = Look("¿", "unclear", "unclear", looks[State.ERROR].style)
    return looks


LOOKS: Final[Mapping[State, Look]] = _looks()


def look_of(now: CellNow, *, manual: bool = False) -> Look:
    """How a cell looks; open cells of a ``manual`` model wait for a person."""
    return BY_HAND if manual and now.state is State.OPEN else LOOKS[now.state]


def age(seconds: float) -> str:
    """An age in at most four characters: ``12s``, ``5m``, ``3h``, ``2d``."""
    whole = max(0, int(seconds))
    if whole < 100:
        return f"{whole}s"
    if whole < 100 * 60:
        return f"{whole // 60}m"
    return f"{whole // 3600}h" if whole < 100 * 3600 else f"{whole // 86400}d"


def cell_text(now: CellNow, clock: float, room: int, *, manual: bool = False) -> str:
    """Sign, word and age of a cell in ``room`` cells: the fullest form that fits."""
    look = look_of(now, manual=manual)
    if now.state is State.RETRY:
        due = now.until <= clock
        wait = "due" if due else age(now.until - clock)
        whole = f"retry {now.number} of {now.of} {wait if due else f'in {wait}'}"
        words = (whole, f"{now.number}/{now.of} {wait}", wait)
        forms = [f"{look.sign} {each}" for each in words]
    elif now.state in (State.PAUSED, State.NUDGED):
        forms = [f"{look.sign} {word} {now.number}" for word in (look.word, look.short)]
    elif now.state.ages:
        since = age(clock - now.since)
        forms = [f"{look.sign} {look.word} {since}", f"{look.sign} {look.short} {since}",
                 f"{look.sign}{look.short} {since}", f"{look.sign} {since}"]  # fmt: skip
    else:
        forms = [f"{look.sign} {look.word}", f"{look.sign} {look.short}"]
    return next((form for form in forms if len(form) <= room), look.sign)


def in_full(now: CellNow, clock: float, *, manual: bool = False) -> str:
    """A cell's state in a sentence, with the last failure in the provider's words."""
    words = look_of(now, manual=manual).word
    if now.state is State.AT_PROVIDER:
        words = State.AT_PROVIDER.value
    if now.state is State.RETRY:
        due = now.until <= clock
        when = "as soon as a call is free" if due else f"in {duration(now.until - clock)}"
        words = f"retry {now.number} of {now.of} {when}"
    elif now.state in (State.PAUSED, State.NUDGED):
        words = f"{words} {now.number}: goes on when a call is free"
    elif now.state.ages:
        words = f"{words} for {duration(clock - now.since)}"
        words += f", try {now.number}" if now.number > 1 else ""
    return f"{words}: {now.message}" if now.message else words


def bar(done: int, total: int, room: int) -> str:
    """A bar of ``room`` cells; full only when all is done."""
    filled = room if total and done >= total else min(room - 1, room * done // max(total, 1))
    return "━" * filled + "╌" * (room - filled)


def tokens(count: int | None) -> str:
    """A count of tokens in at most four characters: ``950``, ``12k``, ``3.4M``; ``–``: unknown."""
    if count is None:
        return "–"
    if count < 1000:
        return str(count)
    if count < 1_000_000:
        return f"{count / 1000:.1f}k" if count < 9950 else f"{round(count / 1000)}k"
    return f"{count / 1e6:.1f}M" if count < 9_950_000 else f"{round(count / 1e6)}M"


def money(amount: Decimal) -> str:
    """USD, short: ``$0``, ``$0.0042``, ``$1.23``, ``$123``."""
    if amount == 0:
        return "$0"
    if amount < Decimal("0.0001"):
        return "<$.0001"
    if amount < Decimal("0.01"):
        return f"${amount:.4f}"
    return f"${amount:.2f}" if amount < 100 else f"${amount:,.0f}"


def known_money(amount: Decimal, *, unknown: bool) -> str:
    """What is known of a cost, marked where ``unknown`` parts come on top."""
    if not unknown:
        return money(amount)
    return f"{money(amount)}+?" if amount else "$?"


def model_names(models: Sequence[tuple[str, str]], room: int) -> list[str]:
    """Names of models from label and name: the label, or the name where only that fits.

    What fits neither way keeps both ends, which tell names apart.
    """
    names = []
    for label, name in models:
        own = [other for other, _ in models].count(name) == 0 and len(name) <= room < len(label)
        names.append(both_ends(visible(name if own else label), room))
    return names


#: What stands in each line above a column of the grid.
CAPTIONS: Final = ("model", "done", "pass@1, 95%", "cost, left", "in / out", "cached, retries")


def model_lines(model: ModelNow, room: int) -> list[str]:
    """The lines above a model's column, without its name, as ``CAPTIONS`` names them."""
    count = f"{model.done}/{model.total}" + (f" !{model.failed}" if model.failed else "")
    bar_room = room - len(count) - 1
    cost = known_money(model.cost, unknown=bool(model.unknown_costs))
    left = "" if not model.seconds_left else f"~{age(model.seconds_left)}"
    rate = "–" if model.cache_rate is None else f"{percent(model.cache_rate)}%"
    return [
        f"{bar(model.done, model.total, bar_room)} {count}" if bar_room >= 3 else count,
        _score(model, room),
        _cost_and_left(cost, left, room),
        f"{tokens(model.usage.input_total)}/{tokens(model.usage.output)}",
        f"{rate} ↻{model.retries}",
    ]


def _cost_and_left(cost: str, left: str, room: int) -> str:
    """Both, the mark of an unknown part shortened where it must be; else the cost alone."""
    forms = (f"{cost} {left}".rstrip(), f"{cost.replace('+?', '+')} {left}")
    return next((form for form in forms if len(form) <= room), cost)


def _score(model: ModelNow, room: int) -> str:
    """Score and interval: with decimals where they fit, else in whole percents."""
    if model.score is None or model.interval is None:
        return "–"
    ends = (model.interval.lo, model.interval.hi)
    fine = f"{percent(model.score)}% {percent(ends[0])}–{percent(ends[1])}"
    if len(fine) <= room:
        return fine
    return f"{model.score:.0%} {ends[0] * 100:.0f}–{ends[1] * 100:.0f}"


def item_labels(names: Sequence[tuple[str, str, str]]) -> list[str]:
    """Labels of items from set, name and form: what they have in common is left out."""
    several_sets = len({set_name for set_name, _, _ in names}) > 1
    several_forms = len({form for _, _, form in names}) > 1
    labels = []
    for set_name, name, form in names:
        label = f"{set_name}/{name}" if several_sets else name
        labels.append(
            f"{label} {_SHORT_FORMS.get(form, form)}".rstrip() if several_forms else label
        )
    return labels


_SHORT_FORMS: Final[Mapping[str, str]] = {"": "", **{form.value: form.mark for form in Form}}
