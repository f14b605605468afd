#!/usr/bin/python3
"""Solves problems on meshes that arrays refine and on the same ones that deal.II refines and
numbers, and compares what records have: sizes, iterations, errors, fluxes, stresses, probes.

usage: refined_by.py PROGRAM [CASE]...
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
HERE = os.path.dirname(os.path.realpath(__file__)) + "/"
FILES = HERE + "../../prm/poisson/"
BOX_FILE = HERE + "../fem/meshes/box_tetrahedron_22_text.msh"
DISK = ["Mesh/Grid name=hyper_ball", "Mesh/Grid arguments=0, 0 : 1 : true"]
SIMPLICES = ("triangle", "tetrahedron", "tetrahedra", "file_tetrahedra", "file_not_refined", "order_2_tetrahedra", "triangles_of_a_disk", "pieces")
# The second column says what deal.II has made in the end: cells with numbers (all), cells
# (mesh), or the coarse ones alone (none). A third one names a file that the case begins with.
POISSON = {
    "square": (SQUARE, "none"),
    "cube": (CUBE, "none"),
    "distorted": ([*SINE, "Mesh/Distortion=0.2", "Mesh/Initial refinement=3", "Mesh/Cycles=2"], "none"),
    "distorted_cube": ([*SINE, "Mesh/Dimension=3", "Mesh/Distortion=0.2"], "none"),
    "triangle": (["Mesh/Grid name=simplex", "Mesh/Grid arguments=0, 0; 1, 0; 0, 1", "Mesh/Initial refinement=3",
                  *SINE], "none"),
    "tetrahedron": (["Mesh/Grid name=simplex", "Mesh/Grid arguments=0, 0, 0; 1, 0, 0; 0, 1, 0; 0, 0, 1", *SINE], "none"),
    "tetrahedra": (["Mesh/Cell type=tetrahedron", *CUBE], "none"),
    "file_tetrahedra": ([f"Mesh/File={BOX_FILE}", "Source/Function expression=1",
                         "Boundary conditions/Remaining boundaries=natural",
                         DIRICHLET + "Boundaries=where x < 1e-6"], "none"),
    "moebius": (["Mesh/Grid name=moebius", "Mesh/Grid arguments=8 : 1 : 4.0 : 1.0", "Mesh/Initial refinement=1",
                 *SINE], "none"),
    "file_triangles": ([f"Mesh/File={FILES}two_materials.msh", "Mesh/Initial refinement=1", "Source/Function expression=1",
                   "Boundary conditions/Remaining boundaries=natural", "Coefficient/Material 1/Materials=ceramic",
                   "Coefficient/Material 1/Expression=5", DIRICHLET + "Boundaries=hot"], "none"),
    "file_quadrilaterals": ([f"Mesh/File={FILES}plate.msh", "Mesh/Initial refinement=1", "Source/Function expression=1",
                        "Boundary conditions/Remaining boundaries=natural", DIRICHLET + "Boundaries=hot holes"], "none"),
    "file_not_refined": ([f"Mesh/File={FILES}two_materials.msh", "Mesh/Initial refinement=0", "Source/Function expression=1",
                          "Boundary conditions/Remaining boundaries=natural", "Coefficient/Material 1/Materials=ceramic",
                          "Coefficient/Material 1/Expression=5", DIRICHLET + "Boundaries=hot", "Output/Integrals=true",
                          "Output/Probes=0.51, 0.13, 0.37"], "none"),
    "file_hexahedra": ([f"Mesh/File={HERE}../fem/meshes/box_hexahedron_22_text.msh", "Mesh/Initial refinement=0",
                        "Source/Function expression=1", "Mesh/Distortion=0.2",
                        "Boundary conditions/Remaining boundaries=natural", DIRICHLET + "Boundaries=left"], "none"),
    "order_2": ([], "none", "poisson/quadratic_quadrilateral.prm"),
    "order_2_tetrahedra": ([], "none", "poisson/quadratic_tetrahedron.prm"),
    "pieces": (["Mesh/Cell type=tetrahedron", *SINE], "none"),
    "disk": ([*DISK, *SINE], "none"),
    "straight_disk": ([*DISK, "Mesh/Geometry=vertices", *SINE], "none"),
    "ball": (["Mesh/Grid name=hyper_ball_balanced", "Mesh/Grid arguments=0, 0, 0 : 1", "Mesh/Initial refinement=1", *SINE],
             "none"),
    "shell": (["Mesh/Grid name=hyper_shell", "Mesh/Grid arguments=0, 0 : 0.5 : 1 : 0 : true", *MIXED[:4],
               "Boundary conditions/Remaining boundaries=natural"], "none"),
    "hole": (["Mesh/Grid name=plate_with_a_hole", "Mesh/Initial refinement=1",
              "Mesh/Grid arguments=0.4 : 1 : 2 : 2 : 2 : 2 : 0, 0 : 0 : 1 : 1 : 2 : true",
              "Boundary conditions/Remaining boundaries=natural", "Source/Function expression=x",
              DIRICHLET + "Boundaries=0",
              "Boundary conditions/Dirichlet 2/Boundaries=where x^2 + y^2 < 0.2 && y > -1e-6"], "none"),
    "triangles_of_a_disk": ([*DISK, "Mesh/Cell type=triangle", *SINE], "none"),
    "axis": ([*SQUARE, "Coordinates/Kind=axisymmetric"], "none"),
    "reaction": ([*SQUARE, "Reaction/Expression=1 + y"], "none"),
    "time": ([*SQUARE, "Time/Scheme=backward_euler", "Initial value/Function expression=x * y",
              "Time/Write every=3"], "none"),
    "where_cube": ([*CUBE, "Boundary conditions/Dirichlet 2/Boundaries=where x > 0.4 && abs(y - 1) < 1e-6",
                    "Boundary conditions/Dirichlet 2/Function expression=2"], "none"),
    "where": ([*SINE, "Boundary conditions/Remaining boundaries=natural", DIRICHLET + "Boundaries=where x == 0"],
              "none"),
    "nodes": ([*SINE, "Boundary conditions/Remaining boundaries=natural", DIRICHLET + "Boundaries=",
               DIRICHLET + "Nodes=where x == 0.25"], "none"),
    "integrals": ([*SQUARE, "Output/Integrals=true"], "none"),
    "materials": ([f"Mesh/File={FILES}two_materials.msh", "Mesh/Initial refinement=1", "Source/Function expression=1",
                   "Boundary conditions/Remaining boundaries=natural", "Output/Integrals=true",
                   DIRICHLET + "Boundaries=hot", "Output/Probes=0.51, 0.13, 0.37", "Output/Quantities=flux, gradient_in_cell"],
                  "none"),
    "disk_probes": ([*SINE, "Mesh/Grid name=hyper_ball", "Mesh/Grid arguments=0, 0 : 1 : true", "Output/Integrals=true",
                     "Output/Probes=0.3, 0.4; 0.6, -0.75", "Output/Quantities=flux"], "none"),
    "probes": ([*SQUARE, "Output/Probes=0.3, 0.4; 0.5, 0.5", "Output/Quantities=flux"], "none"),
    "curves": ([*SINE, "Mesh/Geometry=quadrature"], "none"),
}
SUPPORT = "Boundary conditions/Displacement 1/"
ELASTICITY = {
    "plane": (["Mesh/Initial refinement=1", "Output/Probes=1.3, 0.7",
               "Output/Quantities=stress, von_mises, principal_stress_in_cell"], "none", "elasticity/loads_plane.prm"),
    "b_bar": (["Mesh/Initial refinement=1", "Material/Formulation=b_bar"], "none", "elasticity/loads_plane.prm"),
    "solid": (["Mesh/Initial refinement=1", "Mesh/Cell type=hexahedron", "Mesh/Distortion=0.2"], "none", "elasticity/loads_hexahedron.prm"),
    "nodes": (["Mesh/Initial refinement=1", SUPPORT + "Boundaries=", SUPPORT + "Nodes=where x < 1e-9 && y < 1.2",
               "Boundary conditions/Remaining boundaries=natural"], "none", "elasticity/loads_plane.prm"),
    "set": (["Mesh/Initial refinement=1"], "none", "elasticity/node_set_pulled.prm"),
}
STEPS = ["Time/End=5", "Checkpoint/At end=false"]
MONODOMAIN = {
    "fibres": (STEPS, "none", "monodomain/fibres.prm"),
    "boundary": ([*STEPS, "Stimuli/Stimulus 1/Shape=boundary", "Stimuli/Stimulus 1/Ids=0"], "none",
                 "monodomain/fibres.prm"),
    "regions": (["Mesh/Initial refinement=1", *STEPS], "none", "monodomain/regions.prm"),
    "checkpoint": (["Time/End=2"], "none", "monodomain/fibres.prm"),
}
CASES = {"poisson": POISSON, "elasticity": ELASTICITY, "monodomain": MONODOMAIN}[os.path.basename(PROGRAM)]


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
        for name, (settings, known, *base) in CASES.items():
            if sys.argv[2:] and name not in sys.argv[2:]:
                continue
            its = "1, 2" if name in (*SIMPLICES, "b_bar") else degrees
            case = write(folder, "case.prm", prm("Mesh/Initial refinement=2"))
            settings = [f"Finite element/Degrees={its}", "Solver/Relative tolerance=1e-13",
                        "Solver/Preconditioner=jacobi", *settings]
            if base:
                case = HERE + base[0]
            # One cycle of a mesh that adapts is uniform, and deal.II numbers it.
            ways = ["Mesh/Refined by=arrays", "Mesh/Refined by=deal.II"]
            if name in ("square", "cube", "where", "nodes", "integrals", "disk", "hole", "plane", "solid"):
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
