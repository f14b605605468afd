"""Jacobi beside multigrid: iterations and seconds by degree, from the phases of an application's cases."""
from .products import Missing

PARTS = ("pattern", "assembly", "setup", "solve")  # of a run, until the solution is there
NEEDS = "phases of runs with jacobi and with multigrid"
AXIS = "set-up and solve,\nseconds a million unknowns"


def charts(rows):
    """Returns {(panel, what): {curve: [(degree, value)]}} of iterations, and of the seconds of PARTS; a curve
    is an operator and a preconditioner on a machine."""
    iterations, seconds = {}, {}
    for row in rows:
        of = row["parameters"]
        curve = f"{row['operator']}, {of['preconditioner']}: {row['machine']}"
        if of["phase"] in PARTS:
            points = seconds.setdefault(curve, {})
            points[row["degree"]] = points.get(row["degree"], 0.) + 1e6 * row["seconds_median"] / row["dofs"]
        if of["phase"] == "solve":
            iterations.setdefault(curve, {})[row["degree"]] = of["iterations"]
    if not all(any(f", {name}:" in curve for curve in iterations) for name in ("jacobi", "multigrid")):
        raise Missing(f"{NEEDS} are needed")
    least, most = (1e-6 * of(row["dofs"] for row in rows) for of in (min, max))
    panel = (f"{least:.2g} to {most:.2g} M unknowns",)
    return {(panel, what): {curve: sorted(points.items()) for curve, points in found.items()}
            for what, found in (("iterations", iterations), (AXIS, seconds))}


def draw(rows, path, source):
    from .solver_figures import draw as draw_charts
    draw_charts((charts, "Jacobi beside multigrid", "degree of elements", "linear", NEEDS), charts(rows), path,
                source, True)


DRAWINGS = {"jacobi_and_multigrid": ("phase", draw, f"iterations and seconds by degree; {NEEDS}")}
