#!/usr/bin/python3
"""Stops monodomain in several ways, lets it go on from its checkpoints and compares all
bits of the last state with a run that was not stopped. Damages checkpoints,
fills the disk and changes the problem in between.

usage: monodomain_restart.py PROGRAM ROOT
"""
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from programs import expect, finish, in_turn, options, read_record

PROGRAM, ROOT = sys.argv[1:3]
PRM = os.path.join(ROOT, "tests/applications/monodomain/restart.prm")
STATE, TRACES = "checkpoint_p1_c0", "traces_p1_c0.csv"
ELECTRODES = "electrodes_p1_c0.csv"

CELLS = ("Cell model/Model=ten_tusscher_panfilov", "Mesh/Initial refinement=4", "Time/End=12",
         "Time/Step=0.05")
SCHEMES = (("godunov",), ("bdf2", "Time/Tolerance=0.2"),
           ("bdf2", *CELLS),
           ("godunov", "Time/Mass=lumped"),
           ("godunov", "Time/Mass=lumped", "Time/Diffusion=stages"),
           ("strang", *CELLS, "Time/Rates=narrow"))


def start(folder, *settings, **how):
    command = [PROGRAM, PRM, "-o", folder, "--backend", "host", *options(settings)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                            **how)


def run(folder, *settings, **how):
    process = start(folder, *settings, **how)
    errors = process.communicate()[1]
    return process.returncode, errors


def contents(folder, name):
    """Returns the bytes of a file without the date in it."""
    with open(os.path.join(folder, name), "rb") as file:
        return re.sub(rb"deal.II library on [^\n]*", b"", file.read())


def check_same(what, whole, folder):
    for name in (STATE, TRACES, ELECTRODES, "potential_p1_c0.pvd"):
        expect(contents(whole, name) == contents(folder, name), f"{what}: {name} differs")


def stop_after_checkpoint(folder, number):
    """Starts a run and sends a signal once it has written a checkpoint."""
    process = start(folder)
    while process.poll() is None and not os.path.exists(os.path.join(folder, STATE)):
        time.sleep(0.001)
    process.send_signal(number)
    process.communicate()
    expect(process.returncode != 0, f"signal {number} came too late")
    return process.returncode


def check_restarts(scheme, root, *others):
    settings = ["Time/Scheme=" + scheme, *others]
    whole, half = os.path.join(root, scheme), os.path.join(root, scheme + "_half")
    expect(run(whole, *settings)[0] == 0, f"{scheme}: the whole run failed")
    expect(run(half, *settings, "Time/End=10")[0] == 0, f"{scheme}: half of it failed")
    code, errors = run(half, "Checkpoint/Restart=true", *settings)
    expect(code == 0, f"{scheme}: the restart failed: {errors}")
    check_same(f"{scheme} in two runs", whole, half)
    parameters = read_record(half)["cases"][0]["parameters"]
    expect(0 < parameters["steps_before_restart"] < parameters["steps"],
           f"{scheme}: the record does not show the restart")
    return whole


def check_other_rates(root):
    """A checkpoint of exact rates goes on with narrow tables."""
    folder = os.path.join(root, "rates")
    expect(run(folder, *CELLS, "Time/End=10")[0] == 0, "exact rates failed")
    code, errors = run(folder, *CELLS, "Checkpoint/Restart=true", "Time/Rates=narrow")
    expect(code == 0, f"the restart with narrow rates failed: {errors}")


def check_signals(whole, root):
    for number, expected in (*in_turn(("signals",), "signals", ((signal.SIGINT, 130),
                                                                (signal.SIGTERM, 130))),
                             (signal.SIGKILL, -signal.SIGKILL)):
        folder = os.path.join(root, f"signal_{int(number)}")
        code = stop_after_checkpoint(folder, number)
        expect(code == expected, f"signal {number}: exit code {code}")
        code, errors = run(folder, "Checkpoint/Restart=true")
        expect(code == 0, f"the restart after signal {number} failed: {errors}")
        check_same(f"signal {number}", whole, folder)


def check_damage(whole, root):
    """A damaged file is named, and the one before is taken."""
    folder = os.path.join(root, "damaged")
    for place in in_turn(("bytes",), "bytes", (0, 40, 3000, -1)):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(whole, folder)
        data = bytearray(contents(whole, STATE))
        data[place] ^= 1
        with open(os.path.join(folder, STATE), "wb") as file:
            file.write(data)
        code, errors = run(folder, "Checkpoint/Restart=true")
        expect(code == 0 and "is damaged" in errors, f"byte {place}: {code} {errors}")
        check_same(f"byte {place} damaged", whole, folder)
    for make in (os.mkfifo, os.mkdir):  # was an error of the system, or waited for ever
        shutil.rmtree(folder)
        shutil.copytree(whole, folder)
        os.remove(os.path.join(folder, STATE))
        make(os.path.join(folder, STATE))
        code, errors = run(folder, "Checkpoint/Restart=true")
        expect(code == 0 and "is damaged" in errors, f"{make.__name__}: {code} {errors}")
    shutil.rmtree(folder)
    shutil.copytree(whole, folder)
    for name in (STATE, STATE + ".previous"):
        with open(os.path.join(folder, name), "r+b") as file:
            file.truncate(1000)
    code, errors = run(folder, "Checkpoint/Restart=true")
    expect(code == 2 and "can be read" in errors, f"all damaged: {code} {errors}")


def check_failure(root):
    """Where Newton's method fails for good, the state before is kept."""
    folder = os.path.join(root, "failed")
    settings = ["Time/Scheme=implicit", "Checkpoint/Steps=0",
                "Stimuli/Stimulus 1/Start=5", "Stimuli/Stimulus 1/Strength=1e308"]
    code, errors = run(folder, *settings)
    expect(code == 4 and "did not converge" in errors, f"failed steps: {code} {errors}")
    before = contents(folder, STATE)
    code, errors = run(folder, "Checkpoint/Restart=true", *settings)
    expect(code == 4 and "after the time 5" in errors, f"failed again: {code} {errors}")
    expect(contents(folder, STATE) == before, "a step that failed changed the state")


def check_refusals(whole, root):
    """Another problem is refused with what differs, and no file is changed."""
    before = contents(whole, STATE)
    for setting, text in (("Cell model/Parameters=c: 7", "Cell model/Parameters"),
                          ("Mesh/Initial refinement=4", "Mesh/Initial refinement"),
                          ("Cell model/Model=fitzhugh_nagumo", "Cell model/Model"),
                          ("Time/Step=0.2", "Time/Step"), ("Time/Mass=lumped", "Time/Mass"),
                          ("Output/Activation threshold=0.3", "Output/Activation threshold"),
                          ("Time/End=10", "of the time ")):
        code, errors = run(whole, "Checkpoint/Restart=true", setting)
        expect(code == 2 and text in errors, f"{setting}: {code} {errors}")
    code, errors = run(os.path.join(root, "empty"), "Checkpoint/Restart=true")
    expect(code == 2 and "has no checkpoint" in errors, f"no folder: {code} {errors}")
    expect(contents(whole, STATE) == before, "a refused restart changed the checkpoint")


def rows_of(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        lines = file.read().splitlines()
    return lines[0], [[float(x) for x in line.split(",")] for line in lines[1:]]


def check_extension(whole, root):
    """A run that ended without asking for checkpoints goes on, with another stimulus and other
    points; a whole run with that stimulus has the same numbers."""
    folder, twice = os.path.join(root, "extended"), os.path.join(root, "twice")
    late = ["Stimuli/Stimulus 2/Shape=sphere", "Stimuli/Stimulus 2/Centre=15, 10",
            "Stimuli/Stimulus 2/Radius=2", "Stimuli/Stimulus 2/Start=10",
            "Stimuli/Stimulus 2/Strength=25"]
    code, errors = run(folder, "Checkpoint/Steps=0", "Time/End=10")
    expect(code == 0 and os.path.exists(os.path.join(folder, STATE)),
           f"a finished run: {code} {errors}")
    points = ["Output/Trace points=5, 5; 15, 10", "Output/Electrodes=25, 10, 0; 30, 0, 0",
              "Output/Interval=2"]
    code, errors = run(folder, "Checkpoint/Restart=true", *late, *points)
    expect(code == 0, f"the extension failed: {errors}")
    for text in ("from the time 10 on 'Stimuli/Stimulus 2/Start' is '10'; it was '0' before.",
                 "'Output/Trace points' is '5, 5; 15, 10'; it was '15, 10' before."):
        expect(text in errors, f"'{text}' is not in {errors}")
    expect(errors.count("note: from the time") == 8, f"other notes: {errors}")
    expect(run(twice, *late)[0] == 0, "the run with two stimuli failed")
    for name, column in ((TRACES, 2), (ELECTRODES, 1)):
        head, rows = rows_of(folder, name)
        expect(head.count(",") == 2, f"{name} has the head {head}")
        expected = rows_of(twice, name)[1]
        # Other times of output change the last bits of the ends of steps.
        size = max(abs(row[1]) for row in expected)
        expect(len(rows) == len(expected) and
               all(abs(row[0] - other[0]) < 1e-8 and abs(row[column] - other[1]) < 1e-6 * size
                   for row, other in zip(rows, expected)),
               f"{name} of two runs differs from one run")
        new = [(row[0], row[3 - column]) for row in rows]
        expect(all((value != value) == (time <= 10) for time, value in new),
               f"{name}: where it has nan")
    other = rows_of(whole, TRACES)[1]
    expect(other[-1] != rows_of(twice, TRACES)[1][-1], "the second stimulus does nothing")
    series = contents(folder, "potential_p1_c0.pvd").count(b"<DataSet")
    expect(series == 3 + 15, f"{series} steps of the series, every 5 and then every 2")


def check_first_step(whole, root):
    """A run whose own first step would have another length goes on with the same bits."""
    folder = os.path.join(root, "first_step")
    expect(run(folder, "Time/End=10")[0] == 0, "the run to 10 failed")
    code, errors = run(folder, "Checkpoint/Restart=true", "Stimuli/Stimulus 1/Duration=4.05")
    expect(code == 0, f"the restart failed: {errors}")
    expect(contents(folder, TRACES) == contents(whole, TRACES),
           "another duration of a pulse that is over changed the traces")


def check_full_disk(whole, root):
    """A checkpoint that does not fit leaves the one before, and the run goes on."""
    folder = os.path.join(root, "full")
    shutil.copytree(whole, folder)
    os.remove(os.path.join(folder, STATE + ".previous"))

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        size = len(contents(whole, STATE)) // 2
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    code, errors = run(folder, "Output/Interval=0", "Output/VTU=false", preexec_fn=limit)
    expect(code == 0 and "cannot be written" in errors, f"full disk: {code} {errors}")
    expect(contents(folder, STATE) == contents(whole, STATE), "full disk: the file changed")
    parts = [name for name in os.listdir(folder) if name.endswith(".part")]
    expect(not parts, f"{parts} is left")


def check_meshes(root):
    """A run goes on with a mesh that deal.II refines, although it has other rounding, and not
    with a mesh that has a vertex elsewhere."""
    folder, file = os.path.join(root, "meshes"), os.path.join(root, "mesh.vtk")

    def write(x):
        with open(file, "w", encoding="utf-8") as out:
            out.write("# vtk DataFile Version 3.0\nmesh\nASCII\nDATASET UNSTRUCTURED_GRID\n"
                      f"POINTS 6 double\n0 0 0 11.3 0 0 20 0 0 0 10 0 {x} 10.1 0 20 10 0\n"
                      "CELLS 2 10\n4 0 1 4 3\n4 1 2 5 4\nCELL_TYPES 2\n9\n9\n")

    def go_on(*settings):
        return run(folder, f"Mesh/File={file}", "Mesh/Initial refinement=3", *settings)

    write(9.7)
    expect(go_on("Time/End=2")[0] == 0, "meshes: the first run failed")
    for end, way in (3, "deal.II"), (4, "arrays"):
        code, errors = go_on(f"Time/End={end}", "Checkpoint/Restart=true", f"Mesh/Refined by={way}")
        expect(code == 0, f"{way} does not go on: {errors}")
        known = read_record(folder)["cases"][0]["parameters"]["deal_ii_cells"]
        expect(known == ("none" if way == "arrays" else "mesh"), f"{way}: deal.II has {known}")
    write(9.701)
    code, errors = go_on("Time/End=5", "Checkpoint/Restart=true")
    expect(code == 2 and "is of another mesh" in errors,
           f"another mesh: {code} {errors}")


with tempfile.TemporaryDirectory() as temporary:
    check_meshes(temporary)
    for SCHEME in in_turn(("schemes",), "schemes", SCHEMES):
        check_restarts(SCHEME[0], temporary, *SCHEME[1:])
    WHOLE = check_restarts("strang", temporary)
    check_signals(WHOLE, temporary)
    check_damage(WHOLE, temporary)
    check_failure(temporary)
    check_other_rates(temporary)
    check_refusals(WHOLE, temporary)
    check_extension(WHOLE, temporary)
    check_first_step(WHOLE, temporary)
    check_full_disk(WHOLE, temporary)
finish()
