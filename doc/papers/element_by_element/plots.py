"""The figures of products on meshes of applications: rows of bench_operators with Study/Spaces.

A curve is an operator with its way to add what cells share; a panel is one family of
meshes, whose names differ by a number: c1 to c5 are one. Where there are many curves, only
those of DRAWN are drawn.
"""
import re

from plotting.quantities import QUANTITIES

REFERENCE = "ebe_by_dof, one launch a colour"  # the paper's EbE
DRAWN = (REFERENCE, "node_by_node", "dof_by_dof", "ebe_by_dof", "ebe_symmetric",
         "local_matrices_symmetric", "sell", "matrix_free")
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


def families(rows):
    """Returns {(names, machine): {curve: {cells: row}}} of products in the order of DRAWN."""
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
        drawn = [name for name in DRAWN if name in curves]
        if len(curves) <= len(DRAWN):
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


# By name: function, title, x axis and its scale, and what rows must have.
MESHES = {
    name: (chart(what, of), f"{title} by mesh", "cells", "log",
           f"rows of bench_operators with Study/Spaces{needs} are needed")
    for name, what, title, of, needs in (
        ("meshes_time", "a product, s", "seconds of a product",
         lambda row, _: row["seconds_median"], ""),
        ("meshes_speedup", "times as fast as\nthe paper's EbE", "speed-up", speedup,
         f" with {REFERENCE}"),
        ("meshes_memory", "matrix and indices, bytes", "memory of an operator",
         lambda row, _: row.get("stored_bytes"), ""),
        ("meshes_flops", "GFLOP/s", "arithmetic", lambda row, _: row.get("gflops"), " and gflops"),
        ("meshes_bandwidth", "compulsory bytes, GB/s", "bandwidth",
         lambda row, _: 1e-9 * (QUANTITIES["bandwidth"].of(row) or 0.), " and compulsory_bytes"))}
