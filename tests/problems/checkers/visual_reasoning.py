"""Checkers of the drawn classes: complex directions, union-find, voxels, cell maps, dead ends."""

import itertools
from collections import Counter
from collections.abc import Callable

from tests.problems.checkers.registry import Checker, Data, Solver, rows

Cell = tuple[int, int]
SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))


def mirror_laser(data: Data) -> str:
    """Follow the beam with complex numbers: a mirror is a conjugation times i or -i."""
    grid = rows(data["grid"])
    height, width = len(grid), len(grid[0])
    mirrors = {
        complex(x, -y): 1j if mark == "/" else -1j
        for y, line in enumerate(grid)
        for x, mark in enumerate(line)
        if mark != "."
    }
    place, direction, turns = complex(0, 1 - int(data["row"])), 1 + 0j, 0
    while 0 <= place.real < width and 0 <= -place.imag < height:
        if place in mirrors:
            direction = mirrors[place] * direction.conjugate()
            mirrors[place] = -mirrors[place]
            turns += 1
        place += direction
    column, row = int(place.real) + 1, int(-place.imag) + 1
    if row < 1 or row > height:
        return f"{'N' if row < 1 else 'S'}{column}:{turns}"
    return f"{'W' if column < 1 else 'E'}{row}:{turns}"


def enclosed_regions(data: Data) -> str:
    """Join open cells with union-find and drop every region that touches the frame."""
    grid = rows(data["grid"])
    cells = {(y, x) for y, line in enumerate(grid) for x, mark in enumerate(line) if mark == "."}
    parent: dict[Cell, Cell] = {cell: cell for cell in cells}

    def root(cell: Cell) -> Cell:
        while parent[cell] != cell:
            cell = parent[cell]
        return cell

    for y, x in cells:
        for other in ((y + 1, x), (y, x + 1)):
            if other in cells:
                parent[root((y, x))] = root(other)
    open_roots = {
        root((y, x)) for y, x in cells if y in (0, len(grid) - 1) or x in (0, len(grid[0]) - 1)
    }
    sizes = Counter(root(cell) for cell in cells)
    closed = [size for top, size in sizes.items() if top not in open_roots]
    return f"{len(closed)}/{max(closed)}/{closed.count(1)}"


def stacked_cubes(data: Data) -> str:
    """Build every cube and look at its five faces that are not its underside."""
    cubes = {
        (y, x, z)
        for y, line in enumerate(rows(data["heights"]))
        for x, digit in enumerate(line)
        for z in range(int(digit))
    }
    painted = Counter(
        sum(
            (y + dy, x + dx, z + dz) not in cubes
            for dy, dx, dz in ((0, 0, 1), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0))
        )
        for y, x, z in cubes
    )
    return str(painted[int(data["faces"])])


# Where the letter of cell (row, column) goes in a square of side n.
MOVES: dict[str, Callable[[int, int, int], Cell]] = {
    "R": lambda row, column, n: (column, n - 1 - row),
    "L": lambda row, column, n: (n - 1 - column, row),
    "H": lambda row, column, n: (row, n - 1 - column),
    "V": lambda row, column, n: (n - 1 - row, column),
    "T": lambda row, column, n: (column, row),
    "S": lambda row, column, n: (row, (column + row) % n),
}


def turned_letters(data: Data) -> str:
    """Send each letter on its own way through all operations."""
    grid = rows(data["grid"])
    size = len(grid)
    landed: dict[Cell, str] = {}
    for start in itertools.product(range(size), repeat=2):
        row, column = start
        for operation in data["operations"].split(", "):
            row, column = MOVES[operation](row, column, size)
        landed[row, column] = grid[start[0]][start[1]]
    return "".join(landed[int(data["row"]) - 1, column] for column in range(size))


def _open_cells(data: Data) -> dict[Cell, str]:
    return {
        (y, x): mark
        for y, line in enumerate(rows(data["maze"]))
        for x, mark in enumerate(line)
        if mark != "#"
    }


def maze_turns(data: Data) -> str:
    """Fill the dead ends until only the route is left, then walk it with cross products."""
    cells = _open_cells(data)
    ends = {mark: cell for cell, mark in cells.items() if mark in "SE"}
    route = set(cells)
    while True:
        dead = {
            (y, x)
            for y, x in route
            if (y, x) not in ends.values()
            and sum((y + dy, x + dx) in route for dy, dx in SIDES) < 2
        }
        if not dead:
            break
        route -= dead
    path = [ends["S"]]
    while path[-1] != ends["E"]:
        y, x = path[-1]
        (following,) = (
            cell
            for cell in ((y + dy, x + dx) for dy, dx in SIDES)
            if cell in route and cell not in path[-2:]
        )
        path.append(following)
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise(path)]
    # Rows grow downwards, so a positive cross product (column by row) is a turn to the right.
    crosses = [a[1] * b[0] - a[0] * b[1] for a, b in itertools.pairwise(steps)]
    return f"{len(steps)}/{crosses.count(-1)}/{crosses.count(1)}"


def maze_routes(data: Data) -> list[str]:
    """Find every route from S to E that visits no cell twice."""
    cells = _open_cells(data)
    (start,) = (cell for cell, mark in cells.items() if mark == "S")
    found: list[str] = []
    stack: list[tuple[Cell, frozenset[Cell], str]] = [(start, frozenset([start]), "")]
    while stack:
        (y, x), visited, letters = stack.pop()
        if cells[y, x] == "E":
            found.append(letters)
            continue
        for (dy, dx), letter in zip(SIDES, "SNEW", strict=True):
            cell = (y + dy, x + dx)
            if cell in cells and cell not in visited:
                stack.append((cell, visited | {cell}, letters + letter))
    return found


CHECKERS: dict[str, Checker] = {
    "visual-reasoning/mirror-laser": mirror_laser,
    "visual-reasoning/enclosed-regions": enclosed_regions,
    "visual-reasoning/stacked-cubes": stacked_cubes,
    "visual-reasoning/turned-letters": turned_letters,
    "visual-reasoning/maze-turns": maze_turns,
}

SOLVERS: dict[str, Solver] = {"visual-reasoning/maze-turns": maze_routes}
