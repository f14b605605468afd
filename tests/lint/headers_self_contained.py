#!/usr/bin/python3
"""Every header of include/tessera compiles alone and has an include guard.

usage: headers_self_contained.py ROOT COMPILER [--dealii FLAG...]

Kernel headers (.cuh) are compiled as for the fiber shim. Headers of
tessera/dealii are compiled where their FLAGs are given.
"""
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import common

root, compiler = sys.argv[1:3]
dealii = sys.argv[4:] if sys.argv[3:4] == ["--dealii"] else None


def check(name):
    if "#pragma once" not in common.text(root, name):
        return f"{name}: no #pragma once"
    flags = ["-std=c++17", "-fopenmp", "-Wall", "-Wextra", "-Werror", "-Wno-psabi",
             "-Wno-unknown-pragmas", f"-I{root}/include"]
    if name.startswith("include/tessera/dealii/"):
        flags += ["-w", *dealii]
    if name.endswith(".cuh") or "device.cuh" in common.text(root, name):
        flags.append("-DTESSERA_SHIM")
    # Headers are included, because a file that is compiled itself may not have #pragma
    # once.
    source = f'#include <{os.path.relpath(name, "include")}>\n'
    run = subprocess.run([compiler, "-fsyntax-only", *flags, "-x", "c++", "-"],
                         input=source, capture_output=True, text=True)
    return None if run.returncode == 0 else f"{name}:\n{run.stderr[:1500]}"


names = [n for n in common.files(root, (".h", ".cuh"))
         if n.startswith("include/tessera/")
         and (dealii is not None or "/dealii/" not in n)]
with ThreadPoolExecutor(os.cpu_count()) as pool:
    problems = [problem for problem in pool.map(check, names) if problem]
common.finish(problems, len(names), "headers")
