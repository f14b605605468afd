#!/usr/bin/python3
"""Source files and scripts have at most 400 lines, and each product has at most its sum.

usage: file_length.py ROOT

Sums are lowered when a product becomes smaller. They are raised only with a reason in the
commit.
"""
import sys

import common

LIMIT = 400
SUFFIXES = (".h", ".cuh", ".cc", ".cu", ".def", ".py", ".cmake", "CMakeLists.txt")

# What a path begins with (the first that fits), its product.
PRODUCTS = (
    ("include/tessera/fem/", "fem"), ("source/fem/", "fem"),
    ("include/tessera/study/", "study"), ("source/study/", "study"),
    ("applications/bench_", "study"), ("applications/operator_benchmark/", "study"),
    ("applications/solver_benchmark/", "study"), ("applications/spmv_benchmark/", "study"),
    ("applications/", "applications"), ("tests/", "tests"),
    ("include/", "core"), ("source/", "core"))
SUMS = {"core": 68760, "fem": 31742, "study": 19916, "applications": 13643, "tests": 61150}
GOALS = {"core": 36000, "fem": 20000, "study": 16000, "applications": 13000, "tests": 45000}


def product_of(name):
    return next((product for start, product in PRODUCTS if name.startswith(start)), None)


root = sys.argv[1]
names = common.files(root, SUFFIXES)
problems = []
sums = dict.fromkeys(SUMS, 0)
for name in names:
    n = len(common.text(root, name).splitlines())
    if n > LIMIT:
        problems.append(f"{name}: {n} lines, at most {LIMIT} are allowed")
    if product := product_of(name):
        sums[product] += n
for product, n in sums.items():
    print(f"{product}: {n} lines of {SUMS[product]}, the goal is {GOALS[product]}")
    if n > SUMS[product]:
        problems.append(f"{product}: {n} lines, at most {SUMS[product]} are allowed")
common.finish(problems, len(names), "files")
