#!/usr/bin/python3
"""No leftovers: notes to self, switched-off code, paths of one machine.

usage: words.py ROOT
"""
import re
import sys

import common

# Words are in pieces, so that this file passes its own test.
BAD = {
    "a note to self": re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b"),
    "switched-off code": re.compile(r"^\s*#\s*if\s+" r"0\b"),
    "a path of one machine": re.compile(
        r"(?<![\w.$}/<>*])/(home/\w|root/|work/|Users/|mnt/|scratch/|workspace/)"),
}

root = sys.argv[1]
names = common.files(root)
problems = []
for name in names:
    for number, line in enumerate(common.text(root, name).splitlines(), 1):
        for what, pattern in BAD.items():
            if pattern.search(line):
                problems.append(f"{name}:{number}: {what}: {line.strip()[:80]}")
common.finish(problems, len(names), "files")
