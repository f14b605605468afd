#!/usr/bin/python3
"""The matrix that monodomain exports belongs to its last steps, whatever shorter ones a
stimulus needed before: the same as from a run whose steps have one length.

usage: monodomain_export.py PROGRAM
"""
import os
import subprocess
import sys
import tempfile

COMMON = ("Mesh/Initial refinement=2", "Finite element/Degrees=1",
          "Cell model/Model=aliev_panfilov", "Operator/Name=csr", "Time/Scheme=strang",
          "Time/Step=0.3", "Output/VTU=false", "Stimuli/Stimulus 1/Shape=sphere",
          "Stimuli/Stimulus 1/Centre=0, 0", "Stimuli/Stimulus 1/Radius=0.5")


def matrix(folder, name, *settings):
    """Returns the entries of the exported matrix by row and column."""
    path = os.path.join(folder, name + ".mtx")
    words = [word for setting in COMMON + settings for word in ("-s", setting)]
    done = subprocess.run([sys.argv[1], os.devnull, "--backend", "host", "--export-matrix", path,
                           "-o", os.path.join(folder, name), *words],
                          text=True, capture_output=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{name}: {done.returncode}, {done.stderr}")
    with open(path, encoding="utf-8") as file:
        lines = [line.split() for line in file if not line.startswith("%")]
    return {(row, column): float(value) for row, column, value in lines[1:]}


with tempfile.TemporaryDirectory() as folder:
    # The pulse ends after 0.1; then three steps of 0.3 follow.
    events = matrix(folder, "events", "Time/End=1", "Stimuli/Stimulus 1/Duration=0.1")
    equal = matrix(folder, "equal", "Time/End=0.9", "Stimuli/Stimulus 1/Duration=0.9")
different = [place for place in equal
             if abs(events.get(place, 0) - equal[place]) > 1e-8 * abs(equal[place])]
if events.keys() != equal.keys() or different:
    sys.exit(f"{len(different)} of {len(equal)} entries differ")
