#!/usr/bin/python3
"""usage: processes.py FOLDER_OF_PROGRAMS

Starts programs by mpirun in three processes. Those that work in one process say so in one
sentence, and none of the three leaves a file; what is printed, and what the command line or the
parameter file has wrong, is there once.
Skipped without mpirun.
"""
import os
import shutil
import subprocess
import sys
import tempfile

from run import ROOT, SKIPPED, environment

ALONE = {"template": ["applications/template/template.prm"],
         "spmv_benchmark": ["-s", "Factors/Matrices=qcd", "-s", "Study/Scale=0.01"]}


def run(program, words, by_mpirun=True):
    """Returns the exit code, what is printed and the lines of errors."""
    command = ["mpirun", "-n", "3"] if by_mpirun else []
    done = subprocess.run([*command, os.path.join(sys.argv[1], program), *words], cwd=ROOT,
                          env=environment(), text=True, capture_output=True, check=False)
    errors = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    return done.returncode, done.stdout, errors


def main():
    if shutil.which("mpirun") is None:
        print("skipped: there is no mpirun")
        return SKIPPED
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "out")
        for program, words in ALONE.items():
            code, printed, errors = run(program, [*words, "-o", output])
            sentence = f"error: {program} works in one process; start it without mpirun."
            if code != 2 or printed.strip() or errors != [sentence]:
                problems.append(f"{program}: {code}, {printed[:200]}, {errors}")
            if os.path.exists(output):
                problems.append(f"{program} wrote {os.listdir(output)}")
    for words in (["--bogus"], ["nowhere.prm"], ["prm/poisson/large.prm", "-s", "Mesh/Cycles=zero"],
                  ["prm/poisson/large.prm", "-s", "Mesh/Cycles"]):
        code, printed, errors = run("poisson", words)
        if code != 2 or printed.strip() or len(errors) != 1:
            problems.append(f"poisson {words}: {code}, {printed[:200]}, {errors}")
    for program, word in (("poisson", "--list"), ("poisson", "--print-parameters"),
                          ("poisson", "--help"), ("poisson", "--version"),
                          ("operator_benchmark", "--help"),
                          ("solver_benchmark", "--print-parameters")):
        of_one, of_all = run(program, [word], False), run(program, [word])
        if of_all != of_one or of_one[0] != 0:
            problems.append(f"{program} {word}: {of_all[0]}, {len(of_all[1])} characters "
                            f"instead of {len(of_one[1])}, {of_all[2]}")
    print(*problems, sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
