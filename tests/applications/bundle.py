#!/usr/bin/python3
"""A bundle runs where it is unpacked, and loads nothing from the build folder.

usage: bundle.py SOURCE BUILD

The test packs the applications alone, without compression. Of the programs of tests, which
the target `bundle` packs as well, it sees that their libraries go along.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

from programs import expect, finish

source, build = sys.argv[1:3]


def run(command, folder, shell="bash"):
    """Runs a command in an environment that knows no libraries."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": folder, "OMP_NUM_THREADS": "2",
                   "OMP_WAIT_POLICY": "passive"}
    done = subprocess.run([shell, "-c", command], cwd=folder, env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    print("$", command, "\n" + done.stdout, flush=True)
    expect(done.returncode == 0, f"exit code {done.returncode}: {command}")
    return done.stdout


with tempfile.TemporaryDirectory() as folder:
    stage, here = folder + "/stage", folder + "/un packed"
    os.makedirs(here)
    for component in ("runtime", "programs", "parameters"):
        run(f"cmake --install '{build}' --strip --prefix {stage} --component {component}", folder)
    run(f"'{source}/scripts/bundle' {stage} all.tar", folder)
    run(f"'{source}/scripts/bundle' {stage} programs.tar --no-libraries", folder)
    run("tar -xf ../all.tar", here)

    for shell in ("bash", "sh"):
        expect("poisson" in run(". ./env.sh && poisson --version", here, shell),
               f"poisson --version says nothing in {shell}")
    solved = run(". ./env.sh && poisson prm/poisson/sine.prm --backend host", here)
    expect("PASS" in solved and os.path.exists(here + "/out/poisson/sine/record.json"),
           "no problem was solved in the unpacked folder")

    if shutil.which("mpirun"):
        divided = run(". ./env.sh && mpirun --allow-run-as-root --oversubscribe -n 2 poisson "
                      "prm/poisson/sine.prm --backend host --threads 1", here)
        expect("PASS" in divided, "no mesh was distributed in the unpacked folder")

    measured = run(". ./env.sh && operator_benchmark prm/operator_benchmark/smoke.prm --backend host",
                   here)
    expect("PASS" in measured, "nothing was measured in the unpacked folder")

    run(". ./env.sh && scripts/paper polynomial_cg --only triangles --only tight_bound --small "
        "--build bin", here)

    loaded = run(f". '{here}/env.sh' && ldd \"$(command -v poisson)\"", folder)
    for name, path in re.findall(r"(\S+) => (.*?) \(", loaded):
        expect(path.startswith(here) or re.match(r"lib(c|m|dl|pthread|rt|stdc|gcc_s|gomp|mpi|"
                                                 r"open-|hwloc|event|udev)", name),
               f"{name} is taken from {path}")
    expect("not found" not in loaded and build not in loaded, "libraries are missing")
    for sub in ("bin/poisson", "lib/libtessera.so"):
        expect(build not in run(f"readelf -d '{sub}' | grep -i path", here),
               f"{sub} looks into the build folder")

    listed = run("tar -tf programs.tar", folder).split()
    expect({"bin/poisson", "lib/libtessera.so", "env.sh"} <= set(listed),
           "--no-libraries leaves out what is ours")
    expect(all(re.match(r"lib/(libtessera\w*\.so)?$", name) for name in listed
               if name.startswith("lib/")),
           "--no-libraries packs libraries of others")

installed = set()
for name in glob.glob(build + "/**/cmake_install.cmake", recursive=True):
    with open(name) as script:
        installed.update(re.findall(r'TYPE (?:EXECUTABLE|SHARED_LIBRARY|MODULE) FILES "(.+?)"',
                                    script.read()))
libraries = {os.path.basename(path) for path in installed}
tests = sorted(path for path in installed
               if os.path.basename(path).startswith("test_") and os.path.exists(path))
for path in tests:
    needed = subprocess.run(["readelf", "-d", path], capture_output=True, text=True).stdout
    for library in re.findall(r"\[(libtessera\w*\.so)\]", needed):
        expect(library in libraries, f"{path} needs {library}, which is not packed")
expect(tests, "there is no program of a test to pack")

finish()
