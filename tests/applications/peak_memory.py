#!/usr/bin/python3
"""Compares the memory that --validate estimates with the peak of a run, less the peak of a
run with few cells: with arrays, and where deal.II has all cells, too.

usage: peak_memory.py POISSON
"""
import os
import re
import subprocess
import sys
import tempfile

from programs import expect, finish, options, prm, read_record, run, write

PROGRAM = sys.argv[1]
CASE = prm("Finite element/Degrees=1", "Coefficient/Expression=1 + x * y",
           "Source/Function expression=1", "Boundary conditions/Dirichlet 1/Boundaries=0",
           "Solver/Preconditioner=jacobi", "Solver/Relative tolerance=1e-2", "Output/VTU=false")
SOLID = ["Mesh/Dimension=3"]
RUNS = {"quadrilaterals": ("none", 9, []),
        "degree 2": ("none", 8, ["Finite element/Degrees=2"]),
        "triangles": ("none", 8, ["Mesh/Cell type=triangle"]),
        "hexahedra": ("none", 6, SOLID),
        "tetrahedra": ("none", 5, [*SOLID, "Mesh/Cell type=tetrahedron"]),
        "levels": ("none", 8, ["Operator/Name=csr", "Solver/Preconditioner=multigrid"]),
        "deal.II": ("mesh", 9, ["Mesh/Refined by=deal.II"])}


def peak(command):
    """Returns the exit code of a command and its largest memory in MiB."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_maxrss / 1024


def main():
    with tempfile.TemporaryDirectory() as folder:
        case = write(folder, "case.prm", CASE)
        for name, (cells, refinement, settings) in RUNS.items():
            output = os.path.join(folder, "out")

            def command(n):
                return [PROGRAM, case, "--backend", "host", "-o", output,
                        *options([f"Mesh/Initial refinement={n}", *settings])]

            said = run([*command(refinement), "--validate"])
            estimate = re.search(r"^all  .*?([\d ]+(\.\d+)?) MiB", said.stdout, re.M)
            if said.returncode != 0 or estimate is None:
                sys.exit(f"{name}: {said.stdout}{said.stderr}")
            estimate = float(estimate[1].replace(" ", ""))
            (code, small), (large_code, large) = peak(command(2)), peak(command(refinement))
            found = read_record(output)["cases"][0]["parameters"]["deal_ii_cells"]
            expect((code, large_code, found) == (0, 0, cells),
                   f"{name}: exit codes {code} and {large_code}, deal.II has {found}")
            print(f"{name}: {estimate:.0f} MiB are estimated, {large - small:.0f} are needed")
            expect(0.5 < estimate / (large - small) < 2, f"{name}: not within a factor of two")
    finish()


if __name__ == "__main__":
    main()
