#!/usr/bin/python3
"""Runs monodomain in several processes and compares records, traces and files with
the results of one process. No process knows all cells. Then two runs of as many processes have the
same bits, and a run goes on in another number of processes than it began in.

usage: monodomain_divided.py MONODOMAIN CASE
"""
import os
import shutil
import sys
import tempfile

import divided
from programs import expect, finish, in_turn
from run import ROOT, SKIPPED, load_picture

CASE = sys.argv[2]
HERE = os.path.join(ROOT, "tests", "applications", "monodomain")
SHIPPED = os.path.join(ROOT, "prm", "monodomain")
ANY = "Validation/Minimal activated part=0"  # of runs that end before their wave has passed
WAVE = ["Output/Trace interval=0.5", "Checkpoint/Steps=0"]
# A file, what is changed in it, and whether its series and electrodes are compared.
CASES = {
    # Splitting on quadrilaterals: a wave through a square, with all that is observed.
    "quadrilateral": (os.path.join(HERE, "restart.prm"),
                      ["Mesh/Initial refinement=4", "Finite element/Degrees=1, 2", *WAVE,
                       "Output/Velocity points=6, 10; 14, 10"], True),
    # The same wave by stages with a lumped mass.
    "stages": (os.path.join(HERE, "restart.prm"),
               ["Mesh/Initial refinement=4", "Finite element/Degrees=1, 2", *WAVE,
                "Time/Mass=lumped", "Time/Diffusion=stages"], True),
    # Adaptive steps of second order on tetrahedra, whose stimulus meets one end alone.
    "tetrahedron": (os.path.join(SHIPPED, "implicit.prm"),
                    ["Mesh/Grid arguments=20, 1, 1 : 0, 0, 0 : 4, 0.2, 0.2 : true",
                     "Time/End=60", "Solver/Relative tolerance=1e-10",
                     "Output/Trace points=1, 0, 0; 3, 0.1, 0.1", "Output/Trace interval=10", ANY,
                     "Output/Velocity points=1, 0, 0; 3, 0, 0"], False),
    # One point in a cell and backward Euler, with a matrix-free tangent. Currents flow on both
    # sides of where the bar is divided.
    "one_point": (os.path.join(SHIPPED, "implicit.prm"),
                  ["Mesh/Grid arguments=20, 1, 1 : 0, 0, 0 : 4, 0.2, 0.2 : true",
                   "Time/Integration=reduced", "Time/Scheme=implicit", "Time/Step=0.5",
                   "Time/Tolerance=0", "Time/End=40", "Solver/Relative tolerance=1e-10",
                   "Operator/Name=matrix_free", "Stimuli/Stimulus 1/To=2.3, 0.2, 0.2",
                   "Output/Trace points=1, 0, 0; 3, 0.1, 0.1", ANY,
                   "Output/Velocity points=2.6, 0, 0; 3.8, 0, 0"], False),
    # So few cells that some of five processes own no node.
    "few_cells": (os.path.join(SHIPPED, "implicit.prm"),
                  ["Mesh/Grid name=hyper_cube", "Mesh/Grid arguments=0 : 1 : true",
                   "Time/Tolerance=0", "Time/Step=0.5", "Time/End=10",
                   "Solver/Relative tolerance=1e-10", ANY, "Stimuli/Stimulus 1/To=0.1, 1, 1",
                   "Output/Trace points=0.5, 0.5, 0.5", "Output/Velocity points="], False),
    # Gates in implicit steps on hexahedra of degree 2 with cell matrices.
    "hexahedron": (os.path.join(HERE, "electrodes.prm"),
                   ["Mesh/Grid arguments=0 : 4 : true", "Mesh/Grid name=hyper_cube",
                    "Cell model/Model=ten_tusscher_panfilov", "Cell model/Parameters=",
                    "Cell model/Initial potential=if(x < 1, -20, -85)", "Time/Scheme=bdf2",
                    "Time/End=0.6", "Time/Step=0.05", "Operator/Name=local_matrices",
                    "Diffusion/Fibre/Expression=1; 0.5 + y; z", "Output/Interval=0.3",
                    "Output/Trace points=0.3, 0.4, 0.1; 3.9, 2, 1",
                    "Output/Electrodes=5, 2, 2; RA: 5, 2, 3; LA: -1, 0, 0; LL: 2, 6, 2; V1: 2, 2, 9"],
                   True),
    # A front along a cable, with a polynomial of the matrix.
    "cable": (os.path.join(SHIPPED, "cable.prm"),
              ["Mesh/Grid arguments=60, 1 : 0, 0 : 6, 0.1 : true", "Finite element/Degrees=1, 2",
               "Time/End=40", "Output/Interval=0", "Cell model/Model=ten_tusscher_panfilov",
               "Cell model/Parameters=", "Time/Scheme=godunov", "Time/Reaction steps=4",
               "Solver/Preconditioner=chebyshev", "Solver/Stopping norm=preconditioned_residual",
               "Output/Trace points=1, 0; 3, 0; 5.05, 0.05",
               "Output/Velocity points=2, 0; 5, 0"], False),
    # Fibres of a mesh file, which follow their cells.
    "fibres": (os.path.join(HERE, "fibres_file.prm"), [], False),
    # Fibres by rule in the wall of a ring, for which all processes solve together.
    "walls": (os.path.join(HERE, "at_rest.prm"),
              ["Mesh/Grid name=hyper_shell", "Mesh/Grid arguments=0, 0 : 1 : 2 : 0 : true",
               "Mesh/Initial refinement=2", "Cell model/Model=aliev_panfilov",
               "Diffusion/Isotropic/Expression=0.01", "Diffusion/Anisotropic/Expression=0.05",
               "Diffusion/Fibre/Rule=laplace_dirichlet", "Diffusion/Fibre/Left endocardium=0",
               "Diffusion/Fibre/Epicardium=1", "Stimuli/Stimulus 1/Shape=box",
               "Stimuli/Stimulus 1/From=0.7, -1", "Stimuli/Stimulus 1/To=3, 0.1",
               "Time/Step=0.25", "Solver/Relative tolerance=1e-12", "Output/VTU=true",
               "Output/Trace points=-1.5, 0; 0, 1.5"], False),
    # The same in a shell of tetrahedra, which METIS divides.
    "shell": (os.path.join(HERE, "at_rest.prm"),
              ["Mesh/Grid name=hyper_shell", "Mesh/Grid arguments=0, 0, 0 : 1 : 1.5 : 6 : true",
               "Mesh/Dimension=3", "Mesh/Cell type=tetrahedron", "Mesh/Initial refinement=1",
               "Cell model/Model=aliev_panfilov", "Diffusion/Isotropic/Expression=0.01",
               "Diffusion/Anisotropic/Expression=0.05", "Diffusion/Fibre/Rule=laplace_dirichlet",
               "Diffusion/Fibre/Left endocardium=0", "Diffusion/Fibre/Epicardium=1",
               "Stimuli/Stimulus 1/Shape=box", "Stimuli/Stimulus 1/From=0.5, -2, -2",
               "Stimuli/Stimulus 1/To=2, 2, 2", "Time/End=10", "Time/Step=0.25",
               "Solver/Relative tolerance=1e-12", "Output/VTU=true",
               "Output/Trace points=-1.2, 0, 0; 0, 1.3, 0"], False),
    # A stimulus that runs along branches, which processes share.
    "tree": (os.path.join(HERE, "stimuli_tree.prm"), ["Solver/Relative tolerance=1e-12"], False),
    # Regions of a mesh of triangles, and a stimulus of a material that not all have.
    "regions": (os.path.join(HERE, "regions.prm"), ["Output/Probes=0.5, 0, 0"], False),
}
# Of these meshes a part has all other cells around it.
TINY = ("few_cells", "hexahedron", "regions")
# When runs are stopped to go on from a checkpoint, which is a time of output.
STOPPED = {"quadrilateral": 16, "stages": 16, "tetrahedron": 20, "hexahedron": 0.3, "walls": 10,
           "shell": 5, "fibres": 30}
ONE_CASE = dict.fromkeys(("quadrilateral", "stages"), ["Finite element/Degrees=1"])


def run(folder, n_processes, *changes):
    """Returns the cases of the record of a run."""
    prm, settings, _ = CASES[CASE]
    return divided.run(prm, [*settings, "Operator/Conflict=coloring", *changes], folder,
                       n_processes)[0]


def rows_of(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return [[float(x) for x in row.split(",")] for row in file.read().split("\n")[1:-1]]


def contents(folder, name):
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


def tables_of(end):
    _, _, observed = CASES[CASE]
    return [f"traces_{end}.csv"] + ([f"electrodes_{end}.csv"] if observed else [])


def compare_numbers(what, case, other, whole=True):
    """Compares what records say of the same problem; Newton iterations are those since a
    restart, if it is not the whole run."""
    for key in ("cells", "dofs"):
        expect(case["problem"][key] == other["problem"][key],
               f"{what}: {case['problem'][key]} {key}, not {other['problem'][key]}")
    for key in ("steps", "rejected_steps", "failed_steps") + ("newton_iterations",) * whole:
        expect(case["parameters"].get(key) == other["parameters"].get(key),
               f"{what}: {key} {case['parameters'].get(key)}, "
               f"not {other['parameters'].get(key)}")
    n, n_of_one = case["results"]["iterations"], other["results"]["iterations"]
    # A polynomial depends on where the estimate of the spectrum begins; of all steps, some
    # end an iteration earlier or later.
    allowed = 0.1 * n_of_one if CASE == "cable" else max(1, 0.005 * n_of_one)
    expect(abs(n - n_of_one) <= allowed, f"{what}: {n} iterations, not {n_of_one}")
    for kind in ("quantities", "probes"):
        mine, expected = ([entry for entry in results[kind]
                           if whole or entry.get("name") != "Newton iterations"]
                          for results in (case["results"], other["results"]))
        expect(len(mine) == len(expected), f"{what}: {len(mine)} {kind}, not {len(expected)}")
        for a, b in zip(mine, expected):
            x, y = a["value"], b["value"]
            same = x is y is None or (None not in (x, y) and abs(x - y) <= 2e-6 * abs(y) + 1e-7)
            expect(same and a.get("name") == b.get("name"), f"{what}: {a}, not {b}")


def compare_files(picture, what, folder, of_one, end):
    """Compares the tables and pictures of two runs."""
    np = picture.np
    _, _, observed = CASES[CASE]
    for name in tables_of(end):
        mine, expected = rows_of(folder, name), rows_of(of_one, name)
        same = np.shape(mine) == np.shape(expected) and np.allclose(
            mine, expected, rtol=1e-6, atol=1e-6 * np.abs(expected).max())
        titles = {contents(there, name).split(b"\n")[0] for there in (folder, of_one)}
        expect(same and len(titles) == 1, f"{what}: {name} differs")
        expect(CASE != "hexahedron" or "traces" in name or b",lead_aVF,lead_V1" in titles.pop(), "no leads")
    pairs = [(f"solution_{end}", field)
             for field in ("potential", "activation_time", "action_potential_duration",
                           "conduction_velocity")]
    if observed:
        pairs += [(f"potential_{end}_00000", "potential"), (f"potential_{end}_00002", "potential")]
        listed = contents(folder, f"potential_{end}.pvd").decode()
        expect(listed.count(".pvtu") == contents(of_one, f"potential_{end}.pvd").count(b".vtu"),
               f"{what}: the series is {listed}")
    for name, field in pairs:
        mine, expected = (divided.values_in(picture, os.path.join(there, name + suffix), [field])
                          for there, suffix in ((folder, ".pvtu"), (of_one, ".vtu")))
        same = all(np.shape(a) == np.shape(b) and np.allclose(
            a, b, rtol=1e-6, equal_nan=True, atol=1e-6 * np.nanmax(np.abs(b), initial=0))
                   for a, b in zip(mine, expected))
        expect(same, f"{what}: {field} of {name} differs")
    if CASE in ("fibres", "tetrahedron", "walls", "shell"):
        mine, expected = (picture.read_vectors(os.path.join(there, f"solution_{end}" + suffix),
                                               "fibres")
                          for there, suffix in ((folder, ".pvtu"), (of_one, ".vtu")))
        expect(np.allclose(np.sort(mine, axis=0), np.sort(expected, axis=0)),
               f"{what}: fibres differ")


def check_record(what, case, n):
    parameters = case["parameters"]
    expect(parameters["processes"] == n, f"{what}: the record has {parameters['processes']}")
    of_steps = "steps_stages" if CASE == "stages" else "steps_solve"
    for phase in ("solve", "setup", "coefficients", of_steps, "steps_series"):
        least, mean, most = (parameters[f"{phase}_seconds_{which}"]
                             for which in ("min", "mean", "max"))
        expect(0 <= least <= mean <= most, f"{what}: {phase} {least}, {mean}, {most}")
    expect(parameters["cells_min"] > 0.5 * case["problem"]["cells"] / n,
           f"{what}: a process has {parameters['cells_min']} cells")
    if CASE not in TINY:
        expect(parameters["cells_known_max"] < case["problem"]["cells"],
               f"{what}: a process knows all cells")


def check_restarts(folder):
    """Runs of as many processes have the same bits, also those that were stopped; others go
    on from the same checkpoint to the same numbers."""
    settings = [*ONE_CASE.get(CASE, []), "Checkpoint/Steps=1000000"]
    until, go_on = f"Time/End={STOPPED[CASE]}", "Checkpoint/Restart=true"
    once, again, stopped = (os.path.join(folder, name) for name in ("once", "again", "stopped"))
    whole = run(once, 3, *settings)[0]
    end = whole["name"][whole["name"].rfind("_p") + 1:]
    run(again, 3, *settings)
    run(stopped, 3, *settings, until)
    begun = {1: os.path.join(folder, "begun_by_1"), 3: os.path.join(folder, "begun_by_3")}
    shutil.copytree(stopped, begun[3])
    run(begun[1], 1, *settings, until)
    run(stopped, 3, *settings, go_on)
    for name in (f"checkpoint_{end}", *tables_of(end)):
        for there in (again, stopped):
            expect(contents(once, name) == contents(there, name),
                   f"{os.path.basename(there)}: {name} has other bits")
    for before, n in ((3, 1), (3, 2), (3, 7), (1, 3), (1, 4)):
        there = os.path.join(folder, f"{before}_to_{n}")
        shutil.copytree(begun[before], there)
        case = run(there, n, *settings, go_on)[0]
        expect(0 < case["parameters"]["steps_before_restart"] < case["parameters"]["steps"],
               f"{before} to {n} processes: the record does not show the restart")
        compare_numbers(f"{n} processes go on from {before}", case, whole, False)


def main():
    if shutil.which("mpirun") is None:
        sys.exit(SKIPPED)
    picture = load_picture()
    with tempfile.TemporaryDirectory() as folder:
        of_one = os.path.join(folder, "one")
        expected = run(of_one, 1)
        numbers = [(5,)] if CASE == "few_cells" else in_turn(CASES, CASE, ((2, 7), (3, 4)))
        for n in [n for some in numbers for n in some]:
            there = os.path.join(folder, str(n))
            cases = run(there, n)
            expect(len(cases) == len(expected), f"{n} processes: {len(cases)} cases")
            for case, other in zip(cases, expected):
                end = case["name"][case["name"].rfind("_p") + 1:]
                what = f"{n} processes, {end}"
                compare_numbers(what, case, other)
                compare_files(picture, what, there, of_one, end)
                check_record(what, case, n)
        if CASE in STOPPED:
            check_restarts(folder)
    finish()


main()
