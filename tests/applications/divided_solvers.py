#!/usr/bin/python3
"""Solves in one process and in several with what processes do in a way of their own:
preconditioners of a process's rows, other number types, and a choice of the operator. The
answers must be the same, and so must the iterations where the method is the same.

usage: divided_solvers.py POISSON|ELASTICITY
"""
import os
import shutil
import sys
import tempfile

from programs import expect, finish, has_turn, options, read_record, run, say_turns
from run import SKIPPED, environment

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = sys.argv[1]
NAME = os.path.basename(PROGRAM)
COMMON = {
    "poisson": ["boundaries_quadrilateral.prm", "Finite element/Degrees=2", "Mesh/Cycles=1",
                "Output/Fluxes=true", "Validation/Check rates=false"],
    "elasticity": ["loads_together.prm", "Finite element/Degrees=1, 2"]}
# Rounding of float shifts the iterations that come later.
FLOAT = ["Solver/Mixed precision=preconditioner", "Solver/Relative tolerance=1e-9"]
# The entries, whether one process takes the same iterations, and what the record must say.
WAYS = {
    "ssor": (["Operator/Name=csr", "Solver/Preconditioner=ssor"], False,
             {"preconditioner": "ssor by process"}),
    "ssor of appended rows": (["Operator/Name=lazy_ell", "Solver/Preconditioner=ssor"], False,
                              {"preconditioner": "ssor by process"}),
    "block_jacobi": (["Operator/Name=csr", "Solver/Preconditioner=block_jacobi"], True, {}),
    "block_jacobi of sell": (["Operator/Name=sell", "Solver/Preconditioner=block_jacobi"], True,
                             {}),
    "mixed": (["Operator/Name=csr", *FLOAT], True,
              {"mixed_precision": "preconditioner"}),
    "mixed block_jacobi": (["Operator/Name=matrix_free", *FLOAT,
                            "Solver/Preconditioner=block_jacobi", "Solver/Inner operator=ell"],
                           True, {"inner_operator": "ell"}),
    "mixed ssor": (["Operator/Name=matrix_free", *FLOAT,
                    "Solver/Preconditioner=ssor", "Solver/Inner operator=csr"], False,
                   {"preconditioner": "ssor by process"}),
    "defect_correction": (["Operator/Name=csr", "Solver/Mixed precision=defect_correction"], True,
                          {"mixed_precision": "defect_correction"}),
    "multigrid": (["Operator/Name=csr", "Solver/Preconditioner=multigrid"], True,
                  {"multigrid_levels_by": "mis2"}),
    # Aggregates of few nodes of degree 2 depend on the order of the nodes.
    "multigrid of aggregates": (["Operator/Name=matrix_free", "Solver/Preconditioner=multigrid",
                                 "Solver/Coarsening=aggregation"], False,
                                {"multigrid_divided_levels": 1}),
    "mixed multigrid": (["Operator/Name=matrix_free", *FLOAT, "Solver/Inner operator=sell",
                         "Solver/Preconditioner=multigrid"], True,
                        {"inner_operator": "sell"}),
    "auto": (["Operator/Name=auto"], True, {}),
}


N = 3


def solve(folder, entries, n):
    output = os.path.join(folder, "out")
    command = [PROGRAM, os.path.join(HERE, NAME, COMMON[NAME][0]), "--backend", "host",
               "--threads", "1", "-o", output, *options(COMMON[NAME][1:] + entries)]
    if n > 1:
        command = ["mpirun", "-n", str(n), *command]
    done = run(command, env=environment())
    if done.returncode != 0:
        expect(False, f"{n} processes, {entries}: {done.returncode} {done.stderr}")
        return []
    return read_record(output)["cases"]


def numbers_of(case):
    results = case["results"]
    found = {name: results[name] for name in ("L2_error", "H1_error") if results[name]}
    for kind in ("fluxes", "quantities", "probes"):
        for i, entry in enumerate(results[kind]):
            found[f"{kind} {i}"] = entry["value"]
    return found


def main():
    if shutil.which("mpirun") is None:
        return sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as folder:
        ways = [way for place, way in enumerate(WAYS) if has_turn(place, 3)]
        say_turns(f"{', '.join(ways)} have their turn of {len(WAYS)} ways")
        for way in ways:
            entries, same, said = WAYS[way]
            expected = solve(folder, entries, 1)
            found = solve(folder, entries, N)
            expect(len(found) == len(expected) > 0, f"{way}: {len(found)} cases")
            for case, one in zip(found, expected):
                where = f"{way}, {N} processes, {case['name']}"
                results, of_one = case["results"], one["results"]
                expect(results["converged"], f"{where}: not converged")
                iterations, before = results["iterations"], of_one["iterations"]
                # Rounding may shift the last iteration, in float the last of each of
                # a few corrections.
                most = max(1, 0.05 * before) if same else before
                expect(abs(iterations - before) <= most,
                       f"{where}: {iterations} iterations, not {before}")
                numbers, numbers_of_one = numbers_of(case), numbers_of(one)
                expect(numbers.keys() == numbers_of_one.keys() and len(numbers) > 2,
                       f"{where}: {list(numbers)}")
                for name, value in numbers.items():
                    right = numbers_of_one[name]
                    expect(abs(value - right) <= 1e-6 * max(1e-3, abs(right)),
                           f"{where}: {name} is {value}, not {right}")
                for key, text in said.items():
                    expect(case["parameters"].get(key) == text,
                           f"{where}: {key} is {case['parameters'].get(key)}")
                if way == "auto":
                    expect(case["problem"]["chosen"], f"{where}: nothing was chosen")
    return finish()


if __name__ == "__main__":
    main()
