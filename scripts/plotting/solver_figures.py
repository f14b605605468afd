"""The figures of solver_benchmark and of cases of applications: rows of the kind "solve".

A curve is a library, an operator, a preconditioner, a method and a number type on one
machine; a panel is one problem, which is a type of cells with a degree, or a file.
"""
import math
import os
import tempfile

os.environ.setdefault("MPLCONFIGDIR", tempfile.gettempdir())
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullFormatter

COLORS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#000000", "#8C6D31")
MARKERS = "osD^vP*X"
LINES = ("-", "--", ":", "-.")
TICKS = ((1, 2, 5), (1, 1.5, 2, 3, 4, 5, 7), [k / 2 for k in range(2, 20)])  # in a decade, until four fit
MOST_PANELS = 8


def curve_of(row):
    """Returns the words that name the curve of a row."""
    solve = row["solve"]
    degree = row["parameters"].get("polynomial_degree")
    preconditioner = solve["preconditioner"] + (f" {degree}" if degree else "")
    words = [row["operator"], preconditioner]
    if row["library"] != "tessera":
        words.insert(0, row["library"])
    if solve["method"] != "classical":
        words.append(solve["method"])
    if row["number"] != "double":
        words.append(row["number"])
    return ", ".join(words)


def converged(rows):
    return [row for row in rows if row["solve"]["converged"]]


def panels_of(rows):
    """Returns {(problem, machine): rows} in the order of the record, as many as fit."""
    panels = {}
    for row in rows:
        panels.setdefault((row["case"], row["machine"]), []).append(row)
    return dict(list(panels.items())[:MOST_PANELS])


def sizes(rows):
    """Returns {(panel, what): {curve: [(dofs, seconds)]}} of t10 and of an iteration, for
    panels with several sizes."""
    charts = {}
    for panel, of_panel in panels_of(converged(rows)).items():
        if len({row["dofs"] for row in of_panel}) < 2:
            continue
        for key, what in (("t10", "t10, s"), ("iteration_seconds", "an iteration, s")):
            curves = {}
            for row in of_panel:
                if row["solve"][key]:
                    curves.setdefault(curve_of(row), []).append((row["dofs"], row["solve"][key]))
            charts[panel, what] = {name: sorted(points) for name, points in curves.items()}
    return charts


def histories(rows):
    """Returns {(panel, what): {curve: [(iteration, residual)]}} of the largest system of
    each panel."""
    charts = {}
    for panel, of_panel in panels_of(rows).items():
        largest = max(row["dofs"] for row in of_panel)
        curves = {}
        for row in of_panel:
            if row["dofs"] == largest and len(row["solve"]["history"]) > 1:
                curves[curve_of(row)] = row["solve"]["history"]
        if curves:
            charts[panel, f"|r| / |b|, {largest} DoFs"] = curves
    return charts


def polynomials(rows):
    """Returns {(panel, what): {curve: [(degree, value)]}} of iterations and seconds of the
    largest system of each panel, for panels with several degrees of a polynomial; Jacobi
    has degree 0."""
    charts = {}
    for panel, of_panel in panels_of(converged(rows)).items():
        largest = max(row["dofs"] for row in of_panel)
        degrees, curves = set(), {"iterations": {}, "solve, s": {}}
        for row in of_panel:
            solve = row["solve"]
            degree = row["parameters"].get("polynomial_degree", 0)
            if row["dofs"] != largest or "iterations" not in solve or \
                    (degree == 0 and solve["preconditioner"] != "jacobi"):
                continue
            degrees.add(degree)
            words = [row["operator"], solve["preconditioner"]]
            name = ", ".join(words + (["mixed"] if row["number"] == "mixed" else []))
            curves["iterations"].setdefault(name, []).append((degree, solve["iterations"]))
            curves["solve, s"].setdefault(name, []).append((degree, solve["solve_seconds"]))
        if len(degrees) > 2:
            for what, of_what in curves.items():
                charts[panel, what] = {name: sorted(points) for name, points in of_what.items()}
    return charts


def rate(points):
    """Returns the exponent r of N^r that fits the last half of the points best."""
    logs = [(math.log(x), math.log(y)) for x, y in points[-max(2, len(points) // 2):]]
    x_mean, y_mean = (sum(values) / len(logs) for values in zip(*logs))
    return sum((x - x_mean) * (y - y_mean) for x, y in logs) / \
        sum((x - x_mean) ** 2 for x, _ in logs)


def errors(rows):
    """Returns {(panel, what): {curve: [(dofs, error)]}} of cases with an error of the
    gradient, for curves with several sizes, whose names have the rate."""
    curves = {}
    for row in converged(rows):
        if row["solve"].get("H1_error"):
            name = f"degree {row['degree']}, {row['solve']['refinement']}"
            curves.setdefault(((row["case"].split(",")[0],), "H1 error"), {}) \
                .setdefault(name, {})[row["dofs"]] = row["solve"]["H1_error"]
    charts = {}
    for panel, of_panel in curves.items():
        for name, by_dofs in of_panel.items():
            if len(by_dofs) > 1:
                points = sorted(by_dofs.items())
                charts.setdefault(panel, {})[f"{name}: N^{rate(points):.2f}"] = points
    return charts


# By name: function, title, x axis and its scale, and what rows must have.
FIGURES = {"solver_sizes": (sizes, "t10 and an iteration by size", "degrees of freedom", "log",
                            "no problem has several sizes"),
           "solver_histories": (histories, "residuals by iteration", "iteration", "linear",
                                "no problem has a history"),
           "solver_polynomials": (polynomials, "iterations and seconds by degree of a polynomial",
                                  "degree of the polynomial, 0: Jacobi", "linear",
                                  "no problem has several degrees of a polynomial"),
           "adaptive_errors": (errors, "errors of the gradient by size", "degrees of freedom N",
                               "log", "no cases of several sizes have errors")}


def set_ticks(axis):
    """Gives an axis whole numbers, or labels at four places or more if it is logarithmic with up to three
    decades."""
    low, high = axis.get_view_interval()
    if axis.get_scale() == "linear":
        axis.set_major_locator(MaxNLocator(integer=True))
    elif 0 < high < 1200 * low:
        places = [[step * 10. ** k for k in range(-12, 13) for step in steps if low <= step * 10. ** k <= high]
                  for steps in TICKS]
        axis.set_major_locator(FixedLocator(next((found for found in places if len(found) > 3), places[-1])))
        axis.set_major_formatter(FuncFormatter(
            lambda v, _: f"{1e-6 * v:g} M" if v >= 1e6 else f"{1e-3 * v:g} k" if v >= 1e4 else f"{v:g}"))
        axis.set_minor_formatter(NullFormatter())


def draw(figure_of, charts, path, source, across=False):
    """Draws the charts of an entry of FIGURES, charts of a panel beside each other, or
    with `across` all of them."""
    _, _, x_label, x_scale, _ = figure_of
    curves = list(dict.fromkeys(curve for chart in charts.values() for curve in chart))
    line_of = {panel: 0 if across else n
               for n, panel in enumerate(dict.fromkeys(panel for panel, _ in charts))}
    lines = [line_of[panel] for panel, _ in charts]
    n_lines, columns = max(lines) + 1, max(map(lines.count, lines))
    figure, axes = plt.subplots(n_lines, columns, squeeze=False,
                                figsize=(max(5., 4.2 * columns), 3.3 * n_lines))
    for n, ((panel, what), chart) in enumerate(charts.items()):
        axis = axes[lines[n]][lines[:n].count(lines[n])]
        for curve, points in chart.items():
            n = curves.index(curve)
            axis.plot(*zip(*points), color=COLORS[n % len(COLORS)], linewidth=1.4,
                      marker=MARKERS[n % len(MARKERS)] if len(points) < 30 else None,
                      markersize=5, linestyle=LINES[n // len(COLORS) % len(LINES)], label=curve)
        axis.set_xscale(x_scale)
        axis.set_yscale("log")
        set_ticks(axis.xaxis)
        set_ticks(axis.yaxis)
        axis.set_xlabel(x_label)
        axis.set_ylabel(what)
        axis.set_title(", ".join(panel), fontsize=8)
        axis.grid(alpha=0.3)
    handles = {label: handle for axis in figure.axes
               for handle, label in zip(*axis.get_legend_handles_labels())}
    width, height = figure.get_size_inches()
    n_columns = min(4, len(handles), int(width / 2.2))  # inches of a label
    below = 0.2 * -(-len(handles) // n_columns) + 0.25
    figure.set_size_inches(width, height + below)
    figure.legend(handles.values(), handles.keys(), loc="lower center", fontsize=8,
                  ncol=n_columns, frameon=False, bbox_to_anchor=(0.5, 0.15 / (height + below)))
    figure.tight_layout(rect=(0, below / (height + below), 1, 1))
    figure.text(0.995, 0.005, source, ha="right", va="bottom", fontsize=6, color="#666666")
    figure.savefig(path, dpi=120)
    plt.close(figure)
