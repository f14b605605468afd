#!/usr/bin/python3
"""The model of N GPUs has its formulas, gives the times that were measured, and what
doc/scaling.md says is what it says.

usage: scaling_model.py ROOT
"""
import json
import math
import os
import sys
import tempfile

import common
import made_up_record as made_up

root = sys.argv[1]
sys.path.insert(0, os.path.join(root, "scripts"))
from plotting import scaling_figures, scaling_model, scaling_solvers  # noqa: E402
from plotting.folders import Folder  # noqa: E402
from plotting.records import read  # noqa: E402

LARGE, SMALL = 0.04, 0.25  # of a measured time, by which the model may miss it

commands = common.Commands(root)
hold = commands.hold
folder = Folder(os.path.join(root, "doc"))
RECORDS, = (item.records for item in folder.figures if "scaling_model" in " ".join(item.options))
records = [read(folder.shipped_path(name)) for name in RECORDS]
rows = [row for _, of_record in records for row in of_record]
constant = scaling_model.constants([record for record, _ in records], [])
found = scaling_model.models(rows, constant)


def close(a, b):
    return abs(a - b) <= 1e-9 * abs(b)


def check_surfaces():
    for n_parts, dim, expected in ((2, 2, [2, 1]), (8, 2, [4, 2]), (8, 3, [2, 2, 2]),
                                   (1024, 3, [16, 8, 8]), (1, 3, [1, 1, 1])):
        hold(scaling_model.grid(n_parts, dim) == expected, f"{n_parts} parts in {dim} dimensions")
    hold(close(scaling_model.surface(1e6, 2, 2), 1e3), "two strips share a line")
    hold(close(scaling_model.surface(1e6, 2, 3), 1e4), "two slabs share a plane")
    hold(close(scaling_model.surface(64e6, 64, 3), 6 * 1e4), "a cube has six sides")
    hold(close(scaling_model.surface(16e6, 16, 2), 4 * 1e3), "a square has four sides")
    hold(scaling_model.surface(1e6, 1, 3) == 0, "one part shares nothing")


def check_formulas():
    """An iteration of 64 parts with 1000^2 unknowns each of degree 2, on 8 hosts, by hand."""
    made = [made_up.row(kind, "matrix_free", degree=2, dofs=16000000)
            for kind in ("application", "cg")]
    made[0]["seconds_median"], made[1]["seconds_median"] = 400e-6, 1000e-6
    numbers = {"exchange_seconds": 100e-6, "sum_seconds": 20e-6, "bandwidth": 1e9,
               "launch_seconds": 7e-6, "short_seconds": 40e-6, "gpus_per_host": 8,
               "host_latency": 3e-6, "host_bandwidth": 1e8, "imbalance": 1.1}
    model, = scaling_model.models(made, numbers).values()
    here = 1.1e6
    alone = 40e-6 + 960e-6 * here / 16e6
    interior = 0.4 * alone * (1 - 2000 / (here / 4))
    packing = 2 * 7e-6
    message = 50e-6 - packing + 3e-6 + 4 * 4000 / 1e8
    expected = {"work": 1000e-6 / 64, "short kernels": alone - 1000e-6 / 64,
                "boundary cells": 2 * 7e-6, "import": packing + message - interior / 2,
                "export": packing + message - interior / 2,
                "sums": 6 * 20e-6 + 3 * 3e-6}
    seconds = model.iteration(64e6, 64, 1000e-6 / 64)
    for part, number in expected.items():
        hold(close(seconds[part], number), f"{part}: {seconds[part]}, by hand {number}")
    # On one host nothing goes between hosts; a long interior hides both messages.
    model.constant = {**numbers, "gpus_per_host": 64, "exchange_seconds": 1e-6}
    seconds = model.iteration(64e6, 64, 1000e-6 / 64)
    for part in ("import", "export"):
        hold(close(seconds[part], packing), f"{part} {seconds[part]}")
    hold(close(seconds["sums"], 6 * 20e-6), f"sums {seconds['sums']}")
    hold(not scaling_model.models(made, {}), "a model without constants")
    hold(not scaling_model.models(made[1:], numbers), "a model without a product")


def check_solvers():
    """Other methods and cycles of 64 parts with 1000^2 unknowns each on one host, by hand."""
    made = [made_up.row(kind, "matrix_free", degree=2, dofs=16000000)
            for kind in ("application", "cg")]
    made[0]["seconds_median"], made[1]["seconds_median"] = 400e-6, 1000e-6
    model, = scaling_model.models(made, {
        "exchange_seconds": 1e-6, "sum_seconds": 20e-6, "bandwidth": 1e9, "launch_seconds": 7e-6,
        "short_seconds": 40e-6, "gpus_per_host": 64, "host_latency": 3e-6, "host_bandwidth": 1e8,
        "imbalance": 1, "memory_bandwidth": 1e12, "vector_bytes": 60, "pipelined_bytes": 116,
        "steps": 4, "cycle_work": 5, "coarsest": 4000, "gathered": 1e5, "least_part": 1e6}).values()
    whole, sums, links = 100e-6, 6 * 20e-6, 3 * 14e-6  # links: two launches, both messages hidden
    for method, expected in (("single_reduction", sums), ("pipelined", sums - 0.4 * whole + 56e-6),
                             ("s-step", sums / 4 + 10e-6)):
        seconds = scaling_solvers.method_seconds(model, method, 64e6, 64)
        hold(close(seconds, whole + links + expected), f"{method}: {seconds}")
    hold(scaling_solvers.levels(64e6, 3, 4000) == [64e6, 8e6, 1e6, 125e3, 15625], "levels by eight")
    # Seven levels; 62500 and 15625 unknowns are in every process, or those up to a million on one.
    t = [40e-6 + 60e-6 * n / 1e6 for n in (1e6, 250e3, 62500, 15625, 3906.25)]
    for way, work, messages, all_sums in (
            ("gathered", 6 * t[0] + 5 * (sum(t[1:]) + t[2] + t[3]),
             21 * links + 2 * (4 * 0.5e-6 + 8 * 3750 / 1e9), 3 * sums + 8 * 62500 / 1e9),
            ("fewer", 6 * t[0] + 5 * (3 * t[0] + sum(t[1:4])),
             13 * links + 6 * (0.5e-6 + 8e6 / 1e9), 2 * sums)):
        seconds = scaling_solvers.cycle(model, 64e6, 64, way, 1e-3)
        for part, number in zip(scaling_solvers.CYCLE_PARTS,
                                (1e-3, work + 7e-6 - 1e-3, messages, all_sums)):
            hold(close(seconds[part], number), f"{way}, {part}: {seconds[part]}, by hand {number}")
    alone = scaling_solvers.of_problem(model, "strong", 16e6, 1, "gathered")
    hold(scaling_model.efficiency(alone) == 1, f"a cycle on one GPU: {alone}")


def check_measured():
    hold(set(found) == {(cells, p) for cells in scaling_model.DIMENSION for p in range(1, 5)},
         f"models {sorted(found)}")
    n_several = 0
    for key, model in found.items():
        for n, seconds in model.times:
            hold(close(sum(model.strong(n, 1).values()), seconds), f"{key}: one GPU, {n}")
        for row in model.several:
            n, measured = row["dofs"], row["seconds_median"]
            ratio = sum(model.strong(n, 2).values()) / measured - 1
            n_several += 1
            hold(abs(ratio) < (LARGE if n > 1e6 else SMALL), f"{key}, {n} on two: {ratio:+.3f}")
    hold(n_several >= 8, f"{n_several} measured times of two GPUs")
    for key, model in found.items():
        for problem in scaling_figures.PROBLEMS:
            curve = [scaling_model.efficiency(scaling_figures.iteration(model, problem, n))
                     for n in scaling_figures.COUNTS]
            hold(curve[0] == 1 and all(a > b > 0 for a, b in zip(curve, curve[1:])),
                 f"{key}, {problem}: efficiencies {curve}")
    # Where nothing takes time but work, nothing is lost.
    free = {**constant, **dict.fromkeys(("exchange_seconds", "sum_seconds", "launch_seconds",
                                         "host_latency"), 0.), "bandwidth": math.inf,
            "host_bandwidth": math.inf}
    for model in scaling_model.models(rows, free).values():
        hold(close(scaling_model.efficiency(model.weak(16e6, 1024)), 1), "losses of nothing")


def check_page():
    """The page has the numbers of the model. It quotes those of the record, which lint.figures
    compares."""
    with open(os.path.join(root, "doc", "scaling.md"), encoding="utf-8") as file:
        page = file.read()
    for text in (scaling_figures.of_efficiency(found, 2), scaling_figures.of_methods(found, 2),
                 scaling_figures.of_cycles(found, 2), scaling_figures.of_constants(records[0][0])):
        for line in text.splitlines():
            hold(line in page, f"the page lacks {line}")


def check_options(folder):
    files = [os.path.join("doc", "records", name) for name in RECORDS]
    plot = ["scripts/plot", *files, "-o", folder, "--figures", "scaling_"]
    printed, _ = commands.expect(0, plot)
    hold([os.path.basename(line) for line in printed.splitlines()] ==
         ["scaling_model.png", "scaling_losses.png", "scaling_tables.md"], printed)

    def tables():
        with open(os.path.join(folder, "scaling_tables.md"), encoding="utf-8") as file:
            return file.read()

    before = tables()
    commands.expect(0, [*plot, "--assume", "sum_seconds=1e-6", "--assume", "host_latency=2e-6"])
    hold(tables() != before, "assumptions change nothing")
    for text, said in (("x=1", "legal are exchange_seconds"), ("imbalance", "KEY=VALUE"),
                       ("bandwidth=0", "must be positive"), ("bandwidth=nan", "must be positive")):
        commands.expect(1, [*plot, "--assume", text], stderr=said)
    commands.expect(1, ["scripts/plot", files[-1], "-o", folder, "--figures", "scaling_model"],
                    stderr="records with constants of a model")
    commands.expect(1, ["scripts/plot", files[-1], "-o", folder, "--figures", "scaling_model",
                        "--assume", "imbalance=2"], stderr="--assume is for records")
    with open(os.path.join(root, files[0]), encoding="utf-8") as file:
        damaged = json.load(file)
    del damaged["model"]["bandwidth"]
    path = os.path.join(folder, "damaged.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(damaged, file)
    commands.expect(1, ["scripts/plot", path, files[1], "-o", folder, "--figures", "scaling_model"],
                    stderr="the constant \"bandwidth\" of a model has no value")


check_surfaces()
check_formulas()
check_solvers()
check_measured()
check_page()
if common.has_matplotlib():
    with tempfile.TemporaryDirectory() as temporary:
        check_options(temporary)
common.finish(commands.problems, commands.n_checks, "checks")
