"""Draws a selection: one look for all figures."""
import math
import os
import tempfile

os.environ.setdefault("MPLCONFIGDIR", tempfile.gettempdir())
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from .dots import draw_dots
from .quantities import QUANTITIES

# Okabe and Ito's colours, distinct for colour-blind eyes, without the yellow.
COLORS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#000000", "#8C6D31")
OPERATORS = dict(zip(("csr", "ell", "hybrid", "local_matrices", "local_matrices_symmetric",
                      "matrix_free_local", "matrix_free", "lazy_ell"), COLORS))
OPERATORS["lazy_ell_consolidated"] = "#882255"
OPERATORS["sell"] = "#117733"
OPERATORS["sell_packed"] = "#332288"
OPERATORS["sell_short"] = "#44AA99"
PEERS = {"cuSPARSE": "#666666", "deal.II": "#999933", "Trilinos": "#661100"}
MARKERS = "osD^vP*X"
LINES = ("-", "--", ":", "-.")
WORDS = {"T": "T = {}", "carveout": "carve-out {} %", "block_size": "{:g} threads"}
LOG_FROM = 15  # an axis is logarithmic if the ratio of values is larger
PLAIN = FuncFormatter(lambda v, _: f"{v:g}")
APART = 11  # pixels between two marks whose degrees are written
PEAKS = {"double": 34., "float": 67.}


def order(figure):
    """Returns a key that sorts values of a figure's curves: as listed there, then by
    size."""
    def place(key, v):
        wanted = figure.where.get(key)
        listed = wanted.index(v) if isinstance(wanted, tuple) and v in wanted else -1
        number = v if isinstance(v, (int, float)) else math.inf
        return listed, number, str(v)
    return lambda curve: (curve.machine[0] != "cuda", curve.machine, curve.library != "tessera",
                          place("library", curve.library),
                          [place(key, v) for key, v in zip(figure.curves, curve.values)])


class Look:
    """The look of curves: the colour shows the first value of a curve, or another library;
    the marker shows the other values, and the line shows the machine. Values that a figure
    lists keep their look if others are missing."""

    def __init__(self, figure, curves):
        self.figure = figure
        self.curves = sorted(curves, key=order(figure))
        self.machines = list(dict.fromkeys(c.machine for c in self.curves))
        asked = [figure.where.get(key) for key in figure.curves]
        first = [(v,) for v in asked[0]] if asked and isinstance(asked[0], tuple) else []
        second = [(v,) for v in asked[1]] if len(asked) == 2 and isinstance(asked[1], tuple) else []
        self.heads = list(dict.fromkeys(first + [c.values[:1] for c in self.curves]))
        self.tails = list(dict.fromkeys(second + [c.values[1:] for c in self.curves]))

    def color(self, curve):
        if curve.library != "tessera":
            return PEERS.get(curve.library, "#aaaaaa")
        head = curve.values[0] if curve.values else None
        if self.figure.curves[:1] == ("operator",):
            return OPERATORS.get(head, COLORS[-1])
        if head is not None and all(isinstance(h, (int, float)) for h, in self.heads if h):
            return plt.get_cmap("viridis")(0.85 * self.heads.index((head,)) /
                                           max(1, len(self.heads) - 1))
        return COLORS[self.heads.index(curve.values[:1]) % len(COLORS)]

    def line(self, curve):
        marker = MARKERS[self.tails.index(curve.values[1:]) % len(MARKERS)]
        if len(self.tails) == 1:
            marker = MARKERS[self.heads.index(curve.values[:1]) % len(MARKERS)]
        color = self.color(curve)
        return {"color": color, "marker": marker, "markersize": 6, "linewidth": 1.4,
                "markerfacecolor": color if curve.library == "tessera" else "white",
                "linestyle": LINES[self.machines.index(curve.machine) % len(LINES)]}

    def label(self, curve):
        words = [curve.library] if curve.library != "tessera" or not any(curve.values) else []
        words += [WORDS.get(key, "{}").format(v)
                  for key, v in zip(self.figure.curves, curve.values) if v is not None]
        backends = [backend for backend, _ in self.machines]
        if backends.count(curve.machine[0]) > 1:
            words.append(curve.machine[1])
        elif len(backends) > 1 and curve.machine[0] == "host":
            words.append("host")
        return ", ".join(words)


def scale_y(axes, values):
    """Makes a logarithmic axis, or a linear one from 0, with plain numbers."""
    low, high = min(values), max(values)
    if high > LOG_FROM * low > 0:
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 1e3 * low else (1,)))
        axes.yaxis.set_minor_formatter(NullFormatter())
        axes.yaxis.set_major_formatter(PLAIN)
    else:
        axes.set_ylim(0, 1.06 * high)


def draw_curves(axes, look, panel, curves):
    quantity = QUANTITIES[panel.y]
    scale = 1 if panel.over else quantity.scale
    for curve in look.curves:
        values = [(x, y / scale) for _, (x, y) in sorted(curves.get(curve, {}).items())]
        if values:
            axes.plot(*zip(*values), **look.line(curve))
    axes.grid(True, which="major", linewidth=0.4, color="#cccccc")
    axes.set_axisbelow(True)
    return [y / scale for points in curves.values() for _, y in points.values()]


def draw_roof(axes, curves, bandwidth, peak):
    """Draws the roof if the copy bandwidth is known, and degrees beside the marks."""
    intensities = [x for points in curves.values() for x, _ in points.values()]
    low, high = min(intensities) / 2, max(intensities) * 4
    if bandwidth:
        ridge = peak * 1e12 / bandwidth
        high = max(high, 2 * ridge)
        axes.plot([low, ridge, high], [low * bandwidth * 1e-12, peak, peak], color="black",
                  linewidth=1)
        middle = (low * ridge) ** 0.5
        axes.annotate(f"copy, {bandwidth * 1e-12:.2f} TB/s", (middle, middle * bandwidth * 1e-12),
                      textcoords="offset points", xytext=(-8, 6), ha="right", fontsize=8)
        axes.annotate(f"{peak:g} TFLOP/s", (high, peak), textcoords="offset points",
                      xytext=(-4, 5), ha="right", fontsize=8)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.autoscale_view()
    if bandwidth:
        axes.set_ylim(top=max(axes.get_ylim()[1], 2 * peak))
    taken = []
    for points in curves.values():
        for degree, (x, y) in points.items():
            place = axes.transData.transform((x, y * 1e-12))
            if all(math.dist(place, other) > APART for other in taken):
                taken.append(place)
                axes.annotate(str(degree), (x, y * 1e-12), textcoords="offset points",
                              xytext=(5, -9), fontsize=7)
    axes.set_xlabel("flops per compulsory byte", fontsize=9)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(LogLocator(subs=(1, 2, 5) if axis == axes.xaxis else (1,)))
        axis.set_minor_formatter(NullFormatter())
        axis.set_major_formatter(PLAIN)


def y_axis(panel):
    if panel.over == "best":
        return "share of the best"
    return "times as fast" if panel.over else QUANTITIES[panel.y].axis


def titles(figure, selection, look):
    number = figure.name[3:5].lstrip("0")
    head = (f"Figure {number}: " if figure.name.startswith("fig") else "") + figure.title
    head = head[0].upper() + head[1:]
    machines = [name if backend == "cuda" or len(look.machines) == 1 else f"host: {name}"
                for backend, name in look.machines]
    common = selection.common
    unit, name = (1e6, " M") if common["size"] >= 1e5 else (1e3, " k")
    size = float(f"{common['size'] / unit:.2g}")
    about = [f"{size:g}{name} degrees of freedom"]
    about += [str(common[key]) for key in ("cell_type", "numbering", "preconditioner")
              if common.get(key) is not None and
              common[key] not in ("quadrilateral", "none")]
    if common.get("carveout") is not None:
        about.append(WORDS["carveout"].format(common["carveout"]))
    over = f" over {', '.join(selection.divisors)}" if selection.divisors else ""
    return head, "; ".join(machines) + over, ", ".join(about)


def draw(figure, selection, path, copies, source, peak):
    """Draws one column per number type and one line of panels per quantity."""
    points = selection.points
    look = Look(figure, {curve for curves in points.values() for curve in curves})
    if figure.x == "names":
        return draw_names(figure, selection, look, path, source)
    panels = sorted({panel for panel, _ in points})
    numbers = [n for n in figure.numbers if any(n == number for _, number in points)]
    width, height = (3.9, 3.1) if figure.x == "degree" else (5.2, 4.6)
    picture, grid = plt.subplots(len(panels), len(numbers), squeeze=False, sharey="row",
                                 sharex=figure.x == "degree" or "col",
                                 figsize=(0.6 + width * len(numbers),
                                          0.9 + height * len(panels)))
    for panel, line in zip(panels, grid):
        values = []
        for number, axes in zip(numbers, line):
            curves = points.get((panel, number))
            if curves is None:
                axes.set_visible(False)
                continue
            values += draw_curves(axes, look, figure.panels[panel], curves)
            if figure.x == "degree":
                axes.xaxis.set_major_locator(MaxNLocator(integer=True))
                axes.margins(x=0.08)
            else:
                draw_roof(axes, curves, copies.get(look.machines[0][1]), peak or PEAKS[number])
            axes.tick_params(labelsize=8)
        if figure.x == "degree":
            scale_y(line[0], values)
        line[0].set_ylabel(y_axis(figure.panels[panel]), fontsize=9)
    for number, axes in zip(numbers, grid[0]):
        axes.set_title(number, fontsize=10)
    if figure.x == "degree":
        for axes in grid[-1]:
            axes.set_xlabel("degree of elements", fontsize=9)
    handles = [Line2D([], [], **look.line(curve)) for curve in look.curves]
    finish(picture, titles(figure, selection, look), handles,
           [look.label(curve) for curve in look.curves], path, source)


def draw_names(figure, selection, look, path, source):
    """Draws a line for each curve with a mark for each degree, and one column per number type. Dotted
    lines repeat the marks of the last name."""
    firsts = [curve.values[0] for curve in look.curves]
    names = {curve: str(curve.values[0]) if firsts.count(curve.values[0]) == 1 else look.label(curve)
             for curve in look.curves}
    lines, panel = list(names.values()), figure.panels[0]
    found = {number: of for (_, number), of in selection.points.items()}
    numbers = [number for number in figure.numbers if number in found]
    degrees = sorted({degree for of in found.values() for points in of.values() for degree in points})
    picture, (grid,) = plt.subplots(1, len(numbers), squeeze=False, sharex=True, sharey=True,
                                    figsize=(1.6 + 3.9 * len(numbers), 1.7 + 0.3 * len(lines)))
    scale = 1 if panel.over else QUANTITIES[panel.y].scale
    for number, axes in zip(numbers, grid):
        series = {f"p = {degree}": {names[curve]: points[degree][1] / scale
                                    for curve, points in found[number].items() if degree in points}
                  for degree in degrees}
        draw_dots(axes, lines, series)
        for k, of in enumerate(series.values()):
            axes.axvline(of.get(lines[-1], 0.), color=COLORS[k % len(COLORS)], linestyle=":", linewidth=1.)
        axes.set_title(number, fontsize=10)
        axes.set_xlabel(y_axis(panel), fontsize=9)
        axes.tick_params(labelsize=8)
        axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    grid[0].set_xlim(left=0)
    handles, labels = grid[0].get_legend_handles_labels()
    finish(picture, titles(figure, selection, look), [*handles, Line2D([], [], color="#666666", linestyle=":")],
           [*labels, f"as with\n{lines[-1]}"], path, source)


def finish(picture, lines, handles, labels, path, source):
    """Writes the three lines of a title above a picture and its legend beside it, and saves it."""
    head, machines, about = lines
    picture.tight_layout()
    box = picture.get_figheight()
    picture.subplots_adjust(top=1 - 0.95 / box)
    picture.text(0.02, 1 - 0.22 / box, head, fontsize=11, weight="bold")
    picture.text(0.02, 1 - 0.42 / box, machines, fontsize=9)
    picture.text(0.02, 1 - 0.60 / box, about, fontsize=9)
    picture.legend(handles, labels, loc="upper left", bbox_to_anchor=(1, 1 - 0.9 / box), fontsize=8,
                   frameon=False, handlelength=3.2)
    picture.text(1.0, 0, source, fontsize=6, color="#666666", ha="right")
    picture.savefig(path, dpi=120, bbox_inches="tight", facecolor="white")
    plt.close(picture)
