#!/usr/bin/python3
"""A layer includes only headers of its own and of layers below it.

usage: layers.py ROOT LAYER...

LAYERs are given in their order, lowest first. A layer has the files of
include/tessera/LAYER and source/LAYER; fem/mesh is a room of fem. A path to a private
header of another layer (../LAYER/) counts as an include, too. Nothing below includes
what belongs to an application.
"""
import re
import sys

import common

root, layers = sys.argv[1], sys.argv[2:]
place = {layer: k for k, layer in enumerate(layers)}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"](?:tessera/|(?:\.\./)+)(\w+(?:/\w+)?)/', re.MULTILINE)
APPLICATION = re.compile(r'^\s*#\s*include\s*[<"].*applications/', re.MULTILINE)


def layer_of(path, here):
    """Returns the layer that a path is in, such as base, space or fem/mesh."""
    for layer in ("/".join(path), path[0], "/".join((here.split("/")[0], path[0]))):
        if layer in place:
            return layer
    return ""


problems = []
n_checked = 0
for name in common.files(root, (".h", ".cuh", ".cc", ".cu", ".inc", ".def")):
    parts = name.split("/")[2 if name.startswith("include/tessera/") else 1:-1]
    layer = layer_of(parts[:2], "") if parts else ""
    if not name.startswith(("include/tessera/", "source/")) or not layer:
        continue
    n_checked += 1
    text = common.text(root, name)
    for other in INCLUDE.findall(text):
        above = layer_of(other.split("/"), layer)
        if above and place[above] > place[layer]:
            problems.append(f"{name} includes a header of {above}, a layer above {layer}")
    if APPLICATION.search(text):
        problems.append(f"{name} includes a header of an application")
common.finish(problems, n_checked, "files")
