#!/usr/bin/python3
"""The build stays within its budget of compile time, on a fast machine and on a slow one.

usage: compile_time.py BUILD BUDGETS [--table | --set]

Adds up the time of the last compilation of each object in BUILD/.ninja_log, by category,
and compares the sums with BUDGETS. It has a line `UNITS PATTERN NAME` for each category;
the first pattern that is found in an object's path counts.

The unit is the time of reference.cc, which the build compiles several times without a
compiler cache (tessera_compile_reference in cmake/compilers.cmake). An object counts with
its seconds divided by the seconds of the reference at that time, the median of the three
compilations of it that are nearest. A slower machine, and another build beside, makes both
take longer. Objects that were compiled hours before or after any reference are not counted.

Objects from a compiler cache take hardly any time, so only a build without a cache
can fail. --table prints the sums as a table for CONTRIBUTING.md. --set writes budgets
that are 15 % above the sums, after a build without a cache.
"""
import os
import re
import statistics
import sys

import common

HOUR = 3.6e12  # in nanoseconds, as .ninja_log has the time when an object was written

build, budgets = sys.argv[1:3]
categories = []
with open(budgets) as file:
    for line in file:
        if line.strip() and not line.startswith("#"):
            units, pattern, name = line.split(None, 2)
            categories.append((float(units), pattern, name.strip()))

objects, references = {}, {}
log = os.path.join(build, ".ninja_log")
for line in open(log) if os.path.exists(log) else ():
    fields = line.rstrip("\n").split("\t")
    if not line.startswith("#") and fields[3].endswith((".o", ".gch")):
        reference = re.search(r"tessera_reference_[0-9]+\.dir/", fields[3])
        (references if reference else objects)[fields[3]] = (
            (int(fields[1]) - int(fields[0])) / 1000, int(fields[2]))


def unit(when):
    """Returns the seconds of the reference about this time, and the time to the nearest."""
    near = sorted((abs(when - written), seconds) for seconds, written in references.values())[:3]
    return statistics.median(seconds for _, seconds in near), near[0][0]


used = {name: [0, 0.0, 0.0] for _, _, name in categories}
problems, n_apart = [], 0
for path, (seconds, written) in objects.items() if references else ():
    name = next((name for _, pattern, name in categories if re.search(pattern, path)), None)
    reference, distance = unit(written)
    if name is None:
        problems.append(f"{path} is in no category of {budgets}")
    elif distance > HOUR:
        n_apart += 1
    else:
        used[name] = [a + b for a, b in zip(used[name], (1, seconds, seconds / reference))]
if objects and not references:
    problems.append(f"{log} has no compilation of the reference: build the target all")
for budget, _, name in categories:
    n, seconds, units = used[name]
    if units > budget:
        problems.append(f"{name}: {units:.1f} units of {budget:g} for {n} objects")
    if "--table" in sys.argv:
        print(f"| {name} | {n} | {seconds:.0f} | {units:.1f} | {budget:g} |")
if "--set" in sys.argv and references:
    with open(budgets) as file:
        comments = [line for line in file if line.startswith("#")]
    with open(budgets, "w") as file:
        file.writelines(comments + [f"{used[name][2] * 1.15:.0f} {pattern} {name}\n"
                                    for _, pattern, name in categories])
if references:
    print("A unit was", " ".join(f"{seconds:.1f}" for seconds, _ in sorted(
        references.values(), key=lambda entry: entry[1])), "s in the course of the build.")
if n_apart:
    print(f"{n_apart} objects were compiled at another time than the reference and do not count.")
common.finish(problems, len(objects), "objects")
