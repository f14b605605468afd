"""The figure of padding, table 2 of Zhang and Zhang (2013), and of the bytes that blocks save."""
from plotting.products import Missing
from plotting.records import value

CELL_TYPES = ("triangle", "quadrilateral", "tetrahedron", "hexahedron")
# Formats: the operator, the window in which rows are sorted, the kind of entries, and a colour.
FORMATS = {"ELLPACK, BELL": ("ell", None, "single", "#56B4E9"),
           "SELL, slices of 32": ("sell", 1, "single", "#E69F00"),
           "SBELL, slices of 32": ("sell", 1, None, "#D55E00"),
           "SELL, all rows sorted": ("sell", 0, "single", "#009E73"),
           "SBELL, all rows sorted (EBW)": ("sell", 0, None, "#0072B2")}
OF_PAPER = {"triangle": 1.43, "quadrilateral": 1., "tetrahedron": 1.91, "hexahedron": 1.04}


def rows_of(rows, operator, window, entries):
    """Returns {mesh: row} of a format."""
    return {value(row, "cell_type"): row for row in rows if row.get("padding") and
            value(row, "form") == "elasticity" and row["operator"] == operator and
            (value(row, "sigma"), value(row, "entries")) == (window, entries)}


def draw(rows, path, source):
    """Draws stored entries over nonzeros on the left, and bytes of a product on the right."""
    from plotting.drawing import plt
    found = {name: rows_of(rows, *of) for name, (*of, _) in FORMATS.items()}
    if any(mesh not in by_mesh for by_mesh in found.values() for mesh in CELL_TYPES):
        raise Missing("rows of elasticity in all formats of the paper's table 2 are needed")
    figure, (padding, bytes_moved) = plt.subplots(1, 2, figsize=(9., 3.6), width_ratios=(5, 4))

    def bars(axis, name, n, of_all, of):
        places = [k + (n - (of_all - 1) / 2) * 0.8 / of_all for k in range(len(CELL_TYPES))]
        axis.bar(places, [of(found[name][mesh]) for mesh in CELL_TYPES], 0.8 / of_all,
                 color=FORMATS[name][-1], label=name if axis is padding else None)
        return places

    for n, name in enumerate(FORMATS):
        places = bars(padding, name, n, len(FORMATS), lambda row: row["padding"])
        if n == 0:
            padding.plot(places, [OF_PAPER[mesh] for mesh in CELL_TYPES], "D", color="black", markersize=5,
                         label="ELLPACK, the paper")
    for n, name in enumerate(list(FORMATS)[-2:]):
        bars(bytes_moved, name, n, 2, lambda row: row["compulsory_bytes"] / row["dofs"])
    padding.axhline(1, color="black", linewidth=0.8)
    padding.set_ylabel("stored entries over nonzeros")
    bytes_moved.set_ylabel("bytes of a product an unknown")
    for axis in (padding, bytes_moved):
        axis.set_xticks(range(len(CELL_TYPES)), ["triangles", "quadrilaterals", "tetrahedra", "hexahedra"],
                        fontsize=7)
        axis.grid(alpha=0.3, axis="y")
        axis.set_axisbelow(True)
    figure.legend(loc="lower center", ncol=3, fontsize=8, frameon=False, bbox_to_anchor=(0.5, 0.02))
    figure.tight_layout(rect=(0, 0.15, 1, 1))
    figure.text(0.995, 0.005, source, ha="right", va="bottom", fontsize=6, color="#666666")
    figure.savefig(path, dpi=120)
    plt.close(figure)


DRAWINGS = {"sbell_padding": ("application", draw, "padding of formats by type of cells, and bytes of single "
                              "entries and of blocks; rows of bench_operators with elasticity")}
