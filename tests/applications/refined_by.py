#!/usr/bin/python3
"""Solves problems on meshes that arrays refine and on the same ones that deal.II refines and
numbers, and compares what records have: sizes, iterations, errors, fluxes, integrals, probes.

usage: refined_by.py POISSON
"""
import json
import os
import sys
import tempfile

from programs import expect, finish, in_turn, options, prm, run, write

PROGRAM = sys.argv[1]
DIRICHLET = "Boundary conditions/Dirichlet 1/"
MIXED = [DIRICHLET + "Boundaries=0", DIRICHLET + "Function expression=x + y^2",
         "Boundary conditions/Robin 1/Boundaries=1",
         "Boundary conditions/Robin 1/Coefficient expression=1 + y",
         "Boundary conditions/Neumann 1/Boundaries=2",
         "Boundary conditions/Neumann 1/Function expression=y",
         "Boundary conditions/Remaining boundaries=natural"]
BOX = ["Mesh/Grid name=subdivided_hyper_rectangle", "Coefficient/Expression=1 + x * y",
       "Source/Function expression=1 + x", *MIXED]
SQUARE = ["Mesh/Grid arguments=3, 2 : 0, 0 : 1, 1 : true", *BOX]
CUBE = ["Mesh/Grid arguments=2, 1, 2 : 0, 0, 0 : 1, 1, 1 : true", *BOX]
SINE = ["Exact solution/Function expression=sin(3 * x) * y", "Source/Function expression=9 * sin(3 * x) * y",
        DIRICHLET + "Boundaries=0", DIRICHLET + "Function expression=sin(3 * x) * y"]
FILES = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../prm/poisson/")
BOX_FILE = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../fem/meshes/box_tetrahedron_22_text.msh")
NO_FILE = ["Output/VTU=false"]  # deal.II writes curved cells
DISK = ["Mesh/Grid name=hyper_ball", "Mesh/Grid arguments=0, 0 : 1 : true"]
SIMPLICES = ("triangle", "tetrahedron", "tetrahedra", "file_tetrahedra", "triangles_of_a_disk", "pieces")
# What deal.II has to number is in the second column.
CASES = {
    "square": (SQUARE, "boundary"),
    "cube": (CUBE, "boundary"),
    "distorted": ([*SINE, "Mesh/Distortion=0.2", "Mesh/Initial refinement=3", "Mesh/Cycles=2"], "boundary"),
    "distorted_cube": ([*SINE, "Mesh/Dimension=3", "Mesh/Distortion=0.2"], "boundary"),
    "triangle": (["Mesh/Grid name=simplex", "Mesh/Grid arguments=0, 0; 1, 0; 0, 1", "Mesh/Initial refinement=3",
                  *SINE], "boundary"),
    "tetrahedron": (["Mesh/Grid name=simplex", "Mesh/Grid arguments=0, 0, 0; 1, 0, 0; 0, 1, 0; 0, 0, 1", *SINE], "boundary"),
    "tetrahedra": (["Mesh/Cell type=tetrahedron", *CUBE], "boundary"),
    "file_tetrahedra": ([f"Mesh/File={BOX_FILE}", "Source/Function expression=1",
                         "Boundary conditions/Remaining boundaries=natural",
                         DIRICHLET + "Boundaries=where x < 1e-6"], "boundary"),
    "moebius": (["Mesh/Grid name=moebius", "Mesh/Grid arguments=8 : 1 : 4.0 : 1.0", "Mesh/Initial refinement=1",
                 *SINE], "all"),
    "file_triangles": ([f"Mesh/File={FILES}two_materials.msh", "Mesh/Initial refinement=1", "Source/Function expression=1",
                   "Boundary conditions/Remaining boundaries=natural", "Coefficient/Material 1/Materials=ceramic",
                   "Coefficient/Material 1/Expression=5", DIRICHLET + "Boundaries=hot"], "boundary"),
    "file_quadrilaterals": ([f"Mesh/File={FILES}plate.msh", "Mesh/Initial refinement=1", "Source/Function expression=1",
                        "Boundary conditions/Remaining boundaries=natural", DIRICHLET + "Boundaries=hot holes"], "boundary"),
    "pieces": (["Mesh/Cell type=tetrahedron", *SINE], "boundary"),
    "disk": ([*DISK, *SINE], "all"),
    "disk_without_file": ([*DISK, *NO_FILE, *SINE], "boundary"),
    "straight_disk": ([*DISK, *NO_FILE, "Mesh/Geometry=vertices", *SINE], "boundary"),
    "ball": ([*NO_FILE, "Mesh/Grid name=hyper_ball_balanced", "Mesh/Grid arguments=0, 0, 0 : 1",
              "Mesh/Initial refinement=1", *SINE], "boundary"),
    "shell": ([*NO_FILE, "Mesh/Grid name=hyper_shell", "Mesh/Grid arguments=0, 0 : 0.5 : 1 : 0 : true",
               *MIXED[:4], "Boundary conditions/Remaining boundaries=natural"], "boundary"),
    "hole": ([*NO_FILE, "Mesh/Grid name=plate_with_a_hole", "Mesh/Initial refinement=1",
              "Mesh/Grid arguments=0.4 : 1 : 2 : 2 : 2 : 2 : 0, 0 : 0 : 1 : 1 : 2 : true",
              "Boundary conditions/Remaining boundaries=natural", "Source/Function expression=x",
              DIRICHLET + "Boundaries=0",
              "Boundary conditions/Dirichlet 2/Boundaries=where x^2 + y^2 < 0.2 && y > -1e-6"], "boundary"),
    "triangles_of_a_disk": ([*DISK, "Mesh/Cell type=triangle", *SINE], "boundary"),
    "axis": ([*SQUARE, "Coordinates/Kind=axisymmetric"], "boundary"),
    "reaction": ([*SQUARE, "Reaction/Expression=1 + y"], "boundary"),
    "time": ([*SQUARE, "Time/Scheme=backward_euler", "Initial value/Function expression=x * y",
              "Time/Write every=3"], "boundary"),
    "where_cube": ([*CUBE, "Boundary conditions/Dirichlet 2/Boundaries=where x > 0.4 && abs(y - 1) < 1e-6",
                    "Boundary conditions/Dirichlet 2/Function expression=2"], "boundary"),
    "where": ([*SINE, "Boundary conditions/Remaining boundaries=natural", DIRICHLET + "Boundaries=where x == 0"],
              "boundary"),
    "nodes": ([*SINE, "Boundary conditions/Remaining boundaries=natural", DIRICHLET + "Boundaries=",
               DIRICHLET + "Nodes=where x == 0.25"], "all"),
    "integrals": ([*SQUARE, "Output/Integrals=true"], "all"),
    "probes": ([*SQUARE, "Output/Probes=0.3, 0.4; 0.5, 0.5", "Output/Quantities=flux"], "all"),
    "curves": ([*SINE, "Mesh/Geometry=quadrature"], "boundary"),
}


def numbers(thing, path=""):
    """Yields the path and value of all numbers of a part of a record."""
    pairs = thing.items() if isinstance(thing, dict) else enumerate(thing)
    for key, value in pairs:
        if isinstance(value, (dict, list)):
            yield from numbers(value, f"{path}/{key}")
        elif isinstance(value, (int, float)) and key not in ("residual", "true_residual"):
            yield f"{path}/{key}", value


def record(folder, case, settings):
    done = run([PROGRAM, case, "--backend", "host", "-o", folder, *options(settings)])
    if done.returncode != 0:
        sys.exit(f"{' '.join(settings)}: {done.stderr}")
    with open(os.path.join(folder, "record.json"), encoding="utf-8") as file:
        return json.load(file)["cases"]


def results(case):
    kept = {key: value for key, value in case["results"].items() if key != "history"}
    return dict(numbers({"results": kept, "problem": case["problem"]}))


def main():
    degrees = in_turn(["degrees"], "degrees", ["1, 2", "2, 3", "1, 4"])[0]
    with tempfile.TemporaryDirectory() as folder:
        for name, (settings, known) in CASES.items():
            its = "1, 2" if name in SIMPLICES else degrees
            case = write(folder, "case.prm", prm("Mesh/Initial refinement=2", f"Finite element/Degrees={its}",
                                                 "Solver/Relative tolerance=1e-13",
                                                 "Solver/Preconditioner=jacobi"))
            # One cycle of a mesh that adapts is uniform, and deal.II numbers it.
            ways = ["Mesh/Refined by=auto", "Mesh/Refined by=deal.II"]
            if name in ("square", "cube", "where", "nodes", "integrals", "disk_without_file", "hole"):
                ways.append("Mesh/Refinement=adaptive")
            ours, *others = [record(os.path.join(folder, name + str(k)), case, [*settings, way])
                             for k, way in enumerate(ways)]
            for mine in ours:
                expect(mine["parameters"]["deal_ii_cells"] == known,
                       f"{name}: deal.II knows {mine['parameters']['deal_ii_cells']}, expected {known}")
            for way, theirs in zip(ways[1:], others):
                for mine, its in zip(ours, theirs):
                    a, b = results(mine), results(its)
                    expect(a.keys() == b.keys(), f"{name}, {way}: records differ in {a.keys() ^ b.keys()}")
                    for key in a.keys() & b.keys():
                        same = abs(a[key] - b[key]) <= 1e-9 * max(1, abs(a[key])) + key.endswith("iterations")
                        expect(same, f"{name}, {way}, {mine['name']}{key}: {a[key]} and {b[key]}")
    finish()


if __name__ == "__main__":
    main()
