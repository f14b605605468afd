#!/usr/bin/python3
"""Lets mishaps happen to processes that solve together: other parameters or files in one of
them, one that is killed, Ctrl-C. All of them end, and the record is what it should be.

usage: divided_mishaps.py POISSON OPERATOR_BENCHMARK
"""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from mistakes import MSH
from programs import (POISSON, error_lines, expect, finish, in_turn, options, prm, read_record,
                      run, write)
from run import SKIPPED, environment

LONG = ["Mesh/Initial refinement=7", "Finite element/Degrees=4"]
MANY = ["Mesh/Initial refinement=4", "Mesh/Cycles=6", "Finite element/Degrees=1, 2, 3, 4"]
PHASES = ["Mesh/Initial refinement=8", "Finite element/Degrees=2", "Operator/Name=csr"]
MINUTE = 60
TEN_SECONDS = 10  # in which the others end when one is killed


def processes_of(mpirun):
    """Returns the ids of the processes that mpirun has started, in their order."""
    found = subprocess.run(["pgrep", "-P", str(mpirun.pid)], text=True, stdout=subprocess.PIPE,
                           check=False)
    return sorted(map(int, found.stdout.split()))


def are_gone(ids):
    return not any(os.path.exists(f"/proc/{number}") for number in ids)


class Mishaps:
    def __init__(self, program, benchmark, folder):
        self.program, self.benchmark, self.folder = program, benchmark, folder
        self.output = os.path.join(folder, "out")
        self.file = write(folder, "case.prm", prm(*POISSON))

    def words(self, *entries, file=None, program=None):
        return [program or self.program, file or self.file, "-o", self.output, "--backend", "host",
                "--threads", "1", *options(entries)]

    def together(self, first, second):
        """Runs two processes with words of their own."""
        return run(["mpirun", "-n", "1", *first, ":", "-n", "1", *second], env=environment(),
                   timeout=MINUTE)

    def expect_refused(self, done, *texts):
        errors = error_lines(done.stderr)
        expect(done.returncode == 2 and len(errors) == 1 and
               all(text in errors[0] for text in texts), f"{texts}: {done}")
        expect(not os.path.exists(self.output), f"files were written: {texts}")

    def other_parameters(self):
        """The sentence names the entry that differs, whether in a file or an option."""
        other = write(self.folder, "other.prm", prm(*POISSON, "Mesh/Initial refinement=2"))
        said = ("Mesh/Initial refinement is '1' in process 0 and '2' in process 1",)
        self.expect_refused(self.together(self.words(), self.words(file=other)), *said)
        self.expect_refused(self.together(self.words(), self.words("Mesh/Initial refinement=2")),
                            *said)
        self.expect_refused(self.together(self.words(), [*self.words(), "--validate"]),
                            "the command line is ")
        study = write(self.folder, "study.prm", prm("Study/Samples=3"))
        with_seed = write(self.folder, "seed.prm", prm("Study/Samples=3", "Study/Seed=7"))
        self.expect_refused(
            self.together(self.words(file=study, program=self.benchmark),
                          self.words(file=with_seed, program=self.benchmark)),
            "Study/Seed is '1' in process 0 and '7' in process 1")

    def other_files(self):
        """Machines have other files of one name, here in their own folders."""
        folders = [os.path.join(self.folder, str(k)) for k in (0, 1)]
        for folder, size in zip(folders, (1, 2)):
            os.mkdir(folder)
            write(folder, "square.msh", MSH.replace(" 1 1 0", f" {size} 1 0"))
            write(folder, "case.prm", prm(*POISSON, "Mesh/Type=file", "Mesh/File=square.msh",
                                          "Boundary conditions/Dirichlet 1/Boundaries=0"))
        words = self.words(file="case.prm")
        def by(*folders):
            return run(["mpirun", "--wdir", folders[0], "-n", "1", *words, ":", "--wdir",
                        folders[1], "-n", "1", *words], env=environment(), timeout=MINUTE)
        self.expect_refused(by(*folders), "the checksum of Mesh/File is ")
        done = by(folders[1], folders[1])
        expect(done.returncode == 0, f"the same file: {done}")
        shutil.rmtree(self.output)

    def start(self, entries, **more):
        """Starts three processes, which have begun to work when this returns."""
        mpirun = subprocess.Popen(["mpirun", "-n", "3", *self.words(*entries)],
                                  env={**environment(), **more}, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for line in mpirun.stderr:
            if "values travel by" in line:
                break
        time.sleep(0.5)
        return mpirun, processes_of(mpirun)

    def end(self, what, mpirun, ids):
        """Waits for all processes, a minute at most. Returns the exit code and the errors."""
        start = time.monotonic()
        try:
            _, errors = mpirun.communicate(timeout=MINUTE)
        except subprocess.TimeoutExpired:
            mpirun.kill()
            mpirun.communicate()
            expect(False, f"{what}: mpirun goes on")
            return None, ""
        while not are_gone(ids) and time.monotonic() - start < MINUTE:
            time.sleep(0.1)
        expect(are_gone(ids), f"{what}: processes go on")
        return mpirun.returncode, errors

    def killed(self):
        """The others end, and the record of before stays."""
        done = run(["mpirun", "-n", "3", *self.words()], env=environment())
        expect(done.returncode == 0, f"first run: {done}")
        before = read_record(self.output)
        for which in (0, 2):
            mpirun, ids = self.start(LONG)
            expect(len(ids) == 3, f"processes: {ids}")
            os.kill(ids[which], signal.SIGKILL)
            begin = time.monotonic()
            code, errors = self.end(f"process {which} was killed", mpirun, ids)
            seconds = time.monotonic() - begin
            expect(code == 128 + signal.SIGKILL and seconds < TEN_SECONDS,
                   f"process {which} was killed: {code} after {seconds} s: {errors}")
            expect(read_record(self.output) == before, f"process {which} was killed: the record")

    def full_disk(self):
        """A limit of the size of files is the disk that a test can fill, of all processes or of
        the last one."""
        entries = ["Mesh/Initial refinement=6", "Finite element/Degrees=1"]
        full = ["prlimit", "--fsize=12000"]
        for form in in_turn(("formats",), "formats", ("vtu", "vtkhdf")):
            words = self.words(*entries, f"Output/Format={form}")
            for n_free in (0, 2) if form == "vtu" else (0,):
                shutil.rmtree(self.output, ignore_errors=True)
                free = ["-n", str(n_free), *words, ":"] if n_free else []
                done = run(["mpirun", *free, "-n", str(3 - n_free), *full, *words],
                           env=environment(), timeout=MINUTE)
                errors = error_lines(done.stderr)
                left = [name for name in os.listdir(self.output) if name.endswith(".part")]
                expect(done.returncode == 1 and len(errors) == 1 and not left and
                       "cannot be written: File too large" in errors[0],
                       f"full disk, {form}, {n_free} free: {done.returncode} {errors} {left}")

    def control_c_at_any_time(self):
        """Ctrl-C while meshes are made, systems are set up, or files are written."""
        shutil.rmtree(self.output)
        begin = time.monotonic()
        mpirun, ids = self.start(PHASES)
        code, errors = self.end("the whole run", mpirun, ids)
        expect(code == 0, f"the whole run: {code} {errors}")
        seconds = time.monotonic() - begin
        for tenth in in_turn(("tenths",), "tenths", (1, 2, 3, 4, 5, 6, 7, 8, 9)):
            mpirun, ids = self.start(PHASES, OMPI_MCA_odls_base_sigkill_timeout="5")
            time.sleep(seconds * tenth / 10)
            mpirun.send_signal(signal.SIGINT)
            code, errors = self.end(f"Ctrl-C after {tenth} tenths", mpirun, ids)
            record = read_record(self.output)
            ends = {"interrupted": 130, "done": 0}  # on a machine that is quicker now
            expect(ends.get(record["status"]) == record["exit_code"],
                   f"Ctrl-C after {tenth} tenths: {code}, {record['status']}, {errors}")

    def control_c(self):
        """mpirun gives processes a second to end, here five for the sake of busy machines."""
        mpirun, ids = self.start(MANY, OMPI_MCA_odls_base_sigkill_timeout="5")
        limit = time.monotonic() + MINUTE
        while time.monotonic() < limit and mpirun.poll() is None:
            if read_record(self.output)["status"] == "running":
                break
            time.sleep(0.05)
        mpirun.send_signal(signal.SIGINT)
        code, errors = self.end("Ctrl-C", mpirun, ids)
        record = read_record(self.output)
        expect(code != 0 and record["status"] == "interrupted" and record["exit_code"] == 130,
               f"Ctrl-C: {code}, {record['status']}, {errors}")
        expect(1 <= len(record["cases"]) < 24, f"Ctrl-C: {len(record['cases'])} cases")


def main():
    if shutil.which("mpirun") is None:
        return sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as folder:
        mishaps = Mishaps(*sys.argv[1:], folder)
        for happen in (mishaps.other_parameters, mishaps.other_files, mishaps.killed,
                       mishaps.full_disk, mishaps.control_c, mishaps.control_c_at_any_time):
            happen()
    return finish()


if __name__ == "__main__":
    main()
