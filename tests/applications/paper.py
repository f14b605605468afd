#!/usr/bin/python3
"""usage: paper.py SOURCE BUILD NAME

Tries the steps of a paper on the host: those that leave a record have rows without errors, parameter
files are valid, and figures of small records are drawn.
"""
import glob
import importlib.util
import json
import os
import sys
import tempfile

from programs import expect, finish, read_record, run

SOURCE, BUILD, NAME = sys.argv[1:]
BEATS = {"heart": "3k_csr_atomics", "heart_host": "3k_threads_1"}
DRAWN = {"polynomial_cg": "solver_polynomials.png", "reguly_giles": "fig13_strategies.png"}

with open(os.path.join(SOURCE, "doc", "papers", NAME, "runs.json"), encoding="utf-8") as file:
    steps = json.load(file)["steps"]
with tempfile.TemporaryDirectory() as folder:
    done = run(["scripts/paper", NAME, "--small", "--build", BUILD, "-o", folder], cwd=SOURCE)
    expect(done.returncode == 0, f"exit code {done.returncode}: {done.stdout}{done.stderr}")
    for name, step in steps.items():
        output = os.path.join(folder, name)
        expect(os.path.exists(output + ".txt"), f"{name} did not run")
        made = glob.glob(os.path.join(output, "**", "record.json"), recursive=True)
        expect(made or "--validate" in step.get("small", "--validate"), f"{name} left no record")
        if name in BEATS:
            expect(os.path.join(output, "beats", BEATS[name], "record.json") in made,
                   f"{name} left no beat {BEATS[name]}")
        for record in map(read_record, map(os.path.dirname, made)):
            expect(record.get("cases") or any(row["completed"] for row in record["rows"]),
                   f"{name} completed no row")
    if NAME in DRAWN and importlib.util.find_spec("matplotlib"):
        path = os.path.join(folder, "figures", DRAWN[NAME])
        expect(os.path.exists(path), f"{DRAWN[NAME]} is not drawn: {done.stderr}")
finish()
