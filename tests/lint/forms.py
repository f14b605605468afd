#!/usr/bin/python3
"""No source of a library outside of forms/ names a form, but for what measures.

usage: forms.py ROOT

Names and classes come from include/tessera/forms/forms.def. Comments may give a form
as an example; headers of forms, calls of the functions that make them and their classes
belong to forms/, to applications, to source/study/measure and to tests.
"""
import re
import sys

import common

root = sys.argv[1]
LIST = "include/tessera/forms/forms.def"
ENTRY = re.compile(r"^TESSERA_FORM\(\s*(\w+),.*?^\s*(\w+), \d, \w+\)$",
                   re.MULTILINE | re.DOTALL)

problems = []
n_checked = 0
files = list(common.files(root, (".h", ".cuh", ".cc", ".cu", ".inc")))
forms = ENTRY.findall(common.text(root, LIST)) if files else []
uses = [re.compile(pattern) for name, cls in forms
        for pattern in (rf'#\s*include\s*[<"](tessera/forms/{name}\.h)', rf"\b({cls})<",
                        rf"(?<![\w.>:])(?:(?:::)?tessera::)?({name})\(")]
for name in files:
    if not name.startswith(("include/tessera/", "source/")) or "/forms/" in name or \
            name.startswith("source/study/measure/"):
        continue
    n_checked += len(forms) > 0
    for line in common.text(root, name).split("\n"):
        for use in uses:
            for what in use.findall(line.split("//")[0]):
                problems.append(f"{name} names the form of {what}")
common.finish(problems, n_checked, "files")
