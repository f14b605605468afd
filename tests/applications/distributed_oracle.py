#!/usr/bin/python3
"""Compares poisson in several processes with a program of deal.II and Trilinos alone, which solves
the same problem on the same adaptive meshes in as many processes: cells and degrees of freedom
are equal, and so are errors and values at points.

usage: distributed_oracle.py POISSON ORACLE CASE
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

from programs import in_turn
from run import SKIPPED, environment

PROGRAM, ORACLE, CASE = sys.argv[1:]
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SINE = "Function expression=sin(x + 2 * y - z)"
CASES = {
    "L": (os.path.join(ROOT, "prm", "poisson", "l_shape.prm"),
          ["Mesh/Cycles=6", "Mesh/Coarsen fraction=0.1", "Solver/Relative tolerance=1e-14",
           "Output/Probes=-0.3, 0.4; -0.5, -0.5; 0.4, -0.31"]),
    "hexahedra": (os.devnull,
                  ["Mesh/Cell type=hexahedron", "Mesh/Initial refinement=2", "Mesh/Cycles=3",
                   "Mesh/Refinement=adaptive", "Mesh/Refine fraction=0.1",
                   "Mesh/Coarsen fraction=0",
                   "Source/Function expression=6 * sin(x + 2 * y - z)",
                   "Boundary conditions/Dirichlet 1/Boundaries=0",
                   f"Boundary conditions/Dirichlet 1/{SINE}", f"Exact solution/{SINE}",
                   "Solver/Relative tolerance=1e-12", "Output/Fluxes=false",
                   "Output/Probes=0.3, 0.4, 0.1; 0.5, 0.5, 0.5"]),
}


def start(command, n_processes):
    command = ["mpirun", "-n", str(n_processes), *command]
    done = subprocess.run(command, capture_output=True, text=True, check=False,
                          env=environment())
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stdout[-2000:]} {done.stderr}")
    return done.stdout


def differences(case, expected):
    """Returns what of a case of the record is not as the program of deal.II says."""
    results = case["results"]
    found = [f"{case['problem'][key]} {key}, not {expected[key]}" for key in ("cells", "dofs")
             if case["problem"][key] != expected[key]]
    values = [("L2_error", results["L2_error"], expected["L2_error"])]
    values += [(f"probe {i}", probe["value"], value) for i, (probe, value) in
               enumerate(zip(results["probes"], expected["probes"], strict=True))]
    return found + [f"{name}: {value}, not {other}" for name, value, other in values
                    if abs(value - other) > 1e-8 * abs(other) + 1e-11]


def main():
    if shutil.which("mpirun") is None:
        return SKIPPED
    prm, options = CASES[CASE]
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        for n, degree in ((n, degree) for degree in in_turn(CASES, CASE, ("1", "2", "3", "4"))
                          for n in (2, 3)):
            settings = [word for option in [*options, f"Finite element/Degrees={degree}"]
                        for word in ("-s", option)]
            start([PROGRAM, prm, "--backend", "host", "--threads", "1", "-o", folder, *settings], n)
            with open(os.path.join(folder, "record.json"), encoding="utf-8") as file:
                cases = json.load(file)["cases"]
            expected = [json.loads(line) for line in start([ORACLE, CASE, degree], n).splitlines()]
            for case, other in zip(cases, expected, strict=True):
                problems += [f"degree {degree}, {n} processes, {case['name']}: {problem}"
                             for problem in differences(case, other)]
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
