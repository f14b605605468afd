#!/usr/bin/python3
"""Exports matrix and right-hand side of a case from one and from several processes, and compares
them entry by entry: rows and columns belong together if their nodes are at the same place. Matrices of
adaptive meshes are compared with matrices of two processes (divided.py says why).

usage: divided_export.py PROGRAM CASE
"""
import gzip
import os
import shutil
import sys
import tempfile

from programs import error_lines, expect, finish, in_turn, options, run, write
from run import ROOT, SKIPPED, environment

PROGRAM, CASE = sys.argv[1:]
APPLICATION = os.path.basename(PROGRAM)
HERE = os.path.join(ROOT, "tests", "applications", APPLICATION)
LAST = ["Mesh/Cycles=1", "Validation/Check rates=false"]
# Distributed by p4est or divided by METIS, with and without stored rows and hanging nodes.
OF_POISSON = {
    "quadrilateral": ("boundaries_quadrilateral.prm",
                      ["Finite element/Degrees=3", "Operator/Name=csr", *LAST]),
    "distorted": ("boundaries_quadrilateral.prm",
                  ["Finite element/Degrees=2", "Mesh/Distortion=0.1", "Operator/Name=sell",
                   *LAST]),
    "triangle": ("boundaries_triangle.prm",
                 ["Finite element/Degrees=2", "Operator/Name=lazy_ell", *LAST]),
    "hexahedron": ("boundaries_hexahedron.prm",
                   ["Finite element/Degrees=2", "Mesh/Initial refinement=2",
                    "Operator/Name=matrix_free", *LAST]),
    "tetrahedron": ("boundaries_tetrahedron.prm",
                    ["Finite element/Degrees=1", "Mesh/Initial refinement=2",
                     "Operator/Name=local_matrices", *LAST]),
    "time": ("time_rates.prm", ["Finite element/Degrees=2", "Mesh/Initial refinement=3", *LAST]),
    "adaptive": (os.path.join(ROOT, "prm", "poisson", "l_shape.prm"),
                 ["Finite element/Degrees=2", "Mesh/Cycles=4", "Operator/Name=csr"]),
    "adaptive_hexahedra": ("boundaries_hexahedron.prm",
                           ["Finite element/Degrees=2", "Mesh/Initial refinement=2",
                            "Mesh/Cycles=2", "Mesh/Refinement=adaptive",
                            "Mesh/Refine fraction=0.1", "Output/Fluxes=false",
                            "Operator/Name=matrix_free", "Validation/Check rates=false",
                            "Exact solution/Function expression=sin(x + 2 * y - z)"]),
}
# Single components of nodes are given, also of hanging ones' neighbours.
OF_ELASTICITY = {
    "quadrilateral": ("loads_plane.prm",
                      ["Finite element/Degrees=2", "Mesh/Distortion=0",
                       "Mesh/Initial refinement=2"]),
    "tetrahedron": ("loads_together.prm", ["Operator/Name=csr"]),
    "adaptive": ("loads_plane.prm",
                 ["Mesh/Distortion=0", "Mesh/Initial refinement=1", "Mesh/Cycles=3",
                  "Mesh/Refinement=adaptive", "Operator/Name=csr"]),
}
OF_MONODOMAIN = {
    "quadrilateral": ("restart.prm",
                      ["Mesh/Initial refinement=3", "Finite element/Degrees=2", "Time/End=0.5",
                       "Checkpoint/Steps=0", "Operator/Name=csr"]),
}
CASES = {"poisson": OF_POISSON, "elasticity": OF_ELASTICITY, "monodomain": OF_MONODOMAIN}
ENDINGS = {1: ".mtx", 2: ".mtx", 3: ".mtx.gz", 4: ".mtx", 7: ".mtx.gz"}


def export(folder, n_processes, file, settings):
    """Returns what `read` returns of what is written."""
    path = os.path.join(folder, f"{n_processes}{ENDINGS[n_processes]}")
    output = os.path.join(folder, f"out{n_processes}")
    command = [PROGRAM, file, "--backend", "host", "--threads", "1", "-o", output,
               "--export-matrix", path, *options(settings)]
    if n_processes > 1:
        command = ["mpirun", "-n", str(n_processes), *command]
    done = run(command, env=environment())
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stdout[-2000:]} {done.stderr}")
    return read(path)


def read(path):
    """Returns the entries of a matrix by the places of row and column, and the right-hand
    side by the place of the row."""
    with open(path + ".rows.csv", encoding="utf-8") as file:
        lines = file.read().splitlines()
    expect(lines[0] in ("row,component,x,y", "row,component,x,y,z"), f"{path}: {lines[0]}")
    places = []
    for number, line in enumerate(lines[1:], 1):
        row, component, *position = line.split(",")
        expect(int(row) == number, f"{path}: the row {row} is in line {number}")
        places.append((int(component), *(round(float(x), 8) + 0. for x in position)))
    expect(len(set(places)) == len(places), f"{path}: rows with the same place")
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
        lines = file.read().splitlines()
    n_rows, n_columns, n_entries = map(int, lines[1].split())
    expect((n_rows, n_columns) == (len(places), len(places)),
           f"{path}: {n_rows} rows and {n_columns} columns of {len(places)} places")
    entries = {}
    for line in lines[2:]:
        row, column, value = line.split()
        entries[places[int(row) - 1], places[int(column) - 1]] = float(value)
    expect(len(entries) == n_entries == len(lines) - 2,
           f"{path}: {len(entries)} of {n_entries} entries")
    with open(path + ".rhs.mtx", encoding="utf-8") as file:
        lines = file.read().splitlines()
    expect(lines[1] == f"{n_rows} 1" and len(lines) == n_rows + 2, f"{path}: {lines[1]} in .rhs.mtx")
    return entries, dict(zip(places, map(float, lines[2:])))


def compare_right_sides(what, values, expected):
    """They are equal up to roundings, and in time steps up to the tolerance of solves."""
    size = max(map(abs, expected.values()))
    wrong = [place for place in expected
             if not abs(values.get(place, size) - expected[place]) <=
             (1e-5 if APPLICATION == "monodomain" else 1e-11) * size]
    expect(size > 0 and not wrong, f"{what}: {len(wrong)} right-hand sides differ, {wrong[:2]}")


def compare(what, entries, expected):
    """Entries are equal up to roundings; those that are zero may be left out where vertices
    hang."""
    rows, of_one = ({row for row, _ in found} for found in (entries, expected))
    expect(rows == of_one, f"{what}: {len(rows)} rows, not {len(of_one)}")
    diagonal = {row: abs(expected.get((row, row), 0.)) for row in of_one}
    wrong = [place for place in entries.keys() | expected.keys()
             if not abs(entries.get(place, 0.) - expected.get(place, 0.)) <=
             1e-12 * max(diagonal.get(place[0], 0.), diagonal.get(place[1], 0.))]
    expect(not wrong, f"{what}: {len(wrong)} of {len(expected)} entries differ, {wrong[:2]}")
    if not CASE.startswith("adaptive"):
        expect(entries.keys() == expected.keys(), f"{what}: other places")


def full_disk(folder, file, settings):
    """A limit of the size of files is a disk that is full: a sentence, and an earlier file and
    the file of its rows stay."""
    for name in ("a.mtx", "a.matrix"):
        path = os.path.join(folder, name)
        for earlier in (path, path + ".rows.csv", path + ".rhs.mtx"):
            write(folder, os.path.basename(earlier), "earlier")
        words = " ".join([PROGRAM, file, "--backend", "host", "--threads", "1", "-o",
                          os.path.join(folder, "full"), "--export-matrix", path,
                          *(f"'{word}'" for word in options(settings))])
        done = run(["mpirun", "-n", "3", "sh", "-c", f"ulimit -f 24; exec {words}"],
                   env={**environment(), "OMPI_MCA_btl": "self,tcp"}, timeout=60)
        errors = error_lines(done.stderr)
        expect(done.returncode == 1 and len(errors) == 1 and
               f"'{path}' cannot be written: File too large." in errors[0],
               f"full disk, {name}: {done.returncode}, {done.stderr}")
        for earlier in (path, path + ".rows.csv", path + ".rhs.mtx"):
            with open(earlier, encoding="utf-8") as kept:
                expect(kept.read() == "earlier", f"full disk: {earlier} is lost")
    left = [name for name in os.listdir(folder) if name.endswith(".part")]
    expect(not left, f"full disk: {left}")


def main():
    if shutil.which("mpirun") is None:
        sys.exit(SKIPPED)
    file, settings = CASES[APPLICATION][CASE]
    file = os.path.join(HERE, file)
    least = 2 if CASE.startswith("adaptive") else 1
    with tempfile.TemporaryDirectory() as folder:
        expected = export(folder, least, file, settings)
        numbers = in_turn(CASES[APPLICATION], CASE, ((2, 7), (3, 4)))
        for n in [n for some in numbers for n in some]:
            if n > least:
                matrix, right_side = export(folder, n, file, settings)
                compare(f"{n} processes", matrix, expected[0])
                compare_right_sides(f"{n} processes", right_side, expected[1])
        if APPLICATION == "poisson" and CASE == "quadrilateral":
            full_disk(folder, file, settings)
    finish()


main()
