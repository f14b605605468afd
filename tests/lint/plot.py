#!/usr/bin/python3
"""scripts/plot draws every figure from made-up records, names what is missing, refuses
files that are no records, and takes the rows that it promises.

usage: plot.py ROOT
"""
import json
import os
import sys
import tempfile

import common
import made_up_record as made_up

root = sys.argv[1]
sys.path[:0] = [os.path.join(root, "scripts"), os.path.join(root, "doc", "papers")]

from ell_warp.plots import MATRICES, figures as wong_figures, tables as wong_tables  # noqa: E402
from plotting import figures, quantities, records  # noqa: E402
from plotting.products import Products  # noqa: E402
from plotting.selection import Curve, select  # noqa: E402
from reguly_giles import plots  # noqa: E402

commands = common.Commands(root)
expect, hold = commands.expect, commands.hold
FIGURES = (*plots.FIGURES, *figures.FIGURES)
BY_NUMBER = {figure.name.split("_")[0]: figure for figure in FIGURES}
DEVICE = ("cuda", "made-up device")


def close(a, b):
    return abs(a - b) <= 1e-12 * abs(b)


def selection(number, rows):
    """Returns what a figure takes from rows, as if they were read from a file."""
    record = made_up.record(rows)
    for row in rows:
        row["machine"] = records.machine(record, row["backend"])
        row["copy_bandwidth"] = None
    records.name_sizes(rows)
    return select(BY_NUMBER[f"fig{number:02}"], rows)


def plot(code, *arguments, stdout="", stderr=""):
    """Whatever is wrong, the script answers in sentences."""
    printed, errors = expect(code, ["scripts/plot", *arguments], stdout=stdout, stderr=stderr)
    for line in errors.splitlines():
        hold(line.startswith("plot: ") and line.endswith("."), f"scripts/plot says '{line}'")
    return printed, errors


def check_table():
    hold(set(BY_NUMBER) == {f"fig{n:02}" for n in (*range(5, 22), 23, 24, 25, 27, 28)} |
         {"roofline"}, f"the figures are {sorted(BY_NUMBER)}")
    for figure in FIGURES:
        hold(all(panel.y in quantities.QUANTITIES for panel in figure.panels), f"quantities of {figure.name}")


def check_transfer():
    """Checks the paper's table 1, to its two decimals."""
    for size, ell, csr in ((4, (1.0, 1.81, 2.25, 2.49), (1.04, 1.85, 2.28, 2.51)),
                           (8, (0.9, 1.58, 1.93, 2.12), (0.92, 1.6, 1.95, 2.13))):
        for degree in made_up.DEGREES:
            local = quantities.transfer("local_matrices", degree, size)
            for name, table in (("ell", ell), ("csr", csr)):
                ratio = quantities.transfer(name, degree, size) / local
                hold(abs(ratio - table[degree - 1]) < 0.011,
                     f"table 1, {name}, {size} bytes, degree {degree}: {ratio}")
    hold(quantities.assembly_transfer("local_matrices", 1, 8) == 8 * (8 + 16 + 4) + 16, "equation 15")
    hold(quantities.assembly_transfer("csr", 1, 8) == 8 * (8 + 16 + 4) + 16 + 64, "equation 16")


def check_selection():
    row = made_up.row
    ell = Curve(DEVICE, "tessera", ("ell",))
    # A figure takes the largest size that all curves have, otherwise the largest.
    small, large = 1000000, 16000000
    rows = [row("cg", "ell", dofs=small), row("cg", "ell", dofs=large),
            row("cg", "lazy_ell", dofs=small - 9000)]
    found = selection(9, rows)
    hold(found.common["size"] == small - 9000, f"size {found.common}")
    hold(found.points[0, "double"][ell][1] == (1, rows[0]["cg_iterations_per_s"]),
         "the row of the common size")
    hold(selection(9, rows[:2]).common["size"] == large, "the largest size")
    found = selection(9, [row("cg", "ell", dofs=small), row("cg", "lazy_ell", dofs=large)])
    hold(len(found.points[0, "double"]) == 1 and any("size" in note for note in found.notes),
         "a curve of another size is left out, and a note says so")

    # Among rows that the figure does not distinguish, the fastest counts.
    rows = [row("assembly", "csr", conflict="atomics", strategy=strategy)
            for strategy in ("redundant_compute", "local_reuse")]
    found = selection(5, rows).points[0, "double"]
    (_, y), = found[Curve(DEVICE, "tessera", ("atomics",))].values()
    hold(close(y, rows[1]["cells"] / rows[1]["seconds_median"]), "the fastest strategy")

    # Gathered rows have their curve, also where old records call it a conflict handling.
    for way in ({"route": "gather"}, {"conflict": "gather"}):
        rows = [row("assembly", "csr", conflict="atomics"), row("assembly", "csr", **way)]
        curves = {curve.values for curve in selection(5, rows).points[0, "double"]}
        hold(curves == {("atomics",), ("gather",)}, f"curves of routes {curves}")

    rows = [row("cg", "ell", preconditioner=p, numbering=n)
            for p in ("jacobi", "none") for n in ("blocked_aligned", "batch_interleaved")]
    common_values = selection(9, rows).common
    hold((common_values["preconditioner"], common_values["numbering"]) ==
         ("none", "batch_interleaved"), f"preferred: {common_values}")
    rows = [row("cg", "ell", numbering="aligned", **c) for c in ({"carveout": 0}, {}, {"carveout": 100})]
    hold(selection(23, rows).common["carveout"] is None, "the driver's choice of a carve-out")
    rows = [row("cg", "ell", numbering="blocked", block=b) for b in (8, 16)]
    rows.append(row("cg", "ell", numbering="aligned"))
    hold(len(selection(23, rows).points[0, "double"]) == 2, "the fastest block of a numbering")

    # Speed-ups are over the fastest host with the same size, number and degree.
    hosts = [row("assembly", "csr", backend="host", conflict=c) for c in ("coloring", "gather")]
    device = row("assembly", "csr", conflict="atomics", number="double")
    found = selection(27, [*hosts, device]).points[0, "double"]
    (_, y), = found[Curve(DEVICE, "tessera", ("csr",))].values()
    hold(close(y, hosts[1]["seconds_median"] / device["seconds_median"]), f"speed-up {y}")
    hold("backend host" in selection(27, [device]), "a speed-up needs the host")
    other = row("assembly", "csr", backend="host", route="gather", dofs=1000)
    hold("no other row has the size" in selection(27, [device, other]), "hosts of another size")

    larger = made_up.row("assembly", "csr", route="gather", dofs=16000000)
    hold(selection(27, [*hosts, device, larger]).common["size"] == 4000000,
         "the size of the host, where it has but one")

    # Another library has neither numbering nor conflict handling.
    peer = row("application", "csr", library="cusparse", numbering=None)
    found = selection(7, [row("application", "csr"), peer]).points[1, "double"]
    hold({curve.library for curve in found} == {"tessera", "cuSPARSE"}, f"libraries {found}")

    # Each algorithm of cuSPARSE has a curve, beside our iterations.
    rows = [row("cg", "csr", preconditioner="jacobi")]
    rows += [row("cg", "csr", library="cuSPARSE", algorithm=name, preconditioner="jacobi")
             for name in ("csr_alg1", "csr_alg2", "sell_alg1", "coo_alg1")]
    found = selection(7, rows).points[0, "double"]
    hold({(curve.library, *curve.values) for curve in found} ==
         {("tessera", None), *(("cuSPARSE", name)
                               for name in ("csr_alg1", "csr_alg2", "sell_alg1"))},
         f"algorithms {found}")


def check_bad_input(write, folder):
    good = made_up.record([made_up.row("cg", "ell")])
    for text, said in (("", "is not JSON"), ("[]", "is no record"), ("{}", "is no record"),
                       (json.dumps({**good, "schema": 2}), "is no record"),
                       (json.dumps({**good, "rows": {}}), "is no record"),
                       (json.dumps({**good, "rows": [1]}), "is no record"),
                       (json.dumps({**good, "rows": []}), "no completed row is left")):
        plot(1, write("bad.json", text), "-o", folder, stderr=said)
    for key in (*records.NEEDED, *records.NUMBERS, "counters", "work"):
        row = {**good["rows"][0], key: [1]}
        plot(1, write("bad.json", json.dumps({**good, "rows": [row]})), "-o", folder,
             stderr=f"\"{key}\" of row 1")
    for key in records.NEEDED:
        row = {k: v for k, v in good["rows"][0].items() if k != key}
        plot(1, write("bad.json", json.dumps({**good, "rows": [row]})), "-o", folder,
             stderr=f"\"{key}\" of row 1")
    file = write("good.json", json.dumps(good))
    plot(1, os.path.join(folder, "missing.json"), stderr="cannot be read")
    plot(1, stderr="needs a record")
    plot(1, file, "--figures", "22", stderr="there is no figure \"22\"")
    plot(1, file, "--number", "half", stderr="--number")
    plot(1, file, "--number", "float", stderr="no completed row is left")
    plot(1, file, "--where", "T", stderr="KEY=VALUE")
    plot(1, file, "--dofs", "5", stderr="no completed row is left")


def check_matrices(write, folder):
    """Draws a picture of each matrix, and one of the products of all."""
    matrix = {"name": "a/small.mtx", "source": "file", "rows": 3, "columns": 5, "nonzeros": 4,
              "statistics": {"shortest_row": 0, "longest_row": 2, "mean_row": 4 / 3,
                             "padding_ell": 1.5, "padding_sliced_ell": 1.5,
                             "padding_ell_warp_k1": 1.5},
              "row_lengths": [[0, 1], [2, 2]], "picture": [[2, 0, 0], [0, 0, 0], [0, 1, 1]]}
    empty = {**matrix, "name": "empty", "rows": 0, "nonzeros": 0, "row_lengths": [],
             "picture": []}
    rows = [{**made_up.row("application", "csr", number=number, case="a/small.mtx",
                           library=library, algorithm=algorithm), "degree": None,
             "paper_bytes": 80} for number in ("double", "float")
            for library, algorithm in (("tessera", ""), ("cuSPARSE", "csr_1"))]
    record = {**made_up.record(rows), "matrices": [matrix, empty]}
    file = write("matrices.json", json.dumps(record))
    for options in ((), ("--figures", "matrices")):
        printed, _ = plot(0, file, "-o", os.path.join(folder, "matrices"), *options)
        names = [os.path.basename(line) for line in printed.splitlines()]
        hold([name for name in names if not name.startswith("wong_")] ==
             ["matrix_small.png", "matrix_empty.png"], f"pictures of matrices are {names}")
        hold(("wong_fig12_bandwidth.png" in names) == (not options), f"pictures are {names}")
    plot(1, file, "-o", folder, "--figures", "roofline", stderr="no figure could be drawn")
    for key in matrix:
        if key != "source":
            without = {k: v for k, v in matrix.items() if k != key}
            plot(1, write("bad.json", json.dumps({**record, "matrices": [without]})), "-o",
                 folder, stderr=f"\"{key}\" of matrix 1")
    for wrong in (None, [1], {}):
        plot(1, write("bad.json", json.dumps({**record, "matrices": wrong})), "-o", folder,
             stderr="is no record")
    for key in ("case", "paper_bytes", "seconds_median"):
        plot(1, write("bad.json", json.dumps({**record, "rows": [{**rows[0], key: None}]})),
             "-o", folder, stderr=f"\"{key}\" of row 1")
    twins = {**record, "matrices": [matrix, {**matrix, "name": "b/small.mtx.gz"}]}
    printed, _ = plot(0, write("twins.json", json.dumps(twins)), "-o", folder)
    hold("matrix_small__2.png" in printed, f"pictures of twins: {printed}")
    of_matrices = {**record, "rows": []}
    printed, _ = plot(0, write("none.json", json.dumps(of_matrices)), "-o", folder)
    hold([os.path.basename(line) for line in printed.splitlines()] ==
         ["matrix_small.png", "matrix_empty.png", "wong_table_2.md"], f"without rows: {printed}")
    plot(0, file, "-o", folder, "--figures", "matrices,wong_fig17",
         stderr="wong_fig17_bandwidth_1200 is not made: no row has 1200 applications.")
    plot(1, file, "-o", folder, "--figures", "wong_table_7",
         stderr="no row of csr_mgpu has the parameter values_per_thread.")
    applications = {**rows[0], "parameters": {"applications": "1"}}
    plot(1, write("bad.json", json.dumps({**record, "rows": [applications]})), "-o", folder,
         stderr="\"parameters\" of row 1")


def of_products(rows, matrices=()):
    """Returns products as if the rows were read from a file."""
    for row in rows:
        row["machine"] = "made-up " + row["backend"]
    return Products(rows, matrices, MATRICES)


def cells(table, part=0):
    """Returns {matrix: {column: cell}} of a table."""
    _, columns, rows = table.parts[part]
    return {row[0].strip("`"): dict(zip(columns, row)) for row in rows}


def check_products():
    """Checks what figures and tables of Wong, Kuhl and Darve take from rows."""
    def product(operator, micro, **more):
        return made_up.product("circuit", operator, 1e-6 * micro, **more)

    rows = [product("csr", 10, library="cuSPARSE", algorithm="csr_alg1"),
            product("csr", 14, library="cuSPARSE", algorithm="csr_alg2"),
            product("csr", 4, library="cuSPARSE", algorithm="sell_alg1"),
            product("ell_warp_k1", 8, reorder_seconds=5e-6, block=64),
            product("ell_warp_k1", 6, reorder_seconds=9e-6, block=128),
            product("ell_warp_k1", 1, read_only=0),
            product("ell_warp_k1", 200, backend="host", reorder_seconds=50e-6),
            product("ell_warp_k2", 12, reorder_seconds=9e-6, threshold=8),
            product("ell_warp_k2", 11, reorder_seconds=9e-6, threshold=16, predicted=2e-6),
            product("ell_warp_k2", 300, backend="host", reorder_seconds=50e-6, threshold=8),
            product("sliced_ell", 9, C=32), product("sliced_ell", 5, C=64),
            product("ell_warp_k1r", 3, block=128), product("sell_packed_float_values", 2),
            product("ell_warp_k1_row_major", 18, block=128)]
    products = of_products(rows)
    hold(products.backend == "cuda" and products.count is None, "the device comes first")
    table = wong_tables.TABLES["wong_table_4"][0](products)
    # 9 / (10 - 6) = 2.25 and 50 / 4 = 12.5. K2 is slower than compressed rows, not only
    # than slices, and has no rows of the host with its threshold.
    hold(cells(table)["circuit"] == {
        "matrix": "`circuit`", "K1, device, paper": "3", "K1, device, here": "3",
        "K1, host, paper": "15", "K1, host, here": "13", "K2, device, paper": "3",
        "K2, device, here": "∞"}, f"equation 14: {cells(table)}")
    # For a host alone, 50 / (220 - 200) = 2.5 compares with its own compressed rows and
    # not with Trilinos.
    on_host = [*rows, product("csr", 220, backend="host"),
               product("csr", 100, backend="host", library="Trilinos")]
    for found in (on_host, [row for row in on_host if row["backend"] == "host"]):
        table = wong_tables.TABLES["wong_table_4_host"][0](of_products(found))
        hold(cells(table)["circuit"] == {
            "matrix": "`circuit`", "K1, host, paper": "15", "K1, made-up host, here": "3",
            "K2, host, paper": "12", "K2, made-up host, here": "∞"},
             f"equation 14 on the host: {cells(table)}")
    panel, = wong_figures.reordering(products).panels
    hold({s.label: s.points for s in panel.series if s.points} == {
        "K1, on the device": {"circuit": 9 / 6}, "K1, on the host": {"circuit": 50 / 6},
        "K2, on the device": {"circuit": 9 / 11}}, f"figure 13: {panel}")
    chart, notes = products.notes_of(wong_figures.bandwidth)
    hold(notes == ["no row has 1 application, drawn of products one after the other, as many as "
                   "fill a sample"], f"figure 12 says {notes}")
    panel, = chart.panels
    hold({s.label: round(s.points["circuit"], 3) for s in panel.series if s.points} == {
        "cuSPARSE, compressed rows": 2, "ELL-WARP K1": 3.333, "ELL-WARP K2": 1.818},
         f"figure 12, 20 bytes an entry in double: {panel}")
    panel, = wong_figures.over_peers(products).panels
    hold([round(s.points["circuit"], 3) for s in panel.series] == [0.8, 1.333, 2],
         f"over others: {panel}")
    _, ratio = wong_figures.row_major(products).panels
    hold(close(ratio.series[0].points["circuit"], 3), f"figure 14: {ratio}")
    _, ratio = wong_figures.FIGURES["wong_fig18_k1r"][0](products).panels
    hold(close(ratio.series[0].points["circuit"], 0.5) and
         close(ratio.series[0].errors["circuit"], 0.5 * 0.02 * 2 ** 0.5), f"figure 18: {ratio}")
    found = cells(wong_tables.sorting(products))["circuit"]
    hold((found["less time, here"], found["fewer places, here"]) == ("33.33", "26.67") and
         "less time, plain loads of x, here" not in found, f"table 6: {found}")
    found = cells(wong_tables.TABLES["wong_table_3"][0](products))["circuit"]
    hold(found["K1 block [many], here"] == "128" and found["K1 block [1], paper"] == "64" and
         found["K2 threshold [many], here"] == "16" and "K2 block [1], paper" not in found,
         f"table 3: {found}")
    hold([bool(of_products(rows, [{"name": "circuit", "source": source}]).stand_ins())
          for source in ("suite", "file")] == [True, False], "only the suite's are stand-ins")
    cloud = wong_figures.choice_times(products)
    hold([round(v) for v in cloud.panels[0].series[0].points[0]] == [11, 2], f"choice: {cloud}")

    # Figure 12 of the paper has one product, figure 17 has 1200.
    rows = [product("csr", n, applications=n) for n in (50, 1, 1200)]
    products = of_products(rows + [product("dia", 1, applications=1)])
    hold(products.count == 1 and products.counts == [1, 50, 1200], f"counts {products.counts}")
    hold(any(note.startswith("dia ") for note in products.notes), f"notes {products.notes}")
    series = wong_figures.bandwidth_1200(products).panels[0].series
    hold(close(sum(s.points.get("circuit", 0) for s in series), 2e-5 / 1200e-6),
         f"figure 17: {series}")
    rows = [product("csr", 2, chosen=1), product("ell", 1), product("sell_packed_float", 0.5)]
    panel, = wong_figures.choice_distance(of_products(rows)).panels
    hold([s.points["circuit"] for s in panel.series if s.points] == [2], f"choice: {panel}")
    host = [product("csr", 3, backend="host"), product("csr", 2, library="Trilinos",
                                                        backend="host")]
    panel, = wong_figures.over_peers(of_products(host)).panels
    hold(close(panel.series[0].points["circuit"], 2 / 3), f"on the host: {panel}")


def check_pictures_of_products(write, folder):
    """With all rows, all figures and tables are made, and nothing is left out."""
    output = os.path.join(folder, "wong")
    matrix = {"name": "circuit", "rows": 3, "columns": 3, "nonzeros": 3, "row_lengths": [[1, 3]],
              "statistics": dict.fromkeys(records.STATISTICS, 1.), "picture": [[3]]}
    record = {**made_up.record(made_up.products()), "matrices": [matrix]}
    printed, errors = plot(0, write("products.json", json.dumps(record)), "-o", output,
                           "--figures", "wong")
    hold(errors == "plot: rows of the host serve for the time of reordering and for tables of "
         "hosts alone.\n", errors)
    hold(sorted(os.listdir(output)) == sorted(
        [name + ".md" for name in wong_tables.TABLES] +
        [name + ".png" for name in wong_figures.FIGURES]), f"made: {printed}")
    with open(os.path.join(output, "wong_table_2.md")) as file:
        hold("| `circuit` | 958,936 | 3 | 170,998 | 3 |" in file.read(), "table 2")
    for name in os.listdir(output):
        with open(os.path.join(output, name), "rb") as file:
            hold(file.read(4) in (b"\x89PNG", b"# Ta", b"# Th"), f"{name} is no picture or table")


def check_pictures(write, folder):
    output = os.path.join(folder, "figures")
    rows = made_up.everything()
    rows.append(made_up.row("cg", "csr", completed=False, reason="made up"))
    record = made_up.record(rows)
    try:
        import jsonschema
        with open(os.path.join(root, "doc", "record.schema.json")) as file:
            jsonschema.validate(record, json.load(file))
    except ImportError:
        pass
    _, errors = plot(0, write("all.json", json.dumps(record)), "-o", output,
                     stderr="1 row not completed, left out.")
    hold("drawn without" not in errors and "is not drawn" not in errors, errors)
    hold(sorted(os.listdir(output)) == sorted(f.name + ".png" for f in FIGURES),
         f"pictures: {os.listdir(output)}")
    for name in os.listdir(output):
        with open(os.path.join(output, name), "rb") as png:
            hold(png.read(4) == b"\x89PNG", f"{name} is no picture")

    # What is missing is named, the rest is drawn, and several records can be combined.
    device = write("device.json", json.dumps(made_up.record(
        [made_up.row("assembly", "ell", conflict="atomics")])))
    host = write("host.json", json.dumps({**made_up.record(
        [made_up.row("assembly", "csr", backend="host", route="gather")]), "device": None}))
    one = os.path.join(folder, "one")
    printed, errors = plot(0, device, "--figures", "fig08,6,28", "-o", one,
                           stderr="fig08_ell_assembly: drawn without operator lazy_ell or "
                                  "lazy_ell_consolidated; backend host; conflict coloring or "
                                  "gather; number float.")
    hold("fig06_csr_threads_per_row is not drawn: no row has number double or float"
         not in errors and "fig06_csr_threads_per_row is not drawn: no row has" in errors, errors)
    hold(len(printed.splitlines()) == 1 and os.listdir(one) == ["fig08_ell_assembly.png"], printed)
    plot(1, device, "--figures", "27", "-o", one, stderr="nothing to divide by")
    plot(1, device, "--figures", "roofline", "-o", one, stderr="no figure could be drawn")
    printed, errors = plot(0, device, "--number", "double", "--figures", "8,17", "-o", one,
                           stderr="fig17_cg_formats_float is not drawn: it is of another number.")
    hold("number float" not in errors, errors)
    plot(1, device, "--figures", "wong", "-o", one,
         stderr="no figure of products is made: there are no products of matrices.")
    plot(0, device, host, "--figures", "27", "--where", "degree=1", "-o", one, stdout="fig27")


check_table()
check_transfer()
check_selection()
check_products()
expect(0, ["scripts/plot", "--list"], stdout="over: kind cg")
expect(0, ["scripts/plot", "--list", "--figures", "wong_fig12,wong_table_4"],
       stdout="wong_table_4: products after which")
expect(0, ["scripts/plot", "--help"], stdout="--dofs")
with tempfile.TemporaryDirectory() as temporary:
    def written(name, text):
        path = os.path.join(temporary, name)
        with open(path, "w") as out:
            out.write(text)
        return path

    if common.has_matplotlib():
        check_bad_input(written, temporary)
        check_matrices(written, temporary)
        check_pictures_of_products(written, temporary)
        check_pictures(written, temporary)
common.finish(commands.problems, commands.n_checks, "checks")
