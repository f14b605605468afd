"""Figures of Zhang and Zhang (2013): padding (table 2), products by size of a slice, by format and
in float (figures 6 to 9), and conjugate gradients over all cores of a host (figure 10)."""
from plotting.products import Missing
from plotting.records import value

MESHES = {"triangle": "triangles", "quadrilateral": "quadrilaterals", "tetrahedron": "tetrahedra",
          "hexahedron": "hexahedra"}
# Formats: the operator, the window in which rows are sorted, the kind of entries, and a colour.
FORMATS = {"ELLPACK, BELL": ("ell", None, "single", "#56B4E9"),
           "SELL, slices of 32": ("sell", 1, "single", "#E69F00"),
           "SBELL, slices of 32": ("sell", 1, None, "#D55E00"),
           "SELL, all rows sorted": ("sell", 0, "single", "#009E73"),
           "SBELL, all rows sorted (EBW)": ("sell", 0, None, "#0072B2")}
OF_PAPER = {"triangle": 1.43, "quadrilateral": 1., "tetrahedron": 1.91, "hexahedron": 1.04}
COLORS = ("#0072B2", "#56B4E9", "#009E73", "#E69F00", "#D55E00", "#CC79A7", "#999933")
# The formats of figure 8: the library, and what their rows have.
COMPARED = {"cuSPARSE, CSR": ("cuSPARSE", {"operator": "csr", "algorithm": ("csr_alg1", "csr_alg2")}),
            "CSR, a warp a row": ("tessera", {"operator": "csr", "entries": "single", "T": (32, "32")}),
            "ELLPACK": ("tessera", {"operator": "ell", "entries": "single"}),
            "SELL": ("tessera", {"operator": "sell", "entries": "single", "C": 32, "sigma": 1}),
            "BELL": ("tessera", {"operator": "ell", "entries": None}),
            "SBELL": ("tessera", {"operator": "sell", "entries": None, "C": 32, "sigma": 1}),
            "SBELL, sorted (EBW)": ("tessera", {"operator": "sell", "entries": None, "C": 32, "sigma": 0})}
CHUNKS = (32, 64, 128, 256)
NUMBERS = ("double", "float")
PAIRS = ("#777777", "#BBBBBB", "#D55E00", "#E69F00", "#0072B2", "#56B4E9")  # a format in double and in float


def found(rows, conditions, of):
    """Returns {mesh: of(the fastest row that meets the conditions)}."""
    best = {}
    for row in rows:
        if all(value(row, key) in (wanted if isinstance(wanted, tuple) else (wanted,))
               for key, wanted in conditions.items()) and of(row):
            mesh = value(row, "cell_type")
            best[mesh] = max(best.get(mesh, 0), of(row))
    return best


def of_elasticity(rows, of_record, numbers=("double",)):
    """Returns the series that have all meshes, or raises Missing. Its functions take rows of
    elasticity in these numbers."""
    rows = [row for row in rows if value(row, "form") == "elasticity" and row["number"] in numbers]
    series = {name: by_mesh for name, by_mesh in of_record(rows).items() if len(by_mesh) == len(MESHES)}
    if len(series) < 2:
        raise Missing("rows of elasticity on the paper's four meshes are needed")
    return series


def bars(axis, series, colors=COLORS, show=True):
    """Draws a group of bars for each mesh, and returns where those of the first series stand."""
    n, first = len(series), None
    for k, (name, by_mesh) in enumerate(series.items()):
        places = [mesh + (k - (n - 1) / 2) * 0.8 / n for mesh in range(len(MESHES))]
        axis.bar(places, [by_mesh[mesh] for mesh in MESHES], 0.8 / n, color=colors[k % len(colors)],
                 label=name if show else None)
        first = first or places
    axis.set_xticks(range(len(MESHES)), MESHES.values(), fontsize=7)
    axis.grid(alpha=0.3, axis="y")
    axis.set_axisbelow(True)
    return first


def finish(figure, path, source, columns, height=0.15):
    from plotting.drawing import plt
    figure.legend(loc="lower center", ncol=columns, fontsize=8, frameon=False, bbox_to_anchor=(0.5, 0.02))
    figure.tight_layout(rect=(0, height, 1, 1))
    figure.text(0.995, 0.005, source, ha="right", va="bottom", fontsize=6, color="#666666")
    figure.savefig(path, dpi=120)
    plt.close(figure)


def draw_padding(rows, path, source):
    """Draws stored entries over nonzeros on the left, and bytes of a product on the right."""
    from plotting.drawing import plt

    def of_formats(kinds, of):
        return of_elasticity(rows, lambda left: {
            name: found(left, {"operator": operator, "sigma": window, "entries": entries,
                               "C": (None, 32)}, of)
            for name, (operator, window, entries, _) in kinds.items()})
    last = dict(list(FORMATS.items())[-2:])
    stored = of_formats(FORMATS, lambda row: row.get("padding"))
    moved = of_formats(last, lambda row: row.get("compulsory_bytes") and row["compulsory_bytes"] / row["dofs"])
    if len(stored) < len(FORMATS):
        raise Missing("rows of elasticity in all formats of the paper's table 2 are needed")
    figure, (padding, bytes_moved) = plt.subplots(1, 2, figsize=(9., 3.6), width_ratios=(5, 4))
    places = bars(padding, stored, [of[-1] for of in FORMATS.values()])
    padding.plot(places, [OF_PAPER[mesh] for mesh in MESHES], "D", color="black", markersize=5,
                 label="ELLPACK, the paper")
    bars(bytes_moved, moved, [of[-1] for of in last.values()], show=False)
    padding.axhline(1, color="black", linewidth=0.8)
    padding.set_ylabel("stored entries over nonzeros")
    bytes_moved.set_ylabel("bytes of a product an unknown")
    finish(figure, path, source, 3)


def draw_gflops(of_rows, numbers=("double",), colors=COLORS):
    """Returns a function that draws GFLOP/s of a product by mesh: two operations for each nonzero."""
    def draw(rows, path, source):
        from plotting.drawing import plt
        series = of_elasticity([row for row in rows if row["backend"] == "cuda"], of_rows, numbers)
        figure, axis = plt.subplots(figsize=(9., 3.6))
        bars(axis, series, colors)
        axis.set_ylabel("GFLOP/s")
        machine = next(row["machine"] for row in rows if row["backend"] == "cuda")
        finish(figure, path, f"{machine}, {source}", 3 if len(series) == 6 else 4)
    return draw


def by_chunk(entries):
    return lambda rows: {f"slices of {chunk}": found(
        rows, {"operator": "sell", "entries": entries, "C": chunk, "sigma": 1},
        lambda row: row["gflops"]) for chunk in CHUNKS}


def by_format(rows):
    return {name: found(rows, {"library": library, **conditions}, lambda row: row["gflops"])
            for name, (library, conditions) in COMPARED.items()}


def by_number(rows):
    of = {number: by_format([row for row in rows if row["number"] == number]) for number in NUMBERS}
    return {f"{name}, {number}": of[number][name] for name in ("cuSPARSE, CSR", "SBELL", "SBELL, sorted (EBW)")
            if len(of["float"][name]) == len(MESHES) for number in NUMBERS}


def draw_speedup(rows, path, source):
    """Draws seconds of conjugate gradients with least squares of order 6 on all cores of a host, by
    compressed rows in double as in the paper and by the host's fastest, over those on a device."""
    from plotting.drawing import plt
    wanted = {"preconditioner": "least_squares", "polynomial_degree": 6, "library": "tessera"}

    def rate(row):
        return row["solve"]["converged"] and 1 / row["solve"]["solve_seconds"]
    hosts = [row for row in rows if row["backend"] == "host"]
    over = {"CSR in double": found(hosts, {**wanted, "operator": "csr", "number": "double"}, rate),
            "its fastest": found(hosts, wanted, rate)}
    series = {f"{name} {number}": found(rows, {**wanted, "operator": operator, "number": number,
                                               "backend": "cuda"}, rate)
              for name, operator in (("CSR,", "csr"), ("SBELL,", "sell")) for number in ("double", "mixed")}
    if any(len(of) < len(MESHES) for of in (*over.values(), *series.values())):
        raise Missing("solves of a device and a host with CSR and SBELL on the paper's four meshes are needed")
    figure, axes = plt.subplots(1, 2, figsize=(9., 3.6))
    for axis, (name, of_host) in zip(axes, over.items()):
        bars(axis, {label: {mesh: of[mesh] / of_host[mesh] for mesh in MESHES}
                    for label, of in series.items()}, show=axis is axes[0])
        axis.set_ylabel(f"times as fast as the host:\n{name}")
    machines = [next(row["machine"] for row in rows if row["backend"] == name) for name in ("cuda", "host")]
    finish(figure, path, f"{' over '.join(machines)}, {source}", 4)


DRAWINGS = {
    "sbell_padding": ("application", draw_padding, "padding of formats by type of cells, and bytes of single "
                      "entries and of blocks; rows of bench_operators with elasticity"),
    "zhang_fig06": ("application", draw_gflops(by_chunk("single")), "products of sliced ELLPACK by size of a "
                    "slice; rows of a device with elasticity on four meshes"),
    "zhang_fig07": ("application", draw_gflops(by_chunk(None)), "the same with blocks, SBELL"),
    "zhang_fig08": ("application", draw_gflops(by_format), "products by format; the same rows"),
    "zhang_fig09": ("application", draw_gflops(by_number, NUMBERS, PAIRS), "SBELL in double and "
                    "float; rows of a device with elasticity on four meshes in both"),
    "zhang_fig10": ("solve", draw_speedup, "conjugate gradients on a device over a host; rows of "
                    "solver_benchmark on four meshes")}
