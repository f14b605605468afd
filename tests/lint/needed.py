#!/usr/bin/python3
"""Programs load the libraries that they use, and libraries of Tessera that register what
they have. A library that is loaded without need costs every start of a program: all of
Trilinos, which deal.II's configuration names, takes 0.4 s.

usage: needed.py PROGRAM...
"""
import os
import subprocess
import sys

import common

problems = []
for program in sys.argv[1:]:
    run = subprocess.run(["ldd", "-u", program], capture_output=True, text=True)
    unused = [line.strip() for line in run.stdout.splitlines() if line.strip().startswith("/")]
    problems += [f"{program} loads {library}, of which it uses nothing"
                 for library in unused if not os.path.basename(library).startswith("libtessera")]
common.finish(problems, len(sys.argv) - 1, "programs")
