#!/usr/bin/python3
"""Every name of the lists include/tessera/**/*.def and cell_models.def and every operator has a row in a
table of README.md or doc/, with its sentence, and no row has a name that does not exist
any more.

usage: registered.py ROOT

A table belongs to a list if the line before it is `<!-- LIST.def -->`, and to the
operators if it is `<!-- operators -->`. An operator registers a function
`describe_<name>`; its sentence is the string behind its name in its source.
"""
import os
import re
import sys

import common

ENTRY = re.compile(r'^TESSERA_\w+\(\s*(\w+)\s*,\s*((?:"(?:[^"\\]|\\.)*"\s*)+)', re.MULTILINE)
DESCRIBED = re.compile(r"\bRegistration<OperatorDescriptor>\s+\w+\(\s*describe_(\w+)\)")
STRINGS = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'
TABLE = re.compile(r"^<!-- (\w+(?:\.def)?) -->\n\n?((?:\|.*\n)+)", re.MULTILINE)


def joined(strings):
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', strings))


def entries(source):
    """Returns {name: sentence} of a list."""
    return {name: joined(strings) for name, strings in ENTRY.findall(source)}


def described(source):
    """Returns {name: sentence} of what a source registers."""
    found = {}
    for name in DESCRIBED.findall(source):
        sentence = re.search(rf'[{{(]\s*"{name}",\s*{STRINGS}', source)
        found[name] = joined(sentence.group(1)) if sentence else None
    return found


root = sys.argv[1]
lists = {os.path.basename(name): entries(common.text(root, name))
         for name in common.files(root, (".def",))
         if name.startswith("include/tessera/") or name.endswith("/cell_models.def")}
for name in common.files(root, (".cc",)):
    if name.startswith(("source/operators/", "source/study/operators/")):
        for operator, sentence in described(common.text(root, name)).items():
            lists.setdefault("operators", {})[operator] = sentence
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
            problems.append(f"{which}: {name} has no sentence behind its name")
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
