"""Waves of excitation: the cases of monodomain with a conduction velocity or activation times at
points as rows, a map of velocities by mesh and step, and the slab of Niederer et al. (2011)."""
import math
import re

from .beats import activation, setting

# Mean and standard deviation, in ms, of the times at which eleven codes activate the places of the
# slab, at a step of 0.01 ms, by cell size in mm. From the supplement of the paper, as
# experiments/experiment_2/niederer_values.py of github.com/vittal2026/HrdayaPy tabulates it.
PLACES = ((0, 0, 0), (0, 7, 0), (20, 0, 0), (20, 7, 0), (0, 0, 3), (0, 7, 3), (20, 0, 3), (20, 7, 3),
          (10, 3.5, 1.5))
PUBLISHED = {
    0.1: ((1.04, 0.38), (29.76, 1.65), (32.23, 0.56), (43.97, 2.83), (8.95, 0.56), (31.32, 2.12),
          (33.70, 1.00), (44.93, 3.22), (20.50, 1.30)),
    0.2: ((1.05, 0.40), (38.56, 5.00), (34.43, 1.48), (52.56, 7.10), (11.29, 1.60), (40.52, 6.08),
          (36.67, 2.98), (53.81, 8.17), (24.58, 3.76)),
    0.5: ((1.04, 0.38), (105.66, 33.36), (47.73, 8.33), (117.34, 34.83), (27.37, 11.04),
          (106.80, 35.08), (54.57, 11.97), (117.86, 36.11), (55.17, 17.40))}
RANGE_OF_P8 = (37.8, 48.7)  # of the codes with 0.1 mm and 0.005 ms, section 6 of the paper
COLORS = {0.1: "#D55E00", 0.2: "#009E73", 0.5: "#0072B2"}
NEEDS = "cases of monodomain on boxes with "
FIGURES = {"velocity_map": NEEDS + "Output/Velocity points",
           "velocity_table": NEEDS + "Output/Velocity points",
           "slab_band": NEEDS + "Output/Trace points of prm/monodomain/slab.prm"}


def rows_of_waves(record):
    """Returns a row for each case on boxes that has a conduction velocity or times at points."""
    rows, asked = [], record.get("parameters") or {}
    boxes = re.match(r"\s*(\d+)[^:]*:([^:]*):([^:]*)", asked.get("Mesh/Grid arguments", ""))
    for case in record.get("cases") or []:
        found = (case.get("results") or {}).get("quantities") or []
        of = {quantity["name"]: quantity["value"] for quantity in found}
        times = [key for key in of if key.startswith("activation time at")]
        if not boxes or "activated part of the nodes" not in of or \
                not ("conduction velocity" in of or len(times) > 1):
            continue
        start, end = (float(side.split(",")[0]) for side in boxes.groups()[1:])
        cycle = int(case["name"].rsplit("_c", 1)[1]) + int(asked.get("Mesh/Initial refinement", 0))
        rows.append({
            "case": case["name"], "kind": "wave", "library": "tessera", "completed": True,
            "operator": asked.get("Operator/Name", "unknown"), "number": "double",
            "backend": "cuda" if record["device"] else "host",
            "degree": case["problem"]["degree"], "dofs": case["problem"]["dofs"],
            "cells": case["problem"]["cells"], "seconds_median": case["phases"]["solve"],
            "parameters": {
                "model": asked.get("Cell model/Model"), **setting(asked),
                "mass": asked.get("Time/Mass"), "diffusion": asked.get("Time/Diffusion"),
                "rates": asked.get("Time/Rates"), "steps": case["parameters"].get("steps"),
                "iterations": case["results"].get("iterations"),
                "h": (end - start) / (int(boxes[1]) * 2 ** cycle),
                "velocity": of.get("conduction velocity"), **activation(case),
                "points": [quantity["point"] for quantity in found if quantity["name"] in times]}})
    return rows


def damage_of_wave(row):
    """Returns the first field that is not as the figures of waves need it, or None."""
    of = row["parameters"]
    for key, kind in (("scheme", str), ("step", (int, float)), ("h", (int, float)), ("points", list),
                      ("activated", (int, float))):
        if not isinstance(of.get(key), kind):
            return key
    return None if isinstance(of.get("velocity"), (int, float, type(None))) else "velocity"


def of_figure(name, rows):
    """Returns the rows of a figure: the cases of the slab, or those with a velocity alone."""
    def has(row):
        points = [tuple(point) for point in row["parameters"]["points"]]
        return points[:9] == list(PLACES) if name == "slab_band" else \
            not points and row["parameters"].get("velocity") is not None
    return [row for row in rows if has(row)]


def maps(rows):
    """Returns {(scheme, degree): {(step, h): error}} with errors of the velocity in per cent of
    that with the smallest cells, the highest degree and the shortest step of the most accurate
    scheme, and this velocity."""
    best = min(rows, key=lambda row: (row["parameters"]["h"] / row["degree"], row["parameters"]["step"],
                                      row["parameters"]["scheme"] == "godunov"))["parameters"]["velocity"]
    found = {}
    for row in sorted(rows, key=lambda row: (row["parameters"]["scheme"], row["degree"])):
        of = row["parameters"]
        found.setdefault((of["scheme"], row["degree"]), {})[of["step"], of["h"]] = \
            100 * (of["velocity"] / best - 1)
    return found, best


def sides(of_map):
    """Returns the steps and the cell sizes of a map, the largest first."""
    return (sorted({step for step, _ in of_map}, reverse=True),
            sorted({h for _, h in of_map}, reverse=True))


def said(error):
    return "" if error is None else f"{error:+.1f}"


def markdown(rows, source):
    """Returns the errors of maps as a table."""
    found, best = maps(rows)
    _, sizes = sides(next(iter(found.values())))
    lines = [f"Errors of the conduction velocity in %, of {best:.4f} mm/ms ({source}).\n",
             f"| scheme | degree | step, ms | {' | '.join(f'h = {h:g} mm' for h in sizes)} |",
             f"|---|--:|--:|{'--:|' * len(sizes)}"]
    for (scheme, degree), of_map in found.items():
        for step in sides(of_map)[0]:
            errors = " | ".join(said(of_map.get((step, h))) for h in sizes)
            lines.append(f"| `{scheme}` | {degree} | {step:g} | {errors} |")
    return "\n".join(lines) + "\n"


def finish(figure, rows, path, source):
    from .drawing import plt
    figure.tight_layout(rect=(0, 0.03, 1, 1))
    figure.text(0.995, 0.005, f"{rows[0]['machine']}, {source}", ha="right", va="bottom", fontsize=6,
                color="#666666")
    figure.savefig(path, dpi=110)
    plt.close(figure)


def draw_maps(rows, path, source):
    """Draws a map of steps and cell sizes for each scheme and degree, with errors in per cent."""
    from .drawing import plt
    found, best = maps(rows)
    figure, axes = plt.subplots(-(-len(found) // 2), 2, squeeze=False,
                                figsize=(9, 0.4 + 2.7 * -(-len(found) // 2)))
    for axis in axes.flat[len(found):]:
        axis.set_visible(False)
    for axis, ((scheme, degree), of_map) in zip(axes.flat, found.items()):
        steps, sizes = sides(of_map)
        errors = [[of_map.get((step, h)) for h in sizes] for step in steps]
        axis.imshow([[math.nan if e is None else max(-10, min(10, e)) for e in line] for line in errors],
                    cmap="RdBu_r", vmin=-10, vmax=10, aspect="auto")
        for y, line in enumerate(errors):
            for x, error in enumerate(line):
                axis.text(x, y, said(error), ha="center", va="center", fontsize=8,
                          color="white" if error is not None and abs(error) > 6 else "black")
        axis.set_xticks(range(len(sizes)), [f"{h:g}" for h in sizes], fontsize=8)
        axis.set_yticks(range(len(steps)), [f"{step:g}" for step in steps], fontsize=8)
        axis.set_xlabel("size of cells, mm", fontsize=8)
        axis.set_ylabel("step, ms", fontsize=8)
        axis.set_title(f"{scheme}, degree {degree}: error of {best:.3f} mm/ms in %", fontsize=8)
    finish(figure, rows, path, source)


def draw_slab(rows, path, source):
    """Draws activation along the diagonal of the slab and at its corners by cell size, with mean
    and two standard deviations of the published codes."""
    from .drawing import plt
    figure, (diagonal, corners) = plt.subplots(1, 2, figsize=(10, 4.2))
    end = PLACES[7]
    length = math.hypot(*end)
    for row in sorted(rows, key=lambda row: -row["parameters"]["h"]):
        of = row["parameters"]
        h, times = of["h"], [of[f"t_{k + 1}"] for k in range(len(of["points"]))]
        color, label = COLORS.get(round(h, 3), "black"), f"{h:g} mm"
        along = sorted((math.hypot(*p), t) for p, t in zip(of["points"], times)
                       if all(abs(a - math.hypot(*p) / length * b) < 1e-6 for a, b in zip(p, end)))
        diagonal.plot(*zip(*along), ".-", color=color, label=label, linewidth=1)
        corners.plot(range(1, 10), times[:9], "o", color=color, markersize=5, label=label)
    band, places = PUBLISHED[0.1], range(1, 10)
    corners.errorbar(places, [mean for mean, _ in band], [2 * sd for _, sd in band], fmt="_",
                     color="#666666", capsize=4, label="eleven codes, 0.1 mm")
    diagonal.errorbar([0, length / 2, length], [band[k][0] for k in (0, 8, 7)],
                      [2 * band[k][1] for k in (0, 8, 7)], fmt="_", color="#666666", capsize=4,
                      label="eleven codes, 0.1 mm")
    diagonal.plot([length] * 2, RANGE_OF_P8, "x", color="black", label="their range at P8")
    diagonal.set_xlabel("distance from P1 along the diagonal, mm", fontsize=8)
    corners.set_xticks(places, [f"({x:g}, {y:g}, {z:g})" for x, y, z in PLACES], rotation=40,
                       ha="right", fontsize=7)
    for axis in (diagonal, corners):
        axis.set_ylabel("activation, ms", fontsize=8)
        axis.set_ylim(bottom=0)
        axis.grid(alpha=0.3)
        axis.legend(fontsize=7)
    finish(figure, rows, path, source)
