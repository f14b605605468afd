#!/usr/bin/python3
"""Lets mishaps happen to runs of an application: folders that two runs want, files that
an earlier run left, screens that are closed, disks that are full, signals. Whatever
happens, a record says what it was, and no result of an earlier run is lost.

usage: mishaps.py POISSON
"""
import json
import os
import pty
import re
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time

CASE = """
subsection Mesh
  set Initial refinement = 2
end
subsection Finite element
  set Degrees = 1
end
subsection Source
  set Function expression = 1
end
subsection Boundary conditions
  subsection Dirichlet 1
    set Boundaries = 0
  end
end
"""
LONG = ["-s", "Mesh/Initial refinement=8", "-s", "Finite element/Degrees=4"]


class Mishaps:
    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.output = os.path.join(folder, "out")
        self.prm = os.path.join(folder, "case.prm")
        self.problems = []
        with open(self.prm, "w", encoding="utf-8") as file:
            file.write(CASE)

    def start(self, *options, **how):
        how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how}
        return subprocess.Popen([self.program, self.prm, "-o", self.output, "--backend",
                                 "host", *options], text=True, **how)

    def run(self, *options, **how):
        process = self.start(*options, **how)
        out, errors = process.communicate()
        return process.returncode, out, errors

    @staticmethod
    def wait(process):
        """Waits until a run has its folder and makes its mesh."""
        while not process.stderr.readline().startswith("backend"):
            pass
        time.sleep(0.2)

    def record(self):
        with open(os.path.join(self.output, "record.json"), encoding="utf-8") as file:
            return json.load(file)

    def check(self, condition, what, *more):
        if not condition:
            self.problems.append(f"{what}: {' '.join(map(str, more))}")

    def files_of_an_earlier_run(self):
        code, _, errors = self.run("-s", "Finite element/Degrees=1, 2")
        self.check(code == 0 and "note:" not in errors, "first run", code, errors)
        code, _, errors = self.run()
        self.check(code == 0 and "also has files of an earlier run: "
                   "solution_p2_c0.vtu, solution_p2_c0_boundary.vtu." in errors,
                   "files of an earlier run", code, errors)

    def a_record_of_an_earlier_run(self):
        """A run that is ended before its first case is done replaces nothing."""
        for number, code in ((signal.SIGKILL, -9), (signal.SIGINT, 130)):
            process = self.start(*LONG)
            self.wait(process)
            process.send_signal(number)
            _, errors = process.communicate()
            self.check(process.returncode == code, "signal", number, errors)
            record = self.record()
            self.check(record["status"] == "done" and len(record["cases"]) == 1,
                       "the earlier record", record["status"])

    def two_runs(self):
        first = self.start(*LONG)
        self.wait(first)
        code, _, errors = self.run()
        self.check(code == 2 and "error: Another run writes into the output folder"
                   in errors, "second run", code, errors)
        first.kill()
        first.communicate()
        code, _, errors = self.run()
        self.check(code == 0, "after both", code, errors)

    def closed_screen(self):
        reader, writer = os.pipe()
        os.close(reader)
        code, _, errors = self.run(stdout=writer)
        os.close(writer)
        self.check(code == 0 and self.record()["status"] == "done", "closed pipe",
                   code, errors)
        with open("/dev/full", "w", encoding="utf-8") as full:
            code, _, errors = self.run(stdout=full)
            self.check(code == 0 and self.record()["status"] == "done",
                       "full screen", code, errors)
            code, _, errors = self.run("--print-parameters", stdout=full)
            self.check(code == 1 and "error: The standard output cannot be written: No "
                       "space left on device." in errors, "full list", code, errors)

    def terminal(self):
        """A terminal shows how far a solve is, and other screens do not."""
        ours, theirs = pty.openpty()
        process = self.start(*LONG, "-s", "Mesh/Initial refinement=7", stderr=theirs)
        os.close(theirs)
        text, seen = "", []
        while len(seen) < 3 and process.poll() is None:
            if select.select([ours], [], [], 60)[0]:
                text += os.read(ours, 4096).decode()
            seen = re.findall(r"iteration (\d+), residual (\S+), about (\d+) more in (\S+) s",
                              text)
        process.send_signal(signal.SIGINT)
        while select.select([ours], [], [], 10)[0]:
            try:
                if not os.read(ours, 4096):
                    break
            except OSError:  # the other end is closed
                break
        out, _ = process.communicate()
        os.close(ours)
        iterations = [int(line[0]) for line in seen]
        self.check(process.returncode == 130 and len(seen) >= 3 and
                   iterations == sorted(set(iterations)) and
                   all(float(word) >= 0 for line in seen for word in line), "terminal",
                   process.returncode, text, out)
        code, _, errors = self.run("-s", "Mesh/Initial refinement=6")
        self.check(code == 0 and "iteration " not in errors.replace("iterations", ""),
                   "no terminal", code, errors)

    def full_disk(self):
        """A limit of the size of files is the disk that a test can fill."""
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (12000, 12000))
        code, _, errors = self.run("-s", "Mesh/Initial refinement=6", preexec_fn=limit)
        self.check(code == 1 and "solution_p1_c0.vtu' cannot be written: File too large."
                   in errors, "full disk", code, errors)
        lines = [line for line in errors.splitlines() if line.startswith("error: ")]
        self.check(len(lines) == 1, "sentences", lines)
        left = [name for name in os.listdir(self.output) if name.endswith(".part")]
        self.check(not left, "parts of files", left)


def main():
    with tempfile.TemporaryDirectory() as folder:
        mishaps = Mishaps(sys.argv[1], folder)
        for happen in (mishaps.files_of_an_earlier_run,
                       mishaps.a_record_of_an_earlier_run, mishaps.two_runs,
                       mishaps.closed_screen, mishaps.terminal,
                       mishaps.full_disk):
            happen()
    print(*mishaps.problems, sep="\n")
    return 1 if mishaps.problems else 0


if __name__ == "__main__":
    sys.exit(main())
