"""Lines: u and other quantities along lines through the mesh, from the files line<k>_*.csv of
applications."""
import csv
import math
import os
import re

from .records import BadInput

FIGURES = {"lines": "u and the other quantities along lines; files line<k>_*.csv of applications"}
IN_CELL = "_in_cell"
END = re.compile(r"_(x|y|z|xx|yy|zz|xy|xz|yz|[123])$")


def read_line(path):
    """Returns {column: values} of the file of a line."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} cannot be read: {getattr(error, 'strerror', 'no text')}.") from None
    if not rows or rows[0][:3] != ["s", "x", "y"]:
        raise BadInput(f"{path} is no line of an application, whose first row begins with s,x,y.")
    names, rows = rows[0], rows[1:]
    try:
        if not rows or any(len(row) != len(names) for row in rows):
            raise ValueError
        columns = list(zip(*([float(x) for x in row] for row in rows)))
    except ValueError:
        raise BadInput(f"{path} is damaged: a row does not have {len(names)} numbers.") from None
    return dict(zip(names, columns))


def quantity_of(column):
    """Returns the quantity of a column, stress of stress_xx_in_cell."""
    return END.sub("", column[:-len(IN_CELL)] if column.endswith(IN_CELL) else column)


def panels(lines):
    """Returns {quantity: [(file, column, s, values)]} of {file: columns}. Columns without any
    number are left out."""
    found = {}
    for name, columns in lines.items():
        for column, values in columns.items():
            if column not in ("s", "x", "y", "z") and any(map(math.isfinite, values)):
                found.setdefault(quantity_of(column), []).append(
                    (name, column, columns["s"], values))
    return found


def name_of(paths):
    """Returns the name of the figure: that of a single file."""
    return os.path.splitext(os.path.basename(paths[0]))[0] if len(paths) == 1 else "lines"


def draw(paths, path):
    """Draws a panel for each quantity; values in cells, which may jump, are dashed."""
    from .drawing import COLORS, plt
    found = panels({name: read_line(name) for name in paths})
    if not found:
        raise BadInput("the lines have no point in the mesh.")
    figure, axes = plt.subplots(len(found), 1, squeeze=False, figsize=(7.5, 0.6 + 2.6 * len(found)),
                                sharex=True)
    for axis, (quantity, curves) in zip(axes.flat, found.items()):
        looks = list(dict.fromkeys((name, column.removesuffix(IN_CELL))
                                   for name, column, *_ in curves))
        for name, column, s, values in curves:
            color = looks.index((name, column.removesuffix(IN_CELL)))
            axis.plot(s, values, color=COLORS[color % len(COLORS)], linewidth=1.3,
                      linestyle="--" if column.endswith(IN_CELL) else "-",
                      label=column if len(paths) == 1 else f"{column}, {name}")
        axis.set_ylabel(quantity, fontsize=8)
        axis.grid(alpha=0.3)
        axis.tick_params(labelsize=7)
        axis.legend(fontsize=6, frameon=False)
    axes.flat[-1].set_xlabel("distance from the first point of the line", fontsize=8)
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    plt.close(figure)
