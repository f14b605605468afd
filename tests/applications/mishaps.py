#!/usr/bin/python3
"""Lets mishaps happen to runs of an application: folders that two runs want, files that
an earlier run left, screens that are closed, disks that are full, signals. Whatever
happens, a record says what it was, and no result of an earlier run is lost.

usage: mishaps.py POISSON
"""
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

from programs import POISSON, error_lines, expect, finish, options, prm, read_record, run, write

LONG = options(["Mesh/Initial refinement=8", "Finite element/Degrees=4"])


class Mishaps:
    def __init__(self, program, folder):
        self.output = os.path.join(folder, "out")
        self.command = [program, write(folder, "case.prm", prm(*POISSON)), "-o", self.output,
                        "--backend", "host"]

    def start(self, *more, **how):
        how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how}
        return subprocess.Popen([*self.command, *more], text=True, **how)

    def run(self, what, code, sentence, *more, **how):
        """Waits for a run, which must end with a code and have a sentence among its errors."""
        done = run([*self.command, *more], **how)
        expect(done.returncode == code and sentence in done.stderr, f"{what}: {done}")
        return done.stderr

    @staticmethod
    def wait(process):
        """Waits until a run has its folder and makes its mesh."""
        for line in process.stderr:
            if line.startswith("backend"):
                break
        time.sleep(0.2)

    def expect_done(self, what):
        record = read_record(self.output)
        expect(record["status"] == "done" and len(record["cases"]) == 1,
               f"{what}: the record says {record['status']}")

    def files_of_an_earlier_run(self):
        errors = self.run("first run", 0, "", "-s", "Finite element/Degrees=1, 2")
        expect("note:" not in errors, f"first run: {errors}")
        self.run("files of an earlier run", 0, "also has files of an earlier run: "
                 "solution_p2_c0.vtu, solution_p2_c0_boundary.vtu.")

    def a_record_of_an_earlier_run(self):
        """A run that is ended before its first case is done replaces nothing."""
        for number, code in ((signal.SIGKILL, -9), (signal.SIGINT, 130),
                             (signal.SIGXCPU, 130), (signal.SIGUSR1, 130)):
            process = self.start(*LONG)
            self.wait(process)
            process.send_signal(number)
            _, errors = process.communicate()
            expect(process.returncode == code, f"signal {number}: {errors}")
            self.expect_done("the earlier record")

    def two_runs(self):
        first = self.start(*LONG)
        self.wait(first)
        self.run("second run", 2, "error: Another run writes into the output folder")
        first.kill()
        first.communicate()
        self.run("after both", 0, "")

    def closed_screen(self):
        reader, writer = os.pipe()
        os.close(reader)
        self.run("closed pipe", 0, "", stdout=writer)
        os.close(writer)
        self.expect_done("closed pipe")
        with open("/dev/full", "w", encoding="utf-8") as full:
            self.run("full screen", 0, "", stdout=full)
            self.expect_done("full screen")
            self.run("full list", 1, "error: The standard output cannot be written: No space "
                     "left on device.", "--print-parameters", stdout=full)

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
        expect(process.returncode == 130 and len(seen) >= 3 and
               iterations == sorted(set(iterations)) and
               all(float(word) >= 0 for line in seen for word in line),
               f"terminal: {process.returncode} {text} {out}")
        errors = self.run("no terminal", 0, "", "-s", "Mesh/Initial refinement=6")
        expect("iteration " not in errors.replace("iterations", ""), f"no terminal: {errors}")

    def full_disk(self):
        """A limit of the size of files is the disk that a test can fill."""
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (12000, 12000))
        for form in ("vtu", "vtkhdf"):
            errors = self.run("full disk", 1,
                              f"solution_p1_c0.{form}' cannot be written: File too large.",
                              "-s", "Mesh/Initial refinement=6", "-s", f"Output/Format={form}",
                              preexec_fn=limit)
            expect(len(error_lines(errors)) == 1, f"sentences: {errors}")
            left = [name for name in os.listdir(self.output) if name.endswith(".part")]
            expect(not left, f"parts of files: {left}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        mishaps = Mishaps(sys.argv[1], folder)
        for happen in (mishaps.files_of_an_earlier_run,
                       mishaps.a_record_of_an_earlier_run, mishaps.two_runs,
                       mishaps.closed_screen, mishaps.terminal,
                       mishaps.full_disk):
            happen()
    finish()


if __name__ == "__main__":
    main()
