"""Common parts of the lint tests: the files of the project, and how a test ends."""
import os
import runpy
import subprocess
import sys
import tempfile
import traceback

SKIP = 77


def files(root, suffixes=None):
    """Returns paths, relative to `root`, of the project's files: those that git tracks or
    would track; without git all but those in build, output and hidden folders."""
    git = subprocess.run(
        ["git", "-C", root, "ls-files", "-co", "--exclude-standard", "."],
        capture_output=True, text=True)
    if git.returncode == 0 and git.stdout:
        names = git.stdout.splitlines()
    else:
        names = []
        for folder, folders, here in os.walk(root):
            folders[:] = [f for f in folders
                          if not f.startswith((".", "build", "__")) and f != "out"]
            names += [os.path.relpath(os.path.join(folder, f), root) for f in here]
    return sorted(name for name in set(names)
                  if (suffixes is None or name.endswith(tuple(suffixes)))
                  and os.path.isfile(os.path.join(root, name)))


def text(root, name):
    """Returns the file's text, or nothing for a binary file."""
    with open(os.path.join(root, name), "rb") as file:
        data = file.read()
    return "" if b"\0" in data else data.decode("utf-8", errors="replace")


def load_slow_modules():
    """Imports what scripts need a second to import, where it is there."""
    try:
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot  # noqa: F401
    except ImportError:
        pass


def run_script(script, arguments):
    """Runs a Python script in this process, and returns its exit code."""
    sys.argv = [script, *arguments]
    sys.path.insert(0, os.path.dirname(os.path.abspath(script)))
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return int(end.code or 0)
        print(end.code, file=sys.stderr)
        return 1
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


class Commands:
    """Runs commands in `root`, and keeps what is not as expected. A Python script is started
    once, and after that runs in copies of this process, which have imported its modules."""

    def __init__(self, root):
        self.root, self.problems, self.n_checks = root, [], 0
        self.started = set()

    def run(self, command):
        script = os.path.join(self.root, command[0])
        if script in self.started:
            return self.run_in_copy(command)
        if command[0].startswith("scripts/"):
            with open(script, "rb") as file:
                if b"python" in file.readline():
                    self.started.add(script)
        return subprocess.run(command, cwd=self.root, capture_output=True, text=True)

    def run_in_copy(self, command):
        load_slow_modules()
        sys.stdout.flush()
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
            copy = os.fork()
            if copy == 0:
                code = 1
                try:
                    os.chdir(self.root)
                    os.dup2(out.fileno(), 1)
                    os.dup2(errors.fileno(), 2)
                    code = run_script(command[0], command[1:])
                    sys.stdout.flush()
                finally:
                    os._exit(code)
            code = os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1])
            out.seek(0)
            errors.seek(0)
            return subprocess.CompletedProcess(command, code, out.read(), errors.read())

    def expect(self, code, command, stdout="", stderr=""):
        """Checks the exit code and texts that must be printed; returns what was printed."""
        self.n_checks += 1
        run = self.run(command)
        if run.returncode != code or stdout not in run.stdout or stderr not in run.stderr:
            self.problems.append(f"{' '.join(command)}: exit code {run.returncode}, expected "
                                 f"{code} and '{stdout}{stderr}'\n{run.stdout}{run.stderr}")
        return run.stdout, run.stderr

    def hold(self, fact, what):
        """Checks a fact that has to hold."""
        self.n_checks += 1
        if not fact:
            self.problems.append(what)


def has_matplotlib():
    return subprocess.run(["/usr/bin/python3", "-c", "import matplotlib"],
                          capture_output=True).returncode == 0


def finish(problems, n_scanned, what):
    """Ends the test, with 1 if there are problems or nothing was looked at."""
    if n_scanned == 0:
        problems = [f"no {what} found: nothing was checked"]
    for problem in problems:
        print(problem)
    print(f"{n_scanned} {what}, {len(problems)} problem{'' if len(problems) == 1 else 's'}")
    sys.exit(1 if problems else 0)
