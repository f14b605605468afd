#!/usr/bin/python3
"""Source files and scripts have at most 400 lines, and each product has at most its sum.

usage: file_length.py ROOT

Sums are lowered when a product becomes smaller. They are raised only with a reason in the
commit. The core and the tests have some hundred lines to spare, so that a part which is added
by its page does not edit this file.
"""
import os
import sys

import common

LIMIT = 400
SUFFIXES = (".h", ".cuh", ".cc", ".cu", ".def", ".inc", ".model", ".py", ".cmake", "CMakeLists.txt")

# What a path ends with or begins with (the first that fits), its product.
ENDS = ((".inc", "instantiations"), (".model", "cell models"))
PRODUCTS = (
    ("include/tessera/fem/", "fem"), ("source/fem/", "fem"),
    ("include/tessera/study/", "study"), ("source/study/", "study"),
    ("applications/bench_", "study"), ("applications/operator_benchmark/", "study"),
    ("applications/solver_benchmark/", "study"), ("applications/spmv_benchmark/", "study"),
    ("applications/", "applications"), ("tests/", "tests"),
    ("include/", "core"), ("source/", "core"), ("doc/papers/", "papers"),
    ("cmake/", "cmake"), ("CMakeLists.txt", "cmake"),
    ("scripts/", "scripts"), (".ci/", "scripts"), ("run", "scripts"), ("check", "scripts"))
SUMS = {"core": 70876, "fem": 32226, "study": 20230, "applications": 14699, "tests": 63038,
        "scripts": 8058, "papers": 1769, "cmake": 790, "cell models": 460, "instantiations": 53}
GOALS = {"core": 36000, "fem": 20000, "study": 16000, "applications": 13000, "tests": 45000}


def product_of(name):
    return next((product for end, product in ENDS if name.endswith(end)), None) or \
        next((product for start, product in PRODUCTS if name.startswith(start)), None)


def counts(root, name):
    """Returns whether a file is a source or a script."""
    return name.endswith(SUFFIXES) or \
        "." not in os.path.basename(name) and common.text(root, name).startswith("#!")


root = sys.argv[1]
names = [name for name in common.files(root) if counts(root, name)]
problems = []
sums = dict.fromkeys(SUMS, 0)
for name in names:
    n = len(common.text(root, name).splitlines())
    if n > LIMIT:
        problems.append(f"{name}: {n} lines, at most {LIMIT} are allowed")
    if product := product_of(name):
        sums[product] += n
    else:
        problems.append(f"{name}: its {n} lines belong to no product")
for product, n in sums.items():
    print(f"{product}: {n} lines of {SUMS[product]}"
          + (f", the goal is {GOALS[product]}" if product in GOALS else ""))
    if n > SUMS[product]:
        problems.append(f"{product}: {n} lines, at most {SUMS[product]} are allowed")
common.finish(problems, len(names), "files")
