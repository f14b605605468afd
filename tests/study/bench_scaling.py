#!/usr/bin/python3
"""usage: bench_scaling.py PROGRAM

Runs the benchmark of divided problems in two processes: every row must be right, and parts of
a product follow one another. What goes
wrong in all of them, or in one alone, ends all with one sentence and its exit code.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

PROGRAM = sys.argv[1]
SCHEMA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "doc",
                      "record.schema.json")
SKIPPED = 77
ENVIRONMENT = {**os.environ, "OMPI_MCA_rmaps_base_oversubscribe": "1",
               "OMPI_MCA_hwloc_base_binding_policy": "none",
               "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
problems = []


def expect(condition, sentence):
    if not condition:
        problems.append(sentence)


def call(first, second):
    """Runs two processes with words of their own."""
    return subprocess.run(["mpirun", "-n", "1", *first, ":", "-n", "1", *second], text=True,
                          env=ENVIRONMENT, capture_output=True, check=False, timeout=100)


def expect_error(done, code, text):
    errors = [line for line in done.stderr.splitlines() if line.startswith("error:")]
    expect(done.returncode == code and len(errors) == 1 and text in errors[0],
           f"exit code {done.returncode} instead of {code}, or not one error with \"{text}\": "
           f"{done.stderr}")


if shutil.which("mpirun") is None:
    print("skipped: there is no mpirun")
    sys.exit(SKIPPED)
with tempfile.TemporaryDirectory() as folder:
    output = os.path.join(folder, "out")
    program = [PROGRAM, "--backend", "host", "--threads", "1", "-s", "Study/Samples=2",
               "-o", output]
    few, more = (program + ["-s", f"Factors/Degrees of freedom={n}"] for n in ("700", "800"))

    done = call(few, few)
    expect(done.returncode == 0, f"exit code {done.returncode}: {done.stderr}")
    with open(os.path.join(output, "record.json"), encoding="utf-8") as file:
        rows = json.load(file)["rows"]
    # A product and two methods of two degrees.
    expect(len(rows) == 6 and all(row["completed"] for row in rows), f"rows: {rows}")
    expect(all(row["parameters"]["processes"] == 2 for row in rows), f"rows: {rows}")

    done = call(*2 * [few + ["-s", "Factors/Cell types=quadrilateral,triangle", "-s", "Factors/Degrees=1,3"]])
    expect_error(done, 2, "'Factors/Degrees' has 3; legal for cells of the type triangle are 1 to 2.")
    with open(os.path.join(output, "record.json"), encoding="utf-8") as file:
        expect(json.load(file)["rows"] == rows, "a wrong degree replaced the record")

    line = few + ["-s", "Study/Time line=true", "-s", "Factors/Degrees=1", "-s",
                  "Factors/Operators=matrix_free,csr", "-s", "Factors/Methods=classical"]
    done = call(line, line)
    expect(done.returncode == 0, f"exit code {done.returncode}: {done.stderr}")
    with open(os.path.join(output, "record.json"), encoding="utf-8") as file:
        rows = [row for row in json.load(file)["rows"] if row["kind"] == "time_line"]
    expect([(row["operator"], row["parameters"]["process"]) for row in rows] ==
           [(name, p) for name in ("matrix_free", "csr") for p in (0, 1)], f"rows: {rows}")
    for row in rows:
        of = row["parameters"]
        moments = [0.] + [of[f"{part}_{side}"] for part in (
            "pack", "interior", "unpack", "boundary", "pack_export", "rest", "add")
            for side in ("begin", "end")] + [row["seconds_median"]]
        expect(moments == sorted(moments), f"parts do not follow one another: {of}")
        expect(of["pack_end"] == of["import_begin"] <= of["interior_begin"] <
               of["interior_end"] <= of["import_end"] == of["unpack_begin"],
               f"an import is not beside the interior: {of}")
        expect(of["pack_export_end"] == of["export_begin"] <= of["rest_begin"] <=
               of["rest_end"] <= of["export_end"] == of["add_begin"],
               f"an export is not beside the rest: {of}")
    schema = subprocess.run(
        [sys.executable, os.path.join(os.path.dirname(__file__), "../program/record_schema.py"), SCHEMA, "--files",
         os.path.join(output, "record.json")], capture_output=True, text=True, check=False)
    expect(schema.returncode in (0, SKIPPED), schema.stdout + schema.stderr)

    expect_error(call(few, more), 2, "The processes have different parameters")
    expect_error(call(few, few + ["--wrong"]), 2, "--wrong")
    expect_error(call(few, few + ["--help"]), 2, "--help or --version is")
    expect_error(call(*2 * [few + ["-s", "Factors/Degrees=5"]]), 2, "Degrees")
    occupied = os.path.join(folder, "occupied")
    with open(occupied, "w", encoding="utf-8"):
        pass
    within = few + ["-o", os.path.join(occupied, "out")]
    expect_error(call(within, within), 2, "occupied")
    wrong = ["env", "TESSERA_SIMD=wrong"]
    expect_error(call(few, wrong + few), 2, "TESSERA_SIMD is 'wrong'")
print(*problems, sep="\n")
sys.exit(1 if problems else 0)
