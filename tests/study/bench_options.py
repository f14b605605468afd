#!/usr/bin/python3
"""Entries of a program that measures that are not legal are refused before anything is made:
the folder of the record is not opened, so that an earlier one stays. A mesh that does not fit into
memory is refused before it is made.

usage: bench_options.py PROGRAM ENTRY=VALUE...
"""
import os
import resource
import subprocess
import sys
import tempfile

problems = []
with tempfile.TemporaryDirectory() as folder:
    for word in sys.argv[2:]:
        name = word.partition("=")[0]
        output = os.path.join(folder, "out")
        done = subprocess.run([sys.argv[1], "--backend", "host", "-o", output, "-s", word],
                              capture_output=True, text=True, check=False, timeout=60)
        errors = [line for line in done.stderr.splitlines() if line.startswith("error:")]
        if done.returncode != 2 or len(errors) != 1 or f"'{name}'" not in errors[0]:
            problems.append(f"{word}: {done.returncode}, {done.stderr}")
        if os.path.exists(output):
            problems.append(f"{word}: {os.listdir(output)} was written")
    if os.path.basename(sys.argv[1]).startswith("bench_"):
        limit = 6 << 30
        done = subprocess.run(
            [sys.argv[1], "--backend", "host", "-o", os.path.join(folder, "memory"), "-s",
             "Factors/Degrees of freedom=1e9"],
            capture_output=True, text=True, check=False, timeout=60,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        if done.returncode != 6 or "choose fewer by 'Factors/Degrees of freedom'" not in done.stderr:
            problems.append(f"no memory: {done.returncode}, {done.stderr}")
print(*problems, f"{len(problems)} problems", sep="\n")
sys.exit(1 if problems else 0)
