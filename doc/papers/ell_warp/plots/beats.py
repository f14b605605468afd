"""The figures of a beat of Wong, Kuhl and Darve (2015): its phases, like their figures 2 and 3, and how many
times as fast as one process of PETSc it is, like their figure 15."""
from plotting.beats import PARTS
from plotting.products import Missing
from plotting.quotes import three_digits

WAYS = ("csr, atomics", "csr, gather", "csr, coloring", "ell", "sell", "ELL-WARP K1",
        "ELL-WARP K2", "matrix_free")
CUT = 2.  # bars above so many times the median are cut off, with their seconds beside them
# Figure 15: the places that assemble and solve, with a colour, and the formats of a device.
PLACES = {"processes of PETSc": "#999999", "threads of the host": "#009E73",
          "assembled by the host, solved on the device": "#E69F00", "all on the device": "#0072B2"}
FORMATS = {"csr_mgpu": "csr_mgpu", "csr": "csr", "ELL-WARP K1": "K1", "ELL-WARP K2": "K2"}
PEER, ONE = "petsc_block_jacobi", ("processes of PETSc", "1 processes")


def beats(rows):
    """Returns {heart: {way: row}} of single beats by implicit steps on a device, or on a host where
    none is."""
    rows = [row for row in rows if "newton" in row["parameters"] and "tangents" not in row["parameters"]]
    rows = [row for row in rows if row["backend"] == "cuda"] or rows
    shortest = min((row["parameters"]["simulated"] for row in rows), default=0)
    found = {}
    for row in sorted(rows, key=lambda row: row["dofs"]):
        if row["parameters"]["simulated"] < 1.5 * shortest:
            found.setdefault(row["parameters"]["heart"], {})[row["parameters"]["way"]] = row
    return found


def finish(figure, path, about):
    """Writes the legend of all panels and a line about the record below a figure, and saves it."""
    from plotting.drawing import plt
    handles = {label: handle for axis in figure.axes
               for handle, label in zip(*axis.get_legend_handles_labels())}
    figure.legend(handles.values(), handles.keys(), loc="lower center", fontsize=7, bbox_to_anchor=(0.5, 0.015),
                  ncol=len(handles), frameon=False)
    figure.tight_layout(rect=(0, 0.4 / figure.get_size_inches()[1], 1, 1))
    figure.text(0.995, 0.003, about, ha="right", va="bottom", fontsize=6, color="#666666")
    figure.savefig(path, dpi=120)
    plt.close(figure)


def draw(found, path, source):
    """Draws the seconds of the parts of a beat, a panel for each heart."""
    from plotting.drawing import plt
    figure, axes = plt.subplots(-(-len(found) // 2), 2, squeeze=False, figsize=(
        10.5, 0.4 + 2.6 * -(-len(found) // 2)))
    for axis in axes.flat[len(found):]:
        axis.set_visible(False)
    for axis, (heart, of_heart) in zip(axes.flat, found.items()):
        ways = sorted(of_heart, key=lambda way: (WAYS.index(way) if way in WAYS else 99, way))
        all_seconds = sorted(of_heart[way]["seconds_median"] for way in ways)
        limit = min(CUT * all_seconds[len(ways) // 2], all_seconds[-1])
        for place, way in enumerate(ways):
            row, left = of_heart[way], 0.
            for key, (label, color) in PARTS.items():
                width = max(0., row["parameters"].get(key, 0.))
                if key == "cell_matrices_seconds" and key not in row["parameters"]:
                    width = row["parameters"].get("assembly_seconds", 0.)
                axis.barh(place, min(width, max(0., limit - left)), left=left, color=color,
                          label=label)
                left += width
            axis.text(min(left, limit), place,
                      f"{' …' if left > limit else ''} {row['seconds_median']:.2f} s", va="center",
                      fontsize=7)
        axis.set_xlim(0, 1.15 * limit)
        axis.set_yticks(range(len(ways)), ways, fontsize=7)
        axis.invert_yaxis()
        row = of_heart[ways[0]]
        activated = [of_heart[way]["parameters"].get("activated") for way in ways]
        said = "" if None in activated else ", all activated" if min(activated) == 1 else \
            f", at least {100 * min(activated):.4g} % activated"
        axis.set_title(f"{row['dofs']} nodes, {row['cells']} cells{said}", fontsize=8)
        axis.set_xlabel(f"seconds of {1e3 * row['parameters']['simulated']:g} ms", fontsize=7)
        axis.tick_params(axis="x", labelsize=7)
    finish(figure, path, f"{row['machine']}, {source}")


def speedups(rows):
    """Returns {heart: {(place, name): times as fast as one process of PETSc with block Jacobi}}."""
    seconds, (peers, threads, shared, device) = {}, PLACES
    for row in sorted(rows, key=lambda row: row["dofs"]):
        of = row["parameters"]
        by_way = device if row["backend"] == "cuda" else shared if of.get("tangents") == "device" else None
        key = (by_way, FORMATS.get(of["way"])) if by_way else \
            (peers, f"{of.get('processes', 1)} processes") if of.get("tangents") == PEER else \
            (threads, f"{of.get('threads', 1)} threads")
        if by_way or of.get("tangents") in (None, PEER):
            seconds.setdefault(of["heart"], {})[key] = row["seconds_median"]
    return {heart: {key: of[ONE] / second for key, second in of.items() if key != ONE}
            for heart, of in seconds.items() if ONE in of}


def draw_speedups(rows, path, source):
    """Draws bars of speed for each heart, from one process of PETSc, on a logarithmic axis."""
    from plotting.drawing import PLAIN, plt
    found, (peers, threads, *others) = speedups(rows), PLACES
    shown = [key for key in [*((peers, f"{n} processes") for n in (2, 4, 8, 16)), (threads, "16 threads"),
                             *((place, name) for place in others for name in FORMATS.values())]
             if any(key in of for of in found.values())]
    if not shown:
        raise Missing("beats by one process of PETSc with block Jacobi, and others, are needed")
    figure, axes = plt.subplots(1, len(found), squeeze=False, sharex=True, sharey=True,
                                figsize=(1.6 + 2.4 * len(found), 1.3 + 0.21 * len(shown)))
    for axis, (heart, of) in zip(axes.flat, found.items()):
        for place, key in enumerate(shown):
            axis.barh(place, of.get(key, 1.) - 1., left=1., color=PLACES[key[0]], label=key[0])
            axis.text(1.08 * of.get(key, 1.), place, three_digits(of[key]) if key in of else "", va="center", fontsize=7)
        axis.set_title(f"heart of {heart} nodes", fontsize=8)
        axis.tick_params(labelsize=7)
        axis.grid(axis="x", linewidth=0.4, color="#cccccc")
        axis.set_axisbelow(True)
    axis.set_xscale("log")
    axis.set_xlim(1, 2.2 * max(number for of in found.values() for number in of.values()))
    axis.set_xticks((1, 3, 10, 30, 100, 300), minor=False)
    axis.set_xticks((), minor=True)
    axis.xaxis.set_major_formatter(PLAIN)
    axis.set_yticks(range(len(shown)), [name for _, name in shown])
    axis.invert_yaxis()
    figure.suptitle("Times as fast as one process of PETSc with block Jacobi", fontsize=9)
    machines = dict.fromkeys(row["machine"] for row in sorted(rows, key=lambda row: row["backend"]))
    finish(figure, path, f"{', '.join(machines)}, {source}")


DRAWINGS = {"beat_phases": ("beat", lambda rows, *of: draw(beats(rows), *of), "seconds of the parts of a beat; "
                            "cases of monodomain with implicit steps, as doc/papers/ell_warp/heart makes them"),
            "wong_fig15_speedup": ("beat", draw_speedups, "beats over one process of PETSc; cases of monodomain by "
                                   "doc/papers/ell_warp/heart --compare")}
