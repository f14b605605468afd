#!/usr/bin/python3
"""usage: phases.py SOURCE BUILD

Runs scripts/phases on small problems: every phase of every degree has its row, rows add up to
the whole, and errors are named.
"""
import os
import sys
import tempfile

from programs import expect, finish, read_record, run

SOURCE, BUILD = sys.argv[1:]
sys.path.insert(0, os.path.join(SOURCE, "scripts"))
from plotting.phases import rows_of_phases  # noqa: E402

OF_ROWS = {"pattern", "assembly"}
ALWAYS = {"mesh", "dofs", "flatten", "coefficients", "upload", "setup", "solve", "evaluation",
          "output", "all"}


def call(*options):
    return run(["scripts/phases", "--programs", BUILD, "--backend", "host", *options], cwd=SOURCE)


def check(record, operator, degree):
    rows = {row["parameters"]["phase"]: row for row in rows_of_phases(record)}
    name = f"{operator}, degree {degree}"
    wanted = ALWAYS | (OF_ROWS if operator == "csr" else set())
    expect(wanted <= set(rows), f"{name} lacks {wanted - set(rows)}")
    seconds = {phase: row["seconds_median"] for phase, row in rows.items()}
    expect(abs(2 * seconds["all"] - sum(seconds.values())) < 1e-9 and seconds["solve"] > 0,
           f"{name}: {seconds}")
    for row in rows.values():
        expect(row["completed"] and row["operator"] == operator and row["degree"] == degree,
               f"{name}: {row}")
    peak = record["cases"][0]["parameters"]["host_peak_bytes"]
    expect(1e7 < peak < 4e9, f"{name}: {peak} bytes of memory")
    solve = rows["solve"]
    expect(solve["parameters"]["iterations"] == record["cases"][0]["results"]["iterations"] > 0,
           f"{name}: {solve}")
    expect(2000 < solve["dofs"] < 5000, f"{name}: {solve['dofs']} degrees of freedom")


with tempfile.TemporaryDirectory() as folder:
    done = call("-o", folder, "--dofs", "3e3")
    expect(done.returncode == 0, f"the study: {done.returncode}, {done.stderr}")
    for operator in ("matrix_free", "csr"):
        for degree in range(1, 5):
            check(read_record(os.path.join(folder, f"{operator}_p{degree}")), operator, degree)
    # Waves have the activated part of the nodes beside their rates.
    done = run([os.path.join(BUILD, "applications", "monodomain"), "prm/monodomain/cube.prm", "-o", folder,
                "--backend", "host"], cwd=SOURCE)
    solve, = (row for row in rows_of_phases(read_record(folder)) if row["parameters"]["phase"] == "solve")
    expect(0.28 < solve["parameters"]["activated"] < 0.29, f"a wave: {solve}")
    done = call("-o", folder, "--dofs", "0")
    expect(done.returncode == 1 and "--dofs takes" in done.stderr, f"no unknowns: {done}")
    done = call("-o", folder, "--backend", "magic")
    expect(done.returncode == 2 and "phases: poisson failed: error:" in done.stderr,
           f"no backend: {done}")
finish()
