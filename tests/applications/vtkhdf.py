#!/usr/bin/python3
"""Compares every array of .vtkhdf files with the .vtu files of the same run: on every
type of cells, in time, with coordinates of a map and in several processes. Skipped without
h5py, which reads them.

usage: vtkhdf.py POISSON
"""
import json
import os
import shutil
import sys
import tempfile
import xml.etree.ElementTree as xml

try:
    import h5py
except ImportError:
    print("skipped: there is no h5py")
    sys.exit(77)

from programs import expect, finish, options, prm, run, write
from run import environment, load_picture

PROGRAM = sys.argv[1]
CASE = prm("Finite element/Degrees=1, 2", "Coefficient/Expression=1 + x * x",
           "Solver/Relative tolerance=1e-2",
           "Boundary conditions/Dirichlet 1/Boundaries=0",
           "Boundary conditions/Dirichlet 1/Function expression=1 / 3 + x + 0.1 * y * y")
TIME = ["Time/Scheme=backward_euler", "Time/End=1", "Time/Step=0.25", "Time/Write every=2"]
RUNS = {"quadrilaterals": [],
        "double": ["Output/Precision=float64"],
        "disk": ["Mesh/Grid name=hyper_ball", "Mesh/Grid arguments=0, 0 : 1 : true",
                 "Mesh/Initial refinement=1"],
        "map": ["Mesh/Grid name=hyper_rectangle",
                "Mesh/Grid arguments=456789.25, 5412345.75 : 456799.375, 5412346.75 : false",
                "Boundary conditions/Dirichlet 1/Function expression=x - 456789"],
        "triangles": ["Mesh/Cell type=triangle"],
        "hexahedra": ["Mesh/Dimension=3", "Mesh/Initial refinement=1"],
        # Arrays that have several chunks, and a last one that is not full.
        "chunks": ["Mesh/Initial refinement=7", "Finite element/Degrees=1"],
        "tetrahedra": ["Mesh/Cell type=tetrahedron", "Mesh/Initial refinement=1"],
        "steps": TIME}


def arrays_of(pieces):
    """Returns the arrays of every piece by section and name, with their components."""
    return [{(section.tag, array.get("Name")): (int(array.get("NumberOfComponents", "1")),
                                                get(array))
             for section in piece for array in section.iterfind("DataArray")}
            for piece, get in pieces]


def compare(picture, name, ours, theirs):
    """Compares a .vtkhdf file with a .vtu or .pvtu file."""
    np = picture.np
    pieces, expected = (arrays_of(picture.parse_pieces(path)) for path in (ours, theirs))
    expect(len(pieces) == len(expected), f"{name}: {len(pieces)} pieces, not {len(expected)}")
    for mine, of_vtu in zip(pieces, expected):
        expect(list(map(str, sorted(mine))) == list(map(str, sorted(of_vtu))),
               f"{name}: {sorted(mine)}, not {sorted(of_vtu)}")
        for section in ("PointData", "CellData"):
            orders = [[key for key in arrays if key[0] == section] for arrays in (mine, of_vtu)]
            expect(orders[0] == orders[1], f"{name}: {orders[0]} is not in the order {orders[1]}")
        for key in mine.keys() & of_vtu.keys():
            (n, values), (n_of_vtu, values_of_vtu) = mine[key], of_vtu[key]
            if key[1] == "offsets":  # which begin with the first cell in .vtkhdf
                expect(values[0] == 0, f"{name}: offsets begin with {values[0]}")
                values = values[1:]
            expect(n == n_of_vtu and np.array_equal(values, values_of_vtu, equal_nan=True),
                   f"{name}: {key} differs")
            if key[0] not in ("Cells",):
                expect(values.dtype == values_of_vtu.dtype, f"{name}: {key} is {values.dtype}")


def compare_lists(pvd, series):
    """Compares the times and names that a .pvd and a .vtkhdf.series file list."""
    expected = [{"name": step.get("file").replace(".vtu", ".vtkhdf"),
                 "time": float(step.get("timestep"))} for step in xml.parse(pvd).iter("DataSet")]
    with open(series, encoding="utf-8") as file:
        expect(json.load(file) == {"file-series-version": "1.0", "files": expected},
               f"{series} does not list {expected}")


def solve(folder, case, name, settings, form, n_processes=1):
    output = os.path.join(folder, f"{name}_{form}_{n_processes}")
    command = [PROGRAM, case, "--backend", "host", "-o", output,
               *options([f"Output/Format={form}", *settings])]
    if n_processes > 1:
        command = ["mpirun", "-n", str(n_processes), *command]
    done = run(command, env=environment())
    if done.returncode != 0:
        sys.exit(f"{name}, {form}: {done.stdout}{done.stderr}")
    return output, done.stdout


def check_meta(path, subdivisions):
    """Checks what the arrays of a grid do not say."""
    with h5py.File(path, "r") as file:
        root = file["VTKHDF"]
        version = list(root.attrs["Version"])
        expect(version == [1, 0], f"{path}: version {version}")
        found = root["FieldData/subdivisions"][0] if subdivisions > 1 else 1
        expect(found == subdivisions, f"{path}: {found} subdivisions")
        expect(root["Points"].compression == "gzip", f"{path}: not compressed")


def main():
    picture = load_picture()
    with tempfile.TemporaryDirectory() as folder:
        case = write(folder, "case.prm", CASE)
        for name, settings in RUNS.items():
            xmls, _ = solve(folder, case, name, settings, "vtu")
            hdfs, text = solve(folder, case, name, settings, "vtkhdf")
            files = sorted(file for file in os.listdir(hdfs) if file.endswith(".vtkhdf"))
            expect(files == sorted(file.replace(".vtu", ".vtkhdf") for file in os.listdir(xmls)
                                   if file.endswith(".vtu")), f"{name}: {files}")
            expect(not [file for file in os.listdir(hdfs) if ".vtu" in file or ".pvd" in file],
                   f"{name}: {os.listdir(hdfs)}")
            expect("\nOpen " + os.path.join(hdfs, "solution.vtkhdf.series") in text,
                   f"{name}: {text}")
            for file in files:
                compare(picture, f"{name}: {file}", os.path.join(hdfs, file),
                        os.path.join(xmls, file.replace(".vtkhdf", ".vtu")))
                cubes = name not in ("triangles", "tetrahedra")
                check_meta(os.path.join(hdfs, file),
                           2 if "_p2" in file and cubes and "boundary" not in file else 1)
            for file in (file for file in os.listdir(xmls) if file.endswith(".pvd")):
                compare_lists(os.path.join(xmls, file), os.path.join(
                    hdfs, file.replace(".pvd", ".vtkhdf.series")))
        if shutil.which("mpirun"):
            for name in ("quadrilaterals", "tetrahedra", "steps"):
                xmls, _ = solve(folder, case, name, RUNS[name], "vtu", 3)
                hdfs, _ = solve(folder, case, name, RUNS[name], "vtkhdf", 3)
                files = [file for file in os.listdir(hdfs) if file.endswith(".vtkhdf")]
                expect(len(files) == (10 if name == "steps" else 4), f"{name}: {files}")
                for file in files:
                    compare(picture, f"{name} of 3: {file}", os.path.join(hdfs, file),
                            os.path.join(xmls, file.replace(".vtkhdf", ".pvtu")))
    finish()


if __name__ == "__main__":
    main()
