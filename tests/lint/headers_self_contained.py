#!/usr/bin/python3
"""Every header of include/tessera compiles alone and has an include guard.

usage: headers_self_contained.py ROOT COMPILER [--dealii FLAG...]

A header that a source of the library includes first is compiled alone by the build,
which has a precompiled header in the layer dealii only. The other headers are compiled
here, in chains: a header may follow another in one compilation if it includes that one
anyway. One compilation more has all headers, without a warning. Kernel headers (.cuh) are
compiled as for the fiber shim. Headers of tessera/dealii are compiled where their FLAGs
are given.
"""
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import common

root, compiler = sys.argv[1:3]
dealii = sys.argv[4:] if sys.argv[3:4] == ["--dealii"] else None
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"](tessera/[^>"]+)[>"]', re.M)
CODE = re.compile(r"^(?!//|[ \t]*$).*", re.M)


def closure(name):
    """The headers of this project that a header includes, directly or not."""
    found, new = set(), {name}
    while new:
        new = {other for header in new for other in INCLUDE.findall(texts.get(header, ""))} - found
        found |= new
    return found


def chains(names):
    """Lists of headers, of which each includes those before it; every name is in one."""
    left, result = sorted(names, key=lambda name: (-len(closures[name]), name)), []
    while left:
        chain = left[:1]
        for name in left[1:]:
            if name in closures[chain[-1]]:
                chain.append(name)
        left = [name for name in left if name not in chain]
        result.append(chain[::-1])
    return result


def check(chain):
    flags = ["-std=c++17", "-fopenmp", "-Wall", "-Wextra", "-Werror", "-Wno-psabi",
             "-Wno-unknown-pragmas", f"-I{root}/include"]
    if any("/dealii/" in name for name in chain):
        flags += ["-w", *dealii]
    if any(name.endswith(".cuh") or "device.cuh" in texts[name] for name in chain):
        flags.append("-DTESSERA_SHIM")
    # Headers are included: a file that is compiled itself may not have #pragma once.
    source = "".join(f"#include <{name}>\n" for name in chain)
    run = subprocess.run([compiler, "-fsyntax-only", *flags, "-x", "c++", "-"],
                         input=source, capture_output=True, text=True)
    return None if run.returncode == 0 else f"{', '.join(chain)}:\n{run.stderr[:1500]}"


files = common.files(root, (".h", ".cuh", ".cc"))
texts = {name[len("include/"):]: common.text(root, name) for name in files
         if name.startswith("include/tessera/")
         and (dealii is not None or "/dealii/" not in name)}
closures = {name: closure(name) for name in texts}
problems = [f"{name}: no #pragma once" for name, text in texts.items()
            if "#pragma once" not in text]
sources = [common.text(root, name) for name in files if name.endswith(".cc")
           and name.startswith("source/") and "/dealii/" not in name]
built = {header for text in sources for header in INCLUDE.findall(CODE.findall(text + "\n.")[0])}
below = [name for name in sorted(texts) if "/dealii/" not in name]
with ThreadPoolExecutor(os.cpu_count()) as pool:
    problems += filter(None, pool.map(check, [*chains(set(texts) - built), below]))
common.finish(problems, len(texts), "headers")
