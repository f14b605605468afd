"""The figure of one core with a dense matrix, like the figures 5 and 6 of Lin and Lau (2025)."""
from plotting.products import Missing

# Parts of a run: the phases of an application in them, and a colour.
PARTS = {"mesh and flat arrays": (("mesh", "dofs", "flatten", "coefficients", "upload"), "#56B4E9"),
         "the matrix, cleared": (("pattern",), "#E69F00"),
         "stiffness": (("assembly",), "#D55E00"),
         "conjugate gradients": (("setup", "solve"), "#0072B2"),
         "stresses, reactions": (("evaluation", "output"), "#009E73")}


def parts_by_nodes(rows):
    """Returns {nodes: {part: seconds}} of runs with `dense` on cubes of tetrahedra."""
    found = {}
    for row in rows:
        if row["operator"] == "dense" and row["backend"] == "host":
            nodes = (1 + round((row["cells"] / 6) ** (1 / 3))) ** 3
            of = found.setdefault(nodes, dict.fromkeys((*PARTS, "all"), 0.))
            phase = row["parameters"]["phase"]
            for part in (part for part, (phases, _) in PARTS.items() if phase in phases):
                of[part] += row["seconds_median"]
            of["all"] += row["seconds_median"] if phase == "all" else 0.
    if len(found) < 2:
        raise Missing("phases of two runs with dense on a host are needed")
    return dict(sorted(found.items()))


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
    figure.legend(loc="lower center", ncol=6, fontsize=8, frameon=False, bbox_to_anchor=(0.5, 0.02))
    figure.tight_layout(rect=(0, 0.1, 1, 1))
    figure.text(0.995, 0.005, f"{rows[0]['machine']}, {source}", ha="right", va="bottom", fontsize=6,
                color="#666666")
    figure.savefig(path, dpi=120)
    plt.close(figure)


DRAWINGS = {"dense_phases": ("phase", draw, "seconds of the parts of a run with a dense matrix by nodes; "
                             "cases of elasticity with dense on a host")}
