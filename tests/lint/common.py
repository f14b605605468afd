"""Common parts of the lint tests: the files of the project, and how a test ends."""
import os
import subprocess
import sys

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


class Commands:
    """Runs commands in `root`, and keeps what is not as expected."""

    def __init__(self, root):
        self.root, self.problems, self.n_checks = root, [], 0

    def expect(self, code, command, stdout="", stderr=""):
        """Checks the exit code and texts that must be printed; returns what was printed."""
        self.n_checks += 1
        run = subprocess.run(command, cwd=self.root, capture_output=True, text=True)
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
