"""Draws the speed of a host, or the seconds of the phases of a run, by threads. The rows come
from bench_operators or cases of applications, from several runs that differ in --threads.

A panel is one kind of work or a run, a curve is an operator at a degree or a phase.
"""
SHORTEST = 0.02  # seconds of a phase with one thread that is drawn


def scaling(rows):
    """Returns {(panel, what): {curve: [(threads, rate)]}} of the fastest rows; panels need
    several numbers of threads."""
    best = {}
    for row in rows:
        rate = row.get("gcells_per_s" if row["kind"] == "assembly" else "gdofs_per_s")
        if row["backend"] != "host" or row["library"] != "tessera" or not rate:
            continue
        what = "assembly, M cells/s" if row["kind"] == "assembly" else \
            {"application": "product, M DoF/s", "cg": "CG iteration, M DoF/s"}.get(row["kind"])
        curve = f"{row['operator']}, p={row['degree']}"
        points = best.setdefault(((row["machine"].split(",")[0], row["number"]), what), {}) \
            .setdefault(curve, {})
        points[row["threads"]] = max(points.get(row["threads"], 0), 1e3 * rate)
    return {panel: {curve: sorted(points.items()) for curve, points in curves.items()}
            for panel, curves in best.items()
            if panel[1] and max(len(points) for points in curves.values()) > 1}


def phases(rows):
    """Returns {(panel, what): {phase: [(threads, seconds)]}} of phases that are not short."""
    runs = {}
    for row in rows:
        if row["kind"] == "phase":
            panel = (row["machine"].split(",")[0], row["number"]), f"seconds, p={row['degree']}"
            runs.setdefault(panel, {}).setdefault(row["parameters"]["phase"], []) \
                .append((row["threads"], row["seconds_median"]))
    return {panel: {phase: sorted(points) for phase, points in curves.items()
                    if max(seconds for _, seconds in points) > SHORTEST}
            for panel, curves in runs.items()
            if max(len(points) for points in curves.values()) > 1}


FIGURES = {"phase_scaling": (phases, "seconds of the phases of a run by threads of the host",
                             "threads", "log",
                             "phases of runs with several numbers of threads are needed"),
           "host_scaling": (scaling, "speed of a host by threads", "threads", "log",
                            "rows of a host with several numbers of threads are needed")}
