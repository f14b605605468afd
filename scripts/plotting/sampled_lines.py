"""Lines: u and other quantities along lines through the mesh, from the files line<k>_*.csv of
applications, and values over time, from traces_*.csv and electrodes_*.csv of monodomain."""
import csv
import math
import os
import re

from .records import BadInput

FIGURES = {"lines": "u and the other quantities along lines; files line<k>_*.csv of applications, "
                    "and traces_*.csv and electrodes_*.csv of monodomain"}
IN_CELL = "_in_cell"
END = re.compile(r"_(x|y|z|xx|yy|zz|xy|xz|yz|[123])$")


def read_line(path):
    """Returns {column: values} of the file of a line."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} cannot be read: {getattr(error, 'strerror', 'no text')}.") from None
    if not rows or rows[0][:3] != ["s", "x", "y"] and rows[0][0] != "time":
        raise BadInput(f"{path} is no line of an application, whose first row begins with s,x,y or time.")
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
    """Returns {quantity: [(file, column, s or time, values)]} of {file: columns}. Columns without any
    number are left out, and electrodes where a file has leads."""
    found = {}
    for name, columns in lines.items():
        (first, along), *_ = columns.items()
        left = [column for column in columns if column.startswith("lead_")] or columns
        for column in left:
            if column not in (first, "x", "y", "z") and any(map(math.isfinite, columns[column])):
                found.setdefault(quantity_of(column), []).append((name, column, along, columns[column]))
    return found


def name_of(paths):
    """Returns the name of the figure: a single file's name."""
    return os.path.splitext(os.path.basename(paths[0]))[0] if len(paths) == 1 else "lines"


def draw(paths, path):
    """Draws a panel for each quantity; values in cells, which may jump, are dashed."""
    from .drawing import COLORS, plt
    lines = {name: read_line(name) for name in paths}
    found = panels(lines)
    if not found:
        raise BadInput("the lines have no point in the mesh.")
    deep = -(-len(found) // 4) if len(found) > 9 else len(found)  # 12 leads are in four columns
    across = -(-len(found) // deep)
    figure, axes = plt.subplots(deep, across, squeeze=False, sharex=True,
                                figsize=(5.5 + 2 * across, 0.6 + (2.6 if across == 1 else 1.8) * deep))
    for axis, (quantity, curves) in zip(axes.T.flat, found.items()):
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
    over_time = any("time" in columns for columns in lines.values())
    for axis in axes[-1]:
        axis.set_xlabel("time" if over_time else "distance from the first point of the line", fontsize=8)
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    plt.close(figure)
