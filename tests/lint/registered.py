#!/usr/bin/python3
"""Every name of the lists include/tessera/**/*.def has a row in a table of README.md
or doc/, with the sentence of the list, and no row has a name that does not exist
any more.

usage: registered.py ROOT

A table belongs to a list if the line before it is `<!-- LIST.def -->`. The sentence of an
operator, which describes itself, is the string behind its name in its source.
"""
import os
import re
import sys

import common

ENTRY = re.compile(r'^TESSERA_\w+\(\s*(\w+)\s*,\s*((?:"(?:[^"\\]|\\.)*"\s*)+)', re.MULTILINE)
STEM = re.compile(r"^TESSERA_OPERATOR\((\w+)\)$", re.MULTILINE)
STRINGS = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'
TABLE = re.compile(r"^<!-- (\w+\.def) -->\n\n?((?:\|.*\n)+)", re.MULTILINE)


def joined(strings):
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', strings))


def entries(source):
    """Returns {name: sentence} of a list."""
    found = {name: joined(strings) for name, strings in ENTRY.findall(source)}
    for name in STEM.findall(source):
        described = re.search(rf'[{{(]\s*"{name}",\s*{STRINGS}', operators)
        found[name] = joined(described.group(1)) if described else None
    return found


root = sys.argv[1]
operators = "".join(common.text(root, name) for name in common.files(root, (".cc",))
                    if name.startswith("source/operators/"))
lists = {os.path.basename(name): entries(common.text(root, name))
         for name in common.files(root, (".def",)) if name.startswith("include/tessera/")}
rows = {}
for page in common.files(root, (".md",)):
    if page == "README.md" or page.startswith("doc/"):
        for which, table in TABLE.findall(common.text(root, page)):
            for line in table.splitlines()[2:]:
                name = line.split("|")[1].strip().strip("`")
                rows.setdefault(which, {})[name] = (page, line)

problems = []
for which, names in lists.items():
    if not names:
        problems.append(f"{which}: holds no names")
    for name, sentence in names.items():
        if sentence is None:
            problems.append(f"{which}: {name} does not describe itself in source/operators")
            continue
        page, line = rows.get(which, {}).get(name, ("", ""))
        if not line:
            problems.append(f"{which}: {name} has no row in the documentation")
        elif sentence not in line:
            problems.append(f'{page}: the row of {name} lacks its sentence "{sentence}"')
for which, names in rows.items():
    for name in names:
        if name not in lists.get(which, {}):
            problems.append(f"{names[name][0]}: {name} is not in {which}")
common.finish(problems, sum(map(len, lists.values())), "names")
