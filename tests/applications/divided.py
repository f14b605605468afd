#!/usr/bin/python3
"""Runs poisson or elasticity in several processes, whose meshes are distributed, and compares
records and files with the results of one process that has the whole mesh. Adaptive meshes
are compared with two processes, since deal.II chooses cells in another way where a
mesh is not distributed. p4est distributes some meshes, and METIS the others.

usage: divided.py PROGRAM CASE
"""
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

from programs import in_turn
from run import SKIPPED, environment, load_picture

PROGRAM, CASE = sys.argv[1:]
APPLICATION = os.path.basename(PROGRAM)
HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), APPLICATION)
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
PROBES = "Output/Probes=0.3, 0.4; 0.5, 0.5; 0.31, 0.77"
LINE = ["Output/Line 1/From=-0.2, 0.1", "Output/Line 1/To=0.9, 0.8", "Output/Line 1/Points=7"]
# In cells, these jump between cells: no point may lie there.
SMOOTHED = "Output/Quantities=gradient, flux"
FLUXES = SMOOTHED + ", gradient_in_cell, flux_in_cell"
STRESSES = "Output/Quantities=stress, strain_in_cell, von_mises, principal_stress_in_cell"
OF_POISSON = {
    "quadrilateral": (os.path.join(HERE, "boundaries_quadrilateral.prm"),
                      ["Finite element/Degrees=1, 3", "Mesh/Cycles=2", PROBES, *LINE, SMOOTHED]),
    "hexahedron": (os.path.join(HERE, "boundaries_hexahedron.prm"),
                   ["Finite element/Degrees=1, 2", "Mesh/Initial refinement=3",
                    "Mesh/Cycles=1", "Validation/Check rates=false",
                    "Output/Probes=0.3, 0.4, 0.1; 0.5, 0.5, 0.5"]),
    # Curved cells, whose maps are of the degree of the elements, and more coarse cells.
    "disk": (os.path.join(HERE, "boundaries_quadrilateral.prm"),
             ["Finite element/Degrees=2", "Mesh/Cycles=2", "Mesh/Grid name=hyper_ball",
              "Mesh/Grid arguments=1.5, 1.5 : 1 : false", "Operator/Name=matrix_free",
              "Boundary conditions/Dirichlet 1/Boundaries=0", "Output/Probes=1.3, 1.4; 2.5, 1.5",
              "Boundary conditions/Neumann 1/Boundaries=",
              "Boundary conditions/Robin 1/Boundaries="]),
    # Four materials, which meet in a point.
    "materials": (os.path.join(HERE, "boundaries_quadrilateral.prm"),
                  ["Finite element/Degrees=1, 2", "Mesh/Cycles=1", "Validation/Check rates=false",
                   "Mesh/Grid name=subdivided_hyper_rectangle",
                   "Mesh/Grid arguments=2, 2 : -1, -1 : 1, 1 : true",
                   "Coefficient/Expression=3 + x; 0.5; 4 + y"]),
    "time": (os.path.join(HERE, "time_rates.prm"),
             ["Finite element/Degrees=1, 2", "Mesh/Cycles=3", "Mesh/Initial refinement=2",
              "Solver/Relative tolerance=1e-12", "Validation/Check rates=false",
              "Output/VTU=true", PROBES]),
    # The mesh is symmetric, and which of two cells with the same indicator is divided must not
    # follow from what the solver leaves.
    "adaptive": (os.path.join(ROOT, "prm", "poisson", "l_shape.prm"),
                 ["Mesh/Cycles=6", "Mesh/Coarsen fraction=0.1", "Output/Probes=-0.3, 0.4; -0.5, -0.5",
                  "Operator/Name=csr", "Solver/Relative tolerance=1e-14"]),
    "adaptive_hexahedra": (os.path.join(HERE, "boundaries_hexahedron.prm"),
                           ["Finite element/Degrees=2", "Mesh/Initial refinement=2",
                            "Mesh/Cycles=3", "Mesh/Refinement=adaptive",
                            "Mesh/Refine fraction=0.2", "Output/Fluxes=false",
                            "Validation/Check rates=false",
                            "Exact solution/Function expression=sin(x + 2 * y - z)"]),
    # Four materials, with smaller cells on one side of the surfaces between them.
    "adaptive_materials": (os.path.join(HERE, "adaptive_interfaces.prm"),
                           ["Source/Function expression=exp(2 * x + y)",
                            "Exact solution/Function expression=",
                            "Validation/Maximal L2 errors=", "Mesh/Cycles=4"]),
    "triangle": (os.path.join(HERE, "boundaries_triangle.prm"),
                 ["Mesh/Cycles=2", PROBES, *LINE, SMOOTHED, "Validation/Check rates=false"]),
    "tetrahedron": (os.path.join(HERE, "boundaries_tetrahedron.prm"),
                    ["Mesh/Initial refinement=2", "Mesh/Cycles=1",
                     "Validation/Check rates=false", SMOOTHED,
                     "Output/Probes=0.3, 0.4, 0.1; 0.5, 0.5, 0.5"]),
    "distorted": (os.path.join(HERE, "boundaries_quadrilateral.prm"),
                  ["Finite element/Degrees=1, 3", "Mesh/Cycles=2", "Mesh/Distortion=0.2", PROBES,
                   *LINE, FLUXES, "Validation/Check rates=false"]),
    "distorted_hexahedra": (os.path.join(HERE, "boundaries_hexahedron.prm"),
                            ["Finite element/Degrees=1, 3", "Mesh/Initial refinement=2",
                             "Mesh/Cycles=1", "Mesh/Distortion=0.2",
                             "Validation/Check rates=false"]),
    # Curved cells, whose manifold looks at the coarsest ones.
    "distorted_disk": (os.path.join(HERE, "boundaries_quadrilateral.prm"),
                       ["Finite element/Degrees=3", "Mesh/Cycles=1", "Mesh/Distortion=0.2",
                        "Mesh/Grid name=hyper_ball_balanced", "Mesh/Grid arguments=1.5, 1.5 : 1",
                        "Validation/Check rates=false",
                        "Boundary conditions/Dirichlet 1/Boundaries=0",
                        "Boundary conditions/Neumann 1/Boundaries=",
                        "Boundary conditions/Robin 1/Boundaries="]),
    # p4est would give the four children of a cell to one of seven processes.
    "few_cells": (os.path.join(HERE, "boundaries_quadrilateral.prm"),
                  ["Finite element/Degrees=2", "Mesh/Cycles=1", "Validation/Check rates=false"]),
    "triangles_of_a_file": (os.path.join(ROOT, "prm", "poisson", "plate.prm"),
                            ["Mesh/File={triangles}", "Finite element/Degrees=1, 2",
                             "Mesh/Initial refinement=0"]),
    "quadrilaterals_of_a_file": (os.path.join(ROOT, "prm", "poisson", "plate.prm"),
                                 ["Finite element/Degrees=2", "Mesh/Initial refinement=0"]),
    "tetrahedra_of_a_file": (os.path.join(ROOT, "prm", "poisson", "bracket.prm"), []),
    "hexahedra_of_a_file": (os.path.join(ROOT, "prm", "poisson", "two_materials.prm"),
                            ["Finite element/Degrees=1, 3", "Mesh/Cycles=2",
                             "Validation/Check rates=false"]),
    # A file of quadrilaterals, which all processes have, is refined.
    "file": (os.path.join(ROOT, "prm", "poisson", "plate.prm"),
             ["Finite element/Degrees=1, 2", "Mesh/Initial refinement=1", "Mesh/Cycles=1",
              "Validation/Check rates=false"]),
}
# All loads and supports: nodes that hold a body and those with loads belong to several
# processes, points and faces with loads to some.
OF_ELASTICITY = {
    "quadrilateral": (os.path.join(HERE, "loads_plane.prm"),
                      ["Finite element/Degrees=1, 3", "Mesh/Distortion=0", *LINE, STRESSES,
                       "Mesh/Initial refinement=2"]),
    "hexahedron": (os.path.join(HERE, "loads_together.prm"),
                   ["Mesh/Cell type=hexahedron", "Mesh/Initial refinement=2",
                    "Output/Probes=1.4, 0.45, 0.3", STRESSES, "Operator/Name=csr"]),
    # Manifolds that look for coarse cells to which they are attached, of meshes that METIS
    # and then p4est distributes.
    "plate_with_hole": (os.path.join(ROOT, "prm", "elasticity", "plate_with_hole.prm"),
                        ["Finite element/Degrees=2", "Mesh/Initial refinement=0",
                         "Mesh/Cycles=2", "Validation/Check rates=false"]),
    # Curved cells, whose corners alone would not show what holds them.
    "cylinder": (os.path.join(ROOT, "prm", "elasticity", "thick_cylinder.prm"),
                 ["Finite element/Degrees=1, 2", "Mesh/Cycles=1", "Mesh/Initial refinement=3",
                  "Validation/Check rates=false", "Solver/Relative tolerance=1e-12"]),
    "adaptive": (os.path.join(HERE, "loads_plane.prm"),
                 ["Mesh/Distortion=0", "Mesh/Initial refinement=1", "Mesh/Cycles=4",
                  "Mesh/Refinement=adaptive", "Mesh/Coarsen fraction=0.1"]),
    "adaptive_hexahedra": (os.path.join(HERE, "loads_together.prm"),
                           ["Finite element/Degrees=2", "Mesh/Cell type=hexahedron",
                            "Mesh/Initial refinement=2", "Mesh/Cycles=2",
                            "Mesh/Refinement=adaptive", "Mesh/Refine fraction=0.05"]),
    "triangle": (os.path.join(HERE, "loads_plane.prm"),
                 ["Mesh/Cell type=triangle", "Mesh/Initial refinement=1", *LINE]),
    "tetrahedron": (os.path.join(HERE, "loads_together.prm"), ["Mesh/Initial refinement=1"]),
    "distorted": (os.path.join(HERE, "loads_plane.prm"),
                  ["Finite element/Degrees=1, 3", "Mesh/Initial refinement=1", *LINE]),
    "distorted_hexahedra": (os.path.join(HERE, "loads_together.prm"),
                            ["Mesh/Cell type=hexahedron", "Mesh/Initial refinement=1",
                             "Mesh/Distortion=0.2", "Operator/Name=csr"]),
    "tetrahedra_of_a_file": (os.path.join(HERE, "column.prm"),
                             ["Mesh/File=" + os.path.join(ROOT, "prm", "poisson", "bracket.msh"),
                              "Finite element/Degrees=1", "Material/Material 1/Materials=",
                              "Loads/Gravity=0; -10; 2", "Solver/Relative tolerance=1e-12",
                              "Boundary conditions/Displacement 1/Boundaries=wall",
                              "Boundary conditions/Displacement 1/Components=x, y, z",
                              "Boundary conditions/Displacement 2/Boundaries=bolts",
                              "Output/Probes=4, 1, 0.25; 0.25, 1, 0.25"]),
    "file": (os.path.join(HERE, "column.prm"),
             ["Mesh/Initial refinement=3", "Solver/Relative tolerance=1e-12"]),
    # A surface of triangles, which the first process meshes for all.
    "body": (os.path.join(ROOT, "prm", "elasticity", "part.prm"),
             ["Mesh/Element size=4", "Solver/Relative tolerance=1e-12"]),
}
CASES = {"poisson": OF_POISSON, "elasticity": OF_ELASTICITY}.get(APPLICATION)
FIELDS = {"poisson": ["solution"], "elasticity": ["von_mises", "stress_xx", "stress_xy"]}
# METIS keeps the numbers of cells.
OF_METIS = ("triangle", "tetrahedron", "distorted", "of_a_file", "body")


def write_triangles(path, of):
    """Writes the mesh of a file of gmsh 4.1 with two triangles for each quadrilateral."""
    with open(of, encoding="utf-8") as file:
        head, elements = file.read().split("$Elements\n")
    rows = elements.split("$EndElements")[0].split("\n")
    blocks, n, i = [], 0, 1
    while i < len(rows) - 1:
        dim, entity, kind, size = rows[i].split()
        cells = [row.split()[1:] for row in rows[i + 1:i + 1 + int(size)]]
        i += 1 + int(size)
        if kind == "3":
            kind = "2"
            cells = [corners for a, b, c, d in cells for corners in ((a, b, c), (a, c, d))]
        blocks.append([f"{dim} {entity} {kind} {len(cells)}"] +
                      [" ".join([str(n + k + 1), *cell]) for k, cell in enumerate(cells)])
        n += len(cells)
    with open(path, "w", encoding="utf-8") as file:
        file.write(head + f"$Elements\n{len(blocks)} {n} 1 {n}\n")
        file.write("\n".join(row for block in blocks for row in block) + "\n$EndElements\n")


def run(prm, options, folder, n_processes):
    """Returns the cases of the record, and what is printed."""
    command = [PROGRAM, prm, "--backend", "host", "--threads", "1", "-o", folder]
    for option in [*options, "Output/Precision=float64"]:
        command += ["-s", option]
    if n_processes > 1:
        command = ["mpirun", "-n", str(n_processes), *command]
    done = subprocess.run(command, capture_output=True, text=True, check=False,
                          env=environment())
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stdout[-2000:]} {done.stderr}")
    with open(os.path.join(folder, "record.json"), encoding="utf-8") as file:
        return json.load(file)["cases"], done.stdout


def numbers_of(case):
    """Returns what follows from the solution, by name."""
    results = case["results"]
    found = {name: results[name] for name in ("L2_error", "H1_error")
             if results[name] is not None}
    for kind in ("probes", "fluxes", "quantities"):
        for i, entry in enumerate(results[kind]):
            found[f"{kind} {i}"] = entry["value"]
    return found


def imbalance(case):
    """Returns what the reactions of supports lack of the loads."""
    sums = {}
    for entry in case["results"]["quantities"]:
        name, _, axis = entry["name"].rpartition(" ")
        if name == "sum of loads" or name.startswith("reaction of "):
            sums.setdefault(axis, []).append(entry["value"])
    largest = max((abs(value) for values in sums.values() for value in values), default=0)
    if not any(entry["value"] for entry in case["results"]["quantities"]
               if entry["name"].startswith("sum of loads")):
        # Where displacements alone are given, all sums are 0 beside what stresses do.
        largest = max([largest, *(entry["value"] for entry in case["results"]["quantities"]
                                  if entry["name"] == "largest von Mises stress")])
    return [f"loads and reactions along {axis} are {values}" for axis, values in sums.items()
            if abs(sum(values)) > 1e-7 * largest]


def values_in(picture, path, names, deforms=False):
    """Returns the points of a file in the order of their places, and the least and the
    largest values of the fields there, and of displacements if it has them. Points that
    several processes have are there once, and so are nodes of a cell and of its smaller
    neighbours, whose means of stresses differ."""
    np = picture.np
    fields = []
    for name in names:
        points, *_, values = picture.read(path, name)
        fields.append(values.reshape(-1, 1))
    if deforms:
        fields.append(picture.read(path, names[0], 1.)[0] - points)
    _, first, place = np.unique(np.round(points, 9) + 0., axis=0, return_index=True,
                                return_inverse=True)
    fields = np.hstack(fields)
    least, largest = fields[first], fields[first]
    np.minimum.at(least, place.reshape(-1), fields)
    np.maximum.at(largest, place.reshape(-1), fields)
    return points[first], np.hstack([least, largest])


def stresses_in(picture, folder, end):
    """Returns the numbers of cells and the rows of all files of their stresses, in the order
    of the places of cells."""
    np = picture.np
    rows = [row for path in sorted(glob.glob(os.path.join(folder, f"stresses{end}*.csv")))
            for row in lines_of(folder, os.path.basename(path))]
    numbers = sorted(int(row[0]) for row in rows)
    rows = np.array([row[1:] for row in rows])
    return numbers, rows[np.lexsort(np.round(rows[:, :3], 9).T)] if len(rows) else rows


def lines_of(folder, name):
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [[float(x) for x in row.split(",")] for row in file.read().split("\n")[1:-1]]


def compare(picture, case, other, folder, of_one, suffix):
    np = picture.np
    problems = []
    for key in ("cells", "dofs"):
        if case["problem"][key] != other["problem"][key]:
            problems.append(f"{case['problem'][key]} {key}, not {other['problem'][key]}")
    mine, expected = case["results"]["iterations"], other["results"]["iterations"]
    if abs(mine - expected) > max(1, 0.01 * expected):  # many, of all steps in time
        problems.append(f"{mine} iterations, not {expected}")
    problems += imbalance(case)
    mine, expected = numbers_of(case), numbers_of(other)
    if mine.keys() != expected.keys():
        problems.append(f"{list(mine)}, not {list(expected)}")
    for name in mine.keys() & expected.keys():
        if abs(mine[name] - expected[name]) > 1e-7 * max(1e-3, abs(expected[name])):
            problems.append(f"{name}: {mine[name]}, not {expected[name]}")
    end = case["name"][case["name"].rfind("_p"):]
    for a, b in zip(lines_of(folder, f"line1{end}.csv"), lines_of(of_one, f"line1{end}.csv")):
        if not np.allclose(a, b, rtol=1e-7, atol=1e-9, equal_nan=True):
            problems.append(f"line: {a}, not {b}")
    try:
        (points, values), (points_of_one, values_of_one) = (
            values_in(picture, os.path.join(there, f"solution{end}{of}"), FIELDS[APPLICATION],
                      APPLICATION == "elasticity")
            for there, of in ((folder, ".pvtu"), (of_one, suffix)))
        if points.shape != points_of_one.shape or not np.allclose(points, points_of_one):
            problems.append(f"{len(points)} points, and one process has "
                            f"{len(points_of_one)}")
        else:
            for k, of_one_ in enumerate(values_of_one.T):
                if not np.allclose(values[:, k], of_one_, rtol=0,
                                   atol=1e-7 * max(1e-3, abs(of_one_).max())):
                    problems.append(f"the values {k} of the file differ by "
                                    f"{abs(values[:, k] - of_one_).max()}")
        faces, *_ = picture.parse_pieces(os.path.join(folder, f"solution{end}_boundary.pvtu"))
        if not faces:
            problems.append("no faces of the boundary")
    except (OSError, ValueError) as error:
        problems.append(str(error))
    numbers, rows = stresses_in(picture, folder, end)
    if numbers != list(range(case["problem"]["cells"] if APPLICATION == "elasticity" else 0)):
        problems.append(f"the cells with stresses are {numbers}")
    elif not np.allclose(rows, stresses_in(picture, of_one, end)[1], rtol=1e-7, atol=1e-7):
        problems.append("the stresses of cells differ")
    return [f"{case['name']}: {problem}" for problem in problems]


def main():
    if shutil.which("mpirun") is None:
        return SKIPPED
    picture = load_picture()
    prm, options = CASES[CASE]
    if APPLICATION == "poisson":
        options = [*options, "Output/Integrals=true"]
    adaptive = CASE.startswith("adaptive")
    if adaptive:
        degrees = in_turn(CASES, CASE, ("1", "2", "3", "4"), every=2)
        options = [*options, "Finite element/Degrees=" + ", ".join(degrees)]
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        triangles = os.path.join(folder, "triangles.msh")
        if CASE == "triangles_of_a_file":
            write_triangles(triangles, os.path.join(os.path.dirname(prm), "plate.msh"))
        options = [option.replace("{triangles}", triangles) for option in options]
        of_one = os.path.join(folder, "one")
        expected, screen = run(prm, options, of_one, 2 if adaptive else 1)
        summary = [line for line in screen.splitlines()
                   if line.startswith(("Cells", "Vertices", "Boundaries", "Materials", "Bounding"))
                   or (line.startswith("Worst") and any(name in CASE for name in OF_METIS))]
        numbers = [(7,)] if CASE == "few_cells" else in_turn(CASES, CASE, ((2, 7), (3, 4)))
        for n in [n for some in numbers for n in some if n > 2 or not adaptive]:
            there = os.path.join(folder, str(n))
            cases, screen = run(prm, options, there, n)
            found = []
            if len(cases) != len(expected):
                found.append(f"{len(cases)} cases, not {len(expected)}")
            for case, other in zip(cases, expected):
                found += compare(picture, case, other, there, of_one,
                                 ".pvtu" if adaptive else ".vtu")
            for line in summary:
                if line not in screen.splitlines():
                    found.append(f"the screen does not have: {line}")
            of_last, n_cells = cases[-1]["parameters"], cases[-1]["problem"]["cells"]
            if of_last["processes"] != n:
                found.append(f"the record has {of_last['processes']} processes")
            if not of_last["cells_known_max"] < n_cells:
                found.append(f"a process knows {of_last['cells_known_max']} of {n_cells} cells")
            if not of_last["cells_min"] > 0.5 * n_cells / n:
                found.append(f"a process has {of_last['cells_min']} of {n_cells} cells")
            problems += [f"{n} processes: {problem}" for problem in found]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
