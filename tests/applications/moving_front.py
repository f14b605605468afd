#!/usr/bin/python3
"""Lets the mesh of a moving front adapt, and compares it with uniform meshes.

usage: moving_front.py POISSON ROOT

Errors are about as on cells as small as the smallest ones everywhere, with a fraction
of the unknowns; cells are small at the front alone, and coarse again behind it.
"""
import csv
import os
import sys
import tempfile
import xml.etree.ElementTree as xml

from programs import expect, finish, options, read_record, run
from run import load_picture

PROGRAM, ROOT = sys.argv[1:]
FRONT = os.path.join(ROOT, "prm", "poisson", "moving_front.prm")


def solve(folder, *entries):
    done = run([PROGRAM, FRONT, "--backend", "host", "-o", folder, *options(entries)])
    if done.returncode != 0:
        sys.exit(f"{' '.join(entries)}: {done.stdout} {done.stderr}")
    return read_record(folder)["cases"][0]


def meshes_of(folder):
    with open(os.path.join(folder, "time_p1_c0.csv"), encoding="utf-8") as file:
        return [{key: float(value) for key, value in row.items()}
                for row in csv.DictReader(file)]


def cells_by_place(picture, path):
    """Returns the distances of the centres of cells from the corner, and the sizes of
    cells."""
    points, cells, *_ = picture.read(path, "solution")
    corners = points[picture.np.array([list(cell) for cell in cells])]
    centres = corners.mean(axis=1)
    size = corners[:, :, 0].max(axis=1) - corners[:, :, 0].min(axis=1)
    return picture.np.hypot(centres[:, 0], centres[:, 1]), size


def check_errors(folder):
    adaptive = solve(folder)
    uniform = solve(os.path.join(folder, "uniform"), "Mesh/Refinement=uniform",
                    "Mesh/Initial refinement=6", "Mesh/Refine fraction=0.3",
                    "Mesh/Coarsen fraction=0.03", "Time/Adapt every=5",
                    "Time/Further levels=3", "Output/VTU=false")
    most, all_ = adaptive["parameters"]["dofs_most"], uniform["problem"]["dofs"]
    expect(3 * most < all_, f"{most} unknowns are more than a third of {all_}")
    for norm, factor in (("L2_error", 1.35), ("H1_error", 1.1)):
        mine, finest = adaptive["results"][norm], uniform["results"][norm]
        expect(mine < factor * finest, f"{norm} {mine}, but {finest} on a uniform mesh")


def check_meshes(picture, folder):
    np = picture.np
    names = [entry.get("file") for entry in
             xml.parse(os.path.join(folder, "time_p1_c0.pvd")).iter("DataSet")]
    expect(len(names) == 7, f"the series has {len(names)} files")
    known = set()
    for number, name in enumerate(names):
        r, size = cells_by_place(picture, os.path.join(folder, name))
        known.add((len(r), r.sum()))
        front = 0.3 + 0.1 * number
        expect(np.isclose(size[abs(r - front) < 0.02].max(), 1 / 64),
               f"{name}: large cells at the front")
        for where, there in (("ahead of", r - front), ("behind", front - r)):
            if (there > 0.35).any():
                expect(np.isclose(size[there > 0.35].min(), 1 / 8),
                       f"{name}: small cells {where} the front")
    expect(len(known) == len(names), "some meshes of the series are the same")


def check_end(folder):
    """The front has left the square, whose cells are coarse again."""
    solve(folder, "Time/End=1.6", "Output/VTU=false")
    meshes = meshes_of(folder)
    most = max(mesh["cells"] for mesh in meshes)
    expect(most > 16 * 64, f"at most {most} cells")
    expect(meshes[-1]["cells"] < 4 * 64, f"{meshes[-1]['cells']} cells are left in the end")


def main():
    picture = load_picture()
    with tempfile.TemporaryDirectory() as folder:
        check_errors(os.path.join(folder, "adaptive"))
        check_meshes(picture, os.path.join(folder, "adaptive"))
        check_end(os.path.join(folder, "end"))
    finish()


if __name__ == "__main__":
    main()
