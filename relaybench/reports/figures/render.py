"""Draw a figure as SVG, PNG or PDF: the same bytes for the same figure, on every run.

matplotlib is loaded here, when the first figure is drawn; its state is never left changed, and
no settings of the user's own reach it.
"""

from __future__ import annotations

import io
import logging
import threading
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from relaybench.domain.errors import UsageError
from relaybench.reports.figures.figure import (
    CostData,
    Figure,
    GraphData,
    HallucinationData,
    OutcomesData,
    OverTimeData,
    ScoresData,
    SetsData,
)
from relaybench.reports.figures.style import Style

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas


class Format(StrEnum):
    """File formats of figures."""

    SVG = "svg"
    PNG = "png"
    PDF = "pdf"


#: Stands in every file, so that we know our own.
MARKER: Final = "relaybench figures"
_SETTINGS: Final[Any] = {
    "svg.hashsalt": "relaybench",
    "svg.fonttype": "path",
    "svg.id": None,
    "pdf.fonttype": 42,
    "pdf.compression": 6,
    "text.parse_math": False,
    "text.usetex": False,
    "hatch.linewidth": 0.5,
    "path.simplify": False,
    "axes.unicode_minus": False,
}
#: matplotlib's settings are global: one figure at a time.
_ONE_AT_A_TIME: Final = threading.Lock()


def has_matplotlib() -> bool:
    """Whether figures can be drawn: matplotlib is installed, and can be loaded."""
    return _failure() is None


def check_matplotlib() -> None:
    """Raise UsageError where matplotlib is not installed or cannot be loaded."""
    error = _failure()
    if error is None:
        return
    name = error.name if isinstance(error, ModuleNotFoundError) else None
    missing = (name or "").partition(".")[0] == "matplotlib"
    what = "is not installed; install it" if missing else f"cannot be loaded ({error}); repair it"
    raise UsageError(
        f"figures need matplotlib, which {what} with: pip install 'relaybench[figures]'"
    ) from error


def _failure() -> Exception | None:
    """Why matplotlib cannot be loaded; None where it can."""
    logger = logging.getLogger("matplotlib")
    level = logger.level
    logger.setLevel(logging.ERROR)  # it tells that it builds a cache of fonts
    try:
        import matplotlib.figure  # noqa: F401
    except Exception as error:  # a broken installation raises whatever it comes upon
        return error
    finally:
        logger.setLevel(level)
    return None


def render(figure: Figure, format: str | Format, style: Style | None = None) -> bytes:
    """A figure's file. Raises UsageError where matplotlib cannot be loaded."""
    check_matplotlib()
    import matplotlib

    chosen, look = Format(format), style or Style()
    with _ONE_AT_A_TIME, matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_SETTINGS)
        canvas = drawn(figure, look)
        target = io.BytesIO()
        canvas.savefig(
            target,
            format=chosen.value,
            dpi=look.dpi if chosen is Format.PNG else 72.0,
            facecolor="white",
            metadata=_metadata(figure, chosen),
        )
    return target.getvalue()


def _metadata(figure: Figure, format: Format) -> dict[str, Any]:
    # Neither dates nor versions: the same figure is the same bytes.
    from relaybench.reports.figures.drawing.lettering import drawable

    title, alt = drawable(figure.title), drawable(figure.alt)
    match format:
        case Format.SVG:
            return {"Creator": MARKER, "Date": None, "Title": title, "Description": alt}
        case Format.PDF:
            return {
                "Creator": MARKER,
                "Producer": MARKER,
                "CreationDate": None,
                "Title": title,
                "Subject": alt,
            }
        case Format.PNG:
            return {"Software": MARKER}


def drawn(figure: Figure, style: Style) -> Canvas:
    """A figure drawn on a sheet, not written yet."""
    from relaybench.reports.figures.drawing.bars import draw_hallucination, draw_scores
    from relaybench.reports.figures.drawing.cost_plot import draw_cost
    from relaybench.reports.figures.drawing.graph_plot import draw_graph
    from relaybench.reports.figures.drawing.outcome_bars import draw_outcomes
    from relaybench.reports.figures.drawing.sets_plot import draw_sets
    from relaybench.reports.figures.drawing.sheet import Sheet
    from relaybench.reports.figures.drawing.time_plot import draw_over_time

    sheet = Sheet(style, simulated=figure.simulated)
    match figure.data:
        case ScoresData():
            draw_scores(sheet, figure.data)
        case HallucinationData():
            draw_hallucination(sheet, figure.data)
        case OutcomesData():
            draw_outcomes(sheet, figure.data)
        case CostData():
            draw_cost(sheet, figure.data)
        case SetsData():
            draw_sets(sheet, figure.data)
        case OverTimeData():
            draw_over_time(sheet, figure.data)
        case GraphData():
            draw_graph(sheet, figure.data)
    return sheet.finish()
