"""Makes records for the tests of scripts/plot. Every number is made up: nothing here was
measured, and the names of the machines say so."""

DEGREES = (1, 2, 3, 4)
FORMATS = ("csr", "ell", "hybrid", "lazy_ell", "lazy_ell_consolidated")
CELLS = ("local_matrices", "local_matrices_symmetric", "matrix_free_local", "matrix_free")
# Bytes per degree of freedom for degree p, roughly.
WEIGHT = dict(zip((*FORMATS, *CELLS),
                  ((1, 2), (1.05, 2), (1.02, 2), (1.7, 2), (1.05, 2), (1.3, 1.5), (0.8, 1.5),
                   (0.6, 3), (0.4, 0.5))))


def row(kind, operator, **more):
    """Makes a row as in doc/record.schema.json; `more` are fields, or else parameters."""
    fields = {
        "case": "made up", "kind": kind, "operator": operator, "library": "tessera",
        "backend": "cuda", "number": "double", "degree": 1, "strategy": None, "route": None,
        "conflict": None,
        "numbering": "batch_interleaved", "dofs": 4000000, "cells": None, "seconds_min": None,
        "seconds_median": None, "seconds_spread": None, "samples": 20, "gdofs_per_s": None,
        "gcells_per_s": None, "compulsory_bytes": None, "stored_bytes": None,
        "paper_bytes": None, "bandwidth": None,
        "fraction_of_copy": None, "fraction_of_model": None, "gflops": None,
        "setup_seconds": None, "memory_bytes": None, "padding": None,
        "cg_iterations_per_s": None, "counters": None, "work": None, "solve": None, "error": 1.,
        "repeatable": True,
        "completed": True, "reason": None}
    parameters = {"cell_type": "quadrilateral", "cell_order": "mesh", "tile": "0x1"}
    for key, value in more.items():
        (fields if key in fields else parameters)[key] = value
    p, slow = fields["degree"], 40. if fields["backend"] == "host" else 1.
    slow *= (0.6 if fields["number"] == "float" else 1.)
    slow *= {"coloring": 2.5, "gather": 0.9}.get(fields["route"] or fields["conflict"], 1.)
    slow *= {"redundant_compute": 1.5, "global_reuse": 2. ** p}.get(fields["strategy"], 1.)
    slow *= 1 + parameters.get("carveout", 0) / 400 + abs(parameters.get("T", 8) - 2 ** p) / 20
    slow *= {"cuSPARSE": 1.3, "deal.II": 1.2, "Trilinos": 1.1}.get(fields["library"], 1.)
    slow *= {"blocked_aligned": 0.9, "aligned": 1.6, "blocked": 1.1}.get(fields["numbering"], 1.)
    slow *= {"ssor": 2 + p}.get(parameters.get("preconditioner"), 1.)
    weight, power = WEIGHT.get(operator, (1, 2))
    n = fields["dofs"]
    fields["cells"] = fields["cells"] or n // p ** 2
    seconds = slow * n * 3e-11 * weight * (p + 2) ** power * (4. * p if kind == "assembly" else 1)
    fields.update(seconds_median=seconds, seconds_min=seconds, seconds_spread=0.,
                  gdofs_per_s=n / seconds * 1e-9, parameters=parameters)
    if kind == "cg":
        fields["cg_iterations_per_s"] = 1 / seconds
    if kind == "application":
        fields["compulsory_bytes"] = int(n * 12 * weight * (p + 2) ** power)
        fields["gflops"] = 2e-9 * n * (p + 2) ** 2 / seconds
    if fields["backend"] == "cuda":
        fields["counters"] = {"instructions": 40. * n * (p + 2) ** 2 * slow,
                              "floating_instructions": 10. * n * (p + 2) ** 2,
                              "flops": 15. * n * (p + 2) ** 2}
    return fields


def record(rows, threads=2):
    """Makes a record with these rows, of machines that do not exist."""
    return {
        "schema": 1, "program": "made_up", "version": "0.0.0", "git": None, "dirty": False,
        "timestamp": "2000-01-01T00:00:00Z", "status": "done", "exit_code": 0, "message": None,
        "arguments": [], "parameters": {}, "seed": 1,
        "build": {"type": "Release", "flags": "", "architectures": [], "versions": {"cxx": "0"}},
        "host": {"cpu": "made-up host", "cores": threads, "threads": threads, "simd": "x86_64"},
        "device": {"name": "made-up device", "sm_count": 1, "memory_bytes": 1, "l2_bytes": 1,
                   "driver": "0", "copy_bandwidth": 4e12},
        "cases": [], "rows": rows, "matrices": []}


def everything(dofs=4000000, degrees=DEGREES):
    """Makes rows for all panels of all figures."""
    rows = []

    def add(kind, operator, **more):
        for number in ("double", "float"):
            for p in degrees:
                # Meshes of one size differ in their numbers of unknowns.
                rows.append(row(kind, operator, number=number, degree=p, dofs=dofs - 5000 * p,
                                **more))

    for backend, conflicts in (("cuda", ("atomics", "coloring")), ("host", ("coloring",))):
        for operator in FORMATS:
            for way in (*({"conflict": conflict} for conflict in conflicts), {"route": "gather"}):
                add("assembly", operator, backend=backend, strategy="local_reuse", **way)
            add("application", operator, backend=backend)
            for preconditioner in ("none", "jacobi", "ssor"):
                add("cg", operator, backend=backend, preconditioner=preconditioner)
        for operator in CELLS:
            for strategy in ("local_reuse", "redundant_compute", "global_reuse"):
                if operator.startswith("local"):
                    add("assembly", operator, backend=backend, conflict=conflicts[0],
                        strategy=strategy)
            for conflict in conflicts:
                add("application", operator, backend=backend, conflict=conflict)
                for preconditioner in ("none", "jacobi", "ssor"):
                    add("cg", operator, backend=backend, conflict=conflict,
                        preconditioner=preconditioner)
    for threads in (1, 2, 4, 8, 16, 32):
        add("cg", "csr", T=threads, preconditioner="none")
    for numbering in ("cell_first_touch", "aligned", "blocked", "blocked_aligned",
                      "lexicographic", "cuthill_mckee", "hierarchical"):
        for carveout in (0, 100):
            block = {"block": 8} if numbering.startswith("blocked") else {}
            add("cg", "ell", numbering=numbering, carveout=carveout, preconditioner="none", **block)
    for algorithm in ("csr_alg1", "csr_alg2", "sell_alg1"):
        add("application", "csr", library="cuSPARSE", numbering=None, algorithm=algorithm)
        for preconditioner in ("none", "jacobi"):
            add("cg", "csr", library="cuSPARSE", numbering=None, algorithm=algorithm,
                preconditioner=preconditioner)
    for library in ("deal.II", "Trilinos"):
        for kind in ("application", "cg", "assembly"):
            add(kind, "csr", library=library, backend="host", numbering=None)
    return rows


# One matrix is from the paper, the other one is not.
CASES = ("circuit", "a/small.mtx")
SLICED = ("ell_warp_k1", "ell_warp_k1r", "ell_warp_k1rs", "ell_warp_k2", "ell_warp_k2r",
          "ell_warp_k2rs", "pjds", "sliced_ell")


def product(case, operator, seconds, predicted=None, **more):
    """Makes a row of spmv_benchmark."""
    entries, number = 1000, more.get("number", "double")
    made = row("application", operator, case=case, numbering=None,
               paper_bytes=entries * {"double": 20., "float": 12.}[number], **more)
    made.update(degree=None, seconds_median=seconds, seconds_spread=0.02 * seconds)
    made["padding"] = 1.5 if operator == "sliced_ell" else 1.1
    made["work"] = {"stored": 1., "predicted_seconds": predicted} if predicted else None
    return made


def products():
    """Makes rows for all figures and tables of Wong, Kuhl and Darve."""
    rows = []

    def add(operator, speed, **more):
        for number in ("double", "float"):
            for place, case in enumerate(CASES):
                seconds = (10e-6 + 3e-6 * place) / speed * (0.7 if number == "float" else 1)
                for count in (1, 50, 1200):
                    rows.append(product(case, operator, seconds * (1 + 1 / count),
                                        number=number, applications=count, **more))

    for algorithm, speed in (("csr_alg1", 1), ("sell_alg1", 0.9), ("coo_alg2", 0.5),
                             ("bsr2_alg1", 0.7)):
        add("csr", speed, library="cuSPARSE", algorithm=algorithm)
    for operator, speed in (("csr", 1.1), ("csr_merge", 1.2), ("coo", 0.6), ("ell", 0.8),
                            ("hybrid", 0.85), ("sell_packed", 1.4), ("ell_warp_k1_row_major", 0.3),
                            ("sell_packed_float_values", 1.7), ("ell_warp_k1r_remap", 1.25)):
        add(operator, speed, **({"block": 128} if "ell_warp" in operator else {}))
    for values in (4, 10):
        add("csr_mgpu", 1.1 + values / 100, values_per_thread=values)
    for place, operator in enumerate(SLICED):
        for block in (64, 128):
            threshold = {"threshold": 8} if "k2" in operator else {}
            add(operator, 1.2 + place / 50 - block / 2000, C=32, reorder_seconds=2e-5,
                block=block, predicted=9e-6, chosen=int((operator, block) ==
                                                                ("ell_warp_k2", 64)),
                **threshold)
        add(operator, 0.9, C=32, read_only=0, **threshold)
    add("ell_warp_k1_row_major", 0.2, read_only=0)
    for operator in ("ell_warp_k1", "ell_warp_k2"):
        threshold = {"threshold": 8} if "k2" in operator else {}
        add(operator, 0.01, backend="host", reorder_seconds=1e-3, **threshold)
    add("csr", 0.008, backend="host")
    add("csr", 0.01, backend="host", library="Trilinos")
    return rows
