#!/usr/bin/python3
"""The scripts parse, say what is wrong, and do what they promise.

usage: scripts.py ROOT
"""
import base64
import json
import os
import shutil
import struct
import sys
import tempfile
import zlib

import common

root = sys.argv[1]
commands = common.Commands(root)
expect, problems = commands.expect, commands.problems

scripts = [name for name in common.files(root)
           if common.text(root, name).startswith("#!/bin/bash")]
for name in scripts:
    expect(0, ["bash", "-n", name])
    if not os.access(os.path.join(root, name), os.X_OK) and name != ".ci/run":
        problems.append(f"{name}: is not executable")
if shutil.which("shellcheck"):
    expect(0, ["shellcheck", *scripts])

expect(0, ["./run", "--help"], stdout="usage: ./run")
expect(2, ["./run", "no_such_application"], stderr="there is no application")
expect(2, ["./run", "--no-such-option"], stderr="usage: ./run")
expect(0, ["./check", "--help"], stdout="usage: ./check")
expect(0, ["scripts/bundle", "--help"], stdout="--no-libraries")
expect(1, ["scripts/bundle", "doc", "a.tar"], stderr="doc has no folder bin")
expect(2, ["scripts/install-dependencies", "--no-such-option"], stderr="usage:")
expect(2, ["scripts/on-device", "--no-such-option"], stderr="usage:")


def vtu(compressed):
    """Writes one quadrilateral with u = x, in base64 with or without zlib."""
    def array(numbers, kind, name, components=1):
        data = struct.pack(f"<{len(numbers)}{'f' if kind == 'Float32' else 'i'}", *numbers)
        if compressed:
            packed = zlib.compress(data)
            head = struct.pack("<4I", 1, len(data), len(data), len(packed))
            text = base64.b64encode(head) + base64.b64encode(packed)
        else:
            text = base64.b64encode(struct.pack("<I", len(data)) + data)
        return (f'<DataArray type="{kind}" Name="{name}" format="binary" '
                f'NumberOfComponents="{components}">{text.decode()}</DataArray>')

    points = array([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0], "Float32", "p", 3)
    return (f'<VTKFile type="UnstructuredGrid"'
            f'{" compressor=" + chr(34) + "vtkZLibDataCompressor" + chr(34) if compressed else ""}>'
            f"<UnstructuredGrid><Piece><Points>{points}</Points><Cells>"
            f'{array([0, 1, 2, 3], "Int32", "connectivity")}{array([9], "Int32", "types")}</Cells>'
            f'<PointData>{array([0, 1, 1, 0], "Float32", "u")}</PointData>'
            f'<CellData>{array([2], "Float32", "k")}</CellData></Piece>'
            f"</UnstructuredGrid></VTKFile>")


def solid():
    """Writes one hexahedron, as text."""
    def array(numbers, kind, name, components=1):
        return (f'<DataArray type="{kind}" Name="{name}" NumberOfComponents="{components}" '
                f'format="ascii">{" ".join(map(str, numbers))}</DataArray>')

    corners = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1]
    return (f'<VTKFile type="UnstructuredGrid"><UnstructuredGrid><Piece><Points>'
            f'{array(corners, "Float32", "p", 3)}</Points><Cells>'
            f'{array(range(8), "Int32", "connectivity")}{array([12], "Int32", "types")}</Cells>'
            f'<PointData>{array(range(8), "Float32", "u")}'
            f'{array(corners, "Float32", "displacement", 3)}</PointData>'
            f'<CellData>{array([2], "Float32", "k")}{array([1, 0, 1], "Float32", "w", 3)}'
            f"</CellData></Piece>"
            f"</UnstructuredGrid></VTKFile>")


def stand_in(path, *lines):
    """Writes a script that takes the place of a program."""
    with open(path, "w") as script:
        script.write("\n".join(["#!/bin/bash", *lines]) + "\n")
    os.chmod(path, 0o755)


# A cmake that keeps what it is told in a cache, and builds a program that says so.
CMAKE = """echo "cmake $*" >> "$(dirname "$0")/log"
if [ "$1" = --build ]; then
  mkdir -p "$2/applications"
  printf '#!/bin/bash\necho a solution\n' > "$2/applications/poisson"
  chmod +x "$2/applications/poisson"
  exit
fi
while [ "$1" != -B ]; do shift; done
folder=$2
mkdir -p "$folder"
touch "$folder/build.ninja" "$folder/CMakeCache.txt"
for argument in "$@"; do
  if [[ $argument == -D* ]]; then
    name=${argument#-D}
    name=${name%%=*}
    sed -i "/^$name:/d" "$folder/CMakeCache.txt"
    echo "$name:STRING=${argument#*=}" >> "$folder/CMakeCache.txt"
  fi
done"""

# Without a device, the tests have device code of one architecture, whichever command made
# the folder. With one, both commands have code of the device.
run, check = ["./run", "poisson", "a.prm"], ["./check", "-N"]
for n_device, device in enumerate(("exit 1", "echo 8.9")):
    for n_order, order in enumerate(((run, check), (check, run), (check, check), (run, run, check),
                                     (["./run", "--cuda", *run[1:]], check))):
        with tempfile.TemporaryDirectory() as folder:
            for name, line in (("cmake", CMAKE), ("ctest", "echo 100% tests passed"),
                               ("nvidia-smi", device), ("dpkg-query", "echo installed")):
                stand_in(os.path.join(folder, name), line)
            build = os.path.join(folder, "build")
            for command in order:
                expect(0, ["env", f"PATH={folder}:{os.environ['PATH']}", f"BUILD_DIR={build}",
                           *command], stdout="passed" if command is check else "a solution")
            with open(os.path.join(build, "CMakeCache.txt")) as cache:
                cached = dict(line.strip().split(":STRING=") for line in cache)
            wanted = "89" if n_device else "80;90" if n_order == 4 else "90"
            commands.hold((cached["TESSERA_CUDA"], cached.get("TESSERA_CUDA_ARCHITECTURES")) ==
                          ("ON", wanted), f"{device}, {order}: {cached} instead of {wanted}")

# A made-up build folder: what belongs to a stem is built, in a folder without CUDA, and run.
TESTS = """add_test([=[space.numbering.shim]=] "{0}/tests/test_space_numbering_shim" "--backend" "both")
add_test([=[space.numbering]=] "{0}/tests/test_space_numbering" "--backend" "host")
add_test([=[space.numbering.gpu]=] "{0}/tests/test_space_numbering" "--backend" "cuda")
add_test([=[base.shim_races.shim]=] "{0}/tests/test_base_shim_races_shim" "--backend" "both")
add_test([=[matrix.sell]=] "{0}/tests/test_matrix_sell" "--backend" "host")
add_test([=[solvers.cg]=] "{0}/tests/test_solvers_cg" "--backend" "host")
add_test([=[poisson.sine]=] "/elsewhere/run.py" "{0}/applications/poisson" "/elsewhere/sine.prm")
add_test([=[consumer.install]=] "/elsewhere/run.py" "/elsewhere" "{0}" "install")
add_test([=[applications.mistakes]=] "/elsewhere/mistakes.py" "{0}/applications")
add_test([=[lint.words]=] "/elsewhere/words.py" "/elsewhere")
subdirs("more")
"""
TESTS += "".join(f'add_test([=[heat.case_{i:02}]=] "/tests/applications/run.py" "{{0}}/heat{i}")\n'
                 for i in range(70))
OUTPUTS = ("heat2", "heat5", "heat1", "heat68", "tests/test_space_numbering", "tests/test_space_numbering_shim", "tests/test_matrix_sell",
           "tests/test_solvers_cg", "applications/poisson", "applications/all", "source/all")
with tempfile.TemporaryDirectory() as folder:
    build = os.path.join(folder, "build")
    for name, line in (("cmake", CMAKE), ("dpkg-query", "echo installed"), ("nvidia-smi", "exit 1"),
                       ("ninja", "printf '%s: phony\\n' " + " ".join(OUTPUTS)),
                       ("ctest", 'printf "%s\\n" "$@" "seed $TESSERA_TEST_SEED."')):
        stand_in(os.path.join(folder, name), line)

    def check_stems(code, *words, stdout="", stderr="", built=None, configured=None):
        """Runs ./check in a folder of its own; `built` are the targets that it must build."""
        os.makedirs(build)
        with open(os.path.join(build, "CTestTestfile.cmake"), "w") as out:
            out.write(TESTS.format(build))
        expect(code, ["env", "-u", "TESSERA_TEST_SEED", f"PATH={folder}:{os.environ['PATH']}",
                      f"BUILD_DIR={build}", "JOBS=1", "./check", *words], stdout=stdout, stderr=stderr)
        log = os.path.join(folder, "log")
        with open(log) if os.path.exists(log) else open(os.devnull) as file:
            said = file.read()
        for command in said.splitlines():
            if "--target" in command and not command.endswith(" build.ninja"):
                commands.hold(command.split("--target ")[1] == built, f"{words}: {command}")
                built = None
        commands.hold(built is None, f"./check {words}: {built} was not built: {said}")
        commands.hold(configured is None or configured in said, f"./check {words}: {said}")
        shutil.rmtree(build)
        if os.path.exists(log):
            os.remove(log)

    check_stems(0, "space", stdout="(^|\\.)(space)(\\.|$)\n-E\n\\.(shim|races|gpu)$\n",
                built="tests/test_space_numbering", configured="-DTESSERA_CUDA=OFF")
    check_stems(0, "numbering", "sell", "--shim", stdout="-E\n\\.(gpu)$\n", built=(
        "tests/test_matrix_sell tests/test_space_numbering tests/test_space_numbering_shim"))
    check_stems(0, "--cuda", "numbering", stdout="-E\n\\.(shim|races)$\n",
                built="tests/test_space_numbering", configured="-DTESSERA_CUDA=ON")
    check_stems(0, "poisson", "--schedule-random", "-L", "fast", stdout="-L\nfast\n",
                built="applications/poisson")
    check_stems(0, "consumer", built="applications/all source/all")
    check_stems(0, "mistakes", built="applications/all")
    check_stems(0, "words")
    check_stems(0, "sell_host", stderr="no test is named \"sell_host\"; the tests of sell run",
                built="tests/test_matrix_sell")
    check_stems(0, "cuthill_mckee", stderr="the tests of space run instead",
                built="tests/test_space_numbering")
    check_stems(2, "sel", stderr='no test belongs to "sel"; near are sell')
    check_stems(2, "gpuu", stderr="near are gpu")
    check_stems(2, "shim_races", stderr='the tests of "shim_races" run on shim alone: add --shim.')
    check_stems(2, "gpu", "sell", stderr="gpu stands alone")
    check_stems(2, "--shim", stderr="--shim belongs to a stem")
    check_stems(0, "-R", "^space", stdout="-R\n^space\n", built="all")
    check_stems(0, "gpu", stdout="-R\n\\.gpu$\n", built="all")
    check_stems(0, "--seed", "17", stdout="seed 17.", built="all")
    check_stems(0, "full", "sell", stdout="seed full.", built="tests/test_matrix_sell")
    check_stems(0, "--seed", "17", "heat", stdout="^(heat\\.case_02|heat\\.case_05|",
                stderr="one of 3 of the 70 cases of heat has its turn, by the seed 17;",
                built="heat2 heat5 heat68")
    check_stems(0, "heat", "full", stdout="(^|\\.)(heat)(\\.|$)", built="heat1 heat2 heat5 heat68")
    check_stems(0, "-L", "full", stdout="-L\nfull\nseed .", built="all")
    check_stems(2, "--seed", stderr='--seed needs a number of at most nine digits, and has "".')
    check_stems(2, "--seed", "x", stderr='and has "x"')

with tempfile.TemporaryDirectory() as folder:
    def write(name, text):
        """Writes a file, which programs may run."""
        path = os.path.join(folder, name)
        with open(path, "w") as out:
            out.write(text)
        os.chmod(path, 0o755)

    file, image = os.path.join(folder, "u.vtu"), os.path.join(folder, "u.png")
    has_matplotlib = common.has_matplotlib()
    for compressed in (True, False) if has_matplotlib else ():
        with open(file, "w") as out:
            out.write(vtu(compressed))
        expect(0, ["scripts/picture", file, image], stdout=image)
        expect(0, ["scripts/picture", file, image, "--field", "k"], stdout=image)
        large = os.path.getsize(image)
        expect(0, ["scripts/picture", file, image, "--field", "k", "--small"], stdout=image)
        commands.hold(os.path.getsize(image) < large / 2, "--small makes a picture that is not small")
        expect(1, ["scripts/picture", file, image, "--field", "v"], stderr='no field "v"')
        expect(1, ["scripts/picture", file, image, "--deform", "auto"],
               stderr='no field "displacement"')
    if has_matplotlib:
        with open(file, "w") as out:
            out.write(solid())
        for words in ("--keep z<1", "--deform auto", "--deform 2.5", "--lines displacement",
                      "--lines w --field k --keep z<1", "--isochrones 0.3 --range 0 2"):
            expect(0, ["scripts/picture", file, image, *words.split()], stdout=image)
        for words, said in (("--lines u", 'no vectors "u"'), ("--deform much", "much"),
                            ("--keep z>1", "no cell has z>1"), ("--keep u>1", 'not like "y>0.5"'),
                            ("--isochrones 0", "a positive step"), ("--isochrones 1e-9", "1000 lines"),
                            ("--range 1 1", "smaller value before")):
            expect(1, ["scripts/picture", file, image, *words.split()], stderr=said)
        expect(1, ["scripts/picture", file + ".missing", image], stderr="cannot be drawn")
        series, film = folder + "/u.pvd", folder + "/u.gif"
        write("u.pvd", "<VTKFile><Collection>" + "".join(
            f'<DataSet timestep="{t}" file="u.vtu"/>' for t in (5, 0)) + "</Collection></VTKFile>")
        expect(0, ["scripts/picture", series, film, "--film"], stdout=film)
        with open(film, "rb") as read:  # each picture of a GIF has a control extension
            commands.hold(read.read().count(b"!\xf9\x04") == 2, "a film of two pictures")
        expect(1, ["scripts/picture", series, image, "--film"], stderr="a .gif or an .mp4")
        expect(1, ["scripts/picture", series, film, "--film", "--tips", "0"], stderr="of a plane")
        expect(1, ["env", "PATH=", "scripts/picture", series, folder + "/u.mp4", "--film"], stderr="ffmpeg")
        import numpy as np
        from importlib.machinery import SourceFileLoader
        picture = SourceFileLoader("picture", os.path.join(root, "scripts/picture")).load_module()
        lines, _ = picture.cuts(np.array([[[0, 0], [1, 0], [0, 1]]] * 2), np.array([[0, 1, 2], [2, np.nan, 0]]), [0.5])
        commands.hold(lines.tolist() == [[[0.5, 0], [0, 0.25]]], f"isochrones are {lines}")
        # Around (0.4, 0.6) the phase grows counterclockwise; the other cell has no tip.
        x = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [2, 0, 0], [2, 1, 0]])
        for cells in ([[0, 1, 2, 3], [1, 4, 5, 2]], [[3, 2, 1, 0], [2, 5, 4, 1]]):
            tips = picture.tips_of(x, np.array(cells), x[:, 1] - 80.6, x[:, 0] - 80.4, -80).tolist()
            commands.hold(tips == [[0.5, 0.5, 1]], f"tips are {tips}")
    # A bundle lacks a library of ours: it is refused with and without libraries of others.
    stage = os.path.join(folder, "stage")
    for sub in ("bin", "lib"):
        os.makedirs(os.path.join(stage, sub))
    write("a.c", "int a(void) { return 0; }")
    write("b.c", "int a(void); int main(void) { return a(); }")
    commands.expect(0, ["gcc", "-shared", "-fPIC", "-o", stage + "/lib/libtessera_a.so",
                        folder + "/a.c"])
    commands.expect(0, ["gcc", "-o", stage + "/bin/b", folder + "/b.c", "-L" + stage + "/lib",
                        "-ltessera_a", "-Wl,-rpath,$ORIGIN/../lib"])
    bundle = ["scripts/bundle", stage, folder + "/all.tar"]
    expect(0, bundle, stdout="MiB")
    os.remove(stage + "/lib/libtessera_a.so")
    for option in ([], ["--no-libraries"]):
        expect(1, bundle + option, stderr="bundle: bin/b needs libtessera_a.so, which is neither")

    # Made-up programs, devices and a made-up sanitizer: tests are shared, and messages name
    # what fails or runs no test at all.
    programs, on_gpu = os.path.join(folder, "programs"), os.path.join(folder, "on_gpu")
    os.makedirs(programs)
    environment = ["env", "-u", "CUDA_VISIBLE_DEVICES", "-u", "BUILD_DIR",
                   f"PATH={folder}:{os.environ['PATH']}"]
    check = [*environment, "SANITIZERS=memcheck", "scripts/check-on-gpu", programs, on_gpu]
    expect(2, check, stdout=f"There is no program test_* in {programs}.")
    write("nvidia-smi", "#!/bin/bash\nprintf '0\\n1\\n'")
    write("compute-sanitizer",
          """#!/bin/bash\nwhile [[ $1 != /* ]]; do shift; done\n"""
          """echo "= ERROR SUMMARY: 0 errors"; exec "$@"\n""")
    listing = "#!/bin/bash\ncase $* in *--gtest_list_tests*) printf 'Suite.\\n{}';; *) {};; esac\n"
    write("programs/test_a", listing.format("  x\\n  y\\n", '[ "${GTEST_SHARD_INDEX:-}" != 1 ]'))
    write("programs/test_b", listing.format("", "exit 77"))
    said, _ = expect(1, check, stdout="Devices: 0 1\n")
    for step, verdict in (("test_a", "passed"), ("memcheck.test_a.0", "passed"),
                          ("memcheck.test_a.1", "FAILED (1)"), ("test_b", "skipped"),
                          ("memcheck.test_b", "FAILED (no tests)")):
        commands.hold(any(line.split(None, 1)[0] == step and verdict in line
                          for line in said.splitlines()), f"check-on-gpu: {step}: {verdict}")
    with open(os.path.join(on_gpu, "summary")) as file:
        commands.hold(sorted(file) == sorted(said.splitlines(True)[1:]) and
                      said.count("SUMMARY: 0 errors\n") == 2, "check-on-gpu: the summary")
    expect(2, [*environment, "SANITIZERS=some", *check[-3:]], stdout="usage:")
    os.remove(os.path.join(programs, "test_a"))
    os.remove(os.path.join(programs, "test_b"))

    # Two programs a device run beside each other, by check-on-gpu and by ctest in ./check: each
    # waits until four have begun, and says on which device it begins and ends.
    notes = os.path.join(folder, "notes")
    meet = f"""#!/bin/bash
case $* in *--gtest_list_tests*) printf 'Suite.\\n  x\\n'; exit;; esac
echo "begin $CUDA_VISIBLE_DEVICES" >> {notes}
for ((i = 0; i < 300; ++i)); do
  [ "$(grep -c begin {notes})" -lt 4 ] || break
  sleep 0.1
done
sleep 0.1
echo "end $CUDA_VISIBLE_DEVICES" >> {notes}
[ "$(grep -c begin {notes})" -ge 4 ]
"""
    names = [f"test_{k}" for k in range(7)]
    for name in names:
        write(f"programs/{name}", meet)

    def hold_pairs(what, devices, n_programs):
        lines = []
        if os.path.exists(notes):
            with open(notes) as file:
                lines = [line.split() for line in file]
            os.remove(notes)
        running, most = dict.fromkeys(devices, 0), dict.fromkeys(devices, 0)
        for event, device in lines:
            running[device] = running.get(device, 0) + (1 if event == "begin" else -1)
            most[device] = max(most.get(device, 0), running[device])
        commands.hold(most == dict.fromkeys(devices, 2) and len(lines) == 2 * n_programs,
                      f"{what}: so many programs at a time on each device: {most}")

    expect(0, check, stdout="memcheck.test_6")
    hold_pairs("check-on-gpu", ["0", "1"], 14)
    expect(0, [*environment, "CUDA_VISIBLE_DEVICES=3,GPU-5", "SANITIZERS=none", *check[-3:]],
           stdout="Devices: 3 GPU-5\n")
    hold_pairs("check-on-gpu with CUDA_VISIBLE_DEVICES", ["3", "GPU-5"], 7)

    clone = os.path.join(folder, "clone")
    os.makedirs(clone + "/scripts")
    os.makedirs(clone + "/build")
    for name in ("check", "scripts/on-device"):
        shutil.copy(os.path.join(root, name), os.path.join(clone, name))
    write("clone/scripts/build", "#!/bin/bash\n")
    write("clone/build/CTestTestfile.cmake", "".join(
        f'add_test({name}.gpu "{clone}/scripts/on-device" "{programs}/{name}")\n'
        f'set_tests_properties({name}.gpu PROPERTIES RESOURCE_GROUPS "devices:1")\n'
        for name in names) + f'add_test(other "{programs}/{names[0]}")\n')
    expect(0, [*environment, clone + "/check", "gpu"],
           stdout="100% tests passed, 0 tests failed out of 7")
    hold_pairs("./check gpu", ["0", "1"], 7)
    report = "ptxas info    : Used 8 registers"
    target = os.path.join(folder, "a.o")
    expect(3, ["scripts/record-ptxas", "bash", "-c",
               f"echo '{report}' >&2; echo 'warning: x' >&2; exit 3", "-o", target],
           stderr="warning: x")
    with open(target + ".ptxas") as log:
        if report not in log.read():
            problems.append("scripts/record-ptxas: the report of ptxas was not kept")

    # On one made-up card 4 is best for all degrees; the other one has no records.
    header = os.path.join(folder, "tuning.h")
    shutil.copy(os.path.join(root, "source/operators/tuning.h"), header)
    tune = ["scripts/tune", "--header", header, "--out", os.path.join(folder, "tune")]
    for name, by_value in (("ell_ahead", {4: 2.0, 8: 1.0}), ("local_blocks[1]", {4: 9.0, 6: 8.0})):
        for value, rate in by_value.items():
            here = os.path.join(folder, "tune", f"{name}={value}")
            os.makedirs(here)
            rows = [{"completed": done, "library": library, "degree": 1,
                     "gdofs_per_s": rate if done and library == "tessera" else 99.0}
                    for done in (True, False) for library in ("tessera", "cuSPARSE")]
            with open(os.path.join(here, "record.json"), "w") as file:
                json.dump({"rows": rows}, file)
    listed, _ = expect(0, [*tune, "--list"], stdout="ell_ahead = ")
    expect(1, [*tune, "no_such_constant"], stderr="legal are quadrilateral_blocks_double")
    expect(1, [*tune, "--steps", "guess"], stderr="legal are build, measure, write")
    expect(0, [*tune, "--steps", "write", "ell_ahead", "local_blocks", "ell_blocks"],
           stdout="ell_ahead: 4; 4: 2.00, 8: 1.00 GDoF/s\nlocal_blocks, degree 1: 4;")
    after, _ = expect(0, [*tune, "--list"], stdout="ell_ahead = 4; candidates")
    commands.hold("local_blocks = 0, 4, 4, 3, 2;" in after, "scripts/tune: not by degree")
    changed = [a for a, b in zip(listed.splitlines(), after.splitlines()) if a != b]
    commands.hold(len(changed) == 2, "scripts/tune: wrote more than what has records")

common.finish(problems, commands.n_checks, "checks")
