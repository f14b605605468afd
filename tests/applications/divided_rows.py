#!/usr/bin/python3
"""Measures the same study with operator_benchmark in one process and in several: the rows,
their counts and what is wrong with them must be the same.

usage: divided_rows.py OPERATOR_BENCHMARK
"""
import os
import shutil
import sys
import tempfile

from programs import expect, finish, prm, read_record, run, write
from run import SKIPPED, environment

STUDY = prm("Study/Samples=3", "Study/Peers=", "Factors/Operators=all", "Factors/Routes=default, gather",
            "Factors/Conflicts=default, coloring", "Factors/Numberings=all",
            "Factors/Cell orders=all", "Factors/Strategies=all", "Factors/Numbers=double, float",
            "Factors/Cell types=quadrilateral, hexahedron, triangle, tetrahedron",
            "Factors/Degrees=1, 2", "Factors/Degrees of freedom=400",
            "Factors/Preconditioners=jacobi, chebyshev", "Factors/Threads=1")
KEYS = ("case", "kind", "operator", "library", "backend", "number", "degree", "strategy",
        "route", "conflict", "numbering", "dofs", "cells", "completed", "repeatable", "reason")
PARAMETERS = ("cell_order", "preconditioner", "threads")


def rows(folder, n):
    """Returns what is compared of the rows of n processes, and the rows."""
    output = os.path.join(folder, str(n))
    command = [sys.argv[1], write(folder, "study.prm", STUDY), "--backend", "host", "-o", output]
    if n > 1:
        command = ["mpirun", "-n", str(n), *command]
    done = run(command, env=environment())
    expect(done.returncode == 0 and "PASS: no row is wrong." in done.stdout,
           f"{n} processes: {done.returncode} {done.stdout[-3000:]} {done.stderr[-2000:]}")
    found = read_record(output)["rows"]
    return [[row[key] for key in KEYS] + [row["parameters"].get(key) for key in PARAMETERS]
            for row in found], found


def main():
    if shutil.which("mpirun") is None:
        return sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as folder:
        expected, of_one = rows(folder, 1)
        for n in (2, 4):
            found, all_rows = rows(folder, n)
            expect(len(found) == len(expected), f"{len(found)} rows, not {len(expected)}")
            for here, there in zip(found, expected):
                expect(here == there, f"{n} processes: {here}, not {there}")
            for row, one in zip(all_rows, of_one):
                if not row["completed"]:
                    continue
                of_all = row["parameters"]
                # Roundings, which grow a little with other orders of sums.
                expect(row["error"] <= max(100, 4 * one["error"]), f"an error of {row['error']}")
                for phase in ("setup_seconds", "median_seconds"):
                    if of_all.get(f"{phase}_max") is not None:
                        expect(of_all[f"{phase}_min"] <= of_all[f"{phase}_mean"] <=
                               of_all[f"{phase}_max"], f"{phase} of {row['kind']}: {of_all}")
                expect(of_all["processes"] == n and
                       of_all["median_seconds_max"] == row["seconds_median"] and
                       of_all["cells_min"] >= row["cells"] // n,
                       f"{n} processes: {row}")
                # A piece touches layers of 21 cells, and a process knows one more on either side.
                if row["case"] == "quadrilateral, degree 1":
                    expect(of_all["cells_known_max"] <= 21 * (21 // n + 4) < row["cells"],
                           f"{n} processes: {of_all['cells_known_max']} of {row['cells']} cells")
                # Entries between ghosts are stored twice.
                if row["kind"] == "application" and row["operator"] == "csr":
                    expect(one["stored_bytes"] < row["stored_bytes"] < 2.5 * one["stored_bytes"],
                           f"{row['stored_bytes']} bytes, not {one['stored_bytes']}")
    return finish()


if __name__ == "__main__":
    main()
