#!/usr/bin/python3
"""Makes mistakes, and tries what is odd but legal: in options, parameters, formulas, files,
folders, limits of the system and the environment. Each try says how the program must end
and what it must say. Whatever the mistake, there is one sentence, nothing lies in the
output folder, and nothing hangs.

usage: mistakes.py FOLDER_OF_PROGRAMS [NUMBER]    NUMBER: this try alone, with its output
"""
import concurrent.futures
import gzip
import os
import re
import resource
import subprocess
import sys
import tempfile

import more_mistakes
from programs import (INTERNALS, POISSON, error_lines, finish, has_turn, prm, problems,
                      read_record, run, say_turns, write)
from run import environment

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SECONDS = 60  # of a try, at most
TURNS = 10    # one of so many tries is made in a run, each within so many seeds

PROBLEM = prm(*POISSON)
MSH = """$MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
4
1 0 0 0
2 1 0 0
3 1 1 0
4 0 1 0
$EndNodes
$Elements
1
1 3 2 1 1 1 2 3 4
$EndElements
"""
HEAD = "%%MatrixMarket matrix coordinate real general\n"
FILES = {
    "poisson.prm": PROBLEM,
    "elasticity.prm": prm("Mesh/Grid arguments=0 : 1 : true", "Mesh/Initial refinement=1",
                          "Finite element/Degrees=1", "Loads/Gravity=0; -1",
                          "Boundary conditions/Remaining boundaries=natural",
                          "Boundary conditions/Displacement 1/Boundaries=0"),
    "monodomain.prm": prm("Mesh/Initial refinement=1", "Finite element/Degrees=1", "Time/End=1",
                          "Time/Step=0.5"),
    "operator_benchmark.prm": prm("Study/Samples=1", "Factors/Operators=csr",
                                  "Factors/Cell types=quadrilateral", "Factors/Degrees=1",
                                  "Factors/Degrees of freedom=100"),
    "solver_benchmark.prm": prm("Factors/Cell types=quadrilateral", "Factors/Degrees=1",
                                "Factors/Degrees of freedom=100", "Factors/Operators=csr"),
    # parameter files
    "empty.prm": "", "comment.prm": "# nothing\n", "stray_end.prm": PROBLEM + "end\n",
    "open.prm": PROBLEM + "subsection Output\n",
    "no_equals.prm": "subsection Mesh\n  set Cycles 2\nend\n",
    "no_set.prm": "subsection Mesh\n  Cycles = 2\nend\n",
    "outside.prm": PROBLEM + "set Cycles = 2\n",
    "windows.prm": PROBLEM.replace("\n", "\r\n"), "mark.prm": "\ufeff" + PROBLEM,
    "tabs.prm": PROBLEM.replace("  set", "\tset\t"),
    "loop.prm": "include loop.prm\n", "include.prm": "include nowhere.prm\n",
    "utf16.prm": PROBLEM.encode("utf-16"), "random.prm": bytes(range(256)) * 16,
    "twice.prm": PROBLEM + "subsection Mesh\n  set Cycles = 1\n  set Cycles = 2\nend\n",
    "long_line.prm": PROBLEM + "# " + "x" * 1000000 + "\n",
    "continued.prm": PROBLEM + "subsection Output \\\nend\n",
    # meshes
    "square.msh": MSH, "cut.msh": MSH[:-60], "nothing.msh": "", "words.msh": "this is no mesh\n",
    "picture.msh": b"\x89PNG\r\n\x1a\n" + bytes(1000), "no_cells.msh": MSH.split("$Elements")[0],
    "node_nan.msh": MSH.replace("3 1 1 0", "3 nan 1 0"),
    "node_missing.msh": MSH.replace("2 1 1 1 2 3 4", "2 1 1 1 2 3 9"),
    "flat.msh": MSH.replace("3 1 1 0", "3 1 0 0").replace("4 0 1 0", "4 0 0 0"),
    "many.msh": MSH.replace("$Nodes\n4", "$Nodes\n4000000000"),
    "negative.msh": MSH.replace("$Nodes\n4", "$Nodes\n-4"),
    "twice.msh": MSH.replace("$Elements\n1\n1 3 2 1 1 1 2 3 4",
                             "$Elements\n2\n1 3 2 1 1 1 2 3 4\n2 3 2 1 1 1 2 3 4"),
    "zipped.msh": gzip.compress(MSH.encode()), "cut_zip.msh": gzip.compress(MSH.encode())[:40],
    "header.vtk": "# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\n",
    "header.inp": "*HEADING\n*NODE\n", "half.vtu": "<VTKFile><UnstructuredGrid>",
    "empty.stl": "", "words.stl": "solid nothing\n", "mesh.xyz": MSH,
    # matrices
    "good.mtx": HEAD + "2 2 2\n1 1 2\n2 2 2\n", "empty.mtx": "", "words.mtx": "hello\n",
    "head.mtx": HEAD, "zero.mtx": HEAD + "0 0 0\n", "no_entries.mtx": HEAD + "2 2 0\n",
    "few.mtx": HEAD + "2 2 3\n1 1 2\n2 2 2\n", "more.mtx": HEAD + "2 2 1\n1 1 2\n2 2 2\n",
    "outside.mtx": HEAD + "2 2 1\n3 1 2\n", "index0.mtx": HEAD + "2 2 1\n0 1 2\n",
    "nan.mtx": HEAD + "2 2 1\n1 1 nan\n", "word.mtx": HEAD + "2 2 1\n1 1 two\n",
    "large.mtx": HEAD + "2 2 1\n1 1 1e999\n", "complex.mtx": HEAD.replace("real", "complex"),
    "array.mtx": HEAD.replace("coordinate", "array") + "1 1\n1\n",
    "huge.mtx": HEAD + "2000000000 2000000000 1\n1 1 1\n",
    "beyond_float.mtx": HEAD + "1 1 1\n1 1 1e39\n", "below_float.mtx": HEAD + "1 1 1\n1 1 1e-39\n",
    "many.mtx": HEAD + "2 2 4000000000000\n1 1 1\n",
    "negative.mtx": HEAD + "-2 2 1\n1 1 1\n", "binary.mtx": bytes(range(256)) * 16,
    "cut.mtx.gz": gzip.compress((HEAD + "2 2 2\n1 1 2\n2 2 2\n").encode())[:30],
    "garbage.matrix": bytes(range(256)) * 4,
    "three.mtx": HEAD.replace("coordinate", "array") + "3 1\n1\n1\n1\n",
    "singular.mtx": HEAD + "2 2 1\n1 1 1\n",
}
FILES.update(more_mistakes.files(MSH, PROBLEM, FILES["good.mtx"]))


def case(application, code, text, *options, **how):
    """A try with the file of an application, as text[code]: options are arguments, of which
    `Section/Entry=value` becomes `-s Section/Entry=value`. How it runs: `file` is another
    parameter file, `processes` starts as many by mpirun, `apart` has further words for some of
    them, {process: [word, ...]}, of which NAME=value is of the environment, and all else is for
    subprocess."""
    arguments = [how.pop("file", application + ".prm")]
    for option in options:
        arguments += ["-s", option] if "/" in option and option[0].isupper() else [option]
    return application, arguments, code, text, how


def by_mpirun(command, processes, apart):
    """Returns the command of several processes, some of which have further words."""
    if not apart:
        return ["mpirun", "-n", str(processes), *command]
    words = ["mpirun"]
    for process in range(processes):
        more = apart.get(process, [])
        of_environment = [word for word in more if re.match("[A-Z_]+=", word)]
        options = [word for word in more if word not in of_environment]
        words += ["-n", "1", "env", *of_environment, *command, *options, ":"]
    return words[:-1]


def poisson(code, text, *options, **how):
    return case("poisson", code, text, *options, **how)


def mesh(code, text, name, *options):
    return poisson(code, text, "Mesh/Type=file", f"Mesh/File={name}",
                   "Mesh/Initial refinement=2", "--validate", *options,
                   "Boundary conditions/Remaining boundaries=natural")


def spmv(code, text, *arguments):
    return ("spmv_benchmark", ["-s", "Study/Samples=1", "-s", "Factors/Formats=csr", "-s", "Factors/Numbers=double",
                               *arguments], code, text, {})


def limit(kind, value):
    return lambda: resource.setrlimit(kind, (value, value))


TRIES = [
    # the command line
    poisson(2, "--bogus", "--bogus"), poisson(2, "backend", "--backend", "gpu"),
    poisson(2, "threads", "--threads", "-1"),
    poisson(2, "threads", "--threads", "two"), poisson(2, "threads", "--threads", "1000000000"),
    poisson(2, "device", "--device", "-1"), 
    poisson(2, "elasticity.prm", "elasticity.prm"), poisson(2, "nowhere.prm", file="nowhere.prm"),
    poisson(2, "'.'", file="."), poisson(2, "", "-o", ""),
    poisson(2, "occupied", "-o", "occupied"), poisson(2, "occupied", "-o", "occupied/out"),
    poisson(2, "", "-o", "x" * 300), poisson(2, "", "-s", "Mesh"),
    poisson(2, "", "-s", "=3"), poisson(2, "", "-s", "Mesh/=3"), poisson(2, "", "-s", ""),
    poisson(2, "", "Mesh/Nothing=1"), poisson(2, "", "mesh/cycles=1", "-s", "mesh/Cycles=1"),
    poisson(2, "", "--export-matrix", "nowhere/a.mtx"), poisson(2, "", "--export-matrix", "a.txt"),
    poisson(0, "Grid name", "--print-parameters"), poisson(0, "csr", "--list"),
    ("poisson", [], 2, "", {}), ("poisson", ["--help"], 0, "--validate", {}),
    ("poisson", ["--version"], 0, "", {}), ("spmv_benchmark", ["file.prm"], 2, "file.prm", {}),
    # parameter files
    poisson(3, "Boundary", "--validate", file="empty.prm"),
    poisson(3, "Boundary", "--validate", file="comment.prm"),
    poisson(2, "end", file="stray_end.prm"), poisson(2, "end", file="open.prm"),
    poisson(2, "no_equals.prm:2", file="no_equals.prm"), poisson(2, "no_set.prm:2", file="no_set.prm"),
    poisson(2, "Cycles", file="outside.prm"), poisson(0, "VALID", "--validate", file="windows.prm"),
    poisson(0, "VALID", "--validate", file="mark.prm"), poisson(0, "VALID", "--validate", file="tabs.prm"),
    poisson(2, "loop.prm", file="loop.prm"), poisson(2, "nowhere.prm", file="include.prm"),
    poisson(2, "utf16.prm", file="utf16.prm"), poisson(2, "random.prm", file="random.prm"),
    poisson(0, "VALID", "--validate", file="twice.prm"),
    poisson(0, "Open", "Mesh/Initial refinement=1", "Finite element/Degrees=1", file="readme.prm"),
    poisson(0, "VALID", "--validate", file="long_line.prm"),
    poisson(2, "", "--validate", file="continued.prm"),
    # meshes
    poisson(2, "Initial refinement", "Mesh/Initial refinement=-1"),
    poisson(2, "Initial refinement", "Mesh/Initial refinement=1.5"),
    poisson(2, "Initial refinement", "Mesh/Initial refinement=99999999999"),
    poisson(6, "legal are at most", "Mesh/Initial refinement=14", "Mesh/Cycles=15"),
    poisson(2, "Cycles", "Mesh/Cycles=0"), poisson(2, "hyper_cubes", "Mesh/Grid name=hyper_cubes"),
    poisson(2, "", "Mesh/Grid name="), poisson(2, "", "Mesh/Grid arguments=0 : 0 : false"),
    poisson(2, "", "Mesh/Grid arguments=1 : 0 : false"), poisson(2, "", "Mesh/Grid arguments=a : b"),
    poisson(2, "", "Mesh/Grid arguments=nan : 1 : false"),
    poisson(2, "", "Mesh/Grid arguments=0 : inf : false"),
    poisson(2, "Distortion", "Mesh/Distortion=2"), poisson(2, "Dimension", "Mesh/Dimension=4"),
    poisson(2, "", "Mesh/Dimension=3", "Mesh/Cell type=triangle"),
    mesh(0, "VALID", "square.msh", "Boundary conditions/Dirichlet 1/Boundaries=0"),
    mesh(0, "VALID", "zipped.msh", "Boundary conditions/Dirichlet 1/Boundaries=0"),
    mesh(3, "no_such", "no_such.msh"), mesh(3, "folder", "."), mesh(2, "'Mesh/File' is empty", ""),
    *(mesh(3, name, name) for name in (
        "cut.msh", "nothing.msh", "words.msh", "picture.msh", "no_cells.msh", "node_nan.msh",
        "node_missing.msh", "flat.msh", "many.msh", "negative.msh", "twice.msh", "cut_zip.msh",
        "header.vtk", "header.inp", "half.vtu", "mesh.xyz")),
    mesh(2, "Scale", "square.msh", "Mesh/Scale=0"), mesh(2, "Scale", "square.msh", "Mesh/Scale=-1"),
    mesh(3, "endless", "endless.msh"),
    # degrees, operators, solvers
    poisson(2, "Degrees", "Finite element/Degrees="), poisson(2, "Degrees", "Finite element/Degrees=0"),
    poisson(2, "Degrees", "Finite element/Degrees=5"), poisson(2, "Degrees", "Finite element/Degrees=1; 2"),
    poisson(2, "Name", "Operator/Name=cssr"), poisson(2, "Number", "Operator/Number=half"),
    poisson(2, "Relative tolerance", "Solver/Relative tolerance=-1"),
    poisson(2, "Relative tolerance", "Solver/Relative tolerance=nan"),
    poisson(2, "Maximal iterations", "Solver/Maximal iterations=0"),
    poisson(2, "Preconditioner", "Solver/Preconditioner=magic"),
    poisson(4, "FAIL", "Solver/Maximal iterations=1", "Mesh/Initial refinement=3"),
    # formulas
    *(poisson(2, "Source/Function expression", f"Source/Function expression={formula}")
      for formula in ("", "1/0", "sin(", "x y", "z", "t", "1e400", "π", "ln(x - 2)", "x; y", "x = 1",
                      "1,5", "rand()", "foo(x)", "\"x\"")),
    poisson(0, "VALID", "Source/Function expression=if(x > 0.5, 1, 2)", "--validate"),
    poisson(0, "VALID", "Source/Function expression=" + "+".join(["x"] * 5000), "--validate"),
    poisson(0, "VALID", "Source/Function expression=" + "(" * 1000 + "x" + ")" * 1000, "--validate"),
    *(poisson(2, "Coefficient/Expression", f"Coefficient/Expression={formula}")
      for formula in ("0", "-1", "x - 0.5", "1; 2", "1; 2; 1", "1; 0; 1; 0", "1e-400")),
    # boundaries
    *(poisson(code, "", f"Boundary conditions/Dirichlet 1/Boundaries={ids}")
      for code, ids in ((3, "99"), (3, "-1"), (3, "zero"), (3, "0 1"), (3, "1e0"), (3, ""))),
    poisson(0, "", "Boundary conditions/Dirichlet 1/Boundaries=0, 0", "--validate"),
    # results
    *(poisson(2, "Probes", f"Output/Probes={points}", "--validate")
      for points in ("0.5", "0.5, 0.5, 0.5", "a, b", "nan, 0.5", "1e300, 0", ";", "2, 2")),
    poisson(2, "Precision", "Output/Precision=float16"),
    poisson(2, "Subdivisions", "Output/Subdivisions=9"),
    poisson(2, "'Validation'", "Validation/Check rates=true"),
    # reactions, time, axes
    poisson(2, "Reaction/Expression", "Reaction/Expression=-1"),
    poisson(2, "double", "Reaction/Expression=1", "Operator/Number=float"),
    poisson(2, "Scheme", "Time/Scheme=euler"),
    poisson(2, "Time/End", "Time/Scheme=backward_euler", "Time/End=0"),
    poisson(2, "Time/Step", "Time/Scheme=backward_euler", "Time/Step=-1"),
    poisson(2, "Time/Step", "Time/Scheme=backward_euler", "Time/Step=1e-30"),
    poisson(2, "double", "Time/Scheme=backward_euler", "Operator/Number=float"),
    poisson(2, "depends on t", "Time/Scheme=backward_euler", "Coefficient/Expression=1 + t"),
    poisson(2, "Capacity/Expression", "Time/Scheme=backward_euler", "Capacity/Expression=0"),
    poisson(2, "Source/Function expression", "Time/Scheme=backward_euler",
            "Source/Function expression=1 / (t - 0.5)", "Time/Step=0.5"),
    poisson(3, "x >= 0", "Coordinates/Kind=axisymmetric", "Mesh/Grid arguments=-1 : 1 : false"),
    poisson(2, "dimension 2", "Coordinates/Kind=axisymmetric", "Mesh/Dimension=3"),
    # elasticity
    case("elasticity", 0, "VALID", "--validate"),
    *(case("elasticity", 2, entry, f"Material/{entry}={value}")
      for entry, value in (("Young modulus", "0"), ("Young modulus", "-1"), ("Young modulus", "nan"),
                           ("Poisson ratio", "0.5"), ("Poisson ratio", "-1"), ("Poisson ratio", "x"))),
    case("elasticity", 2, "Gravity", "Loads/Gravity=1"),
    case("elasticity", 3, "", "Boundary conditions/Displacement 1/Boundaries=7"),
    case("elasticity", 2, "Components", "Boundary conditions/Displacement 1/Components=q"),
    case("elasticity", 2, "Components", "Boundary conditions/Displacement 1/Components=z"),
    case("elasticity", 3, "", "Boundary conditions/Displacement 1/Components=x"),
    case("elasticity", 3, "empty.stl", "Mesh/Type=file", "Mesh/File=empty.stl"),
    case("elasticity", 3, "words.stl", "Mesh/Type=file", "Mesh/File=words.stl"),
    # monodomain
    case("monodomain", 0, "VALID", "--validate"),
    *(case("monodomain", 2, text, option) for text, option in (
        ("Step", "Time/Step=0"), ("Step", "Time/Step=-1"), ("End", "Time/End=-1"),
        ("End", "Time/End=nan"), ("Model", "Cell model/Model=frog"), ("Scheme", "Time/Scheme=leapfrog"),
        ("double", "Operator/Number=float"), ("Isotropic", "Diffusion/Isotropic/Expression=-1"))),
    # benchmarks
    case("operator_benchmark", 0, "VALID", "--validate"),
    *(case("operator_benchmark", 2, "", option) for option in (
        "Study/Samples=0", "Factors/Operators=cssr", "Factors/Degrees=7", "Factors/Operators=",
        "Factors/Degrees of freedom=0", "Factors/Numbers=half", "Factors/Degrees of freedom=1e6.5")),
    case("solver_benchmark", 0, "VALID", "--validate"),
    *(case("solver_benchmark", 2, "", option) for option in (
        "Factors/Preconditioners=magic", "Factors/Degrees of freedom=0")),
    spmv(0, "PASS", "-s", "Factors/Matrices=./good.mtx"), spmv(2, "Study/Samples", "-s", "Study/Samples=0"),
    *(spmv(3, name, "-s", "Factors/Matrices=./" + name) for name in (
        "empty.mtx", "words.mtx", "head.mtx", "few.mtx", "more.mtx", "outside.mtx", "index0.mtx",
        "nan.mtx", "word.mtx", "large.mtx", "complex.mtx", "array.mtx", "negative.mtx",
        "binary.mtx", "cut.mtx.gz", "garbage.matrix", "no_such.mtx", "endless.mtx", "many.mtx")),
    spmv(6, "memory", "-s", "Factors/Matrices=./huge.mtx"), spmv(0, "PASS", "-s", "Factors/Matrices=./zero.mtx"),
    spmv(0, "PASS", "-s", "Factors/Matrices=./no_entries.mtx"),
    # float crashed, or was measured with a row of zeros
    *(("spmv_benchmark", ["-s", "Study/Samples=1", "-s", "Factors/Formats=csr", "-s", "Factors/Matrices=./" + name], 0, text, {})
      for name, text in (("beyond_float.mtx", "which is beyond the largest float, 3.40282e+38."),
                         ("below_float.mtx", "which is below the smallest float, 1.17549e-38."))),
    spmv(2, "nowhere", "-s", "Factors/Matrices=./good.mtx", "-s", "Output/Product=nowhere/y.mtx"),
    # limits and the environment
    poisson(1, "File too large", preexec_fn=limit(resource.RLIMIT_FSIZE, 10)),
    poisson(6, "on the host", "Mesh/Initial refinement=10",
            preexec_fn=limit(resource.RLIMIT_AS, 1 << 30)),
    poisson(2, "TESSERA_SIMD", env={"TESSERA_SIMD": "X87"}),
    poisson(0, "VALID", "--validate", env={"LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"}),
    poisson(0, "VALID", "--validate", env={"HOME": "", "TMPDIR": "/nowhere", "PATH": ""}),
    poisson(0, "VALID", "--validate", env={"OMP_NUM_THREADS": "many"}),
    poisson(0, "", stdin=subprocess.DEVNULL),
    *more_mistakes.tries(case, mesh, spmv, limit),
]


def first_file():
    """Returns the parameter file that the README shows."""
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        return file.read().split("## A first file")[1].split("\n\n")[2]


def lies(folder, code, out):
    """Returns what a folder says of a run that is not so: a record tells how the run ended, and
    other files of a run that failed are there only if the screen says FAIL."""
    names = os.listdir(folder) if os.path.isdir(folder) else []
    found = []
    if "record.json" in names:
        record = read_record(folder)
        if (record["status"], record["exit_code"]) != ("failed" if code else "done", code):
            found.append(f"the record says {record['status']}, {record['exit_code']}")
    left = [name for name in names if name != "record.json"]
    if code in (2, 3) and left and "FAIL" not in out:
        found.append(f"files are left: {left}")
    return found


class Trial:
    def __init__(self, tries, programs, folder):
        self.tries, self.programs, self.folder = tries, programs, folder
        for name, text in {**FILES, "readme.prm": first_file()}.items():
            write(folder, name, text)
        for name in ("endless.msh", "endless.mtx"):
            os.symlink("/dev/zero", os.path.join(folder, name))
        write(folder, "occupied", "")
        for name in ("pipe", "pipe.mtx"):
            os.mkfifo(os.path.join(folder, name))
        os.mkdir(os.path.join(folder, "folder.mtx"))
        os.symlink("loop", os.path.join(folder, "loop"))

    def run(self, number):
        """Returns what is wrong with a try."""
        program, arguments, code, text, how = self.tries[number]
        output = os.path.join(self.folder, f"out{number}")
        command = [os.path.join(self.programs, program), *arguments]
        if "-o" not in arguments:
            command += ["-o", output]
        if "--backend" not in arguments:
            command += ["--backend", "host"]
        how = {**how, "env": {**environment(), "OMP_NUM_THREADS": "1", **how.get("env", {})}}
        if processes := how.pop("processes", 0):
            command = by_mpirun(command, processes, how.pop("apart", {}))
        try:
            done = run(command, timeout=SECONDS, cwd=self.folder, **how)
        except subprocess.TimeoutExpired:
            return f"hangs: {arguments}"
        # What mpirun says itself stands between such lines, before our words or behind them.
        out, errors = done.stdout, re.sub(r"(?ms)^-{60,}$.*?^-{60,}$", "", done.stderr)
        if len(sys.argv) > 2:
            print(" ".join(command)[:2000], out, errors, done.returncode, sep="\n")
        lines = error_lines(errors)
        where = " ".join([program, *arguments])[:200]
        found = lies(output, code, out)
        if done.returncode != code:
            found.append(f"exit code {done.returncode}, not {code}")
        if len(lines) != (0 if code == 0 else 1):
            found.append(f"{len(lines)} errors")
        if code != 0 and lines and (not re.search(r"[.?]( \(process \d+ of \d+\))?$", lines[0]) or len(lines[0]) > 1500):
            found.append("no sentence")
        if text not in (out if code == 0 else " ".join(lines) if code != 4 else out):
            found.append(f"'{text}' is not said")
        if INTERNALS.search(errors):
            found.append("internals are shown")
        return f"{number}: {where}: {'; '.join(found)}: {errors[-600:]}" if found else ""


def main(tries):
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(tries, os.path.abspath(sys.argv[1]), folder)
        if len(sys.argv) > 2:
            print(trial.run(int(sys.argv[2])))
            return
        numbers = [number for number in range(len(tries)) if has_turn(number, TURNS)]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            problems.extend(filter(None, pool.map(trial.run, numbers)))
    say_turns(f"{len(numbers)} of {len(tries)} tries, which take turns")
    finish()


if __name__ == "__main__":
    main(TRIES)
