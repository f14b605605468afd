#!/usr/bin/python3
"""./run without arguments solves, passes and makes a picture of the solution.

usage: run_script.py ROOT BUILD

The picture must exist, the last line must name it, and it must show something:
many colours, none of which fills it.
"""
import os
import subprocess
import sys

try:
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.image
    import numpy as np
except ImportError:
    print("skipped: python3-matplotlib is not there")
    sys.exit(77)

root, build = sys.argv[1:3]
run = subprocess.run([os.path.join(root, "run")], env=dict(os.environ, BUILD_DIR=build),
                     capture_output=True, text=True)
lines = run.stdout.splitlines()
problems = []
if run.returncode != 0:
    problems.append(f"exit code {run.returncode}")
if not any(line.startswith("PASS: ") for line in lines):
    problems.append("no line PASS")
if not lines or not lines[-1].startswith("Picture: "):
    problems.append("the last line names no picture")
else:
    name = os.path.join(root, lines[-1].removeprefix("Picture: "))
    pixels = (matplotlib.image.imread(name)[:, :, :3] * 255).round().astype(int)
    colours, counts = np.unique(pixels.reshape(-1, 3), axis=0, return_counts=True)
    shares = np.sort(counts)[::-1] / counts.sum()
    print(f"{name}: {len(colours)} colours, the most frequent one on {shares[0]:.0%}")
    if len(colours) < 100:
        problems.append(f"the picture has {len(colours)} colours")
    if shares[0] > 0.8:
        problems.append(f"one colour fills {shares[0]:.0%} of the picture")
for problem in problems:
    print(problem)
if problems:
    print(run.stdout, run.stderr, sep="\n")
sys.exit(1 if problems else 0)
