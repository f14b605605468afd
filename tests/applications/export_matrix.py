#!/usr/bin/python3
"""usage: export_matrix.py POISSON SPMV_BENCHMARK

Writes the matrix of a case with every kind of operator and ending. Compares it with
the known stencil and with the matrix of csr, multiplies with it, and solves with the
right-hand side beside it.
"""
import gzip
import os
import sys
import tempfile

from programs import expect, finish, options, prm, read_record, run

POISSON, BENCHMARK = sys.argv[1:]
# This gives 7 by 7 free vertices in a square.
PARAMETERS = prm("Mesh/Initial refinement=3", "Mesh/Cycles=1",
                 "Boundary conditions/Dirichlet 1/Boundaries=0")


def export(folder, name, *settings):
    """Returns the file and the record of a run."""
    path = os.path.join(folder, name)
    output = os.path.join(folder, name + ".out")
    done = run([POISSON, "-", "-o", output, "--backend", "host", "--export-matrix", path,
                *options(settings)], input=PARAMETERS)
    expect(done.returncode == 0, f"{name}: {done.returncode}, {done.stderr}")
    expect(f"matrix: {path}" in done.stderr, f"{name}: {done.stderr}")
    return path, read_record(output)


def read(path):
    """Returns the number of rows, and {(row, column): value}."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
        lines = file.read().splitlines()
    n, _, count = map(int, lines[1].split())
    entries = {}
    for line in lines[2:]:
        row, column, value = line.split()
        entries[int(row), int(column)] = float(value)
    expect(len(entries) == count, f"{path} has {len(entries)} entries of {count}")
    return n, entries


def close(a, b, tolerance):
    return a.keys() == b.keys() and all(abs(a[k] - b[k]) <= tolerance for k in a)


def check_stencil(path):
    """The stencil of bilinear elements on squares: 8/3, and -1/3 for the eight around."""
    n, entries = read(path)
    expect(n == 49 and len(entries) == 361, f"{n} rows, {len(entries)} entries")
    wrong = [k for k, a in entries.items()
             if abs(a - (8 / 3 if k[0] == k[1] else -1 / 3)) > 1e-14]
    expect(not wrong, f"entries {wrong} are no stencil")


def read_right_side(path):
    with open(path + ".rhs.mtx", encoding="utf-8") as file:
        lines = file.read().splitlines()
    expect(lines[0] == "%%MatrixMarket matrix array real general" and
           lines[1] == f"{len(lines) - 2} 1", f"{path}: {lines[:2]}")
    return [float(line) for line in lines[2:]]


def solve(entries, b):
    """Conjugate gradients."""
    def times(p):
        result = [0.] * len(p)
        for (row, column), value in entries.items():
            result[row - 1] += value * p[column - 1]
        return result

    def dot(a, b):
        return sum(x * y for x, y in zip(a, b))

    x, r, p = [0.] * len(b), b, b
    for _ in range(10 * len(b)):
        if dot(r, r) <= 1e-26 * dot(b, b):
            break
        q = times(p)
        step = dot(r, r) / dot(p, q)
        x = [a + step * c for a, c in zip(x, p)]
        new = [a - step * c for a, c in zip(r, q)]
        p = [a + dot(new, new) / dot(r, r) * c for a, c in zip(new, p)]
        r = new
    return x


def check_solution(path, record, probe, tolerance):
    """What was exported has the program's solution."""
    _, entries = read(path)
    x = solve(entries, read_right_side(path))
    with open(path + ".rows.csv", encoding="utf-8") as file:
        rows = [line.split(",") for line in file.read().splitlines()[1:]]
    at = [x[int(row) - 1] for row, _, *place in rows if [float(c) for c in place] == probe]
    found = record["cases"][-1]["results"]["probes"][0]
    expect(found["point"] == probe and len(at) == 1 and
           abs(at[0] - found["value"]) < tolerance * abs(found["value"]),
           f"{path}: {at} is not {found}")


def check_product(folder, path, nonzeros, *more):
    output = os.path.join(folder, "spmv")
    done = run([BENCHMARK, "-s", "Factors/Matrices=" + path, "-s", "Factors/Formats=csr,ell_warp_k2", "--backend", "host",
                "-s", "Study/Samples=3", "-o", output, *more])
    expect(done.returncode == 0 and "PASS" in done.stdout, done.stdout + done.stderr)
    found = read_record(output)
    expect(found["matrices"][0]["nonzeros"] == nonzeros,
           f"{path}: {found['matrices'][0]['nonzeros']} nonzeros of {nonzeros}")
    expect(all(row["completed"] and row["error"] < 10 for row in found["rows"]),
           f"{path}: errors")


with tempfile.TemporaryDirectory() as folder:
    degree = "Finite element/Degrees = 1"
    path, record = export(folder, "stencil.mtx", degree, "Output/Probes=0.5, 0.25",
                          "Source/Function expression=1 + x",
                          "Boundary conditions/Dirichlet 1/Function expression=1 + 2 * x + y",
                          "Solver/Relative tolerance=1e-12")
    check_stencil(path)
    check_solution(path, record, [0.5, 0.25], 1e-9)

    # The last of several degrees is exported. The coefficient tells indices apart.
    common = ("Finite element/Degrees = 1, 2", "Mesh/Distortion = 0.2",
              "Coefficient/Expression = 1 + x + 3 * y")
    path, record = export(folder, "csr.mtx", *common, "Operator/Name = csr",
                          "Source/Function expression=1 + x")
    nonzeros = record["cases"][-1]["problem"]["nonzeros"]
    rows, expected = read(path)
    expect(rows == record["cases"][-1]["problem"]["dofs"] and len(expected) == nonzeros,
           f"{rows} rows, {nonzeros} nonzeros")
    check_product(folder, path, nonzeros)
    for name in ("sell", "lazy_ell", "hybrid", "matrix_free", "local_matrices_symmetric"):
        path, _ = export(folder, name + ".mtx.gz", *common, f"Operator/Name = {name}")
        expect(close(read(path)[1], expected, 1e-12), f"{name} is not csr")
        check_product(folder, path, nonzeros)
    # A file takes the place of the suite's matrix of its name.
    export(folder, "circuit.mtx.gz", *common, "Operator/Name = csr")
    check_product(folder, "circuit", nonzeros, "-s", "Study/Suite folder=" + folder)
    done = run([BENCHMARK, "-s", "Study/Suite folder=" + path])
    expect(done.returncode == 2 and "which is no folder" in done.stderr, f"a file: {done.stderr}")
    path, _ = export(folder, "single.matrix", *common, "Operator/Number = float")
    check_product(folder, path, nonzeros)

    # On a mesh with hanging nodes, rows belong to the free vertices that do not hang. The
    # constant is no force on vertices that no given value is near.
    adapted = ("Finite element/Degrees = 1", "Coefficient/Expression = 1 + x + 3 * y",
               "Source/Function expression = 1", "Mesh/Refinement = adaptive",
               "Mesh/Cycles = 3", "Mesh/Refine fraction = 0.1")
    path, record = export(folder, "adapted.mtx", *adapted, "Operator/Name = csr")
    rows, of_adapted = read(path)
    expect(rows == record["cases"][-1]["problem"]["dofs"], f"{rows} rows on an adapted mesh")
    expect(all(max(place) <= rows for place in of_adapted), "columns on an adapted mesh")
    expect(all(abs(a - of_adapted.get((k[1], k[0]), 0)) < 1e-12 for k, a in of_adapted.items()),
           "the matrix of an adapted mesh is not symmetric")
    sums = [0] * (rows + 1)
    for (row, _), a in of_adapted.items():
        sums[row] += a
    expect(sum(abs(a) < 1e-12 for a in sums[1:]) > rows / 3, "rows of an adapted mesh")
    for name in ("sell", "matrix_free"):
        path, _ = export(folder, f"adapted_{name}.mtx", *adapted, f"Operator/Name = {name}")
        expect(close(read(path)[1], of_adapted, 1e-12), f"{name} is not csr on an adapted mesh")

    # Elimination after assembly: rows of the boundary keep their diagonal, and zeros.
    path, record = export(folder, "after.mtx", *common, "Operator/Name = csr",
                          "Boundary conditions/Elimination = after")
    rows, entries = read(path)
    expect(rows == 17 * 17, f"{rows} rows including the boundary")
    expect(len(entries) == record["cases"][-1]["problem"]["nonzeros"], "nonzeros, after")
    coupled = {k: a for k, a in entries.items() if a != 0 and k[0] != k[1]}
    expect(0 < len(coupled) <= len(expected), "rows and columns are eliminated")

finish()
