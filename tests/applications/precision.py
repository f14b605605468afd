#!/usr/bin/python3
"""Compares .vtu files in double with those in float, on every type of cells, and with the
solution, which is linear and so has no error but rounding.

usage: precision.py POISSON
"""
import os
import sys
import tempfile

from programs import expect, finish, options, prm, run, write
from run import load_picture

PROGRAM = sys.argv[1]
CASE = prm("Finite element/Degrees=1, 2", "Coefficient/Expression=2",
           "Boundary conditions/Dirichlet 1/Boundaries=0",
           "Boundary conditions/Dirichlet 1/Function expression=1 / 3 + x + 0.1 * y",
           "Solver/Relative tolerance=1e-14", "Solver/Stopping norm=true_residual")
MESHES = {"quadrilaterals": [], "disk": ["Mesh/Grid name=hyper_ball", "Mesh/Grid arguments=0, 0 : 1 : true",
                                    "Mesh/Initial refinement=1"],
          "triangles": ["Mesh/Cell type=triangle"],
          "hexahedra": ["Mesh/Dimension=3", "Mesh/Initial refinement=1"],
          "tetrahedra": ["Mesh/Cell type=tetrahedron", "Mesh/Initial refinement=1"]}


def main():
    picture = load_picture()
    np = picture.np
    with tempfile.TemporaryDirectory() as folder:
        case = write(folder, "case.prm", CASE)
        for name, settings in MESHES.items():
            for precision in ("float32", "float64"):
                done = run([PROGRAM, case, "--backend", "host", "-o",
                            os.path.join(folder, name + precision),
                            *options([f"Output/Precision={precision}", *settings])])
                if done.returncode != 0:
                    sys.exit(f"{name} {precision}: {done.stderr}")
            for degree in (1, 2):
                single, double = (os.path.join(folder, name + precision,
                                               f"solution_p{degree}_c0.vtu")
                                  for precision in ("float32", "float64"))
                ours, theirs = picture.read(double, "solution"), picture.read(single, "solution")
                points, u = ours[0], ours[-1]
                exact = 1 / 3 + points[:, 0] + 0.1 * points[:, 1]
                flux = picture.read_vectors(double, "flux")
                checks = {
                    "points": np.abs(points - theirs[0]).max() < 1e-6,
                    "cells": np.array_equal(ours[1], theirs[1]) and ours[2:4] == theirs[2:4],
                    "solution": np.abs(u - theirs[-1]).max() < 1e-6,
                    "digits of the solution": np.abs(u - exact).max() < 1e-11,
                    "flux": np.abs(flux - picture.read_vectors(single, "flux")).max() < 1e-5,
                    "digits of the flux": np.abs(flux - [2, 0.2, 0]).max() < 1e-9,
                    "digits": np.abs(u - u.astype("f4")).max() > 1e-9,
                    "materials": np.array_equal(picture.read(double, "material_id")[-1],
                                                picture.read(single, "material_id")[-1])}
                for what, good in checks.items():
                    expect(good, f"{name}, degree {degree}: {what}")
    finish()


if __name__ == "__main__":
    main()
