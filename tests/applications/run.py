#!/usr/bin/python3
"""Runs an application with a parameter file and compares what it did with the
directives in the file's comments:

  # test-options: ...       further options; {folder}: a fresh folder, in which
                            {folder}/occupied is a file
  # test-argument: NAME     given to the program instead of this file, which becomes
                            its standard input; {root}: the source tree
  # test-exit: N            exit code, 0 by default
  # test-error: REGEX       the one line on stderr that starts with "error: "
  # test-note: REGEX        a line on stderr that starts with "note: "; may be
                            repeated
  # test-output: REGEX      somewhere in stdout; may be repeated
  # test-case: NAME KEY=VALUE...
                            cells, dofs, nonzeros, colors, dim, iterations (to 1, or 1 %
                            of many), errors (to 0.1 %) and rates (to 0.01) of
                            record.json, probe:N=VALUE, "quantity:NAME=VALUE" and
                            flux:BOUNDARIES=VALUE (to 0.1 %); BOUNDARIES are names or ids, A+B means
                            the sum; parameters:NAME=VALUE (exactly, also words); n_probes,
                            n_fluxes and n_boundaries, their number; converged=0 or 1; VALUE~T sets
                            the relative tolerance T (absolute for rates); NAME is
                            the end of the case's name
  # test-cases: N           number of cases in record.json
  # test-rows: N            number of rows in record.json
  # test-row: N KEY=VALUE... number of rows with these values, as words of a shell;
                            KEY is a key of the row, of its solve or of its
                            parameters, VALUE as
                            in JSON without quotes, or ~REGEX
  # test-schema             the record must satisfy doc/record.schema.json
  # test-files: NAME...     XML files in the output folder that are complete
  # test-vtu: NAME FIELD KEY=VALUE...
                            cells and points of a .vtu file, min and max of a
                            field of points or cells (to 1e-5 of the largest), or FIELD.x, .y and .z
                            of one with vectors
  # test-lines: NAME N      a file in the output folder that has N lines
  # test-no-files: NAME...  files that must not be in the output folder
  # test-needs: no-device   the test is skipped if there is a CUDA device
  # test-processes: N       started by mpirun in N processes; skipped without mpirun
  # test-interrupt          sends SIGINT once the record has a case or a row; a value
                            names another signal, such as SIGHUP
  # test-earlier-record     a record of an earlier run is in the output folder, and
                            must still be there afterwards

usage: run.py PROGRAM FILE.prm [--backend NAME] [--golden] [--validate]
--golden prints the test-case lines of the run instead of comparing.
"""
import glob
import importlib.machinery
import importlib.util
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

from programs import INTERNALS, error_lines, read_record

SKIPPED = 77
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EARLIER = {"cases": [], "status": "done"}


def read_directives(path):
    found = {}
    for line in open(path, encoding="utf-8"):
        match = re.match(r"#\s*test-([a-z-]+):?\s*(.*)", line)
        if match:
            found.setdefault(match[1], []).append(match[2].strip())
    return found


def interrupt_later(process, output, number, by_mpirun):
    """Sends a signal once the record has a case or a row: to the first of the processes
    that mpirun has started, since mpirun itself gives them a second to end."""
    while process.poll() is None:
        try:
            record = read_record(output)
            if record["cases"] or record["rows"]:
                pid = process.pid
                if by_mpirun:
                    found = subprocess.run(["pgrep", "-P", str(pid)], text=True,
                                           stdout=subprocess.PIPE, check=True)
                    pid = min(map(int, found.stdout.split()))
                os.kill(pid, number)
                return
        except (OSError, ValueError):
            pass
        time.sleep(0.05)


def environment():
    """Returns the environment with what lets Open MPI start more processes than there
    are cores, on any of them and as root, and lets processes that wait give their core to
    others."""
    return {**os.environ, "OMPI_MCA_rmaps_base_oversubscribe": "1",
            "OMPI_MCA_hwloc_base_binding_policy": "none",
            "OMPI_MCA_mpi_yield_when_idle": "1",
            "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def run(program, prm, directives, folder, output, backend, validate):
    open(os.path.join(folder, "occupied"), "w").close()
    options = shlex.split(directives.get("options", [""])[0].format(folder=folder))
    if "earlier-record" in directives:
        os.mkdir(output)
        with open(os.path.join(output, "record.json"), "w", encoding="utf-8") as file:
            json.dump(EARLIER, file)
    if "-o" not in options:
        options += ["-o", output]
    if "--backend" not in options:
        options += ["--backend", backend]
    if validate:
        options.append("--validate")
    argument = directives.get("argument", [prm])[0].format(root=ROOT)
    command = [program, argument, *options]
    if "processes" in directives:
        command = ["mpirun", "-n", directives["processes"][0], *command]
    with open(prm, encoding="utf-8") as file:
        process = subprocess.Popen(command, text=True, stdin=file, env=environment(),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if "interrupt" in directives:
            name = directives["interrupt"][0] or "SIGINT"
            interrupt_later(process, output, signal.Signals[name],
                            "processes" in directives)
        stdout, stderr = process.communicate()
    return process.returncode, stdout, stderr


def golden(record):
    for case in record["cases"]:
        values = [f"dofs={case['problem']['dofs']}",
                  f"iterations={case['results']['iterations']}"]
        for key in ("L2_error", "H1_error", "L2_rate", "H1_rate"):
            value = case["results"][key]
            if value is not None:
                values.append(f"{key}={value:.{3 if 'rate' in key else 4}g}")
        print("# test-case:", case["name"][case["name"].rfind("_p"):], *values)


def find(key, case):
    """Returns the value of a key of test-case."""
    kind, _, which = key.partition(":")
    if kind == "probe":
        return case["results"]["probes"][int(which)]["value"]
    if kind == "flux":
        fluxes = case["results"]["fluxes"]
        return sum(next(flux["value"] for flux in fluxes
                        if name in (str(flux["boundary"]), flux["name"]))
                   for name in which.split("+"))
    if kind == "quantity":
        return next(quantity["value"] for quantity in case["results"]["quantities"]
                    if quantity["name"] == which)
    if kind == "parameters":
        return case["parameters"].get(which)
    if key.startswith("n_"):
        lists = {**case["results"], "boundaries": case["problem"]["boundaries"]}
        return len(lists[key[2:]])
    return {**case["problem"], **case["results"]}[key]


def tolerance_of(key, text, target):
    if text:
        return float(text) * (1 if key.endswith("rate") else abs(target))
    if key in ("cells", "dofs", "nonzeros", "colors", "dim", "converged") or \
            key.startswith(("parameters:", "n_")):
        return 0
    if key == "iterations":
        return max(1, 0.01 * target)
    if key.endswith("rate"):
        return 0.01
    return 1e-3 * abs(target)


def compare_case(directive, record):
    """Returns sentences that say how the case differs."""
    name, *expected = shlex.split(directive)
    cases = [case for case in record["cases"] if case["name"].endswith(name)]
    if len(cases) != 1:
        return [f"{len(cases)} cases are named ...{name}"]
    problems = []
    for pair in expected:
        key, _, text = pair.partition("=")
        value = find(key, cases[0])
        if isinstance(value, str):
            if value != text:
                problems.append(f"{name}: {key} is '{value}', expected {pair}")
            continue
        text, _, tolerance = text.partition("~")
        target = float(text)
        tolerance = tolerance_of(key, tolerance, target)
        if value is None or not abs(value - target) <= tolerance:
            problems.append(f"{name}: {key} is {value}, expected {pair}")
    return problems


def load_picture():
    """Returns scripts/picture, whose functions read .vtu files."""
    sys.dont_write_bytecode = True
    loader = importlib.machinery.SourceFileLoader(
        "picture", os.path.join(ROOT, "scripts", "picture"))
    picture = importlib.util.module_from_spec(
        importlib.util.spec_from_loader("picture", loader))
    loader.exec_module(picture)
    return picture


def read_vtu(path, field):
    picture = load_picture()
    name, _, axis = field.partition(".")
    points, cells, *_, values = picture.read(path, None if axis else name)
    if axis:
        values = picture.read_vectors(path, name, everywhere=True)[:, "xyz".index(axis)]
    return {"points": len(points), "cells": len(cells), "min": values.min(),
            "max": values.max()}


def compare_vtu(directive, output):
    name, field, *expected = directive.split()
    try:
        found = read_vtu(os.path.join(output, name), field)
    except (OSError, ValueError, xml.etree.ElementTree.ParseError) as error:
        return [f"{name}: {error}"]
    size = max(abs(found["min"]), abs(found["max"]))
    problems = []
    for pair in expected:
        key, text = pair.split("=")
        tolerance = 1e-5 * size if key in ("min", "max") else 0
        if not abs(found[key] - float(text)) <= tolerance:
            problems.append(f"{name}: {key} is {found[key]}, expected {text}")
    return problems


def compare_files(directives, output):
    problems = []
    for name in " ".join(directives.get("files", [])).split():
        try:
            xml.etree.ElementTree.parse(os.path.join(output, name))
        except (OSError, xml.etree.ElementTree.ParseError) as error:
            problems.append(f"{name}: {error}")
    for directive in directives.get("vtu", []):
        problems += compare_vtu(directive, output)
    for name, count in map(str.split, directives.get("lines", [])):
        try:
            with open(os.path.join(output, name), encoding="utf-8") as file:
                lines = len(file.readlines())
            if lines != int(count):
                problems.append(f"{name} has {lines} lines, expected {count}")
        except OSError as error:
            problems.append(f"{name}: {error}")
    for name in " ".join(directives.get("no-files", [])).split():
        if os.path.exists(os.path.join(output, name)):
            problems.append(f"{name} was written")
    if "earlier-record" in directives and read_record(output) != EARLIER:
        problems.append("the earlier record was replaced")
    return problems


def matches(value, text):
    if text.startswith("~"):
        return value is not None and re.search(text[1:], str(value)) is not None
    return (value if isinstance(value, str) else json.dumps(value)) == text


def compare_rows(directives, record):
    """Returns sentences that say how the rows differ."""
    rows = [{**row["parameters"], **(row.get("solve") or {}), **row}
            for row in record["rows"]]
    problems = []
    for directive in directives.get("rows", []):
        if len(rows) != int(directive):
            problems.append(f"{len(rows)} rows, expected {directive}")
    for directive in directives.get("row", []):
        count, *pairs = shlex.split(directive)
        wanted = [pair.split("=", 1) for pair in pairs]
        found = sum(all(matches(row.get(key), text) for key, text in wanted)
                    for row in rows)
        if found != int(count):
            problems.append(f"{found} rows have {' '.join(pairs)}, expected {count}")
    return problems


def compare_schema(record):
    try:
        import jsonschema
    except ImportError:
        return []
    with open(os.path.join(ROOT, "doc", "record.schema.json"), encoding="utf-8") as file:
        validator = jsonschema.Draft7Validator(json.load(file))
    return [f"schema: {list(e.path)}: {e.message}" for e in validator.iter_errors(record)]


def compare(directives, output, code, stdout, stderr):
    problems = []
    expected = int(directives.get("exit", ["0"])[0])
    if code != expected:
        problems.append(f"exit code {code}, expected {expected}")
    errors = error_lines(stderr)
    for pattern in directives.get("error", []):
        if len(errors) != 1 or not re.search(pattern, errors[0]):
            problems.append(f"stderr has no single error line with: {pattern}")
        elif not re.search(r"[.?]$", errors[0]):
            problems.append("the error is not a sentence")
    notes = [line for line in stderr.splitlines() if line.startswith("note: ")]
    for pattern in directives.get("note", []):
        if not any(re.search(pattern, note) for note in notes):
            problems.append(f"stderr has no note with: {pattern}")
    if len(notes) != len(directives.get("note", [])):
        problems.append(f"{len(notes)} notes: {notes}")
    if INTERNALS.search(stderr):
        problems.append("stderr has a stack trace")
    for pattern in directives.get("output", []):
        if not re.search(pattern, stdout, re.M):
            problems.append(f"stdout has no line with: {pattern}")
    if not {"cases", "case", "rows", "row", "schema"}.isdisjoint(directives):
        record = read_record(output)
        count = int(directives.get("cases", [len(record["cases"])])[0])
        if len(record["cases"]) != count:
            problems.append(f"{len(record['cases'])} cases, expected {count}")
        if record["exit_code"] != expected:
            problems.append(f"exit code in the record: {record['exit_code']}")
        status = {0: "done", 130: "interrupted"}.get(expected, "failed")
        if record["status"] != status:
            problems.append(f"status in the record: {record['status']}")
        for directive in directives.get("case", []):
            problems += compare_case(directive, record)
        problems += compare_rows(directives, record)
        if "schema" in directives:
            problems += compare_schema(record)
    return problems + compare_files(directives, output)


def main():
    program, prm = sys.argv[1:3]
    backend = "host"
    if "--backend" in sys.argv:
        backend = sys.argv[sys.argv.index("--backend") + 1]
    directives = read_directives(prm)
    if "no-device" in directives.get("needs", []) and glob.glob("/dev/nvidia[0-9]*"):
        print("skipped: there is a CUDA device")
        return SKIPPED
    if "processes" in directives and shutil.which("mpirun") is None:
        print("skipped: there is no mpirun")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "out")
        code, stdout, stderr = run(program, prm, directives, folder, output,
                                   backend, "--validate" in sys.argv)
        if "--golden" in sys.argv:
            golden(read_record(output))
            return 0
        if backend == "cuda" and code == 6 and "cannot be used" in stderr:
            print("skipped:", stderr.strip())
            return SKIPPED
        problems = compare(directives, output, code, stdout, stderr)
    if problems:
        print(stdout, stderr, *(f"FAIL: {line}" for line in problems), sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
