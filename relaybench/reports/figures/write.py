"""Put figures and their captions into a folder; no file that is not ours is ever touched."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from relaybench.domain.errors import UsageError
from relaybench.reports.figures.figure import Figure
from relaybench.reports.figures.render import MARKER, Format, check_matplotlib, render
from relaybench.reports.figures.style import Style
from relaybench.reports.files_beside import FilesBeside, check_folder, is_plain

CAPTION_SUFFIX: Final = ".txt"
_SIGNATURE: Final = f"Drawn by {MARKER}.\n"
#: What a file of ours holds, by its suffix.
_SIGNS: Final = {
    ".svg": f"<dc:title>{MARKER}</dc:title>".encode(),
    ".png": b"tEXtSoftware\0" + MARKER.encode(),
    ".pdf": f"/Producer ({MARKER})".encode(),
}


def write(
    folder: Path, figures: Sequence[Figure], formats: Sequence[Format], style: Style
) -> list[Path]:
    """Write each figure in all formats, and its caption beside; returns the files in this order.

    The folder is made where it is not there. Raises UsageError, with nothing written, where
    matplotlib cannot be loaded, the folder is none, or a file of such a name is not ours; OSError
    where the disk refuses.
    """
    check_matplotlib()
    _check(folder, figures, formats)
    contents: dict[str, bytes] = {}
    for figure in figures:
        for each in dict.fromkeys(formats):
            contents[f"{figure.name}.{each.value}"] = render(figure, each, style)
        caption = f"{figure.caption}{_SIGNATURE}"
        contents[f"{figure.name}{CAPTION_SUFFIX}"] = caption.encode("utf-8")
    with FilesBeside(folder) as files:
        for name, data in contents.items():
            files.opened(name).write(data)
        return files.put_in_place()


def older(folder: Path, figures: Sequence[Figure], formats: Sequence[Format]) -> list[Path]:
    """Files of these figures in other formats: of an earlier call, perhaps of another run."""
    return [
        path
        for figure in figures
        for each in Format
        if each not in formats and (path := folder / f"{figure.name}.{each.value}").exists()
    ]


def _check(folder: Path, figures: Sequence[Figure], formats: Sequence[Format]) -> None:
    check_folder(folder, "the figures")
    suffixes = [*(f".{each.value}" for each in formats), CAPTION_SUFFIX]
    paths = [folder / f"{figure.name}{suffix}" for figure in figures for suffix in suffixes]
    foreign = [path.name for path in paths if os.path.lexists(path) and not _is_ours(path)]
    if foreign:
        raise UsageError(
            f"{folder} holds {', '.join(foreign)}, which relaybench did not draw; nothing was "
            "written: choose another folder"
        )


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
