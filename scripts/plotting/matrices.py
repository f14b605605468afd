"""Figures of matrices: pictures of each, and charts of their products."""
import io
import os

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from PIL import Image  # noqa: E402
from matplotlib.colors import LogNorm  # noqa: E402
from matplotlib.lines import Line2D  # noqa: E402
from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter  # noqa: E402

from .drawing import COLORS, LOG_FROM, PLAIN, scale_y  # noqa: E402


def mark(look):
    """Returns the keywords of a look: colour, marker, and whether it is filled."""
    color, marker, filled = look
    return {"color": color, "marker": marker, "linestyle": "none",
            "markerfacecolor": color if filled else "white",
            "markersize": 8 if marker == "*" else 6}


def legend(picture, panels):
    """Draws the legend beside the panels: each series that has points in any of them,
    once."""
    looks = {series.label: series.look for panel in panels for series in panel.series
             if series.points}
    picture.legend([Line2D([], [], **mark(look)) for look in looks.values()], looks,
                   loc="upper left", bbox_to_anchor=(1, 0.97), fontsize=8, frameon=False)


def scale(axes, panel, values):
    """Makes the axis logarithmic if the panel asks for it or values are far from its level;
    otherwise it begins at 0 or lies around the level."""
    if panel.log or (panel.level is not None and max(values) > LOG_FROM * panel.level):
        scale_y(axes, values)
    elif panel.level is None or not all(0.5 < v / panel.level < 1.8 for v in values):
        axes.set_ylim(0, 1.06 * max(values))
    else:
        low, high = min(panel.level, *values), max(panel.level, *values)
        margin = max(0.02 * panel.level, 0.1 * (high - low))
        axes.set_ylim(low - margin, high + margin)


def draw_panel(axes, panel, names):
    """Draws the series side by side at each matrix."""
    values, drawn = [], [series for series in panel.series if series.points]
    for place, series in enumerate(drawn):
        shift = 0.7 * ((place + 0.5) / len(drawn) - 0.5)
        x, y, errors = zip(*((names.index(case) + shift, y, series.errors.get(case, 0))
                             for case, y in series.points.items()))
        axes.errorbar(x, y, yerr=errors if any(errors) else None, elinewidth=1, zorder=3,
                      **mark(series.look))
        values += [end for v, error in zip(y, errors) for end in (v - error, v + error)]
    scale(axes, panel, values)
    if panel.level is not None:
        axes.axhline(panel.level, color="#666666", linewidth=0.8, zorder=1)
    for place in range(0, len(names), 2):
        axes.axvspan(place - 0.5, place + 0.5, color="#f2f2f2", zorder=0, linewidth=0)
    axes.grid(axis="y", linewidth=0.4, color="#cccccc")
    axes.set_axisbelow(True)
    axes.set_xlim(-0.5, len(names) - 0.5)
    axes.set_ylabel(panel.axis, fontsize=9)
    axes.set_title(panel.title, fontsize=10)
    axes.set_xticks(range(len(names)))
    axes.tick_params(labelsize=8)


def draw_chart(chart, order, path, source):
    """Draws panels below one another, each as wide as its matrices, which are in
    `order`."""
    names = [[name for name in order if any(name in series.points for series in panel.series)]
             for panel in chart.panels]
    # In inches: space for names, unless the next panel has the same, and for titles.
    same = [here == after for here, after in zip(names, [*names[1:], None])]
    below = [0.15 if shared else 0.5 + 0.05 * max(map(len, here))
             for shared, here in zip(same, names)]
    for place, panel in enumerate(chart.panels[1:]):
        below[place] += 0.2 if panel.title else 0
    high = 2.3 if any(same) else 3.4
    each = max(0.42, 4.5 / max(map(len, names)))
    left, width, tall = 0.8, 0.9 + each * max(map(len, names)), 0.6 + sum(below) + \
        high * len(below)
    picture, top = plt.figure(figsize=(width, tall)), tall - 0.7
    for panel, here, gap, shared in zip(chart.panels, names, below, same):
        axes = picture.add_axes((left / width, (top - high) / tall, each * len(here) / width,
                                 high / tall))
        draw_panel(axes, panel, here)
        axes.set_xticklabels([] if shared else here, rotation=60, ha="right",
                             rotation_mode="anchor")
        top -= high + gap
    title(picture, chart)
    legend(picture, chart.panels)
    save(picture, path, source)


def title(picture, chart):
    picture.suptitle(f"{chart.head}\n{chart.about}", fontsize=10, x=0.02, y=1, ha="left",
                     va="top")


def draw_cloud(cloud, path, source):
    """Draws points, and the line on which both coordinates are equal."""
    picture, grid = plt.subplots(1, len(cloud.panels), squeeze=False,
                                 figsize=(0.6 + 4.6 * len(cloud.panels), 5.4))
    for panel, axes in zip(cloud.panels, grid[0]):
        ends = [v for series in panel.series for point in series.points for v in point]
        ends = [min(ends) / 1.3, max(ends) * 1.3]
        axes.plot(ends, ends, color="#666666", linewidth=0.8)
        for series in panel.series:
            axes.plot(*zip(*series.points), **{**mark(series.look), "markersize": 4})
        axes.set(xscale="log", yscale="log", xlim=ends, ylim=ends, aspect="equal")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(LogLocator(subs=(1, 2, 5) if ends[1] < 1e3 * ends[0] else (1,)))
            axis.set_major_formatter(PLAIN)
            axis.set_minor_formatter(NullFormatter())
        axes.grid(True, which="major", linewidth=0.4, color="#cccccc")
        axes.set_title(panel.title, fontsize=10)
        axes.set_xlabel(cloud.axes, fontsize=9)
        axes.set_ylabel(panel.axis, fontsize=9)
        axes.tick_params(labelsize=8)
    title(picture, cloud)
    picture.tight_layout()
    legend(picture, cloud.panels)
    save(picture, path, source)


def draw_histograms(matrices, path, source):
    """Draws figure 4 for each matrix."""
    n_lines = -(-len(matrices) // 5)
    picture, grid = plt.subplots(n_lines, min(5, len(matrices)), squeeze=False,
                                 figsize=(0.4 + 2.1 * min(5, len(matrices)), 0.5 + 1.7 * n_lines))
    for axes in list(grid.flat)[len(matrices):]:
        axes.set_visible(False)
    for (name, matrix), axes in zip(matrices.items(), grid.flat):
        draw_row_lengths(axes, matrix["row_lengths"])
        axes.set_title(name, fontsize=8)
        axes.tick_params(labelsize=7)
    for axes in grid[:, 0]:
        axes.set_ylabel("rows", fontsize=8)
    for axes in list(grid.flat)[max(0, len(matrices) - 5):len(matrices)]:
        axes.set_xlabel("entries of a row", fontsize=8)
    picture.suptitle("Lengths of rows", fontsize=10, x=0.02, ha="left")
    picture.tight_layout()
    save(picture, path, source)


def draw_row_lengths(axes, row_lengths):
    """Draws the number of rows by length; axes are logarithmic if some are much longer."""
    if not row_lengths:
        return
    lengths, counts = zip(*row_lengths)
    if max(lengths) > max(200, 20 * min(lengths)):
        axes.plot(lengths, counts, ".", color=COLORS[0])
        axes.set_xscale("symlog")
        axes.set_yscale("log")
    else:
        span = max(lengths) - min(lengths)
        axes.bar(lengths, counts, width=max(0.9, 0.008 * span), color=COLORS[0])
        axes.set_xlim(min(lengths) - 1.5 - 0.02 * span, max(lengths) + 1.5 + 0.02 * span)
        axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))


def draw_matrix(matrix, path, source):
    """Draws the pattern, dark where there are many entries, and row lengths (figure 4)."""
    picture, (left, right) = plt.subplots(1, 2, figsize=(8.6, 4))
    tiles = matrix["picture"]
    if matrix["nonzeros"] > 0:
        image = left.imshow([[n or float("nan") for n in line] for line in tiles],
                            cmap="viridis_r", norm=LogNorm(), interpolation="nearest",
                            extent=(0, matrix["columns"], matrix["rows"], 0), aspect="auto")
        picture.colorbar(image, ax=left, label=f"entries in a tile, {len(tiles)} a side")
    left.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    left.set_xlabel("column", fontsize=9)
    left.set_ylabel("row", fontsize=9)
    draw_row_lengths(right, matrix["row_lengths"])
    right.set_xlabel("entries of a row", fontsize=9)
    right.set_ylabel("rows", fontsize=9)
    for axes in (left, right):
        axes.tick_params(labelsize=8)
    said = matrix["statistics"]
    about = (f"{matrix['rows']:,} rows, {matrix['nonzeros']:,} entries; rows of "
             f"{said['shortest_row']:g} to {said['longest_row']:g}, mean {said['mean_row']:.3g}; "
             f"padding: ELLPACK {said['padding_ell']:.3g}, slices of 32 "
             f"{said['padding_sliced_ell']:.3g}, sorted {said['padding_ell_warp_k1']:.3g}")
    picture.suptitle(f"{os.path.basename(matrix['name'])}\n{about}", fontsize=9, x=0.02,
                     ha="left")
    picture.tight_layout()
    save(picture, path, source)


def save(picture, path, source):
    picture.text(1.0, 0, source, fontsize=6, color="#666666", ha="right")
    drawn = io.BytesIO()
    picture.savefig(drawn, dpi=120, bbox_inches="tight", facecolor="white")
    plt.close(picture)
    # With a palette the file has a third of the bytes.
    Image.open(drawn).convert("RGB").quantize(256, dither=0).save(path, optimize=True)
