"""Figures 5 to 11 of Lin and Lau (2025): one core with a dense matrix, conjugate gradients, set-up and
all seconds by format."""
from plotting.products import Missing
from plotting.records import value

# Parts of a run: the phases of an application in them, and a colour.
PARTS = {"mesh and flat arrays": (("mesh", "dofs", "flatten", "coefficients", "upload"), "#56B4E9"),
         "the matrix, cleared": (("pattern",), "#E69F00"), "stiffness": (("assembly",), "#D55E00"),
         "loads, Jacobi": (("setup",), "#CC79A7"),
         "conjugate gradients": (("solve",), "#0072B2"),
         "stresses, reactions": (("evaluation", "output"), "#009E73")}


SERIAL = "dense, one core"
# Formats of a run: the backend, the operator, the window in which rows are sorted, and whether entries
# are single.
RUNS = {SERIAL: ("host", "dense", None, None), "dense": ("cuda", "dense", None, None),
        "CSR": ("cuda", "csr", None, "single"), "ELLPACK": ("cuda", "ell", None, "single"),
        "ELL-WARP": ("cuda", "sell", 0, "single"), "EBW": ("cuda", "sell", 0, None)}
# Formats of products, in rows of bench_operators.
PRODUCTS = {
    "dense, a thread a row": {"operator": "dense", "dense_threads_per_row": "1"},
    "dense, a block a row": {"operator": "dense", "dense_threads_per_row": "block"},
    "CSR, a thread a row": {"operator": "csr", "entries": "single", "T": 1},
    "CSR, streamed": {"operator": "csr", "entries": "single"},
    "ELLPACK": {"operator": "ell", "entries": "single"},
    "ELL-WARP": {"operator": "sell", "entries": "single", "sigma": 0},
    "EBW": {"operator": "sell", "entries": None, "sigma": 0}}


def nodes_of(row):
    """Returns the nodes of a box of a x a x b cubes, each of 6 tetrahedra, that stands on a plane of
    fixed nodes: it has 6 a^2 b cells and 3 (a+1)^2 b unknowns."""
    a = round(1 / ((2 * row["dofs"] / row["cells"]) ** 0.5 - 1))
    return (a + 1) ** 2 * (1 + round(row["cells"] / (6 * a ** 2)))


def parts_by_nodes(rows, backend="host", operator="dense", window=None, entries=None, least=2):
    """Returns {nodes: {part: seconds}} of runs with a format on boxes of tetrahedra."""
    found = {}
    for row in rows:
        if (row["operator"], row["backend"], value(row, "sigma"), value(row, "entries")) == \
                (operator, backend, window, entries):
            nodes = nodes_of(row)
            of = found.setdefault(nodes, dict.fromkeys((*PARTS, "all"), 0.))
            phase = row["parameters"]["phase"]
            for part in (part for part, (phases, _) in PARTS.items() if phase in phases):
                of[part] += row["seconds_median"]
            of["all"] += row["seconds_median"] if phase == "all" else 0.
    if len(found) < least:
        raise Missing(f"phases of two runs with {operator} on a {backend} are needed")
    return dict(sorted(found.items()))


def finish(figure, path, rows, source, columns=0):
    """Lays out a figure, with a legend below it, names the machines of the rows, and saves it."""
    from plotting.drawing import plt
    if columns:
        figure.legend(loc="lower center", ncol=columns, fontsize=8, frameon=False, bbox_to_anchor=(0.5, 0.02))
    figure.tight_layout(rect=(0, 0.14 if columns else 0.02, 1, 1))
    figure.text(0.995, 0.005, ", ".join((*dict.fromkeys(row["machine"] for row in rows), source)), ha="right",
                va="bottom", fontsize=6, color="#666666")
    figure.savefig(path, dpi=120)
    plt.close(figure)


def draw(rows, path, source):
    """Draws seconds by nodes on the left, and shares of a run on the right."""
    from plotting.drawing import PLAIN, plt
    found = parts_by_nodes(rows)
    figure, (seconds, shares) = plt.subplots(1, 2, figsize=(9., 3.6))
    below = [0.] * len(found)
    for part, (_, color) in PARTS.items():
        seconds.loglog(list(found), [of[part] for of in found.values()], marker="o", markersize=4, color=color)
        parts = [100 * of[part] / of["all"] for of in found.values()]
        shares.bar(range(len(found)), parts, 0.65, below, color=color, label=part)
        below = [a + b for a, b in zip(below, parts)]
    seconds.loglog(list(found), [of["all"] for of in found.values()], color="black", linestyle="--", label="all")
    seconds.set_xticks(list(found), [f"{nodes:,}" for nodes in found])
    seconds.minorticks_off()
    seconds.yaxis.set_major_formatter(PLAIN)
    seconds.set_ylabel("seconds")
    seconds.grid(alpha=0.3)
    shares.set_xticks(range(len(found)), [f"{nodes:,}" for nodes in found])
    shares.set_ylim(0, 112)
    shares.set_ylabel("% of the run")
    for place, of in enumerate(found.values()):
        shares.text(place, 102, f"{of['all']:.3g} s", ha="center", fontsize=8)
    for axis in (seconds, shares):
        axis.set_xlabel("nodes")
    finish(figure, path, rows, source, 4)


def draw_lines(series, axis_title, path, rows, source, first=0):
    """Draws a curve by nodes, {name: {nodes: number}}, for each series, in colors from `first` on."""
    from plotting.drawing import plt
    figure, axis = plt.subplots(figsize=(7., 4.2))
    for k, (name, points) in enumerate(series.items(), first):
        axis.loglog(list(sorted(points)), [points[n] for n in sorted(points)], marker="os^Dv<>*"[k % 8],
                    markersize=4, label=name, color="black" if name == SERIAL else f"C{k}")
    axis.set_xlabel("nodes")
    axis.set_ylabel(axis_title)
    axis.grid(alpha=0.3)
    axis.legend(fontsize=8, frameon=False)
    finish(figure, path, rows, source)


def runs(rows, names):
    """Returns {format: {nodes: {part: seconds}}} of the named formats that have rows, of which two
    have to."""
    found = {name: parts_by_nodes(rows, *RUNS[name], least=0) for name in names}
    found = {name: of for name, of in found.items() if of}
    if len(found) < 2:
        raise Missing("phases of elasticity on a device with two formats are needed")
    return found


def by_format(axis_title, parts, names=tuple(RUNS)[1:]):
    """Returns a function that draws the seconds of parts of a run by format."""
    def draw_parts(rows, path, source):
        draw_lines({name: {nodes: sum(of[part] for part in parts) for nodes, of in by_nodes.items()}
                    for name, by_nodes in runs(rows, names).items()}, axis_title, path, rows, source,
                   tuple(RUNS).index(names[0]))
    return draw_parts


def draw_throughput(rows, path, source):
    series = {}
    for name, wanted in PRODUCTS.items():
        for row in rows:
            if row["library"] == "tessera" and row["cg_iterations_per_s"] and all(
                    value(row, key) == what for key, what in wanted.items()):
                points = series.setdefault(name, {})
                points[row["dofs"] // 3] = max(points.get(row["dofs"] // 3, 0), row["cg_iterations_per_s"])
    if len(series) < len(PRODUCTS):
        raise Missing("iterations of elasticity on tetrahedra in all formats are needed")
    draw_lines(series, "iterations of conjugate gradients, 1/s", path, rows, source)


def draw_breakdown(rows, path, source):
    """Draws the shares of the parts of a run by format, with the fewest and with the most nodes."""
    from plotting.drawing import plt
    found = runs(rows, tuple(RUNS)[1:])
    sizes = sorted({nodes for by_nodes in found.values() for nodes in by_nodes})
    figure, axes = plt.subplots(1, 2, figsize=(9., 3.6))
    for axis, nodes in zip(axes, (sizes[0], sizes[-1])):
        names = [name for name in found if nodes in found[name]]
        below = [0.] * len(names)
        for part, (_, color) in PARTS.items():
            shares = [100 * found[name][nodes][part] / found[name][nodes]["all"] for name in names]
            axis.bar(range(len(names)), shares, 0.65, below, color=color, label=part if axis is axes[0] else None)
            below = [a + b for a, b in zip(below, shares)]
        for at, name in enumerate(names):
            axis.text(at, 102, f"{found[name][nodes]['all']:.3g} s", ha="center", fontsize=8)
        axis.set_xticks(range(len(names)), names, fontsize=9)
        axis.set_ylim(0, 112)
        axis.set_title(f"{nodes:,} nodes", fontsize=9)
        axis.set_ylabel("% of the run")
    finish(figure, path, rows, source, 3)


OF_RUNS = "phases of elasticity on a device by format"
DRAWINGS = {"lin_fig07": ("phase", by_format("seconds of conjugate gradients", ("conjugate gradients",), tuple(RUNS)),
                          f"seconds of conjugate gradients by nodes; {OF_RUNS}, and with dense on a host"),
            "lin_fig08": ("cg", draw_throughput, "iterations by nodes and format; rows of bench_operators with "
                          "elasticity on tetrahedra"),
            "lin_fig09": ("phase", by_format("seconds of set-up", tuple(PARTS)[:2]), f"set-up by nodes; {OF_RUNS}"),
            "lin_fig10": ("phase", by_format("seconds in all", ("all",)), f"all seconds by nodes; {OF_RUNS}"),
            "lin_fig11": ("phase", draw_breakdown, f"shares of the parts of a run; {OF_RUNS}"),
            "dense_phases": ("phase", draw, "seconds of the parts of a run with a dense matrix by nodes; "
                             "cases of elasticity with dense on a host")}
