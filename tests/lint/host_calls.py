#!/usr/bin/python3
"""No kernel calls a function of the host.

usage: host_calls.py BUILD

If a kernel calls a constexpr function without __device__, nvcc only warns; the kernel
may then compute anything.
"""
import os
import re
import sys

import common
import ptxas

WARNING = re.compile(r"calling a (?:constexpr )?__host__ function.* is not allowed")

logs = ptxas.logs(sys.argv[1])
problems = []
for name in logs:
    with open(name) as file:
        found = {line.strip() for line in file if WARNING.search(line)}
    problems += [f"{os.path.basename(name)}: {line}" for line in sorted(found)]
common.finish(problems, len(logs), "files")
