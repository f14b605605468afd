#!/usr/bin/python3
"""usage: spmv_benchmark.py PROGRAM FOLDER [epetra]

Runs spmv_benchmark on a few small matrices, and compares the formats in its record
with the matrices in its record. Then gives it input that it must refuse. The record
stays in FOLDER. With `epetra`, Trilinos is compared with csr; otherwise its rows say why not.
"""

import json
import math
import os
import resource
import subprocess
import sys

PROGRAM, FOLDER = sys.argv[1:3]
HAS_EPETRA = "epetra" in sys.argv
FORMATS = 29
CARRIED = {"pjds", "ell_warp_k1r", "ell_warp_k1r_remap", "ell_warp_k1rs", "ell_warp_k2r", "ell_warp_k2rs"}
problems = []


def run(*arguments):
    return subprocess.run([PROGRAM, "--backend", "host", "-s", "Study/Samples=3", *arguments],
                          capture_output=True, text=True, check=False)


def expect(condition, sentence):
    if not condition:
        problems.append(sentence)


def record(name, *arguments):
    """Returns the record of a run that must end well, and what it printed."""
    folder = os.path.join(FOLDER, name)
    done = run("-o", folder, *arguments)
    expect(done.returncode == 0, f"{name} ended with {done.returncode}: {done.stderr}")
    with open(os.path.join(folder, "record.json"), encoding="utf-8") as file:
        return json.load(file), done.stdout


def check_matrices(found):
    for matrix in found["matrices"]:
        name, lengths = matrix["name"], matrix["row_lengths"]
        expect(sum(n for _, n in lengths) == matrix["rows"], f"{name}: rows by length")
        expect(sum(length * n for length, n in lengths) == matrix["nonzeros"],
               f"{name}: entries by length")
        expect(sum(map(sum, matrix["picture"])) == matrix["nonzeros"], f"{name}: picture")


def reference_seconds(found, row):
    """Returns the rows of compressed rows under the same conditions."""
    return next(other["seconds_median"] for other in found["rows"]
                if other["operator"] == "csr" and
                all(other[key] == row[key] for key in ("case", "number")) and
                other["parameters"].get("applications") ==
                row["parameters"].get("applications"))


def check_rows(found):
    """Every row must be right, and padded as its matrix's statistics say."""
    statistics = {m["name"]: m["statistics"] for m in found["matrices"]}
    sizes = {m["name"]: m for m in found["matrices"]}
    padding = {"ell": "padding_ell", "hybrid": "padding_hybrid",
               "sliced_ell": "padding_sliced_ell", "ell_warp_k1": "padding_ell_warp_k1",
               "ell_warp_k1r": "padding_ell_warp_k1", "ell_warp_k1rs": "padding_ell_warp_k1",
               "pjds": "padding_ell_warp_k1"}
    peers = [row for row in found["rows"] if row["library"] != "tessera"]
    of_csr = [row for row in found["rows"] if row["library"] == "tessera" and
              row["operator"] == "csr" and row["number"] == "double"]
    expect({row["library"] for row in peers} == {"Trilinos"}, "libraries")
    expect(len(peers) == len(of_csr), "a row of a peer for each of csr")
    for row in found["rows"]:
        what = f"{row['case']} {row['operator']} {row['number']} {row['parameters']}"
        size = sizes[row["case"]]
        carried = row["operator"] in CARRIED
        if size["rows"] != size["columns"] and carried:
            expect(not row["completed"] and "cannot be reordered" in row["reason"], what)
            continue
        expected = HAS_EPETRA or row["library"] == "tessera"
        expect(row["completed"] == expected, f"{what}: {row['reason']}")
        if not row["completed"]:
            continue
        expect(row["error"] is not None and row["error"] < 20, f"{what}: error {row['error']}")
        expect(row["repeatable"] is True and row["degree"] is None, what)
        expect(row["paper_bytes"] == size["nonzeros"] * (20 if row["number"] == "double" else 12),
               what)
        if row["operator"] in padding:
            expected = statistics[row["case"]][padding[row["operator"]]]
            expect(math.isclose(row["padding"], expected, rel_tol=1e-12),
                   f"{what}: padding {row['padding']}, the statistics say {expected}")
        taken = row["parameters"].get("conversion_applications")
        expect(row["setup_seconds"] > 0 and (taken is None) == (row["operator"] == "csr") and
               (taken is None or math.isclose(
                   taken, row["setup_seconds"] / row["seconds_median"], rel_tol=1e-9)),
               f"{what}: conversion lasts {taken} applications")
        gain = reference_seconds(found, row) - row["seconds_median"]
        paid = row["parameters"].get("break_even")
        expect(row["operator"] == "csr" or (paid is None) == (gain <= 0) and
               (paid is None or math.isclose(
                   paid, row["parameters"]["reorder_seconds"] / gain, rel_tol=1e-9)),
               f"{what}: pays after {paid}")


def check_sweep():
    """Of webbase, whose longest row has thousands of entries, ELLPACK would take gigabytes."""
    matrices = ["heart_3k", "qcd", "empty_rows", "one_dense_row", "one_column", "few_rows",
                "single_entries"]
    for folder, names, scale in (("sweep", matrices, "0.02"), ("webbase", ["webbase"], "0.001")):
        found, text = record(folder, "-s", "Factors/Matrices=" + ",".join(names), "-s", "Study/Scale=" + scale)
        expect([m["name"] for m in found["matrices"]] == names, "the matrices asked for")
        expect("PASS" in text, text)
        check_matrices(found)
        check_rows(found)
        expect(len({row["operator"] for row in found["rows"]}) == FORMATS, "all formats")


def check_file():
    """Tests a rectangular file, its binary copy, and thresholds for rows of 0 to 3
    entries."""
    path = os.path.join(FOLDER, "small.mtx")
    with open(path, "w", encoding="utf-8") as file:
        file.write("%%MatrixMarket matrix coordinate real general\n3 5 5\n"
                   "1 1 2.5\n1 3 -1\n1 5 4\n3 2 1e-3\n3 4 7\n")
    tiny = os.path.join(FOLDER, "tiny.mtx")
    with open(tiny, "w", encoding="utf-8") as file:
        file.write("%%MatrixMarket matrix coordinate real general\n2 2 2\n"
                   "1 1 1e-50\n2 2 1e-40\n")
    found, _ = record("tiny", "-s", "Factors/Matrices=" + tiny, "-s", "Factors/Formats=csr,sliced_ell", "-s",
                      "Factors/Numbers=double")
    check_rows(found)
    done = run("-o", os.path.join(FOLDER, "lost"), "-s", "Factors/Matrices=" + tiny, "-s", "Factors/Formats=csr",
               "-s", "Factors/Numbers=double,float")
    expect("no value beyond 1e-50 in row 1, which is below the smallest float" in
           done.stdout + done.stderr, f"values below float: {done.stdout}, {done.stderr}")
    for _ in range(2):
        found, _ = record("file", "-s", "Factors/Matrices=" + path, "-s", "Study/Cache=" + os.path.join(FOLDER, "cache"),
                          "-s", "Factors/Formats=csr,ell_warp_k2,pjds", "-s", "Factors/Slice thresholds=all",
                          "-s", "Factors/Applications=1,50", "-s", "Factors/Numbers=double")
        check_matrices(found)
        check_rows(found)
        thresholds = [row["parameters"]["threshold"] for row in found["rows"]
                      if row["operator"] == "ell_warp_k2"]
        expect(thresholds == [1, 1, 2, 2, 3, 3], f"thresholds {thresholds}")
        several = [row["parameters"]["applications"] for row in found["rows"]
                   if row["operator"] == "csr" and row["library"] == "tessera"]
        expect(several == [1, 50], f"applications {several}")


def check_statistics():
    found, text = record("statistics", "-s", "Factors/Matrices=protein", "-s", "Study/Scale=0.1", "-s", "Study/Statistics=true")
    expect(found["rows"] == [] and len(found["matrices"]) == 1, "statistics alone")
    expect("PASS" not in text, "nothing was measured")


def places_of_blocks(entries, block):
    """Returns the places of all blocks that hold one of the entries (row, column)."""
    return block * block * len({(i // block, j // block) for i, j in entries})


def check_blocks():
    """Tests blocks of a matrix that consists of blocks of 3, with and without one entry, and
    formats that have blocks."""
    full = [(3 * i + r, 3 * j + c) for i, j in ((0, 0), (0, 2), (1, 1), (3, 0), (3, 3))
            for r in range(3) for c in range(3)]
    for entries, found_blocks in ((full, 3), (full[1:], 1)):
        path = os.path.join(FOLDER, f"blocks_{found_blocks}.mtx")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"%%MatrixMarket matrix coordinate real general\n12 12 {len(entries)}\n")
            file.writelines(f"{i + 1} {j + 1} {1 + i - 0.37 * j}\n" for i, j in entries)
        found, _ = record(f"blocks_{found_blocks}", "-s", "Factors/Matrices=" + path, "-s",
                          "Factors/Formats=csr,ell,ell_row_major,sell_c_sigma,sliced_ellr_t,ell_warp_k1r,"
                          "coo,sell_short",
                          "-s", "Factors/Slice threads per row=2", "-s", "Factors/Matrix blocks=1,auto,2")
        check_matrices(found)
        for size in (2, 3):
            expect(found["matrices"][0]["statistics"][f"fill_blocks_{size}"] ==
                   places_of_blocks(entries, size) / len(entries), f"fill of blocks of {size}")
        sizes = dict.fromkeys((1, found_blocks, 2))
        ours = [row for row in found["rows"] if row["library"] == "tessera"]
        for number in ("double", "float"):
            names = [row["operator"] for row in ours if row["number"] == number]
            expect(sorted(names) == sorted(
                [name if size == 1 else f"{name}_blocks_{size}"
                 for name in ("csr", "ell", "ell_row_major", "sell_c_sigma")
                 for size in sizes] +
                ["sliced_ellr_t", "ell_warp_k1r", "coo", "sell_short"]), f"blocks: {names}")
        for row in ours:
            what = f"{row['operator']} {row['number']} of {path}"
            expect(row["completed"] and row["error"] < 20 and row["repeatable"], what)
            block = next((size for size in (2, 3) if row["operator"].endswith(f"_{size}")), 1)
            fill = places_of_blocks(entries, block) / len(entries)
            expect(row["parameters"].get("fill", 1) == fill and
                   ("fill" in row["parameters"]) == (block > 1), f"{what}: {row['parameters']}")
            if row["operator"].startswith("csr"):
                size = 8 if row["number"] == "double" else 4
                expect(math.isclose(row["padding"], fill), f"{what}: padding {row['padding']}")
                least = size * (24 + len(entries))
                expect(least < row["compulsory_bytes"] < least + 8 * (len(entries) + 26),
                       f"{what}: {row['compulsory_bytes']} bytes")
    # Rows say why a matrix is not made of blocks.
    for rows, columns, reason in ((10, 10, "do not suit a matrix of 10 rows"),
                                  (6, 7, "reach beyond the 7 columns")):
        path = os.path.join(FOLDER, f"no_blocks_{rows}.mtx")
        with open(path, "w", encoding="utf-8") as file:
            file.write("%%MatrixMarket matrix coordinate real general\n"
                       f"{rows} {columns} 2\n1 1 1\n{rows} {columns} 2\n")
        found, _ = record("no_blocks", "-s", "Factors/Matrices=" + path, "-s", "Factors/Formats=csr,coo",
                          "-s", "Factors/Matrix blocks=3", "-s", "Factors/Numbers=double")
        completed = {row["operator"]: row["completed"] for row in found["rows"]}
        expect(completed["csr_blocks_3"] is False and completed["coo"] and
               reason in found["rows"][0]["reason"], f"{found['rows']}")


def check_refused():
    words = run("--list").stdout
    expect("webbase: " in words and "ell_warp_k2rs: " in words, "--list")
    for arguments, code, sentence in (
            (["-s", "Factors/Matrices=webase"], 2, "'webase'"),
            (["-s", "Factors/Matrices="], 2, "'Factors/Matrices'"),
            (["-s", "Factors/Formats=coo2"], 2, "'coo2'"),
            (["-s", "Factors/Slice thresholds=0"], 2, "'Factors/Slice thresholds'"),
            (["-s", "Factors/Matrix blocks=4"], 2, "'4'"),
            # What no format can take is refused, also beside what one can take.
            (["-s", "Factors/Slice lanes=24"], 2, "'Factors/Slice lanes'"),
            (["-s", "Factors/Slice lanes=32,24", "-s", "Factors/Formats=csr"], 2, "'Factors/Slice lanes'"),
            (["-s", "Factors/Slice lanes=512", "-s", "Factors/Formats=auto"], 2, "'Factors/Slice lanes'"),
            (["-s", "Factors/Slice threads per row=2,3"], 2, "'Factors/Slice threads per row'"),
            (["-s", "Factors/Block sizes=33"], 2, "'Factors/Block sizes'"),
            (["-s", "Factors/Block sizes=0"], 2, "'Factors/Block sizes'"),
            (["-s", "Study/Scale=0"], 2, "'Study/Scale'"),
            (["-s", "Factors/Matrices=heart_3k", "-s", "Factors/Formats="], 2, "'Factors/Formats'"),
            (["-s", "Factors/Matrices=heart_3k", "-s", "Factors/Slice lanes=", "-s", "Factors/Formats=sliced_ell"], 2,
             "'Factors/Slice lanes'"),
            (["-s", "Factors/Slice thresholds=all,0"], 2, "'Factors/Slice thresholds'"),
            (["-s", "Factors/Matrices=./no_such.mtx"], 3, "./no_such.mtx")):
        done = run("-o", os.path.join(FOLDER, "refused"), *arguments)
        lines = done.stderr.strip().splitlines()
        expect(done.returncode == code and sentence in lines[-1] and
               lines[-1].startswith("error: "), f"{arguments}: {done.returncode}, {done.stderr}")
    # If a file cannot be read, others are measured nevertheless.
    done = run("-o", os.path.join(FOLDER, "some"), "-s", "Factors/Matrices=./no_such.mtx,heart_3k",
               "-s", "Factors/Formats=csr", "-s", "Factors/Numbers=double")
    with open(os.path.join(FOLDER, "some", "record.json"), encoding="utf-8") as file:
        found = json.load(file)
    expect(done.returncode == 0 and found["exit_code"] == 0, done.stderr)
    expect("1 row was not completed" in done.stdout, done.stdout)
    expect([row["completed"] for row in found["rows"] if row["library"] == "tessera"] ==
           [False, True], f"{found['rows']}")
    expect("./no_such.mtx" in found["rows"][0]["reason"], f"{found['rows'][0]}")
    # Combinations that do not exist become rows with the reason; a sweep needs one row.
    done = run("-o", os.path.join(FOLDER, "refused"), "-s", "Factors/Matrices=heart_3k", "-s",
               "Factors/Formats=sliced_ellr_t", "-s", "Factors/Slice lanes=4", "-s",
               "Factors/Slice threads per row=8", "-s", "Factors/Numbers=double")
    expect(done.returncode == 5 and
           "given as 8; legal is a power of two from 1 to 4 with slices of 4" in done.stdout
           and "FAIL: no row was completed." in done.stdout
           and done.stderr.endswith("\nerror: The measurement failed: no row was completed.\n"),
           done.stdout + done.stderr)
    # Blocks and loads of a device become such rows, too, but only in the formats that have them.
    found, _ = record("launches", "-s", "Factors/Matrices=heart_3k", "-s",
                      "Factors/Formats=csr,sliced_ell,sell_short", "-s", "Factors/Block sizes=64", "-s", "Factors/Loads of x=plain",
                      "-s", "Factors/Numbers=double")
    expect({row["operator"]: row["completed"] for row in found["rows"]} ==
           {"csr": True, "sliced_ell": False, "sell_short": True}, f"launches: {found['rows']}")


def read_array(path):
    """Returns the numbers of a Matrix Market array of one column."""
    with open(path, encoding="utf-8") as file:
        head, size, *numbers = file.read().split("\n")
    expect(head == "%%MatrixMarket matrix array real general", f"{path}: {head}")
    numbers = [float(number) for number in numbers if number]
    expect(size == f"{len(numbers)} 1", f"{path}: {size} and {len(numbers)} numbers")
    return numbers


def check_written():
    """The files of x and y must agree with the entries of the file of the matrix, in the order
    given, whatever the format does with rows."""
    entries = {(i * 7 % 40, (i * i + 3 * k) % 40): 0.3 * i - k for i in range(40)
               for k in range(1 + i * 5 % 9)}
    path, x_file, y_file = (os.path.join(FOLDER, name)
                            for name in ("written.mtx", "x.mtx", "y.mtx"))
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"%%MatrixMarket matrix coordinate real general\n40 40 {len(entries)}\n")
        file.writelines(f"{i + 1} {j + 1} {a}\n" for (i, j), a in entries.items())
    for name, number, eps in (("csr", "double", 2e-16), ("csr", "float", 1e-7),
                              ("sell_c_sigma", "double", 2e-16), ("pjds", "double", 2e-16),
                              ("ell_warp_k1r_remap", "double", 2e-16)):
        record("written", "-s", f"Factors/Matrices={path},heart_3k", "-s", f"Factors/Formats={name},coo", "-s",
               f"Factors/Numbers={number},double", "-s", "Study/Scale=0.01", "-s", "Output/Vector=" + x_file, "-s",
               "Output/Product=" + y_file)
        x, y = read_array(x_file), read_array(y_file)
        expect(len(x) == 40 and len(set(x)) > 30, f"x of {name}: {x}")
        for row, value in enumerate(y):
            terms = [a * x[j] for (i, j), a in entries.items() if i == row]
            expect(abs(value - math.fsum(terms)) <= 10 * eps * math.fsum(map(abs, terms)),
                   f"y of {name} {number}, row {row}: {value}, not {math.fsum(terms)}")
    done = run("-o", os.path.join(FOLDER, "refused"), "-s", "Factors/Matrices=" + path, "-s", "Factors/Formats=csr",
               "-s", "Output/Product=/nowhere/y.mtx")
    expect(done.returncode == 2 and "error: The file '/nowhere/y.mtx' cannot be written"
           in done.stderr, f"no folder: {done.returncode}, {done.stderr}")


def check_limit():
    """Under a limit of memory a matrix ends well up to some size, and a row more is refused in
    a sentence: nothing is killed."""
    path = os.path.join(FOLDER, "rows.mtx")

    def ends(n_rows):
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"%%MatrixMarket matrix coordinate real general\n{n_rows} {n_rows} 1\n"
                       "1 1 1\n")
        limit = 3 << 28
        done = subprocess.run(
            [PROGRAM, "--backend", "host", "-s", "Factors/Matrices=" + path, "-s", "Study/Statistics=true", "-o",
             os.path.join(FOLDER, "limit")], capture_output=True, text=True, check=False,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        expect(done.returncode == 0 or done.returncode == 6 and
               "error: There is not enough memory on the host" in done.stderr,
               f"{n_rows} rows ended with {done.returncode}: {done.stderr}")
        return done.returncode == 0

    fits, refused = 1 << 18, 1 << 27
    expect(ends(fits) and not ends(refused), "neither end of the sizes is as it should be")
    while refused - fits > 1 << 18:
        middle = (fits + refused) // 2
        fits, refused = (middle, refused) if ends(middle) else (fits, middle)


check_sweep()
check_file()
check_written()
check_limit()
check_statistics()
check_blocks()
check_refused()
for problem in problems:
    print(problem)
print(f"{len(problems)} problems")
sys.exit(bool(problems))
