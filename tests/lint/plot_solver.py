#!/usr/bin/python3
"""scripts/plot draws the figures of solver_benchmark, of meshes, beats and lines from made-up
rows and files, and refuses what is damaged.

usage: plot_solver.py ROOT
"""
import json
import os
import sys
import tempfile

import common
import made_up_record as made_up

root = sys.argv[1]
sys.path[:0] = [os.path.join(root, "scripts"), os.path.join(root, "doc", "papers")]
from plotting import sampled_lines, time_lines  # noqa: E402
from plotting.records import read  # noqa: E402

commands = common.Commands(root)
expect, hold = commands.expect, commands.hold


def solve(preconditioner, dofs, converged=True, **more):
    """Makes a row of the kind `solve`. Its numbers are made up."""
    made = made_up.row("solve", "csr", dofs=dofs, case="quadrilateral, degree 1", **more)
    iterations = int(dofs ** 0.5)
    made["solve"] = {
        "preconditioner": preconditioner, "method": "classical", "tolerance": 1e-8,
        "iterations": iterations, "converged": converged, "end": None,
        "operator_seconds": None, "solve_seconds": 1e-7 * dofs, "iteration_seconds": 1e-9 * dofs,
        "iteration_bytes": 1., "residual": 1e-9, "true_residual": 1e-9, "error": 1e-7,
        "t10": 1e-7 * dofs,
        "history": [[k, 10. ** (-9 * k / iterations)] for k in range(0, iterations + 1, 10)]}
    return made


ROWS = [solve(preconditioner, dofs, number=number) for preconditioner in ("jacobi", "ic0")
        for dofs in (1000, 10000) for number in ("double", "mixed")]


DEGREES = [solve("jacobi", 1000),
           *(solve("neumann", 1000, polynomial_degree=m) for m in (2, 4))]


def check_charts():
    from plotting import solver_figures
    rows = [{**row, "machine": "made-up device"}
            for row in (*ROWS, solve("none", 1000, converged=False))]
    charts = solver_figures.sizes(rows)
    panel = ("quadrilateral, degree 1", "made-up device")
    hold(set(charts) == {(panel, "t10, s"), (panel, "an iteration, s")}, f"charts {set(charts)}")
    curves = charts[panel, "t10, s"]
    hold(set(curves) == {"csr, jacobi", "csr, ic0", "csr, jacobi, mixed", "csr, ic0, mixed"},
         f"a solve that did not converge has no t10: {set(curves)}")
    hold([dofs for dofs, _ in curves["csr, ic0"]] == [1000, 10000],
         f"points {curves['csr, ic0']}")
    degrees = solver_figures.polynomials([{**row, "machine": "made-up device"}
                                          for row in DEGREES])
    hold([m for m, _ in degrees[panel, "iterations"]["csr, neumann"]] == [2, 4] and
         degrees[panel, "iterations"]["csr, jacobi"] == [(0, 31)], f"charts {degrees}")
    hold(not solver_figures.polynomials(rows), "one degree is no figure")
    cases = []
    for refinement, exponent in (("uniform", -1 / 3), ("adaptive", -1)):
        for dofs in (100, 1000, 10000):
            case = {**solve("jacobi", dofs), "machine": "made-up device"}
            case["solve"].update(H1_error=5 * dofs ** exponent, refinement=refinement)
            cases.append(case)
    found = solver_figures.errors(cases + rows)
    hold(list(found) == [(("quadrilateral",), "H1 error")] and
         list(found[("quadrilateral",), "H1 error"]) ==
         ["degree 1, uniform: N^-0.33", "degree 1, adaptive: N^-1.00"], f"errors {found}")
    hold(not solver_figures.errors(rows + cases[:1]), "one size is no figure")
    residuals = solver_figures.histories(rows)
    hold(list(residuals) == [(panel, "|r| / |b|, 10000 DoFs")], f"charts {set(residuals)}")


def check_papers(folder):
    """Phases become the parts of the runs of a mesh, and a figure says which rows it lacks."""
    from direct_stiffness.plots import Missing, parts_by_nodes
    rows = [{"operator": "dense", "backend": "host", "cells": 6 * n ** 3, "seconds_median": n,
             "dofs": 3 * n * (n + 1) ** 2, "parameters": {"phase": phase}} for n in (7, 1) for phase in ("mesh", "dofs", "solve", "all")]
    found = parts_by_nodes(rows)
    hold(list(found) == [8, 512] and found[512]["mesh and flat arrays"] == 14 and
         (found[512]["conjugate gradients"], found[512]["stiffness"]) == (7, 0), f"parts of runs: {found}")
    try:
        hold(not parts_by_nodes(rows[:4]), "one run is no figure")
    except Missing:
        pass
    path = os.path.join(folder, "products.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(made_up.record([made_up.row("application", "ell")]), file)
    expect(1, ["scripts/plot", path, "--figures", "sbell", "-o", folder],
           stderr="sbell_padding is not drawn: rows of elasticity on the paper's four meshes")


def check_meshes():
    from element_by_element.plots import MESHES, flops
    rows = [{**made_up.row("application", "ebe_by_dof", mesh=f"c{k}", conflict="coloring",
                           cell_order="colored", cells=k), "seconds_median": 2. * k,
             "machine": "made-up device"} for k in (2, 1)]
    rows.append({**rows[0], "operator": "ebe_symmetric", "conflict": "atomics",
                 "seconds_median": 1.})
    curves = MESHES["meshes_speedup"][0](rows)
    hold(list(curves) == [(("C1 to C2", "made-up device"), "times as fast as\nthe paper's EbE")],
         f"charts {set(curves)}")
    hold(list(curves.values()) == [{"ebe_by_dof, one launch a colour": [(1, 1.), (2, 1.)],
                                    "ebe_symmetric": [(2, 4.)]}], f"curves {curves}")
    hold(not MESHES["meshes_speedup"][0](rows[2:]), "nothing to divide by")
    for row, gflops in zip(rows, (5., 2., 7.)):
        row["gflops"] = gflops
    hold(flops(rows) == ({"C2, made-up device": {"ebe_by_dof, one launch a colour": 5., "ebe_symmetric": 7.}},
                         {"C2, made-up device": {"ebe_by_dof, one launch a colour": (2., 5.),
                                                 "ebe_symmetric": (7., 7.)}}), f"arithmetic {flops(rows)}")


def check_preconditioners(folder):
    """Seconds are of set-up and solve for a million unknowns, and both preconditioners are needed."""
    from plotting.preconditioners import charts
    rows = [{**made_up.row("phase", "csr", phase=phase, preconditioner=name, iterations=9, dofs=dofs, degree=3),
             "seconds_median": 2., "machine": "host"} for name, dofs in (("jacobi", 2000000), ("multigrid", 4000000))
            for phase in ("mesh", "setup", "solve", "all")]
    found = {what: of for (_, what), of in charts(rows).items()}
    hold(found == {"iterations": dict.fromkeys(("csr, jacobi: host", "csr, multigrid: host"), [(3, 9)]),
                   "set-up and solve,\nseconds a million unknowns": {
                       "csr, jacobi: host": [(3, 2.)], "csr, multigrid: host": [(3, 1.)]}}, f"charts {found}")
    path = os.path.join(folder, "phases.json")
    for code, of, said in ((0, rows, {"stdout": "jacobi_and_multigrid.png"}), (1, rows[:4], {"stderr": "with multigrid"})):
        with open(path, "w", encoding="utf-8") as file:
            json.dump(made_up.record(of), file)
        expect(code, ["scripts/plot", path, "-o", folder, "--figures", "jacobi_and_multigrid"], **said)


def check_pictures(folder):
    def written(name, rows):
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as out:
            json.dump(made_up.record(rows), out)
        return path

    record = written("record.json", ROWS)
    out = os.path.join(folder, "out")
    printed, _ = expect(0, ["scripts/plot", record, "-o", out])
    hold(sorted(os.listdir(out)) == ["solver_histories.png", "solver_sizes.png"], printed)
    expect(0, ["scripts/plot", written("degrees.json", DEGREES), "-o", out, "--figures",
               "solver_polynomials"])
    hold("solver_polynomials.png" in os.listdir(out), "no figure of polynomials")
    one = written("one.json", [solve("jacobi", 1000)])
    expect(0, ["scripts/plot", one, "-o", out],
           stderr="solver_sizes is not drawn: no problem has several sizes.")
    case = {"problem": {"cell_type": "hexahedron", "degree": 2, "dofs": 900, "chosen": None},
            "results": {"history": [[0, 4.], [7, 1e-9], [8, None]], "converged": True},
            "parameters": {"method": "classical"}}
    of_cases = os.path.join(folder, "cases.json")
    with open(of_cases, "w", encoding="utf-8") as file:
        json.dump({**made_up.record([]), "cases": [case]}, file)
    elsewhere = os.path.join(folder, "cases")
    expect(0, ["scripts/plot", of_cases, "-o", elsewhere, "--figures", "solver_histories"])
    hold(os.listdir(elsewhere) == ["solver_histories.png"], "no picture of a case")
    check_beats(folder)
    check_papers(folder)
    check_waves(folder)
    check_time_lines(folder)
    damaged = solve("jacobi", 1000)
    damaged["solve"]["history"] = [1]
    expect(1, ["scripts/plot", written("damaged.json", [damaged]), "-o", out],
           stderr="\"history\" of row 1 is missing or of another kind.")


def check_time_lines(folder):
    """A time line has two processes; half of the longest import is beside their interior, and
    five sevenths of the longest export beside the rest of it."""
    begin_and_end = {"pack": (0, 1), "import": (1, 9), "interior": (1, 5), "unpack": (9, 10),
                     "boundary": (10, 12), "pack_export": (12, 13), "export": (13, 20),
                     "rest": (13, 18), "add": (20, 21)}
    moments = {f"{part}_{side}": 1e-6 * of for part, both in begin_and_end.items()
               for side, of in zip(("begin", "end"), both)}
    rows = [made_up.row("time_line", "csr", process=p, **moments) for p in (1, 0)]
    rows[1]["parameters"]["import_end"] = 3e-6
    (_, found), = time_lines.lines(rows).items()
    hold([row["parameters"]["process"] for row in found] == [0, 1], "processes are in order")
    for message, beside, part in (("import", "interior", 1 / 2), ("export", "rest", 5 / 7)):
        hidden = time_lines.hidden(found, message, beside)
        hold(abs(hidden - part) < 1e-9, f"hidden of an {message} is {hidden}")
    path, out = os.path.join(folder, "line.json"), os.path.join(folder, "lines")
    right = rows[1]["parameters"]
    for wrong, field in ((None, None), ("process", "process"), ("add_end", "add_begin")):
        if wrong:
            rows[1]["parameters"] = {**right, wrong: "none"}
        with open(path, "w", encoding="utf-8") as file:
            json.dump(made_up.record(rows), file)
        if wrong:
            expect(1, ["scripts/plot", path, "-o", out], stderr=f"\"{field}\" of row 2")
        else:
            expect(0, ["scripts/plot", path, "-o", out])
            hold(os.listdir(out) == ["time_line.png"], f"pictures {os.listdir(out)}")


def check_waves(folder):
    """Velocities on boxes belong to a mesh size and a step, and errors are of the finest."""
    cases = [{"name": f"strip_p1_c{c}", "phases": {"solve": 1.}, "parameters": {}, "problem": {
        "degree": 1, "dofs": 9, "cells": 4}, "results": {"quantities": [
            {"name": "activated part of the nodes", "value": 1., "point": []},
            {"name": "conduction velocity", "value": v, "point": []}]}} for c, v in ((0, .6), (1, .5))]
    path, out = os.path.join(folder, "wave.json"), os.path.join(folder, "waves")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({**made_up.record([]), "cases": cases, "parameters": {"Time/Step": "0.1",
            "Mesh/Grid arguments": "8, 1 : 2, 0 : 6, 1", "Time/Scheme": "strang"}}, file)
    expect(0, ["scripts/plot", path, "-o", out], stderr="slab_band is not made")
    table = common.text(out, "velocity_table.md")
    hold("h = 0.5 mm | h = 0.25 mm" in table and "| 0.1 | +20.0 | +0.0 |" in table, table)


def check_beats(folder):
    """Cases of monodomain with implicit steps are beats, of a heart and of a way."""
    seconds = {"points_seconds": 1., "residual_seconds": 2., "assembly_seconds": 3.,
               "cell_matrices_seconds": 1., "summation_seconds": 2., "solve_seconds": 4.,
               "product_seconds": 1.}
    case = {"name": "heart", "phases": {"solve": 16.}, "problem": {
                "cell_type": "tetrahedron", "degree": 1, "dofs": 900, "cells": 4000},
            "results": {"history": [], "converged": True, "iterations": 8, "quantities": [
                {"name": "activated part of the nodes", "value": 0.75, "point": []}]},
            "parameters": {**seconds, "steps": 1, "newton_iterations": 2, "joules": 32.,
                           "simulated_time": 800.}}
    record = {**made_up.record([]), "cases": [case], "parameters": {
        "Mesh/File": "meshes/heart_3k.msh", "Operator/Name": "sell", "Operator/Slice window": "0",
        "Operator/Slice threshold": "16"}}
    path, out = os.path.join(folder, "beat.json"), os.path.join(folder, "beats")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(record, file)
    row, = read(path)[1]
    for key, expected in (("heart", "3k"), ("way", "ELL-WARP K2"), ("times_real", 0.05),
                          ("part_of_assembly", 0.375), ("rest_seconds", 6.), ("watts", 2.), ("activated", 0.75),
                          ("joules_per_second", 40.), ("iteration_seconds", 0.5),
                          ("products_of_solve", 0.25), ("assembly_of_newton", 3.)):
        hold(row["parameters"][key] == expected, f"{key} is {row['parameters'][key]}")
    expect(0, ["scripts/plot", path, "-o", out])
    hold(os.listdir(out) == ["beat_phases.png"], f"pictures {os.listdir(out)}")
    peer, speed = os.path.join(folder, "peer.json"), ["-o", out, "--figures", "wong_fig15_speedup"]
    with open(peer, "w", encoding="utf-8") as file:
        json.dump({**record, "device": None, "parameters": {**record["parameters"], "Time/Tangents":
                                                            "petsc_block_jacobi"}}, file)
    expect(0, ["scripts/plot", path, peer, *speed], stdout="wong_fig15_speedup.png")
    expect(1, ["scripts/plot", path, *speed], stderr="beats by one process of PETSc with block Jacobi, and")
    row["parameters"]["heart"] = None
    with open(path, "w", encoding="utf-8") as file:
        json.dump(made_up.record([row]), file)
    expect(1, ["scripts/plot", path, "-o", out],
           stderr="\"parameters\" of row 1 is missing or of another kind.")


def check_damaged_meshes(folder):
    whole = made_up.row("application", "ebe_by_dof", mesh="c1", conflict="coloring",
                        cell_order="colored", cells=1)
    for key, value in (("seconds_median", None), ("seconds_median", 0), ("seconds_median", -1.),
                       ("cells", None), ("cells", 0), ("stored_bytes", "many"), ("gflops", -1.),
                       ("compulsory_bytes", -1), ("conflict", []), ("mesh", 5),
                       ("cell_order", [])):
        row = {**whole, "parameters": dict(whole["parameters"])}
        (row["parameters"] if key in ("mesh", "cell_order") else row)[key] = value
        path = os.path.join(folder, "meshes.json")
        with open(path, "w", encoding="utf-8") as out:
            json.dump(made_up.record([row]), out)
        expect(1, ["scripts/plot", path, "-o", folder, "--figures", "meshes_"],
               stderr=f"\"{key}\" of row 1 is missing or of another kind.")


def check_lines(folder):
    """A line's file has a panel for each quantity; values in cells belong to the panel of smoothed
    ones, and points outside of the mesh have none."""
    folder = os.path.join(folder, "sampled")
    os.makedirs(folder)

    def written(name, text):
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        return path

    head = "s,x,y,z,u_x,von_mises,principal_stress_1,stress_xx,stress_yz_in_cell\n"
    line = written("line1_p1_c0.csv", head + "0,0,0,0,1,2,3,4,5\n1,1,0,0," + "nan," * 4 + "nan\n")
    found = sampled_lines.panels({line: sampled_lines.read_line(line)})
    hold({quantity: [column for _, column, *_ in curves] for quantity, curves in found.items()} ==
         {"u": ["u_x"], "von_mises": ["von_mises"], "principal_stress": ["principal_stress_1"],
          "stress": ["stress_xx", "stress_yz_in_cell"]}, f"panels {found}")
    ecg = written("electrodes_p1_c0.csv", "time,electrode_RA," + ",".join(f"lead_V{k}" for k in range(12)) +
                  "\n" + "0," * 13 + "0\n" + "1," * 13 + "2\n")
    found = sampled_lines.panels({ecg: sampled_lines.read_line(ecg)})
    hold(len(found) == 12 and found["lead_V11"] == [(ecg, "lead_V11", (0., 1.), (0., 2.))], f"leads {found}")
    out = os.path.join(folder, "out")
    expect(0, ["scripts/plot", ecg, "-o", out])
    expect(0, ["scripts/plot", line, "-o", out])
    expect(0, ["scripts/plot", line, written("line1_p2_c0.csv", "s,x,y,u\n0,0,0,1\n"), "-o", out])
    expect(0, ["scripts/plot", line, os.path.join(folder, "..", "record.json"), "--figures",
               "lines,solver_sizes", "-o", out])
    hold(sorted(os.listdir(out)) == ["electrodes_p1_c0.png", "line1_p1_c0.png", "lines.png",
                                   "solver_sizes.png"],
         f"pictures {os.listdir(out)}")
    for text, sentence in (("case,x,y,u\n", "whose first row begins with s,x,y or time."),
                           ("s,x,y,u\n0,0,0\n", "a row does not have 4 numbers."),
                           ("s,x,y,u\n", "a row does not have 4 numbers."),
                           ("s,x,y,u\n0,0,0,nan\n", "the lines have no point in the mesh."),
                           ("", "whose first row begins with s,x,y or time.")):
        expect(1, ["scripts/plot", written("bad.csv", text), "-o", out], stderr=sentence)
    expect(1, ["scripts/plot", os.path.join(folder, "none.csv")], stderr="cannot be read")
    expect(1, ["scripts/plot", line, "--figures", "roofline"], stderr="no figure could be drawn")


expect(0, ["scripts/plot", "--list", "--figures", "solver"], stdout="solver_sizes: t10")
expect(0, ["scripts/plot", "--list", "--figures", "lines"], stdout="along lines")
with tempfile.TemporaryDirectory() as temporary:
    if common.has_matplotlib():
        check_charts()
        check_meshes()
        check_preconditioners(temporary)
        check_pictures(temporary)
        check_lines(temporary)
        check_damaged_meshes(temporary)
common.finish(commands.problems, commands.n_checks, "checks")
