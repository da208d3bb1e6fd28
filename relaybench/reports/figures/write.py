"""Put figures and their captions into a folder; no file that is not ours is ever touched."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

from relaybench.domain.errors import UsageError
from relaybench.reports.figures.figure import Figure, FigureKind
from relaybench.reports.figures.render import MARKER, Format, check_matplotlib, render
from relaybench.reports.figures.style import Style
from relaybench.reports.files_beside import FilesBeside, Told, check_folder, is_plain, silent

CAPTION_SUFFIX: Final = ".txt"
_SIGNATURE: Final = f"Drawn by {MARKER}.\n"
#: What a file of ours holds, by its suffix.
_SIGNS: Final = {
    ".svg": f"<dc:title>{MARKER}</dc:title>".encode(),
    ".png": b"tEXtSoftware\0" + MARKER.encode(),
    ".pdf": f"/Producer ({MARKER})".encode(),
}


def write(
    folder: Path,
    figures: Sequence[Figure],
    formats: Sequence[Format],
    style: Style,
    stale: Sequence[Path] = (),
    told: Told = silent,
) -> list[Path]:
    """Write each figure in all formats, and its caption beside; returns the files in this order.

    ``stale`` are files of the folder to be removed, as ``outdated`` found them. The folder is made
    where it is not there. Raises UsageError, with nothing written, where matplotlib cannot be
    loaded, the folder is none, or a file of such a name is not ours; OSError where the disk
    refuses.
    """
    check_matplotlib()
    check(folder, figures, formats)
    contents: dict[str, bytes] = {}
    for figure in figures:
        for each in dict.fromkeys(formats):
            name = f"{figure.name}.{each.value}"
            told(f"drawing {name}")
            contents[name] = render(figure, each, style)
        caption = f"{figure.caption}{_SIGNATURE}"
        contents[f"{figure.name}{CAPTION_SUFFIX}"] = caption.encode("utf-8")
    with FilesBeside(folder, told) as files:
        for name, data in contents.items():
            files.opened(name).write(data)
        return files.put_in_place(stale=[path.name for path in stale])


def outdated(
    folder: Path,
    figures: Sequence[Figure],
    formats: Sequence[Format],
    missing: Collection[FigureKind] = (),
) -> list[Path]:
    """Files of ours that would stand among these figures but are of other runs.

    Those of ``missing`` kinds, which cannot be drawn of these runs, are so whatever they are of.
    """
    runs = {line for figure in figures for line in _run_lines(figure.caption)}
    written = {f"{figure.name}.{each.value}" for figure in figures for each in formats}
    written |= {f"{figure.name}{CAPTION_SUFFIX}" for figure in figures}
    found = []
    for kind in FigureKind:
        paths = [folder / f"{kind.value}{suffix}" for suffix in (*_SIGNS, CAPTION_SUFFIX)]
        mine = [path for path in paths if _is_ours(path)]
        caption = paths[-1].read_text("utf-8", "replace") if paths[-1] in mine else ""
        if kind in missing or _run_lines(caption) != runs:
            found += [path for path in mine if path.name not in written]
    return found


def _run_lines(caption: str) -> set[str]:
    return {line for line in caption.splitlines() if line.startswith("Run ")}


def older(folder: Path, figures: Sequence[Figure], formats: Sequence[Format]) -> list[Path]:
    """Files of these figures in other formats: of an earlier call, perhaps of another run."""
    return [
        path
        for figure in figures
        for each in Format
        if each not in formats and (path := folder / f"{figure.name}.{each.value}").exists()
    ]


def check(folder: Path, figures: Sequence[Figure], formats: Sequence[Format]) -> list[Path]:
    """The files that ``write`` would write; raises UsageError as it does."""
    check_folder(folder, "the figures")
    suffixes = [*(f".{each.value}" for each in dict.fromkeys(formats)), CAPTION_SUFFIX]
    paths = [folder / f"{figure.name}{suffix}" for figure in figures for suffix in suffixes]
    foreign = [path.name for path in paths if os.path.lexists(path) and not _is_ours(path)]
    if foreign:
        raise UsageError(
            f"{folder} holds {', '.join(foreign)}, which relaybench did not draw; nothing was "
            "written: choose another folder"
        )
    return paths


def _is_ours(path: Path) -> bool:
    if not is_plain(path):
        return False
    try:
        data = path.read_bytes()
    except OSError:
        return False
    if path.suffix == CAPTION_SUFFIX:
        return data.endswith(_SIGNATURE.encode())
    return _SIGNS[path.suffix] in data
