#!/usr/bin/python3
"""Solves problems whose right-hand side has large entries, which penalties, stiff springs or
contrasts of coefficients make, in every way: the solution is right, or a run says that it has
not converged. Fluxes and reactions are right as well.

usage: stopping_norm.py POISSON ELASTICITY
"""
import os
import sys
import tempfile

from programs import (expect, finish, has_turn, options, prm, read_record, run, say_turns,
                      write)
from run import environment

POISSON, ELASTICITY = sys.argv[1:]
ROWS = "Operator/Name=csr"
WAYS = {
    "jacobi": [],
    "single_reduction": ["Solver/Method=single_reduction"],
    "none": ["Solver/Preconditioner=none", "Solver/Maximal iterations=2000"],
    "none, single_reduction": ["Solver/Preconditioner=none", "Solver/Method=single_reduction",
                               "Solver/Maximal iterations=2000"],
    "block_jacobi": ["Solver/Preconditioner=block_jacobi", ROWS],
    "ssor": ["Solver/Preconditioner=ssor", ROWS],
    "neumann": ["Solver/Preconditioner=neumann", "Solver/Polynomial degree=1"],
    "chebyshev": ["Solver/Preconditioner=chebyshev"],
    "multigrid": ["Solver/Preconditioner=multigrid"],
    "auto": ["Operator/Name=auto"],
    "true_scaled_residual": ["Solver/Stopping norm=true_scaled_residual"],
    "mixed": ["Solver/Preconditioner=chebyshev", "Solver/Mixed precision=preconditioner", ROWS],
    "defect_correction": ["Solver/Mixed precision=defect_correction", ROWS],
    "2 processes": [], "3 processes, single_reduction": ["Solver/Method=single_reduction"],
    "2 processes, chebyshev": ["Solver/Preconditioner=chebyshev"],
}
FLOAT = {"float": ["Operator/Number=float"],
         "float, single_reduction": ["Operator/Number=float", "Solver/Method=single_reduction"],
         "float, ssor": ["Operator/Number=float", "Solver/Preconditioner=ssor", ROWS]}
COMMON = ["Output/VTU=false", "Boundary conditions/Remaining boundaries=natural"]


def solve(program, folder, name, settings):
    """Returns the results of the last case, or None if the solver has not converged and the
    run says so."""
    output = os.path.join(folder, "out")
    command = [program, os.devnull, "--backend", "host", "-o", output, *options(settings)]
    if "processes" in name:
        command = ["mpirun", "-n", name[0], *command]
    done = run(command, env={**environment(), "OMP_NUM_THREADS": "1"}, timeout=120)
    if done.returncode == 4 and "Conjugate gradients" in done.stderr:
        return None
    expect(done.returncode == 0, f"{name}: {done.returncode}, {done.stdout} {done.stderr}")
    return read_record(output)["cases"][-1]["results"] if done.returncode == 0 else None


def in_run(tries):
    """Returns the tries of this run with their numbers, from which penalties and lengths follow."""
    return [(number, what) for number, what in enumerate(tries) if has_turn(number, 4)]


def near(what, values, expected, tolerance):
    expect(all(abs(value - right) <= tolerance for value, right in zip(values, expected)),
           f"{what}: {values}, expected {expected}")


def check_poisson(folder, what, settings, expected, tolerance, flux, may_fail):
    """Compares u at three points and the fluxes through the left and the right."""
    results = solve(POISSON, folder, what, [*COMMON, *settings])
    if results is None:
        expect(may_fail, f"{what}: it has not converged")
        return
    near(what, [probe["value"] for probe in results["probes"]], expected,
         tolerance * max(expected))
    fluxes = {flux["boundary"]: flux["value"] for flux in results["fluxes"]}
    near(what + ", fluxes", [fluxes[0], fluxes[1]], [flux, -flux], 100 * tolerance * flux)


def square(length=1, degree=2, refinement=3):
    return [f"Mesh/Grid arguments=0 : {length} : true", f"Mesh/Initial refinement={refinement}",
            f"Finite element/Degrees={degree}",
            f"Output/Probes=0, {length / 2}; {length / 2}, {length / 2}; {length}, {length / 2}"]


def penalties(folder):
    """kappa u'' = 0 with a heat transfer coefficient alpha to `warm` at the left and u = 0 at the
    right, on a square of a length that is one of a metre or a millimetre."""
    ways = [("jacobi", 1e6), ("jacobi", 1e30),
            *((way, (1e12, 1e9, 1e24)[len(way) % 3]) for way in (*WAYS, *FLOAT))]
    for number, (way, penalty) in in_run(ways):
        length = (1, 1000)[number % 2]
        kappa = (1, 1e-9, 3e7)[number % 3]
        warm = (1, 300, 1e-8)[number % 5 % 3]
        alpha = penalty * kappa / length
        first = warm * penalty / (1 + penalty)
        check_poisson(
            folder, f"{way}, penalty {penalty}, kappa {kappa}, length {length}, {warm}",
            [*square(length, 1 + number % 2), f"Coefficient/Expression={kappa}",
             "Boundary conditions/Robin 1/Boundaries=0",
             f"Boundary conditions/Robin 1/Coefficient expression={alpha}",
             f"Boundary conditions/Robin 1/Function expression={alpha * warm}",
             "Boundary conditions/Dirichlet 1/Boundaries=1", *{**WAYS, **FLOAT}[way]],
            [first, first / 2, 0], 1e-3 if way in FLOAT else 1e-7, kappa * first,
            way.startswith("none"))


def contrasts(folder):
    """Two layers, 1 and `low`, the better one at the left, between u = 1 and u = 0."""
    ways = [*WAYS, *FLOAT]
    for number, way in in_run(ways[1::2]):
        low = (1e-6, 1e-9, 1e-12)[number % 3]
        if way in FLOAT:
            low = 1e-6
        penalty = number % 2 == 0
        boundary = ["Robin 1/Boundaries=0", "Robin 1/Coefficient expression=1e12",
                    "Robin 1/Function expression=1e12"] if penalty else \
                   ["Dirichlet 2/Boundaries=0", "Dirichlet 2/Function expression=1"]
        middle = 1 / (1 + low)
        results = solve(POISSON, folder, way, [
            *COMMON, *square(degree=1 + number % 2), *WAYS.get(way, FLOAT.get(way)),
            f"Coefficient/Expression=if(x < 0.5, 1, {low})",
            *(f"Boundary conditions/{entry}" for entry in boundary),
            "Boundary conditions/Dirichlet 1/Boundaries=1"])
        what = f"{way}, contrast {low}, penalty {penalty}"
        if results is None:
            expect(way.startswith("none"), f"{what}: it has not converged")
            continue
        tolerance = 1e-3 if way in FLOAT else 1e-6
        near(what, [probe["value"] for probe in results["probes"]], [1, middle, 0], tolerance)
        flux = next(flux["value"] for flux in results["fluxes"] if flux["boundary"] == 1)
        near(what + ", flux", [flux], [-2 * low * middle], tolerance * low)


def springs(folder):
    """A bar that a traction pulls from a spring, which is at rest where it is pushed to."""
    ways = [way for way in WAYS if way not in ("neumann", "true_scaled_residual", "auto")]
    for number, way in in_run(ways[::2] + ways[1:4:2]):
        ratio = (1e3, 1e6, 1e9, 1e12, 1e15)[number % 5]
        length = (1, 1000)[number % 2]
        young = (1, 2e11, 2e5)[number % 3]
        strain = 0.01
        at_rest = (0.5 * length, 0)[number // 2 % 2]
        stiffness = ratio * young / length
        load = strain * young
        what = f"{way}, spring {ratio}, E {young}, length {length}, at rest at {at_rest}"
        results = solve(ELASTICITY, folder, what, [
            *COMMON, *square(length, 1 + number % 2, 2), f"Material/Young modulus={young}",
            "Material/Poisson ratio=0", "Boundary conditions/Spring 1/Boundaries=0",
            f"Boundary conditions/Spring 1/Stiffness={stiffness}",
            f"Boundary conditions/Spring 1/Displacement={at_rest}; 0",
            "Boundary conditions/Displacement 1/Boundaries=2",
            "Boundary conditions/Displacement 1/Components=y",
            "Boundary conditions/Traction 1/Boundaries=1",
            f"Boundary conditions/Traction 1/Function expression={load}; 0", *WAYS[way]])
        if results is None:
            expect(way.startswith("none"), f"{what}: it has not converged")
            continue
        quantities = {entry["name"]: entry["value"] for entry in results["quantities"]}
        force = load * length
        near(what, [quantities["sum of loads x"], quantities["reaction of Spring 1 x"]],
             [force, -force], 1e-5 * force)
        near(what + ", largest displacement", [quantities["largest displacement"]],
             [at_rest + strain * length * (1 + 1 / ratio)], 1e-7 * length)


def starts(folder):
    """Solves that begin from what was found before: on meshes that adapt, and in time steps, which
    end in the steady state."""
    penalty = ["Boundary conditions/Robin 1/Boundaries=0",
               "Boundary conditions/Robin 1/Coefficient expression=1e12",
               "Boundary conditions/Robin 1/Function expression=1e12",
               "Boundary conditions/Dirichlet 1/Boundaries=1"]
    adapts = ["Mesh/Refinement=adaptive", "Mesh/Cycles=3"]
    steps = ["Time/Scheme=backward_euler", "Time/End=100", "Time/Step=10"]
    for what, settings in {"adapts": adapts, "steps": steps, "adapts, 2 processes": adapts,
                           "steps, 2 processes": steps, "steps, chebyshev": [
                               *steps, "Solver/Preconditioner=chebyshev"]}.items():
        name = what[what.find("2"):] if "processes" in what else what
        check_poisson(folder, name, [*square(), *penalty, *settings], [1, 0.5, 0], 1e-7, 1, False)


def explicit_norms(folder):
    """A norm that was asked for still counts alone. Where it is not enough, what enters does not
    leave, and the run fails."""
    settings = [*COMMON, *square(), "Boundary conditions/Robin 1/Boundaries=0",
                "Boundary conditions/Robin 1/Coefficient expression=1e12",
                "Boundary conditions/Robin 1/Function expression=1e12",
                "Boundary conditions/Dirichlet 1/Boundaries=1"]
    case = write(folder, "case.prm", prm(*settings))
    done = run([POISSON, case, "--backend", "host", "-o", os.path.join(folder, "residual"),
                "-s", "Solver/Stopping norm=residual"])
    expect(done.returncode == 5 and "FAIL: The fluxes and sources add up to" in done.stdout,
           f"residual: {done.returncode}, {done.stdout} {done.stderr}")
    results = solve(POISSON, folder, "preconditioned", [
        *settings, "Solver/Stopping norm=preconditioned_residual"])
    expect(results is not None and abs(results["probes"][1]["value"] - 0.5) < 1e-3,
           f"preconditioned: {results}")


with tempfile.TemporaryDirectory() as directory:
    penalties(directory)
    contrasts(directory)
    springs(directory)
    starts(directory)
    explicit_norms(directory)
say_turns("One of four ways has its turn")
finish()
