#!/usr/bin/python3
"""usage: record_schema.py SCHEMA TEST_PROGRAM | record_schema.py SCHEMA --files RECORD...

Validates the records that a test program writes, and checks that the schema refuses damaged
copies of them; or validates given records, and compares the rates of their rows with seconds
and counts.
"""

import copy
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("skipped: the Debian package python3-jsonschema is missing")
    sys.exit(77)


def damaged(value, path=()):
    """Yields copies of an object without one key, with one more, or with a list instead of
    one value, at all depths except in free-form objects."""
    if not isinstance(value, dict):
        return
    free_form = path and path[-1] in ("parameters", "counters", "versions", "statistics")
    if free_form:
        return
    yield ("added", *path), {**value, "unknown": 1}
    for key, inner in value.items():
        without = {k: v for k, v in value.items() if k != key}
        yield ("missing", *path, key), without
        if not isinstance(inner, list):
            yield ("list", *path, key), {**value, key: [[]]}
        entries = inner if isinstance(inner, list) else [inner]
        for i, entry in enumerate(entries):
            for what, copy_of in damaged(entry, (*path, key)):
                whole = copy.deepcopy(value)
                if isinstance(inner, list):
                    whole[key][i] = copy_of
                else:
                    whole[key] = copy_of
                yield what, whole


def contradictions(record):
    """Returns sentences for rates that do not follow from seconds and counts, and for
    errors that cannot be."""
    rows = [row for row in record["rows"] if row["completed"] and row["seconds_median"]]
    found = []
    copies = set()
    for row in rows:
        seconds = row["seconds_median"]
        for name, amount in (("gdofs_per_s", 1e-9 * row["dofs"]),
                             ("gcells_per_s", 1e-9 * row["cells"]),
                             ("bandwidth", row["compulsory_bytes"])):
            rate = row[name]
            if rate is not None and amount is not None and \
                    not math.isclose(rate, amount / seconds, rel_tol=1e-9):
                found.append(f"{row['operator']}: {name} is {rate}, not {amount / seconds}")
        if row["fraction_of_copy"] and row["bandwidth"]:
            copies.add(round(row["bandwidth"] / row["fraction_of_copy"] / 1e6))
        if not row["seconds_min"] <= seconds:
            found.append(f"{row['operator']}: the least time is above the median")
    if record["device"] and record["device"]["copy_bandwidth"] and len(copies) == 1 and \
            not math.isclose(*copies, record["device"]["copy_bandwidth"] / 1e6, rel_tol=1e-3):
        found.append(f"fractions are of {copies} MB/s")
    rounded = [row["error"] for row in rows if row["error"] is not None]
    if len(rounded) > 20 and not any(error > 0 for error in rounded):
        found.append("no product has an error at all")
    return found


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    validator_class = jsonschema.Draft7Validator
    validator_class.check_schema(schema)
    validator = validator_class(schema)

    def errors(record):
        return [f"{list(e.path)}: {e.message}" for e in validator.iter_errors(record)]

    if sys.argv[2] == "--files":
        names = sys.argv[3:]
        found = [(name, json.loads(pathlib.Path(name).read_text("utf-8"))) for name in names]
    else:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(
                [sys.argv[2]],
                env={**os.environ, "TESSERA_TEST_RECORDS": folder},
                stdout=subprocess.DEVNULL,
                check=True,
            )
            found = [
                (str(name), json.loads(name.read_text("utf-8")))
                for name in sorted(pathlib.Path(folder).rglob("record.json"))
            ]

    failures = 0
    for name, record in found:
        for error in errors(record) + (
                contradictions(record) if sys.argv[2] == "--files" else []):
            print(f"{name}: {error}")
            failures += 1
    if sys.argv[2] == "--files":
        return failures > 0

    if len(found) < 5 or not any(r["rows"] and r["cases"] for _, r in found):
        print("too few records were written to test the schema")
        return 1
    n_damaged = 0
    for name, record in found:
        for what, broken in damaged(record):
            n_damaged += 1
            if not errors(broken):
                print(f"{name}: accepted although damaged: {' '.join(what)}")
                failures += 1
    print(f"{len(found)} records, {n_damaged} damaged ones, {failures} failures")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
