#!/usr/bin/python3
"""Figures of papers that wait for records are drawn from made-up ones, and take what they say.

usage: plot_papers.py ROOT
"""
import json
import os
import sys
import tempfile

import common
import made_up_record as made_up

root = sys.argv[1]
sys.path[:0] = [os.path.join(root, "scripts"), os.path.join(root, "doc", "papers")]

from direct_stiffness import plots as stiffness  # noqa: E402
from plotting import quantities, records  # noqa: E402
from sbell import plots as sbell  # noqa: E402

commands = common.Commands(root)
hold = commands.hold


def product(operator, mesh="quadrilateral", entries=None, **more):
    more = {"form": "elasticity", "cell_type": mesh, "dofs": 8000, "case": mesh, **more}
    row = made_up.row("application", operator, **more, **({"entries": entries} if entries else {}))
    index = 4 if entries else 4 / (9 if "hedron" in mesh else 4)
    row.update(gflops=None, padding=1.5, compulsory_bytes=20 * row["dofs"] + round(90000 * (8 + index)))
    return row


def check_gflops():
    """Two operations count for each entry, by the bytes of ELLPACK; other operators have theirs."""
    for mesh in sbell.MESHES:
        for entries in (None, "single"):
            hold(quantities.nonzeros(product("ell", mesh, entries)) == 90000, f"{mesh}, {entries}")
    rows = [product("ell"), product("csr", library="cuSPARSE"), product("sell", entries="single"),
            product("matrix_free", cells=10), product("matrix_free", "triangle"), product("dense"),
            product("csr", dofs=9000), {**product("csr"), "gflops": 7.}]
    quantities.add_gflops(rows)
    flops = [row["gflops"] and round(1e9 * row["gflops"] * row["seconds_median"]) for row in rows]
    hold(flops == [180000] * 3 + [10 * (32 * 8 + 53 * 4), None, None, None, flops[-1]] and
         rows[-1]["gflops"] == 7, f"operations {flops}")


def products():
    """Returns rows of all that the figures of SBELL need."""
    rows = []
    for mesh in sbell.MESHES:
        rows += [product("csr", mesh, library="cuSPARSE", algorithm="csr_alg1"), product("csr", mesh, "single", T=32),
                 product("ell", mesh, "single"), product("ell", mesh)]
        rows += [product("sell", mesh, entries, C=chunk, sigma=window, number=number) for entries in (None, "single")
                 for chunk in sbell.CHUNKS for window in (0, 1) for number in sbell.NUMBERS]
    return rows


def solve(backend, operator, number, mesh, seconds):
    row = made_up.row("solve", operator, backend=backend, number=number, cell_type=mesh, polynomial_degree=6)
    row["solve"] = {"history": [], "preconditioner": "least_squares", "method": "classical", "converged": True,
                    "t10": None, "iteration_seconds": None, "solve_seconds": seconds}
    return row


def phases(name, a, b):
    """Returns the phases of a run of elasticity with a format on a box of a x a x b cubes."""
    backend, operator, window, entries = stiffness.RUNS[name]
    more = {key: of for key, of in (("sigma", window), ("entries", entries)) if of is not None}
    times = {"mesh": 0.1 * b, "pattern": 0.2 * b, "assembly": 0.1, "solve": b, "output": 0.1}
    return [{**made_up.row("phase", operator, backend=backend, phase=phase, dofs=3 * (a + 1) ** 2 * b,
                           cells=6 * a * a * b, **more),
             "seconds_median": seconds} for phase, seconds in (*times.items(), ("all", sum(times.values())))]


def iterations():
    """Returns iterations of all formats of stiffness.PRODUCTS."""
    rows = []
    for name, more in stiffness.PRODUCTS.items():
        for dofs in (1536, 3000):
            rows.append(made_up.row("cg", form="elasticity", cell_type="tetrahedron", dofs=dofs,
                                    **{key: of for key, of in more.items() if of is not None}))
    return rows


def check_pictures(folder, name, rows, lacking, why):
    """Draws the figures from rows; without the rows at `lacking` they are refused."""
    def run(code, of, **said):
        path = os.path.join(folder, "record.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(made_up.record(of), file)
        return commands.expect(code, ["scripts/plot", path, "--figures", name, "-o", folder], **said)
    for picture in name.split(","):
        run(0, rows, stdout=f"{picture}.png")
        with open(os.path.join(folder, picture + ".png"), "rb") as file:
            hold(file.read(4) == b"\x89PNG", f"{picture} is no picture")
    run(1, [row for row in rows if not lacking(row)], stderr=why)


check_gflops()
fastest = sbell.found([{**product("sell", C=32), "gflops": n} for n in (2., 3., None)] + [
    {**product("sell", C=64), "gflops": 4.}], {"C": (None, 32)}, lambda row: row["gflops"])
hold(fastest == {"quadrilateral": 3.}, f"the fastest row is {fastest}")
hold(records.value({**product("csr"), "counters": {"l2_bytes": 3}}, "l2_bytes") == 3, "a counter of a row")
found = stiffness.parts_by_nodes(phases("EBW", 9, 10) + phases("dense", 7, 7), *stiffness.RUNS["EBW"], least=1)
hold(list(found) == [1100] and found[1100]["the matrix, cleared"] == 2 and found[1100]["all"] == 13.2,
     f"nodes and parts {found}")
with tempfile.TemporaryDirectory() as temporary:
    if common.has_matplotlib():
        check_pictures(temporary, "sbell_padding,zhang_fig06,zhang_fig07,zhang_fig08,zhang_fig09", products(),
                       lambda row: row["parameters"]["cell_type"] == "triangle", "paper's four meshes are needed")
        check_pictures(temporary, "zhang_fig10", [
            solve(backend, operator, number, mesh, 1. if backend == "cuda" else 9.) for mesh in sbell.MESHES
            for backend, operator in (("cuda", "csr"), ("cuda", "sell"), ("host", "csr"))
            for number in ("double", "mixed")],
                       lambda row: row["backend"] == "host", "of a device and a host")
        runs = [row for name in stiffness.RUNS for a, b in ((2, 3), (4, 4)) for row in phases(name, a, b)]
        check_pictures(temporary, "lin_fig07,lin_fig09,lin_fig10,lin_fig11,dense_phases", runs,
                       lambda row: True, "no completed row")
        check_pictures(temporary, "lin_fig07,lin_fig11", runs, lambda row: row["backend"] == "cuda",
                       "two formats are needed")
        check_pictures(temporary, "lin_fig08", iterations(), lambda row: row["operator"] == "dense",
                       "in all formats are needed")
common.finish(commands.problems, commands.n_checks, "checks")
