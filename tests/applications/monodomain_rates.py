#!/usr/bin/python3
"""Runs monodomain with shorter and shorter time steps, or finer and finer meshes, and
checks that errors fall as they should: errors of godunov and implicit with the step, of
strang and bdf2 with its square, of bdf2 on meshes with h^(p+1), and the speed of a front
with the square of the mesh size, also with one point in a cell. Splitting and implicit
steps come to the same result, and adaptive steps keep an error with fewer steps. These
studies take turns.

usage: monodomain_rates.py PROGRAM ROOT
"""
import math
import os
import sys
import tempfile

import programs
from programs import expect, finish, in_turn

PROGRAM, ROOT = sys.argv[1:3]


def run(prm, *settings):
    """Returns the case of the record of a run."""
    with tempfile.TemporaryDirectory() as folder:
        programs.run([PROGRAM, os.path.join(ROOT, prm), "-o", folder, "--backend", "host",
                      "--threads", "1", *programs.options(["Output/VTU=false", *settings])
                      ]).check_returncode()
        return programs.read_record(folder)["cases"][-1]


def rates(errors):
    return [math.log2(a / b) for a, b in zip(errors, errors[1:])]


LUMPED = ("Time/Mass=lumped",)
STAGES = (*LUMPED, "Time/Diffusion=stages")


def error_in_time(scheme, step, *settings):
    """The error of the mode of manufactured.prm on a mesh that resolves it."""
    case = run("tests/applications/monodomain/manufactured.prm",
               "Finite element/Degrees=4", "Mesh/Cycles=1", f"Time/Scheme={scheme}",
               f"Time/Step={step}", *settings)
    return case["results"]["L2_error"]


REDUCED = ("Time/Scheme=bdf2", "Time/Integration=reduced", "Mesh/Cell type=triangle")


def rates_in_space(degree, *settings):
    """The rate of bdf2 on the meshes of manufactured.prm."""
    case = run("tests/applications/monodomain/manufactured.prm", "Time/Scheme=bdf2",
               "Time/Step=0.001", f"Finite element/Degrees={degree}", *settings)
    return case["results"]["L2_rate"]


def quantity(case, name):
    return next(value["value"] for value in case["results"]["quantities"]
                if value["name"] == name)


def speed(scheme, step):
    """The speed of the front of cable.prm on a mesh that resolves it."""
    case = run("prm/monodomain/cable.prm", "Finite element/Degrees=2",
               f"Time/Scheme={scheme}", f"Time/Step={step}", "Output/Interval=0")
    return quantity(case, "conduction velocity")


def beat(tolerance, *settings):
    """The steps, activation and duration of an action potential of implicit.prm."""
    case = run("prm/monodomain/implicit.prm", f"Time/Tolerance={tolerance}", *settings)
    return (case["parameters"]["steps"], quantity(case, "activation time at point 2"),
            quantity(case, "action potential duration at point 2"))


def error_of_speed(cells, *settings):
    """The error of the speed of a front whose exact speed is known."""
    case = run("prm/monodomain/cable.prm", "Finite element/Degrees=1",
               f"Mesh/Grid arguments={cells}, 1 : 0, 0 : 20, 0.1 : true",
               "Output/Interval=0", *settings)
    return abs(quantity(case, "conduction velocity") - math.sqrt(0.1 * 8 / 12.9 / 2) * (1 - 2 * 0.01))


def rates_of_schemes():
    for scheme, order, *settings in (("godunov", 1), ("strang", 2), ("implicit", 1), ("bdf2", 2),
                                     ("godunov", 1, *LUMPED), ("strang", 2, *LUMPED),
                                     ("godunov", 1, *STAGES), ("strang", 2, *STAGES)):
        # The error of first order depends on the number of stages, which is 2 with short steps.
        steps = ((0.00625, 0.003125) if scheme == "godunov" and "Time/Diffusion=stages" in settings
                 else (0.05, 0.025, 0.0125))
        found = rates([error_in_time(scheme, step, *settings) for step in steps])
        print(scheme, settings, found)
        expect(all(abs(rate - order) < 0.1 for rate in found),
               f"{scheme} has the rates {found} with {settings}, expected {order}")


def rates_of_meshes():
    for degree in (1, 2):
        found = rates_in_space(degree)
        print("bdf2 in space", found)
        expect(abs(found - degree - 1) < 0.05,
               f"bdf2 of degree {degree} has the rate {found} in space")
    found = rates_in_space(1, *REDUCED)
    print("one point in a cell", found)
    expect(abs(found - 2) < 0.05, f"reduced integration has the rate {found} in space")
    for settings in (), REDUCED:
        speeds = [error_of_speed(cells, *settings) for cells in (25, 50, 100)]
        print("speed", settings, speeds, rates(speeds))
        expect(rates(speeds)[0] > 1.7 and speeds[-1] < 2e-3 * 0.1726,
               f"the speed of a front has the errors {speeds} with {settings}")


def schemes_agree():
    strang = speed("strang", 0.1)
    bdf2, first, second = speed("bdf2", 0.1), speed("implicit", 0.2), speed("implicit", 0.1)
    print("speeds", strang, bdf2, first, second)
    expect(abs(bdf2 / strang - 1) < 1e-4, f"bdf2 has the speed {bdf2} and strang {strang}")
    expect(abs(rates([first - strang, second - strang])[0] - 1) < 0.1,
           f"implicit has the speeds {first} and {second}, strang {strang}")


def adaptive_steps():
    many, *exact = beat(0, "Time/Step=0.1")
    for tolerance, bounds in ((0.2, (0.6, 0.6)), (0.02, (0.15, 0.15))):
        steps, *found = beat(tolerance)
        print("adaptive", tolerance, steps, found, "of", many, exact)
        expect(all(abs(a - b) < bound for a, b, bound in zip(found, exact, bounds)),
               f"the tolerance {tolerance} leads to {found}, not {exact}")
        expect(steps < many / 10, f"the tolerance {tolerance} takes {steps} steps of {many}")
    # Newton's method fails in steps that are longer than the reaction lets them be.
    case = run("prm/monodomain/implicit.prm", "Time/Tolerance=0", "Time/Step=20")
    print("long steps", case["parameters"]["failed_steps"])
    expect(case["parameters"]["failed_steps"] > 0 and case["parameters"]["simulated_time"] == 500,
           "steps that are too long were not halved")


STUDIES = (rates_of_schemes, rates_of_meshes, schemes_agree, adaptive_steps)
for study in in_turn(("studies",), "studies", [study.__name__ for study in STUDIES]):
    globals()[study]()
finish()
