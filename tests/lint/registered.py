#!/usr/bin/python3
"""Every name of the lists include/tessera/**/*.def has a row in a table of README.md
or doc/, with the sentence of the list, and no row has a name that does not exist
any more.

usage: registered.py ROOT

A table belongs to a list if the line before it is `<!-- LIST.def -->`.
"""
import os
import re
import sys

import common

ENTRY = re.compile(r'^TESSERA_\w+\(\s*(\w+)\s*,\s*((?:"(?:[^"\\]|\\.)*"\s*)+)', re.MULTILINE)
TABLE = re.compile(r"^<!-- (\w+\.def) -->\n\n?((?:\|.*\n)+)", re.MULTILINE)


def entries(source):
    """Returns {name: sentence} of a list."""
    return {name: "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', strings))
            for name, strings in ENTRY.findall(source)}


root = sys.argv[1]
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
