#!/usr/bin/python3
"""Each deliberate fault of mutants.list still applies, and a test fails with it.

usage: mutants.py ROOT                     checks that the text of each fault is there once,
                                           and that its tests exist
       mutants.py ROOT --run BUILD [NAME]...
                                           builds each (or those named) in BUILD, runs its
                                           tests and expects a failure; without the fault
                                           they must pass. Files of ROOT are changed in the
                                           meantime, so give it a copy.
"""
import os
import re
import subprocess
import sys

import common

LIST = "tests/lint/mutants.list"


class Mutant:
    def __init__(self, name, what):
        self.name, self.what, self.file = name, what, ""
        self.old, self.new, self.build, self.fails = [], [], [], []

    def problem(self, root):
        """Returns what is wrong with the entry, or nothing."""
        if not (self.file and self.old and self.build and self.fails):
            return "it lacks a file, a text, targets or tests"
        if not os.path.isfile(os.path.join(root, self.file)):
            return f"there is no {self.file}"
        count = common.text(root, self.file).count("\n".join(self.old))
        if count != 1:
            return f"{self.file} has the text {count} times, not once"
        if self.old == self.new:
            return "it changes nothing"
        return ""


def read(root):
    mutants = []
    if not os.path.isfile(os.path.join(root, LIST)):
        return []
    for number, line in enumerate(common.text(root, LIST).splitlines(), 1):
        if line.startswith("#") or not line.strip():
            continue
        if match := re.fullmatch(r"\[(\w+)\] (.+)", line):
            mutants.append(Mutant(*match.groups()))
            continue
        if not mutants:
            sys.exit(f"{LIST}:{number}: no mutant is named before this line")
        mutant = mutants[-1]
        if line.startswith(("<", ">")):
            (mutant.old if line[0] == "<" else mutant.new).append(line[2:])
        elif line.startswith("build: "):
            mutant.build = line[7:].split()
        elif line.startswith("fails: "):
            mutant.fails = line[7:].split()
        else:
            mutant.file = line.strip()
    return mutants


def is_test(root, name):
    """Returns whether a test of this name is in the sources."""
    folder, stem = name.split(".")[:2]
    group, _, case = name.rpartition(".")
    programs = "tests/applications/CMakeLists.txt"
    loop = programs in common.files(root) and re.search(
        rf"foreach\(case ([^)]*)\)\s*(?:add_test\(NAME |tessera_add_application_test\()"
        rf"{re.escape(group)}\.\${{case}}\s",
        common.text(root, programs))
    if loop and case in loop[1].split():
        return True
    return any(os.path.isfile(os.path.join(root, path))
               for path in (f"tests/{folder}/{stem}.cc", f"tests/study/{folder}/{stem}.cc",
                            f"tests/applications/{folder}/{stem}.cc",
                            f"tests/applications/{folder}/{stem}.prm")) or \
        f"tests/{folder}/CMakeLists.txt" in common.files(root) and \
        f"NAME {name}\n" in common.text(root, f"tests/{folder}/CMakeLists.txt")


def check(root):
    mutants, problems = read(root), []
    names = [mutant.name for mutant in mutants]
    for mutant in mutants:
        problem = mutant.problem(root)
        if not problem and names.count(mutant.name) > 1:
            problem = "its name is taken"
        for name in mutant.fails:
            if not problem and not is_test(root, name):
                problem = f"no test is named {name}"
        if problem:
            problems.append(f"{LIST}: {mutant.name}: {problem}")
    common.finish(problems, len(mutants), "mutants")


def command(*arguments):
    run = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         text=True)
    return run.returncode, run.stdout


def run_tests(build, mutants):
    """Builds the targets and runs the tests of mutants; returns what became of it, and the
    output."""
    targets = sorted({target for mutant in mutants for target in mutant.build})
    code, output = command("cmake", "--build", build, "--target", *targets)
    if code != 0:
        return "cannot be built", output
    tests = sorted({re.escape(name) for mutant in mutants for name in mutant.fails})
    code, output = command("ctest", "--test-dir", build, "--no-tests=error",
                           "--output-on-failure", "-R", f"^({'|'.join(tests)})$")
    if "No tests were found" in output or "Not Run" in output:
        return "has no tests", output
    return ("is caught" if code != 0 else "SURVIVES"), output


def verdict(root, mutant, build):
    """Does the same with the fault, and puts the file back afterwards."""
    path, text = os.path.join(root, mutant.file), common.text(root, mutant.file)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace("\n".join(mutant.old), "\n".join(mutant.new)))
    try:
        return run_tests(build, [mutant])
    finally:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def run(root, build, names):
    os.environ["TESSERA_TEST_SEED"] = "full"  # a fault may be in what has no turn
    mutants = read(root)
    if unknown := set(names) - {mutant.name for mutant in mutants}:
        sys.exit(f"{LIST} has no {', '.join(sorted(unknown))}")
    chosen = [mutant for mutant in mutants if not names or mutant.name in names]
    found, output = run_tests(build, chosen)
    if found != "SURVIVES":
        sys.exit(f"{output[-4000:]}\nTests have to pass without a fault.")
    problems = []
    for mutant in chosen:
        found, output = mutant.problem(root), ""
        if not found:
            found, output = verdict(root, mutant, build)
        print(f"{mutant.name}: {found}", flush=True)
        if found != "is caught":
            problems.append(f"{mutant.name} ({mutant.what}): {found}\n{output[-4000:]}")
    common.finish(problems, len(chosen), "mutants")


if __name__ == "__main__":
    if len(sys.argv) == 2:
        check(sys.argv[1])
    if len(sys.argv) < 4 or sys.argv[2] != "--run":
        sys.exit(__doc__)
    run(sys.argv[1], sys.argv[3], sys.argv[4:])
