"""The figure of the phases of a beat, like the figures 2 and 3 of Wong, Kuhl and Darve (2015)."""
from plotting.beats import PARTS

WAYS = ("csr, atomics", "csr, gather", "csr, coloring", "ell", "sell", "ELL-WARP K1",
        "ELL-WARP K2", "matrix_free")
CUT = 2.  # bars above so many times the median are cut off, with their seconds beside them


def beats(rows):
    """Returns {heart: {way: row}} of single beats by implicit steps on a device, or on a host where
    none is."""
    rows = [row for row in rows if "newton" in row["parameters"]]
    rows = [row for row in rows if row["backend"] == "cuda"] or rows
    shortest = min((row["parameters"]["simulated"] for row in rows), default=0)
    found = {}
    for row in sorted(rows, key=lambda row: row["dofs"]):
        if row["parameters"]["simulated"] < 1.5 * shortest:
            found.setdefault(row["parameters"]["heart"], {})[row["parameters"]["way"]] = row
    return found


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
    handles = {label: handle for axis in figure.axes
               for handle, label in zip(*axis.get_legend_handles_labels())}
    figure.legend(handles.values(), handles.keys(), loc="lower center", fontsize=7, bbox_to_anchor=(0.5, 0.015),
                  ncol=len(handles), frameon=False)
    figure.tight_layout(rect=(0, 0.4 / figure.get_size_inches()[1], 1, 1))
    figure.text(0.995, 0.003, f"{row['machine']}, {source}", ha="right", va="bottom", fontsize=6,
                color="#666666")
    figure.savefig(path, dpi=120)
    plt.close(figure)


DRAWINGS = {"beat_phases": ("beat", lambda rows, *of: draw(beats(rows), *of), "seconds of the parts of a beat; "
                            "cases of monodomain with implicit steps, as doc/papers/ell_warp/heart makes them")}
