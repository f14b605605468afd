#!/usr/bin/python3
"""No kernel keeps local variables in memory: no stack frame, no spills.

usage: spills.py BUILD ALLOW

ALLOW lists exceptions, one per line: with `BYTES PATTERN  # why`, a kernel whose
short name matches PATTERN may have a stack frame of up to BYTES. A line that no
kernel needs is an error. The launch shapes of tuning.h, which determine the
registers of a thread, suit one architecture. Kernels that spill on other
architectures are only named.
"""
import re
import sys

import common
import ptxas

TUNED = "sm_90"


def allowances(path):
    rows = []
    with open(path) as file:
        for number, line in enumerate(file, 1):
            line, _, reason = line.strip().partition("#")
            if not line:
                continue
            fields = line.split(None, 1)
            if len(fields) != 2 or not fields[0].isdigit() or not reason.strip():
                sys.exit(f"{path}:{number}: expected `BYTES PATTERN  # why`")
            rows.append({"bytes": int(fields[0]), "pattern": fields[1].strip(),
                         "line": number, "used": False})
    return rows


build, allow = sys.argv[1:3]
rows = allowances(allow)
kernels, n_logs = ptxas.read(build)
problems, elsewhere = [], []
for kernel in kernels:
    if kernel["stack"] == 0 and kernel["spill"] == 0:
        continue
    what = (f'{kernel["file"]}: {kernel["name"]} for {kernel["architecture"]}: '
            f'{kernel["stack"]} bytes of stack, {kernel["spill"]} of spills')
    if kernel["architecture"] != TUNED:
        elsewhere.append(what)
        continue
    for row in rows:
        if re.search(row["pattern"], kernel["name"]) and kernel["stack"] <= row["bytes"]:
            row["used"] = True
            break
    else:
        problems.append(what)
if any(kernel["architecture"] == TUNED for kernel in kernels):
    problems += [f'{allow}:{row["line"]}: no kernel needs "{row["pattern"]}" any more'
                 for row in rows if not row["used"]]
else:
    print(f"none for {TUNED}: nothing was judged")
print(f"{n_logs} files")
for what in elsewhere:
    print(f"not tuned: {what}")
common.finish(problems, len(kernels), "kernels")
