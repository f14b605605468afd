#!/usr/bin/python3
"""clang-format would change no C++ or CUDA file; skipped without clang-format.

usage: format.py ROOT
"""
import shutil
import subprocess
import sys

import common

root = sys.argv[1]
program = shutil.which("clang-format-14") or shutil.which("clang-format")
if program is None:
    print("skipped: no clang-format")
    sys.exit(common.SKIP)
names = common.files(root, (".h", ".cuh", ".cc", ".cu"))
problems = []
if names:
    run = subprocess.run([program, "--dry-run", "-Werror", "-style=file", *names],
                         cwd=root, capture_output=True, text=True)
    problems = [line for line in run.stderr.splitlines() if "error:" in line]
    if run.returncode != 0 and not problems:
        problems = [run.stderr.strip()]
common.finish(problems, len(names), "files")
