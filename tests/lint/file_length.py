#!/usr/bin/python3
"""Source files and scripts have at most 400 lines.

usage: file_length.py ROOT
"""
import sys

import common

LIMIT = 400
SUFFIXES = (".h", ".cuh", ".cc", ".cu", ".def", ".py", ".cmake", "CMakeLists.txt")

root = sys.argv[1]
names = common.files(root, SUFFIXES)
problems = []
for name in names:
    n = len(common.text(root, name).splitlines())
    if n > LIMIT:
        problems.append(f"{name}: {n} lines, at most {LIMIT} are allowed")
common.finish(problems, len(names), "files")
