"""Runs of programs, their records, and the problems that a test finds in them."""
import json
import os
import re
import subprocess
import sys

INTERNALS = re.compile(r"stack ?trace|terminate called|Assert|what\(\)|/source/|\bstd::", re.I)
POISSON = ("Mesh/Initial refinement=1", "Finite element/Degrees=1", "Source/Function expression=1",
           "Boundary conditions/Dirichlet 1/Boundaries=0")
problems = []


def expect(condition, sentence):
    if not condition:
        problems.append(sentence)


def finish():
    """Ends the test, and says what is wrong."""
    print(*problems, f"{len(problems)} problem{'' if len(problems) == 1 else 's'}", sep="\n")
    sys.exit(1 if problems else 0)


def seed():
    """Returns TESSERA_TEST_SEED, which says whose turn it is where tries take turns, because
    most of the time goes into starting processes. ctest sets it to the number of commits;
    `full` gives all a turn."""
    return os.environ.get("TESSERA_TEST_SEED", "0")


def say_turns(what):
    print(f"{what}; to repeat this run: TESSERA_TEST_SEED={seed()} {' '.join(sys.argv)}")


def in_turn(cases, case, choices, every=1):
    """Returns the choices that a case has in this run, such as numbers of processes: one of
    them. With `every`, so many seeds have the same one."""
    if seed() == "full":
        return list(choices)
    place = list(cases).index(case) + int(seed()) // every
    chosen = choices[place % len(choices)]
    say_turns(f"{case} has {chosen} of {choices}")
    return [chosen]


def has_turn(place, n):
    """Returns true if a try is made in this run: of n successive places one is, and each of
    them by one of n successive seeds."""
    return seed() == "full" or place % n == int(seed()) % n


def prm(*entries):
    """Returns the text of a parameter file with entries `Section/Entry=value`."""
    text = ""
    for entry in entries:
        path, _, value = entry.partition("=")
        *sections, name = path.split("/")
        text += "".join(f"subsection {section}\n" for section in sections)
        text += f"  set {name} = {value}\n" + "end\n" * len(sections)
    return text


def options(entries):
    """Returns the options of a command line that set entries `Section/Entry=value`."""
    return [word for entry in entries for word in ("-s", entry)]


def write(folder, name, contents):
    """Writes a file of text or bytes, and returns its path."""
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(contents if isinstance(contents, bytes) else contents.encode())
    return path


def run(command, **how):
    """Waits for a command, whose output and errors are kept unless `how` says otherwise."""
    how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how}
    return subprocess.run(command, encoding="utf-8", errors="replace", check=False, **how)


def read_record(folder):
    with open(os.path.join(folder, "record.json"), encoding="utf-8") as file:
        return json.load(file)


def error_lines(text):
    return [line for line in text.splitlines() if line.startswith("error: ")]
