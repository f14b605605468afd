#!/usr/bin/python3
"""usage: heart.py SOURCE BUILD

Lets the smallest heart of scripts/heart beat for some milliseconds in every way, and checks
that all of them are the same beat, that the parts of a step are there, and the tables.
"""
import os
import sys
import tempfile

from programs import expect, finish, read_record, run

SOURCE, BUILD = sys.argv[1:]
WAYS = ("csr_atomics", "csr_colours", "csr_gather", "ell", "sell", "K1", "K2", "matrix_free",
        "one_thread")


def call(*options):
    return run(["scripts/heart", "--programs", BUILD, *options], cwd=SOURCE)


with tempfile.TemporaryDirectory() as folder:
    done = call("-o", folder, "--hearts", "3k", "--end", "4", "--end-alone", "4",
                "--processes", "1,2", "--backend", "host")
    expect(done.returncode == 0, f"the study: {done.returncode}, {done.stderr}")
    cases = {way: read_record(os.path.join(folder, f"3k_{way}"))["cases"][0] for way in WAYS}
    steps = {way: (case["parameters"]["steps"], case["parameters"]["newton_iterations"])
             for way, case in cases.items()}
    expect(len(set(steps.values())) == 1, f"the beats differ: {steps}")
    for way, case in cases.items():
        found, of_rows = case["parameters"], way != "matrix_free"
        expect(found["joules"] is None, f"{way}: a host has {found['joules']} J")
        expect(found["points_seconds"] > 0 and found["product_seconds"] > 0, f"{way}: {found}")
        expect(("cell_matrices_seconds" in found) == of_rows, f"{way}: parts {found}")
        if of_rows:
            expect(found["summation_seconds"] <= found["assembly_seconds"], f"{way}: {found}")
    with open(os.path.join(folder, "heart.md"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    expect(sum(line.startswith("| 3k | ") for line in lines) >= len(WAYS) - 1 + 2,
           "\n".join(lines))
    expect(sum("| Tessera | jacobi |" in line or "| tessera | jacobi |" in line
               for line in lines) == 2, "\n".join(lines))
done = call("--hearts", "4k")
expect(done.returncode == 1 and 'there is no heart "4k"' in done.stderr, done.stderr)
done = call("--processes", "none")
expect(done.returncode == 1 and "legal are positive numbers" in done.stderr, done.stderr)
finish()
