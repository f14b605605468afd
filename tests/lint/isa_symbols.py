#!/usr/bin/python3
"""The linker can never pick an AVX copy of a function that other code shares.

usage: isa_symbols.py BUILD [NM]

Host kernels are compiled once for each instruction set. A weak symbol that
such an object defines (an inline function or template that was not inlined)
may replace the copies of all other objects, and then a program dies with an
illegal instruction on a processor without AVX. Weak symbols are allowed if their
name has the tag of the instruction set, or if they are instances for a Simd width
that no object of another instruction set defines. Weak data (V, u) have no
instructions and are ignored.
"""
import glob
import os
import re
import subprocess
import sys

import common

SETS = ("X86_64_v3", "X86_64_v4")
TAG = {isa: re.compile(rf"\b{isa}\b") for isa in SETS}


def symbols(nm, objects):
    """Returns [(object, demangled name, is weak)] of all that the objects define."""
    found = []
    for name in objects:
        listing = subprocess.run([nm, "-C", "--defined-only", name], check=True,
                                 capture_output=True, text=True).stdout
        for line in listing.splitlines():
            match = re.match(r"[0-9a-f]* ?\s*([A-Za-z]) (.*)", line)
            if match:
                found.append((name, match[2], match[1] == "W"))
    return found


build = sys.argv[1]
nm = sys.argv[2] if len(sys.argv) > 2 else "nm"
all_objects = glob.glob(os.path.join(build, "source/CMakeFiles/tessera*.dir/**/*.o"),
                        recursive=True)
all_objects = [name for name in all_objects if "/tessera_shim" not in name]
defined_by = {isa: set() for isa in (*SETS, "")}
weak = []
n_scanned = 0
for isa in (*SETS, ""):
    # The library's, tessera_<set>, and its forms' objects, tessera_<form>_<set>.
    here = [name for name in all_objects if
            (f"_{isa}.dir/" in name if isa else
             not any(f"_{other}.dir/" in name for other in SETS))]
    n_scanned += len(here) if isa else 0
    for name, symbol, is_weak in symbols(nm, here):
        defined_by[isa].add(symbol)
        if isa and is_weak:
            weak.append((isa, name, symbol))

problems = []
for isa, name, symbol in weak:
    elsewhere = any(symbol in defined_by[other] for other in defined_by if other != isa)
    if TAG[isa].search(symbol) or ("Simd<" in symbol and not elsewhere):
        continue
    problems.append(f"{os.path.basename(name)} for {isa}: weak symbol {symbol}")
common.finish(problems, n_scanned, "objects")
