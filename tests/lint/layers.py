#!/usr/bin/python3
"""A layer includes only headers of its own and of layers below it.

usage: layers.py ROOT LAYER...

LAYERs are given in their order, lowest first. A layer has the files of
include/tessera/LAYER and source/LAYER. A path to a private header of another
layer (../LAYER/) counts as an include, too.
"""
import re
import sys

import common

root, layers = sys.argv[1], sys.argv[2:]
place = {layer: k for k, layer in enumerate(layers)}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"](?:tessera/|\.\./)(\w+)/', re.MULTILINE)

problems = []
n_checked = 0
for name in common.files(root, (".h", ".cuh", ".cc", ".cu", ".inc", ".def")):
    parts = name.split("/")
    layer = parts[2 if name.startswith("include/tessera/") else 1] if len(parts) > 2 else ""
    if not name.startswith(("include/tessera/", "source/")) or layer not in place:
        continue
    n_checked += 1
    for other in INCLUDE.findall(common.text(root, name)):
        if place.get(other, -1) > place[layer]:
            problems.append(f"{name} includes a header of {other}, a layer above {layer}")
common.finish(problems, n_checked, "files")
