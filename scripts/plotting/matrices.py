"""Figures of matrices: what each looks like, and how fast formats multiply them."""
import os

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.colors import LogNorm  # noqa: E402
from matplotlib.ticker import MaxNLocator  # noqa: E402

from .drawing import COLORS, MARKERS  # noqa: E402

# Curves of figure 12 of Wong, Kuhl and Darve (2015), and what has come since: the best of
# the formats that begin so, by library.
FAMILIES = (("cuSPARSE, compressed rows", "cuSPARSE", "csr", "csr"),
            ("cuSPARSE, sliced ELLPACK", "cuSPARSE", "csr", "sell"),
            ("compressed rows", "tessera", "csr", ""),
            ("ELLPACK", "tessera", "ell", ""),
            ("hybrid", "tessera", "hybrid", ""),
            ("sliced ELLPACK", "tessera", ("sliced", "sell_c", "pjds", "ellr"), ""),
            ("packed columns", "tessera", "sell_packed", ""),
            ("ELL-WARP K1, K1r, K1rs", "tessera", "ell_warp_k1", ""),
            ("ELL-WARP K2, K2r, K2rs", "tessera", "ell_warp_k2", ""))


def belongs(row, family):
    _, library, formats, algorithm = family
    if row["library"] != library:
        return False
    if library == "cuSPARSE":
        return algorithm in str(row["parameters"].get("algorithm"))
    if formats in ("csr", "ell", "hybrid"):
        return row["operator"] == formats
    return row["operator"].startswith(formats)


def effective(row):
    """Bytes of the entries a second, as the paper counts them, in GB/s."""
    return 1e-9 * row["paper_bytes"] / row["seconds_median"]


def best(rows, names, family):
    """{place of the matrix: GB/s} of the fastest variant of each."""
    found = {}
    for row in rows:
        if belongs(row, family):
            place = names.index(row["case"])
            found[place] = max(found.get(place, 0), effective(row))
    return found


def draw_speeds(rows, path, source):
    """Figure 12: effective bandwidth of formats by matrix; a panel a number type."""
    names = list(dict.fromkeys(row["case"] for row in rows))
    numbers = [n for n in ("double", "float") if any(row["number"] == n for row in rows)]
    machines = list(dict.fromkeys(row["machine"] for row in rows))
    picture, grid = plt.subplots(len(numbers), 1, squeeze=False, sharex=True,
                                 figsize=(2.2 + 0.42 * len(names), 0.9 + 3.2 * len(numbers)))
    drawn = {}
    for number, axes in zip(numbers, grid[:, 0]):
        for index, family in enumerate(FAMILIES):
            points = best([row for row in rows if row["number"] == number], names, family)
            if points:
                turn, color = divmod(index, len(COLORS))
                drawn[family[0]], = axes.plot(
                    points.keys(), points.values(), MARKERS[(index + turn) % len(MARKERS)],
                    markersize=6, color=COLORS[color], alpha=0.85,
                    fillstyle="none" if family[1] == "cuSPARSE" else "full")
        axes.set_title(number, fontsize=10)
        axes.set_ylabel("effective GB/s", fontsize=9)
        axes.set_ylim(bottom=0)
        axes.grid(axis="x", color="#dddddd")
        axes.tick_params(labelsize=8)
    axes.set_xticks(range(len(names)))
    axes.set_xticklabels(names, rotation=60, ha="right", fontsize=8)
    picture.legend(drawn.values(), drawn.keys(), loc="upper left", bbox_to_anchor=(1, 0.9),
                   fontsize=8, frameon=False)
    picture.suptitle("Products of matrices, the best variant of each format\n" +
                     "; ".join(machines), fontsize=10, x=0.02, ha="left")
    finish(picture, path, source)


def draw_matrix(matrix, path, source):
    """The pattern, dark where entries are many, and rows by their length (figure 4)."""
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
    if matrix["row_lengths"]:
        lengths, counts = zip(*matrix["row_lengths"])
        if len(lengths) > 1 and max(lengths) > 200:
            right.plot(lengths, counts, ".", color=COLORS[0])
            right.set_xscale("symlog")
            right.set_yscale("log")
        else:
            right.bar(lengths, counts, width=0.9, color=COLORS[0])
            right.xaxis.set_major_locator(MaxNLocator(integer=True))
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
    finish(picture, path, source)


def finish(picture, path, source):
    picture.tight_layout()
    picture.text(1.0, 0, source, fontsize=6, color="#666666", ha="right")
    picture.savefig(path, dpi=120, bbox_inches="tight", facecolor="white")
    plt.close(picture)
