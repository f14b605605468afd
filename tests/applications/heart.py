#!/usr/bin/python3
"""usage: heart.py SOURCE BUILD

Lets the smallest heart of doc/papers/ell_warp/heart beat for some milliseconds in every way, also by PETSc
in one and two processes, and checks that all of them are the same beat, that the parts of a step are
there, and the tables. In one way it beats until all nodes are activated, and the table has the errors of
activation. Whole beats have to activate all nodes, and a beat that fails has no row.
"""
import os
import sys
import tempfile

from programs import expect, finish, read_record, run

SOURCE, BUILD = sys.argv[1:]
WAYS = ("csr_atomics", "csr_colours", "csr_gather", "ell", "sell", "K1", "K2", "matrix_free")
PEERS = ("petsc_jacobi", "petsc_block_jacobi")


def call(*options):
    return run(["doc/papers/ell_warp/heart", "--programs", BUILD, *options], cwd=SOURCE)


with tempfile.TemporaryDirectory() as folder:
    done = call("-o", folder, "--hearts", "3k", "--end", "4", "--backend", "host")
    expect(done.returncode == 0, f"the study: {done.returncode}, {done.stderr}")
    cases = {way: read_record(os.path.join(folder, "beats", f"3k_{way}"))["cases"][0] for way in WAYS}
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
    expect(sum(line.startswith("| 3k | ") for line in lines) == len(WAYS) + 1, "\n".join(lines))
    # PETSc assembles and solves the same tangents, in one and in two processes.
    done = call("-o", folder, "--hearts", "3k", "--first", "4", "--compare", "--processes", "1,2",
                "--backend", "host")
    expect(done.returncode == 0, f"the comparison: {done.returncode}, {done.stderr}")
    missing = "PETSc cannot be loaded" in done.stderr
    for n in () if missing else ("1", "2"):
        own = read_record(os.path.join(folder, "beats", f"3k_threads_{n}"))["cases"][0]
        for peer in PEERS:
            case = read_record(os.path.join(folder, "beats", f"3k_{peer}_{n}"))["cases"][0]
            of = case["parameters"]
            expect((of["steps"], of["newton_iterations"]) ==
                   (own["parameters"]["steps"], own["parameters"]["newton_iterations"]),
                   f"{peer}, {n}: another beat than with our tangents")
            expect(of["preconditioner"] == peer and of["assembly_seconds"] > 0 and
                   of.get("processes", 1) == int(n) and "product_seconds" not in of, f"{peer}, {n}: {of}")
    with open(os.path.join(folder, "heart.md"), encoding="utf-8") as file:
        rows = [line for line in file if line.startswith("| 3k | ")]
    expect(len(rows) == (2 if missing else 6), "".join(rows))
    expect(missing or all(float(row.strip(" |\n").split("|")[-1]) > 0 for row in rows), "".join(rows))
    # Backward Euler is 21 ms early, as the paper's page says; the beat by short steps has no error.
    done = call("-o", folder, "--hearts", "3k", "--end", "300",
                "--backend", "host", "--way", "K2")
    with open(os.path.join(folder, "heart.md"), encoding="utf-8") as file:
        rows = [[cell.strip() for cell in line.strip("| \n").split("|")] for line in file
                if line.count("|") == 20 and line.startswith("| 3k")]
    expect([row[1] for row in rows] == ["K2", "strang, 0.1 ms"], f"{rows}, {done.stderr}")
    for row, error in zip(rows, (-21, 0)):
        expect(row[-3] == "1" and all(abs(float(cell) - error) < 0.5 for cell in row[-2:]), f"{row}")

# A program that counts joules of the first heart, and fails in some beats, and where a whole beat may leave
# nodes at rest.
MONODOMAIN = """#!/usr/bin/python3
import json, os, sys
folder = sys.argv[sys.argv.index("-o") + 1]
if any(word in folder for word in ("ten_beats", "5k_K2")) or \
        "Validation/Minimal activated part=1" not in sys.argv:
    print("error: The beat failed.", file=sys.stderr)
    sys.exit(4)
os.makedirs(folder)
numbers = dict.fromkeys(("steps", "newton_iterations", "simulated_time", "solve_seconds"), 1)
numbers["joules"] = 7 if "3k" in folder else None
case = {"parameters": numbers, "problem": {"dofs": 1}, "results": {"iterations": 1},
        "phases": {"solve": 1}}
with open(os.path.join(folder, "record.json"), "w", encoding="utf-8") as file:
    json.dump({"cases": [case]}, file)
"""
with tempfile.TemporaryDirectory() as folder:
    made_up = os.path.join(folder, "monodomain")
    with open(made_up, "w", encoding="utf-8") as file:
        file.write(MONODOMAIN)
    os.chmod(made_up, 0o755)
    for name in ("3k", "5k"):
        with open(os.path.join(folder, f"heart_{name}.msh"), "w", encoding="utf-8"):
            pass
    done = call("-o", folder, "--meshes", folder, "--programs", folder, "--hearts", "3k,5k")
    expect(done.returncode == 0, f"beats that fail: {done.returncode}, {done.stderr}")
    failed = [line.split(":")[1].strip() for line in done.stderr.splitlines()]
    expect(failed == ["3k_csr_ten_beats", "5k_K2"], f"failed: {failed}")
    with open(os.path.join(folder, "heart.md"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    expect([sum(line.startswith(f"| {name} | ") for line in lines) for name in ("3k", "5k")] ==
           [len(WAYS) + 1, len(WAYS)], "\n".join(lines))
done = call("--hearts", "4k")
expect(done.returncode == 1 and 'there is no heart "4k"' in done.stderr, done.stderr)
done = call("--processes", "none")
expect(done.returncode == 1 and "legal are positive numbers" in done.stderr, done.stderr)
finish()
