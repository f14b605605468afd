"""The figures of products on meshes of applications: rows of bench_operators with Study/Spaces.

A curve is an operator with its way to add what cells share; a panel is one family of
meshes, whose names differ by a number: c1 to c5 are one. Where there are many curves, only
those of DRAWN are drawn. The figure of arithmetic has a line for each of OPERATORS instead.
"""
import re

from plotting.products import Missing
from plotting.quantities import QUANTITIES

REFERENCE = "ebe_by_dof, one launch a colour"  # the paper's EbE
DRAWN = (REFERENCE, "node_by_node", "dof_by_dof", "ebe_by_dof", "ebe_symmetric",
         "local_matrices_symmetric", "sell", "matrix_free")
OPERATORS = (REFERENCE, "node_by_node", "dof_by_dof", "ebe_by_node", "ebe_by_dof", "ebe_symmetric",
             "local_matrices", "local_matrices_symmetric", "local_matrices_zero_sums", "local_matrices_gathered",
             "csr", "ell", "sell", "matrix_free")
WAYS = {"mesh": "two-level colouring", "colored": "one launch a colour"}


def curve_of(row):
    """Returns the words that name the curve of a row."""
    words = [row["operator"]]
    if "stored_number" in row["parameters"]:
        words.append(f"values in {row['parameters']['stored_number']}")
    if row.get("conflict") == "coloring":
        words.append(WAYS.get(row["parameters"].get("cell_order"), "coloring"))
    if row["number"] != "double":
        words.append(row["number"])
    return ", ".join(words)


def families(rows, wanted=DRAWN):
    """Returns {(names, machine): {curve: {cells: row}}} of products in the order of `wanted`."""
    found = {}
    for row in rows:
        mesh = row["parameters"].get("mesh")
        if mesh is None or row["kind"] != "application" or row["library"] != "tessera":
            continue
        family = re.sub(r"[-_]?\d+$", "", mesh) or mesh
        found.setdefault((family, row["machine"]), {}).setdefault(
            curve_of(row), {})[row["cells"]] = row
    result = {}
    for (_, machine), curves in found.items():
        names = [rows[cells]["parameters"]["mesh"].upper() for rows in curves.values()
                 for cells in (min(rows), max(rows))]
        drawn = [name for name in wanted if name in curves]
        if len(curves) <= len(wanted):
            drawn += [name for name in curves if name not in drawn]
        result[" to ".join(dict.fromkeys((min(names), max(names)))), machine] = {
            name: curves[name] for name in drawn}
    return result


def chart(what, of):
    """Returns a function of rows that gives {(family, what): {curve: [(cells, of)]}};
    of(row, reference) has the row and that of the paper's EbE on the same mesh, and is
    None where something is missing."""
    def charts(rows):
        made = {}
        for family, curves in families(rows).items():
            references = curves.get(REFERENCE, {})
            for name, by_cells in curves.items():
                points = [(cells, of(row, references.get(cells)))
                          for cells, row in sorted(by_cells.items())]
                points = [point for point in points if point[1]]
                if points:
                    made.setdefault((family, what), {})[name] = points
        return made
    return charts


def speedup(row, reference):
    return reference and reference["seconds_median"] / row["seconds_median"]


def flops(rows):
    """Returns {mesh: {operator: GFLOP/s}} of the largest mesh of each family, and {mesh: {operator: (least,
    most)}} on all meshes of the family."""
    largest, ranges = {}, {}
    for (_, machine), curves in families(rows, OPERATORS).items():
        for name, by_cells in curves.items():
            of = {cells: row["gflops"] for cells, row in by_cells.items() if row.get("gflops")}
            if of:
                mesh = f"{by_cells[max(of)]['parameters']['mesh'].upper()}, {machine}"
                largest.setdefault(mesh, {})[name] = of[max(of)]
                ranges.setdefault(mesh, {})[name] = min(of.values()), max(of.values())
    return largest, ranges


def draw_flops(rows, path, source):
    """Draws a line for each operator with a mark for each family of meshes, and its range."""
    from plotting.dots import draw_dots
    from plotting.drawing import plt
    from plotting.solver_figures import set_ticks
    largest, ranges = flops(rows)
    if not largest:
        raise Missing("rows of bench_operators with Study/Spaces and gflops are needed")
    names = list(dict.fromkeys(name for of in largest.values() for name in of))
    figure, axes = plt.subplots(figsize=(8., 1.2 + 0.33 * len(names)))
    draw_dots(axes, names, largest, ranges)
    axes.set_xscale("log")
    set_ticks(axes.xaxis)
    axes.set_xlabel("GFLOP/s; lines: on all meshes of the problem")
    axes.tick_params(labelsize=8)
    axes.legend(fontsize=8, loc="upper right")
    figure.tight_layout()
    figure.text(0.995, 0.005, source, ha="right", va="bottom", fontsize=6, color="#666666")
    figure.savefig(path, dpi=120)
    plt.close(figure)


# By name: function, title, x axis and its scale, and what rows must have.
MESHES = {
    name: (chart(what, of), f"{title} by mesh", "cells", "log",
           f"rows of bench_operators with Study/Spaces{needs} are needed")
    for name, what, title, of, needs in (
        ("meshes_time", "a product, µs", "time of a product",
         lambda row, _: 1e6 * row["seconds_median"], ""),
        ("meshes_speedup", "times as fast as\nthe paper's EbE", "speed-up", speedup,
         f" with {REFERENCE}"),
        ("meshes_memory", "matrix and indices, MB", "memory of an operator",
         lambda row, _: 1e-6 * (row.get("stored_bytes") or 0.), ""),
        ("meshes_bandwidth", "compulsory bytes, GB/s", "bandwidth",
         lambda row, _: 1e-9 * (QUANTITIES["bandwidth"].of(row) or 0.), " and compulsory_bytes"))}
DRAWINGS = {"meshes_flops": ("application", draw_flops,
                             "arithmetic by operator; rows of bench_operators with Study/Spaces and gflops")}
