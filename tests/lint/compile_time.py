#!/usr/bin/python3
"""The build stays within its budget of compile seconds.

usage: compile_time.py BUILD BUDGETS [--table]

Adds up the seconds of the last compilation of each object in BUILD/.ninja_log, by
category, and compares the sums with BUDGETS. It has a line `SECONDS PATTERN NAME`
for each category; the first pattern that is found in an object's path counts.
Objects from a compiler cache take hardly any time, so only a build without a cache
can fail. --table prints the sums as a table for CONTRIBUTING.md.
"""
import os
import re
import sys

import common

build, budgets = sys.argv[1:3]
categories = []
with open(budgets) as file:
    for line in file:
        if line.strip() and not line.startswith("#"):
            seconds, pattern, name = line.split(None, 2)
            categories.append((float(seconds), pattern, name.strip()))

last = {}
log = os.path.join(build, ".ninja_log")
for line in open(log) if os.path.exists(log) else ():
    fields = line.rstrip("\n").split("\t")
    if not line.startswith("#") and fields[3].endswith((".o", ".gch")):
        last[fields[3]] = (int(fields[1]) - int(fields[0])) / 1000

used = {name: [0, 0.0] for _, _, name in categories}
problems = []
for path, seconds in last.items():
    for _, pattern, name in categories:
        if re.search(pattern, path):
            used[name][0] += 1
            used[name][1] += seconds
            break
    else:
        problems.append(f"{path} is in no category of {budgets}")
for budget, _, name in categories:
    if used[name][1] > budget:
        problems.append(f"{name}: {used[name][1]:.0f} s of {budget:.0f} s for "
                        f"{used[name][0]} objects")
if "--table" in sys.argv:
    for budget, _, name in categories:
        print(f"| {name} | {used[name][0]} | {used[name][1]:.0f} | {budget:.0f} |")
common.finish(problems, len(last), "objects")
