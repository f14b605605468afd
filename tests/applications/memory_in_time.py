#!/usr/bin/python3
"""A mesh that is refined in time until it no longer fits into the memory ends the run with
exit code 6 and a sentence, before its arrays are made.

usage: memory_in_time.py POISSON
"""
import os
import re
import resource
import sys
import tempfile

from programs import error_lines, expect, finish, options, run

PROGRAM = sys.argv[1]
MEBIBYTE = 1 << 20
LIMIT = 4096
GROWS = ("Mesh/Initial refinement=4", "Mesh/Refinement=adaptive", "Mesh/Refine fraction=1",
         "Mesh/Coarsen fraction=0", "Finite element/Degrees=4", "Mesh/Cycles=1",
         "Time/Scheme=backward_euler", "Time/End=1", "Time/Step=0.5", "Time/Adapt every=1",
         "Initial value/Function expression=sin(1000 * x) * sin(900 * y)", "Time/Further levels=5",
         "Boundary conditions/Dirichlet 1/Boundaries=0", "Output/VTU=false")


def solve(folder, limit, *settings):
    """Returns the exit code and the errors of a run with so many MiB of addresses."""
    def set_limit():
        resource.setrlimit(resource.RLIMIT_AS, (limit * MEBIBYTE, limit * MEBIBYTE))
    done = run([PROGRAM, os.devnull, "--backend", "host", "--threads", "1", "-o",
                os.path.join(folder, "out"), *options(settings)], preexec_fn=set_limit)
    return done.returncode, error_lines(done.stderr), done.stderr


with tempfile.TemporaryDirectory() as folder:
    # What is free of the limit shows how much the program takes before it begins.
    code, errors, text = solve(folder, LIMIT, "Mesh/Initial refinement=14",
                               "Finite element/Degrees=1", "Boundary conditions/Dirichlet 1/Boundaries=0")
    free = re.search(r"of which ([\d ]+) MiB are free", text)
    expect(code == 6 and free is not None, f"a large mesh: {code}, {text}")
    if free is not None:
        taken = LIMIT - int(free[1].replace(" ", ""))
        code, errors, text = solve(folder, taken + 500, *GROWS)
        expect(code == 6 and len(errors) == 1 and "The mesh of step 1 needs about" in errors[0] and
               "choose fewer 'Time/Further levels'" in errors[0], f"it grows: {code}, {text}")
finish()
