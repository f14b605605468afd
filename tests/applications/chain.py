#!/usr/bin/python3
"""Solutions of poisson are temperatures and coefficients of other runs: with the values of a
file, runs have the numbers of runs with the formula that these values are of. Files that do not
fit end with one sentence.

usage: chain.py POISSON ELASTICITY
"""
import base64
import os
import re
import shutil
import struct
import sys
import tempfile
import zlib

from programs import INTERNALS, error_lines, expect, finish, options, read_record, run
from run import environment

POISSON, ELASTICITY = sys.argv[1:3]
# Of degree 2, harmonic, and on every mesh exactly what degree 2 has.
PLANE, SPACE = "x * x - y * y + 2 * x", "x * x - y * y + 2 * z + x * z"
SIDES = "Boundary conditions/Dirichlet 1/Boundaries=0"
MESH = ("Mesh/Grid name=hyper_cube", "Mesh/Cycles=1", "Mesh/Distortion=0.15")
HEAT = (*MESH, "Finite element/Degrees=2", SIDES, "Output/Precision=float64",
        "Solver/Relative tolerance=1e-13")
HELD = ("Boundary conditions/Displacement 1/Boundaries=0", "Material/Thermal expansion=1e-3",
        "Boundary conditions/Remaining boundaries=natural", "Solver/Relative tolerance=1e-12",
        "Output/VTU=false", "Mesh/Cycles=1")


def start(program, folder, *settings, processes=1):
    command = [program, os.devnull, "-o", folder, "--backend", "host", "--threads", "1",
               *options(settings)]
    if processes > 1:
        command = ["mpirun", "-n", str(processes), *command]
    return run(command, env=environment())


def solve(program, folder, *settings, processes=1):
    done = start(program, folder, *settings, processes=processes)
    expect(done.returncode == 0, f"{folder}: {done.returncode}, {done.stderr}")
    if done.returncode != 0:
        return None, done.stderr
    results = read_record(folder)["cases"][-1]["results"]
    return ({q["name"]: q["value"] for q in results["quantities"]},
            [probe["value"] for probe in results["probes"]]), done.stderr


def same(what, found, expected, tolerance):
    """Largest stresses at places that rounding chooses are left out."""
    if found is None or expected is None:
        return
    for name, value in expected[0].items():
        expect(abs(found[0][name] - value) <= tolerance * max(abs(value), 1e-3),
               f"{what}: {name} is {found[0][name]}, not {value}")
    for value, other in zip(found[1], expected[1]):
        expect(abs(value - other) <= tolerance * max(abs(other), 1e-3),
               f"{what}: a probe is {value}, not {other}")


def check_temperatures(folder):
    cases = (("quadrilateral", 2, PLANE, 2), ("triangle", 2, PLANE, 2),
             ("hexahedron", 3, SPACE, 1), ("tetrahedron", 3, SPACE, 1))
    for cell, dim, formula, refinements in cases:
        mesh = (f"Mesh/Dimension={dim}", f"Mesh/Cell type={cell}",
                f"Mesh/Initial refinement={refinements}")
        heat = os.path.join(folder, "heat_" + cell)
        solve(POISSON, heat, *HEAT, *mesh,
              f"Boundary conditions/Dirichlet 1/Function expression={formula}")
        file = os.path.join(heat, "solution_p2_c0.vtu")
        probe = "Output/Probes=" + ("0.7, 0.6" if dim == 2 else "0.7, 0.6, 0.4")
        # The same mesh, and one whose cells are others.
        for name, of_mesh in (("same", (*MESH, *mesh)),
                              ("other", (MESH[0], *mesh[:2], "Mesh/Initial refinement=1"))):
            common = (*of_mesh, *HELD, "Finite element/Degrees=2", probe)
            expected, _ = solve(ELASTICITY, os.path.join(folder, "formula"), *common,
                                f"Loads/Temperature=3 * ({formula}) - y")
            found, errors = solve(ELASTICITY, os.path.join(folder, "file"), *common,
                                  f"Loads/Temperature=file {file} : solution : 3 * u - y")
            same(f"{cell}, {name} mesh", found, expected, 1e-8)
            expect("outside" not in errors, f"{cell}, {name} mesh: {errors}")


def check_coefficients(folder):
    """A coefficient, a source and an initial value; degree 3 and single precision."""
    heat = os.path.join(folder, "heat_3")
    formula = "1 + x * x * y + y"
    solve(POISSON, heat, *MESH, "Finite element/Degrees=3", SIDES, "Mesh/Initial refinement=2",
          f"Boundary conditions/Dirichlet 1/Function expression={formula}",
          "Source/Function expression=-2 * y", "Solver/Relative tolerance=1e-13")
    file = f"file {heat}/solution_p3_c0.vtu : solution"
    common = (*MESH, "Mesh/Initial refinement=2", "Finite element/Degrees=1", SIDES,
              "Output/Probes=0.3, 0.6", "Solver/Relative tolerance=1e-12")
    for entry in ("Coefficient/Expression", "Source/Function expression", "Reaction/Expression"):
        expected, _ = solve(POISSON, os.path.join(folder, "formula"), *common,
                            "Source/Function expression=1", f"{entry}={formula}")
        found, _ = solve(POISSON, os.path.join(folder, "file"), *common,
                         "Source/Function expression=1", f"{entry}={file}")
        same(entry, found, expected, 1e-5)
    time = (*common, "Time/Scheme=backward_euler", "Time/End=0.01", "Time/Step=0.01")
    expected, _ = solve(POISSON, os.path.join(folder, "formula"), *time,
                        f"Initial value/Function expression={formula}")
    found, _ = solve(POISSON, os.path.join(folder, "file"), *time,
                     f"Initial value/Function expression={file}")
    same("initial value", found, expected, 1e-5)


def check_processes(folder):
    """The files of two processes, read by one and by three."""
    if shutil.which("mpirun") is None:
        return
    heat = os.path.join(folder, "heat_of_two")
    mesh = ("Mesh/Initial refinement=2", "Mesh/Grid name=hyper_cube")
    solve(POISSON, heat, *HEAT, *mesh, "Mesh/Distortion=0",
          f"Boundary conditions/Dirichlet 1/Function expression={PLANE}", processes=2)
    common = (*mesh, *HELD, "Finite element/Degrees=2", "Output/Probes=0.7, 0.6")
    expected, _ = solve(ELASTICITY, os.path.join(folder, "formula"), *common,
                        f"Loads/Temperature={PLANE}")
    for n in (1, 3):
        found, _ = solve(ELASTICITY, os.path.join(folder, f"file_{n}"), *common,
                         f"Loads/Temperature=file {heat}/solution_p2_c0.pvtu : solution",
                         processes=n)
        same(f"{n} processes", found, expected, 1e-7)


def triangles(values, data=None, name="T"):
    """Returns a file of two triangles, by hand."""
    data = data or (f'<DataArray type="Float64" Name="{name}" format="ascii">'
                    f'{" ".join(values)}</DataArray>')
    return ('<?xml version="1.0"?><VTKFile type="UnstructuredGrid" version="1.0" '
            'byte_order="LittleEndian" header_type="UInt64" '
            'compressor="vtkZLibDataCompressor"><UnstructuredGrid>'
            '<Piece NumberOfPoints="4" NumberOfCells="2"><Points>'
            '<DataArray type="Float32" NumberOfComponents="3" format="ascii">'
            '0 0 0 1 0 0 0 1 0 1 1 0</DataArray></Points><Cells>'
            '<DataArray type="Int64" Name="connectivity" format="ascii">0 1 2 1 3 2</DataArray>'
            '<DataArray type="Int64" Name="offsets" format="ascii">3 6</DataArray>'
            '<DataArray type="UInt8" Name="types" format="ascii">5 5</DataArray></Cells>'
            f'<PointData>{data}</PointData></Piece></UnstructuredGrid></VTKFile>')


def compressed(values):
    """Returns values as other programs write them: 64-bit headers, zlib and base64."""
    raw = struct.pack(f"<{len(values)}d", *values)
    block = zlib.compress(raw)
    head = struct.pack("<4Q", 1, len(raw), 0, len(block))
    text = (base64.b64encode(head) + base64.b64encode(block)).decode()
    return f'<DataArray type="Float64" Name="T" format="binary">{text}</DataArray>'


def check_by_hand(folder):
    common = ("Mesh/Grid name=hyper_cube", "Mesh/Initial refinement=1", *HELD,
              "Finite element/Degrees=1", "Output/Probes=0.7, 0.6")
    expected, _ = solve(ELASTICITY, os.path.join(folder, "formula"), *common,
                        "Loads/Temperature=1 + 2 * x + 4 * y")
    for name, text in (("text", triangles(["1", "3", "5", "7"])),
                       ("binary", triangles([], compressed([1, 3, 5, 7])))):
        file = os.path.join(folder, name + ".vtu")
        with open(file, "w", encoding="utf-8") as out:
            out.write(text)
        found, _ = solve(ELASTICITY, os.path.join(folder, "file"), *common,
                         f"Loads/Temperature=file {file} : T")
        same(name, found, expected, 1e-9)
    # A little outside values are continued, and a note says so.
    found, errors = solve(ELASTICITY, os.path.join(folder, "file"), *common,
                          f"Loads/Temperature=file {file} : T", "Mesh/Grid arguments=0 : 1.2 : false")
    expect(re.search(r"note: places where 'Loads/Temperature' is needed are outside of the mesh "
                     r"of the file '.*binary\.vtu', by up to [0-9.]+ % of a cell", errors),
           f"a little outside: {errors}")


def check_mistakes(folder):
    good = triangles(["1", "3", "5", "7"])
    files = {"cut": good[:-60], "vector": triangles([str(k) for k in range(12)]),
             "nan": triangles([], compressed([1, 3, float("nan"), 7])),
             "short": triangles(["1", "2", "3"]), "none": triangles(["1", "3", "5", "7"], name="S"),
             "text": "no grid", "good": good}
    for name, text in files.items():
        with open(os.path.join(folder, name + ".vtu"), "w", encoding="utf-8") as file:
            file.write(text)
    mesh = ("Mesh/Grid name=hyper_cube", "Mesh/Initial refinement=1", *HELD,
            "Finite element/Degrees=1")
    for value, code, text, *settings in (
            ("cut.vtu : T", 3, "is truncated"),
            ("vector.vtu : T", 3, "has 3 components in its array 'T'; legal is one."),
            ("nan.vtu : T", 3, "has no finite number in its array 'T' at "),
            ("short.vtu : T", 3, "its array 'T' has 3 numbers for 4 points."),
            ("none.vtu : T", 3, "has no array 'T' of points; legal are 'S'."),
            ("text.vtu : T", 3, "is not a VTK file of type UnstructuredGrid."),
            ("missing.vtu : T", 3, "missing.vtu' of 'Loads/Temperature': it does not exist."),
            ("good.vtu", 2, "legal are 'file FILE : ARRAY' and 'file FILE : ARRAY : FORMULA'"),
            ("good.vtu : T : 2 * w", 2, "'Loads/Temperature' does not parse: "),
            ("good.vtu : T : log(u - 4)", 2, "is not a finite number at x = "),
            ("good.vtu : T", 2, "does not reach x = ", "Mesh/Grid arguments=0 : 2 : false"),
            ("good.vtu : T", 3, "has no cells of 3 dimensions.", "Mesh/Dimension=3")):
        done = start(ELASTICITY, os.path.join(folder, "bad"), *mesh,
                     f"Loads/Temperature=file {folder}/{value}", *settings)
        errors = error_lines(done.stderr)
        expect(done.returncode == code and len(errors) == 1 and text in errors[0] and
               not INTERNALS.search(done.stderr),
               f"file {value}: {done.returncode}, {done.stderr}")


with tempfile.TemporaryDirectory() as temporary:
    check_by_hand(temporary)
    check_mistakes(temporary)
    check_temperatures(temporary)
    check_coefficients(temporary)
    check_processes(temporary)
finish()
