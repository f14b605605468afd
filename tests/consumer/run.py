#!/usr/bin/python3
"""Projects outside of the tree find, link and run Tessera.

usage: run.py SOURCE BUILD build_tree|install|missing_component|core [--dealii]
              [--launcher WORD...]

build_tree: this folder and, with --dealii, applications/template are copied to a
folder of the build, where they find the build folder, are built and run.
The WORDs of the launcher start a compiler cache, which knows that folder again. The linker
is gold, if it is there, which links the libraries behind deal.II in a second and not in 16.
install: the same with the folder fem in the place of the template, with an install that was moved
after it was made, and with the compiler's own linker. The install must not contain paths of
this machine's folders, and the programs must not load anything from the build.
missing_component: asking for a missing component gives an error of one sentence.
core: without deal.II and the study the project is configured. It compiles the core and its
tests by the commands of this build, so that the objects are the same ones, and a part of the
core is compiled to see that nothing else is needed before. The objects of this build are
linked without the study, and tests on the host, which take turns, pass with that core.
"""
import contextlib
import glob
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "applications"))
import programs

source, build, what = sys.argv[1:4]
dealii = "--dealii" in sys.argv[4:]
launcher = sys.argv[sys.argv.index("--launcher") + 1:] if "--launcher" in sys.argv else []
LAYERS = "base|space|forms|matrix|assembly|operators|preconditioners|solvers|program"
# Programs start without the environment variables of this build.
environment = {name: value for name, value in os.environ.items()
               if name not in ("LD_LIBRARY_PATH", "CMAKE_PREFIX_PATH", "CXXFLAGS")}


def fail(sentence):
    print("FAIL:", sentence)
    sys.exit(1)


def run(*command, expected=0, folder=None):
    done = subprocess.run(command, cwd=folder, env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    print("$", *command, "\n" + done.stdout[-4000:], flush=True)
    if (done.returncode == 0) != (expected == 0):
        fail(f"exit code {done.returncode} of {command[0]}")
    return done.stdout


def configure(project, found_in, expected=0):
    return run("cmake", "-S", project, "-B", project + "/build",
               f"-Dtessera_DIR={found_in}", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
               *(["-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=gold"]
                 if what != "install" and shutil.which("ld.gold") else []),
               *(f"-DCMAKE_{language}_COMPILER_LAUNCHER={';'.join(launcher)}"
                 for language in ("CXX", "CUDA")),
               expected=expected)


def build_and_run(folder, project, found_in, *arguments):
    copy = os.path.join(folder, os.path.basename(project))
    shutil.copytree(project, copy)
    configure(copy, found_in)
    with open(copy + "/build/compile_commands.json") as file:
        for entry in json.load(file):
            if not entry["file"].startswith(copy + "/"):  # kernels of a form
                if entry["file"].endswith("_host.cc") and "-fopenmp" not in entry["command"]:
                    fail("kernels of a form are compiled without threads")
                continue
            leaked = re.search(r"\s(-W\w\S*|\S*cuda\S*|-march\S*|-O2\s.*-O3)", entry["command"])
            if leaked:
                fail(f"flags of this project reach others: {leaked[1]}")
    run("cmake", "--build", copy + "/build")
    print(run(copy + "/build/" + os.path.basename(project), *arguments, folder=copy))
    return copy + "/build/" + os.path.basename(project)


def check_relocatable(prefix):
    for name in glob.glob(prefix + "/lib*/cmake/tessera/*.cmake"):
        with open(name) as file:
            for line in file:
                if source in line or build in line or "/lib/cmake" in line:
                    fail(f"{name} holds a path: {line.strip()}")
    for name in glob.glob(prefix + "/lib*/*.so"):
        paths = re.findall(r"R(?:UN)?PATH\).*\[(.*)\]", run("readelf", "-d", name))
        if any(not path.startswith("$ORIGIN") for entry in paths for path in entry.split(":")):
            fail(f"{name} looks for libraries in {paths}")


def cached(*names):
    """Returns options that repeat entries of this build's CMake cache."""
    with open(build + "/CMakeCache.txt") as file:
        entries = dict(re.findall(r"^([A-Z_]+):\w+=(.+)$", file.read(), re.MULTILINE))
    return [f"-D{name}={entries[name]}" for name in names if name in entries]


def core_commands(folder):
    """Returns {object: command} of the core and its tests, without the names of folders."""
    objects = {}
    for entry in json.loads(subprocess.run(["ninja", "-C", folder, "-t", "compdb"], check=True,
                                           capture_output=True, text=True).stdout):
        if re.match(rf"source/CMakeFiles/tessera(_X86_64\w*|_device)?\.dir/.*(cc|cxx)\.o$|"
                    rf"tests/CMakeFiles/test_({LAYERS})_.*\.o$", entry["output"]):
            objects[entry["output"]] = entry["command"].replace(folder, "FOLDER")
    return objects


def run_core_tests(core):
    """Links tests of the core by the commands of the folder `core`, from objects of this build,
    and runs them on the host."""
    tests = json.loads(subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, check=True,
                                      capture_output=True, text=True).stdout)["tests"]
    tests = [[word.replace(build, core) for word in test["command"]] for test in tests
             if re.match(rf"({LAYERS})\.\w+$", test["name"])
             and test["command"][0].startswith(build + "/")]
    tests = [command for place, command in enumerate(tests) if programs.has_turn(place, 10)]
    programs.say_turns(f"{len(tests)} tests of the core")
    commands = subprocess.run(["ninja", "-t", "commands",
                               *(os.path.relpath(test[0], core) for test in tests)],
                              cwd=core, check=True, capture_output=True, text=True).stdout
    for command in commands.splitlines():
        made = re.search(r" -o (\S+\.o)( |$)", command)
        if not made:
            run("bash", "-c", command, folder=core)
        elif not os.path.exists(os.path.join(core, made[1])):
            os.makedirs(os.path.dirname(os.path.join(core, made[1])), exist_ok=True)
            os.symlink(os.path.join(build, made[1]), os.path.join(core, made[1]))
    for test in tests:
        run(*test, folder=core)


@contextlib.contextmanager
def empty_folder():
    folder = os.path.join(build, "tests", "consumer", what)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


with empty_folder() as folder:
    if what == "core":
        if not os.path.exists(build + "/build.ninja"):
            print("This build is not one of ninja.")
            sys.exit(77)
        core = folder + "/build"
        run("cmake", "-G", "Ninja", "-S", source, "-B", core, "-DTESSERA_DEALII=OFF",
            "-DTESSERA_STUDY=OFF", "-DTESSERA_TESTS=ON",
            *cached("TESSERA_CUDA", "TESSERA_CUDA_ARCHITECTURES", "TESSERA_INSTRUCTION_SETS",
                    "CMAKE_BUILD_TYPE", "CMAKE_CXX_FLAGS", "CMAKE_CXX_COMPILER"))
        alone, here = core_commands(core), core_commands(build)
        if len(alone) < 100:
            fail(f"{len(alone)} objects of the core and its tests were found")
        for name in sorted(alone.keys() | here.keys()):
            if alone.get(name) != here.get(name):
                fail(f"{name} is compiled by\n{alone.get(name)}\nin the core alone, and here by"
                     f"\n{here.get(name)}")
        first, = (name for name in alone if "unity_0_" in name)
        run("ninja", "-C", core, first, "tessera_version")
        run_core_tests(core)
        sys.exit(0)

    if what == "missing_component":
        project = folder + "/project"
        without = folder + "/without_dealii"
        run("cmake", "-S", source, "-B", without, "-DTESSERA_DEALII=OFF", "-DTESSERA_CUDA=OFF",
            "-DTESSERA_TESTS=OFF", "-DTESSERA_STUDY=OFF")
        for found_in, component, sentence in (
                (build, "petsc", "Tessera has no component 'petsc'; there is 'fem'."),
                (without, "fem", "This Tessera was built without deal.II")):
            os.makedirs(project, exist_ok=True)
            with open(project + "/CMakeLists.txt", "w") as file:
                file.write("cmake_minimum_required(VERSION 3.22)\nproject(p LANGUAGES CXX)\n"
                           f"find_package(tessera REQUIRED COMPONENTS {component})\n")
            if sentence not in " ".join(configure(project, found_in, expected=1).split()):
                fail(f"no word of '{sentence}'")
            shutil.rmtree(project)
        sys.exit(0)

    found_in = build
    if what == "install":
        for component in ("runtime", "development"):
            run("cmake", "--install", build, "--prefix", folder + "/first", "--component", component)
        os.rename(folder + "/first", folder + "/prefix")
        check_relocatable(folder + "/prefix")
        found_in, = glob.glob(folder + "/prefix/lib*/cmake/tessera")
    programs = [build_and_run(folder, source + "/tests/consumer", found_in)]
    if dealii and what == "install":
        programs.append(build_and_run(folder, source + "/tests/consumer/fem", found_in, "host"))
    elif dealii:
        programs.append(build_and_run(folder, source + "/applications/template", found_in,
                                      "template.prm", "--backend", "host"))
    for program in programs:
        loaded = re.search(r"libtessera\.so => (\S+)", run("ldd", program))[1]
        if not loaded.startswith(build + "/" if what == "build_tree" else folder + "/prefix/"):
            fail(f"{program} loads {loaded}")
