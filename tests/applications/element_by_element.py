#!/usr/bin/python3
"""usage: element_by_element.py SOURCE BUILD

Tries the paper element_by_element: measures products on its smallest mesh, which goes through a
file. Its counts equal the application's, all operators agree with the oracle, and the
figures are drawn.
"""
import importlib.util
import os
import sys
import tempfile

from programs import expect, finish, read_record, run, write

SOURCE, BUILD = sys.argv[1:]
FIGURES = ("time", "speedup", "memory", "flops", "bandwidth")
MEASURE = "doc/papers/element_by_element/measure"
BENCHMARK = os.path.join(BUILD, "applications", "bench_operators")


def call(*command):
    return run(command, cwd=SOURCE)


def study(folder):
    done = call("scripts/paper", "element_by_element", "--small", "--build", BUILD, "-o", folder)
    expect(done.returncode == 0, f"the study: {done.returncode}, {done.stderr}")
    if importlib.util.find_spec("matplotlib") is None:
        expect("python3-matplotlib" in done.stderr, f"without matplotlib: {done.stderr}")
    else:
        for name in FIGURES:
            path = os.path.join(folder, "figures", f"meshes_{name}.png")
            expect(os.path.exists(path), f"no figure {name}")
    for choice, order in (("atomics", "mesh"), ("one_launch_a_colour", "colored"),
                          ("two_levels", "mesh")):
        rows = read_record(os.path.join(folder, "products", choice))["rows"]
        expect(len(rows) >= 6, f"{choice} has {len(rows)} rows")
        for row in rows:
            name = f"{choice}, {row['operator']}"
            expect(row["completed"] and row["error"] < 300, f"{name}: error {row['error']}")
            expect(row["parameters"]["mesh"] == "c1" and row["cells"] == 100000 and
                   row["dofs"] == 202000, f"{name}: {row['cells']} cells, {row['dofs']} DoFs")
            expect(row["parameters"]["cell_order"] == order, f"{name}: order of cells")


def bad_input(folder):
    done = call(MEASURE, "--problems", "c6", "-o", folder)
    expect(done.returncode == 1 and 'there is no problem "c6"' in done.stderr, done.stderr)
    taken = write(folder, "taken", "")
    for code, sentence, options in (
            (1, "No such file or directory", ("--programs", folder)),
            (1, "taken: File exists", ("-o", taken)),
            (1, "--options cannot be read: No closing quotation", ("--options", "'")),
            (2, "'none' is not a legal value of 'Factors/Operators'", ("--options", "-s Factors/Operators=none")),
            (5, "FAIL", ("--options", "-s Study/Samples=1 -s Factors/Operators=ebe_symmetric "
                                      "-s 'Study/Error limit=0'"))):
        done = call(MEASURE, "--problems", "c1", "--programs", BUILD, "-o",
                    folder, *options)
        expect(done.returncode == code and sentence in done.stderr and
               len(done.stderr.splitlines()) == 1, f"{options}: {done.returncode}, {done.stderr}")
    done = call(BENCHMARK, "--backend", "host", "-s", "Factors/Cell types=triangle", "-s", "Factors/Degrees=4",
                "-o", os.path.join(folder, "nothing"))
    expect(done.returncode == 2 and "The sweep has no row" in done.stderr and
           "PASS" not in done.stdout, f"no row: {done.returncode}, {done.stderr}")
    for name, text in (("missing.space", None), ("empty.space", b""), ("text.space", b"space\n"),
                       ("cut.space", None)):
        path = os.path.join(folder, name)
        if name == "cut.space":
            with open(os.path.join(folder, "products", "c1.space"), "rb") as file:
                text = file.read(100000)
        if text is not None:
            write(folder, name, text)
        done = call(BENCHMARK, "--backend", "host", "-s", "Study/Spaces=" + path, "-o", folder)
        expect(done.returncode not in (0, -11, -6) and name in done.stderr,
               f"{name}: {done.returncode}, {done.stderr}")


with tempfile.TemporaryDirectory() as temporary:
    study(temporary)
    bad_input(temporary)
finish()
