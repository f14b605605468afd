#!/usr/bin/python3
"""Runs the commands of doc/recipes.md and compares what they print with the page.

usage: recipes.py ROOT BUILD

In an indented block of the page, a line that begins with `$ ` is a command for bash. The lines
below it are lines of its output, in their order, but with others between them: words have to be
the same, and numbers to agree to a thousandth. Commands run one after the other in a fresh
folder that has what they name of the tree.
"""
import os
import re
import shutil
import sys
import tempfile
import time

from programs import expect, finish, run
from run import environment

ROOT, BUILD = map(os.path.abspath, sys.argv[1:])
BLOCK = re.compile(r"(?:^|\n\n)((?:    .*(?:\n|$)|\n)+)")


def recipes(text):
    """Returns commands with the lines that they print."""
    found = []
    for block in BLOCK.findall(text):
        for line in filter(None, map(str.strip, block.splitlines())):
            if line.startswith("$ "):
                found.append((line[2:], []))
            elif found and block.lstrip().startswith("$ "):
                found[-1][1].append(line)
    return found


def same(word, other):
    try:
        a, b = float(word), float(other)
    except ValueError:
        return word == other
    return abs(a - b) <= 1e-3 * abs(a)


def matches(line, other):
    words, others = re.split(r"[\s,]+", line), re.split(r"[\s,]+", other.strip())
    return len(words) == len(others) and all(map(same, words, others))


def check(command, lines, folder):
    if re.search(r"\bmpirun\b", command) and shutil.which("mpirun") is None:
        return
    path = os.path.join(BUILD, "applications") + os.pathsep + os.environ["PATH"]
    begin = time.monotonic()
    done = run(["bash", "-c", command], cwd=folder, env={**environment(), "PATH": path})
    print(f"{time.monotonic() - begin:.1f} s: {command}", flush=True)
    if done.returncode != 0 and "python3-matplotlib" in done.stderr:
        return
    expect(done.returncode == 0, f"{command}: {done.returncode}, {done.stderr}")
    printed = iter(done.stdout.splitlines())
    for line in lines:
        if not any(matches(line, other) for other in printed):
            expect(False, f"{command}: no line '{line}' in\n{done.stdout}")
            break


with open(os.path.join(ROOT, "doc", "recipes.md"), encoding="utf-8") as page:
    commands = recipes(page.read())
expect(len(commands) > 20, f"the page has {len(commands)} commands")
with tempfile.TemporaryDirectory() as temporary:
    for name in ("prm", "scripts", "tests"):
        os.symlink(os.path.join(ROOT, name), os.path.join(temporary, name))
    for what in commands:
        check(*what, temporary)
print(f"{len(commands)} commands")
finish()
