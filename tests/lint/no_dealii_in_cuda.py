#!/usr/bin/python3
"""No device source includes deal.II, and deal.II's headers refuse nvcc.

usage: no_dealii_in_cuda.py ROOT BUILD CUDA

Reads what each *.cu.o depends on from ninja's log or from the .d files of
make. With CUDA = 1, objects of the CUDA library must be among them.
"""
import os
import re
import subprocess
import sys

import common

FORBIDDEN = re.compile(r"/deal\.II/|tessera/fem/")


def dependencies(build):
    """Returns {object: [files it was made from]} of every .cu in the build folder."""
    found = {}
    if os.path.exists(os.path.join(build, "build.ninja")):
        log = subprocess.run(["ninja", "-C", build, "-t", "deps"],
                             capture_output=True, text=True).stdout
        current = None
        for line in log.splitlines():
            if line and not line[0].isspace():
                current = line.split(": #deps")[0]
            elif line.strip() and current.endswith(".cu.o"):
                found.setdefault(current, []).append(line.strip())
    for folder, _, here in os.walk(build):
        for name in here:
            if name.endswith(".cu.o.d"):
                with open(os.path.join(folder, name)) as file:
                    _, _, right = file.read().replace("\\\n", " ").partition(":")
                found[os.path.join(folder, name[:-2])] = right.split()
    return found


root, build, cuda = sys.argv[1:4]
found = dependencies(build)
problems = []
for name, sources in sorted(found.items()):
    bad = [source for source in sources if FORBIDDEN.search(source)]
    if bad:
        problems.append(f"{name} includes {bad[0]}" +
                        (f" and {len(bad) - 1} more" if len(bad) > 1 else ""))
if cuda == "1" and not any("tessera_device.dir" in name for name in found):
    problems.append("CUDA is on, but no object of the CUDA library was found")

# A header that includes another one of these leaves the #error to it.
guard = re.compile(r"^#\s*ifdef\s+__CUDACC__\s*\n#\s*error\b|^#\s*include <tessera/fem/",
                   re.MULTILINE)
for name in common.files(root, (".h", ".cuh")):
    if name.startswith("include/tessera/fem/") and not guard.search(common.text(root, name)):
        problems.append(f"{name}: no #error under nvcc (#ifdef __CUDACC__)")
common.finish(problems, len(found), "device objects")
