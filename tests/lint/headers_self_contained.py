#!/usr/bin/python3
"""Every header of include/tessera compiles alone and has an include guard.

usage: headers_self_contained.py ROOT FOLDER [LAUNCHER...] COMPILER [--dealii FLAG...]

A header that a source of the library includes first is compiled alone by the build,
which has a precompiled header in `fem` only. The other headers are compiled
here, in chains: a header may follow another in one compilation if it includes that one
anyway. One compilation more has all headers, without a warning. Kernel headers (.cuh) are
compiled as for the fiber shim. Headers of tessera/fem are compiled where their FLAGs
are given, and those that include the largest header of deal.II, directly or not, get it
precompiled. What is compiled is in FOLDER, where a compiler cache knows it again.
"""
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

import common

root, folder, *compiler = sys.argv[1:]
dealii = None
if "--dealii" in compiler:
    place = compiler.index("--dealii")
    compiler, dealii = compiler[:place], compiler[place + 1:]
LARGEST = "deal.II/dofs/dof_handler.h"
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"](tessera/[^>"]+)[>"]', re.M)
OF_DEALII = re.compile(r"^[ \t]*#[ \t]*include[ \t]*<(deal\.II/[^>]+)>", re.M)
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


def compile_text(stem, text, *flags):
    """Compiles a text, which then stands in a file of FOLDER. A cache learns from the
    compiler which files it read, which spares it from preprocessing them before."""
    path = os.path.join(folder, stem)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return subprocess.run([*compiler, "-std=c++17", "-fopenmp", "-Wall", "-Wextra", "-Werror",
                           "-Wno-psabi", "-Wno-unknown-pragmas", f"-I{root}/include", *flags,
                           "-MD", "-c", path], capture_output=True, text=True,
                          env={**os.environ, "CCACHE_DEPEND": "1"})


def precompile():
    largest = os.path.join(folder, "largest.h")
    run = compile_text("largest.h", f"#include <{LARGEST}>\n", "-w", *dealii, "-x", "c++-header",
                       "-o", largest + ".gch")
    return ["-include", largest] if run.returncode == 0 else []


@lru_cache(None)
def headers_of_dealii(name):
    """The headers of deal.II that one of them includes itself."""
    places = [flag[len("-isystem"):] for flag in dealii if flag.startswith("-isystem")]
    for place in [*places, "/usr/include"]:
        if os.path.exists(os.path.join(place, name)):
            return OF_DEALII.findall(common.text(place, name))
    return []


def includes_largest(name):
    """Whether a header includes the largest one, through headers of deal.II, too."""
    if dealii is None:
        return False
    new = {other for header in closures[name] | {name}
           for other in OF_DEALII.findall(texts.get(header, ""))}
    found = set()
    while new:
        found |= new
        new = {other for header in new for other in headers_of_dealii(header)} - found
    return LARGEST in found


def check(chain):
    flags = []
    if any("/fem/" in name for name in chain):
        flags += ["-w", *dealii]
    if includes_largest(chain[0]):
        flags += precompiled.result()
    if any(name.endswith(".cuh") or "device.cuh" in texts[name] for name in chain):
        flags.append("-DTESSERA_SHIM")
    # Headers are included: a file that is compiled itself may not have #pragma once.
    source = "".join(f"#include <{name}>\n" for name in chain)
    stem = re.sub(r"\W", "_", f"{chain[-1]}_{len(chain)}")
    run = compile_text(stem + ".cc", source, *flags, "-o", os.path.join(folder, stem + ".o"))
    return None if run.returncode == 0 else f"{', '.join(chain)}:\n{run.stderr[:1500]}"


files = common.files(root, (".h", ".cuh", ".cc"))
texts = {name[len("include/"):]: common.text(root, name) for name in files
         if name.startswith("include/tessera/")
         and (dealii is not None or "/fem/" not in name)}
closures = {name: closure(name) for name in texts}
problems = [f"{name}: no #pragma once" for name, text in texts.items()
            if "#pragma once" not in text]
sources = [common.text(root, name) for name in files if name.endswith(".cc")
           and name.startswith("source/") and "/fem/" not in name]
built = {header for text in sources for header in INCLUDE.findall(CODE.findall(text + "\n.")[0])}
below = [name for name in sorted(texts) if "/fem/" not in name]
os.makedirs(folder, exist_ok=True)
with ThreadPoolExecutor(os.cpu_count()) as pool:
    if dealii is not None:
        precompiled = pool.submit(precompile)
    left = set(texts) - built
    large = set(filter(includes_largest, left))
    tries = filter(None, [*chains(left - large), below, *chains(large)])
    problems += filter(None, pool.map(check, tries))
if dealii is not None and precompiled.result():
    os.remove(os.path.join(folder, "largest.h.gch"))  # is large
common.finish(problems, len(texts), "headers")
