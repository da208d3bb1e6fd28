"""Rules that hold for every screen, widget and dialog."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from pathlib import Path

from textual.binding import Binding
from textual.dom import DOMNode

import relaybench.tui
from relaybench.tui.modes import MODES

ROOM = Path(relaybench.tui.__path__[0])


def _classes() -> Iterator[type[DOMNode]]:
    for found in pkgutil.walk_packages(relaybench.tui.__path__, "relaybench.tui."):
        module = importlib.import_module(found.name)
        for _, each in inspect.getmembers(module, inspect.isclass):
            if issubclass(each, DOMNode) and each.__module__ == module.__name__:
                yield each


def _calls() -> Iterator[tuple[Path, ast.Call, str]]:
    for path in ROOM.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
                name = node.func.id if isinstance(node.func, ast.Name) else name
                yield path, node, name


def test_every_binding_has_an_id_a_description_and_a_tooltip() -> None:
    bad: list[str] = []
    owner: dict[str | None, type[DOMNode]] = {}
    for each in _classes():
        for binding in each.__dict__.get("BINDINGS", ()):
            assert isinstance(binding, Binding), (each, binding)
            if not (binding.id and binding.description and binding.tooltip):
                bad.append(f"{each.__name__}: {binding.key} {binding.action}")
            twin = owner.setdefault(binding.id, each)
            assert twin is each, f"{binding.id} is bound by {twin} and {each}"
    assert bad == []


def test_every_screen_explains_itself_and_has_its_stylesheet_beside_it() -> None:
    for mode in MODES:
        module = importlib.import_module(mode.module)
        screen = getattr(module, mode.class_name)
        assert len(screen.EXPLAINS) > 100, mode.name
        assert mode.name == screen.MODE
        assert (ROOM / "screens" / f"{mode.name}.tcss").is_file()


def test_nothing_reads_text_as_markup() -> None:
    for path, call, name in _calls():
        where = f"{path.name}:{call.lineno}"
        assert name not in ("from_markup", "render_markup"), where
        if name == "notify":
            assert any(k.arg == "markup" for k in call.keywords), where


def test_a_static_or_label_gets_content_or_a_text_of_our_own() -> None:
    """Static and Label read plain strings as markup: a variable there may be anyone's text."""
    for path, call, name in _calls():
        if name not in ("Static", "Label") or not call.args:
            continue
        first = call.args[0]
        plain = any(k.arg == "markup" for k in call.keywords)
        ours = isinstance(first, ast.Constant) and "[" not in str(first.value)
        built = not isinstance(first, ast.Constant | ast.JoinedStr | ast.Name | ast.Attribute)
        assert plain or ours or built, f"{path.name}:{call.lineno}: {ast.unparse(call)}"


def test_no_screen_imports_a_part_of_another_screen() -> None:
    """What several screens use belongs into widgets, dialogs, or beside the shell."""
    screens = {mode.name for mode in MODES}
    bad: list[str] = []
    for path in ROOM.rglob("*.py"):
        parts = path.relative_to(ROOM).with_suffix("").parts
        own = parts[1] if parts[0] == "screens" else parts[0]
        if len(parts) < 2 or own not in (*screens, "widgets", "dialogs"):
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [each.name for each in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                rest = name.removeprefix("relaybench.tui.").removeprefix("screens.")
                if rest != name and rest.partition(".")[0] in screens - {own}:
                    bad.append(f"{'/'.join(parts)}: {name}")
    assert bad == []


def test_there_is_one_widget_class_of_a_name() -> None:
    """Stylesheets know a widget by the name of its class: twins get each other's rules."""
    owners: dict[str, str] = {}
    for each in _classes():
        assert owners.setdefault(each.__name__, each.__module__) == each.__module__, each
