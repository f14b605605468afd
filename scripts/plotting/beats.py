"""Beats of the heart: the cases of monodomain with implicit steps as rows. doc/papers/ell_warp/plots
draws them."""
import os
import re

# Parts of a beat by the names of the parameters that have their seconds, with a colour.
PARTS = {"points_seconds": ("local Newton", "#0072B2"),
         "residual_seconds": ("residuals", "#56B4E9"),
         "cell_matrices_seconds": ("cell matrices", "#E69F00"),
         "summation_seconds": ("their sums", "#D55E00"),
         "product_seconds": ("products of CG", "#009E73"),
         "rest_of_solve_seconds": ("rest of CG", "#999933"),
         "rest_seconds": ("rest", "#BBBBBB")}
TIMES = {"activation time at point ": "t_", "action potential duration at point ": "apd_"}


def way_of(parameters):
    """Returns how tangents are assembled and stored, by the entries of a parameter file."""
    name = parameters.get("Operator/Name", "unknown")
    conflict, route = (parameters.get("Operator/" + key) for key in ("Conflict", "Route"))
    if name == "sell" and parameters.get("Operator/Slice window") == "0":
        return "ELL-WARP K" + ("1" if parameters.get("Operator/Slice threshold") == "0" else "2")
    for choice in (route, conflict):
        if choice not in (None, "default"):
            return f"{name}, {choice}"
    return name


def activation(case):
    """Returns the activated part of the nodes, and at the points of traces 1, 2, ... activation times
    t_1, t_2, ... and durations of action potentials apd_1, ..., in ms; None where there is none."""
    found = {quantity["name"]: quantity["value"] for quantity in case["results"].get("quantities") or ()}
    return {"activated": found.get("activated part of the nodes"),
            **{key + name[len(begin):]: of for name, of in found.items()
               for begin, key in TIMES.items() if name.startswith(begin)}}


def setting(asked):
    """Returns the scheme of a parameter file, its step in ms and the tolerance of its steps."""
    return {"scheme": asked.get("Time/Scheme"), "step": float(asked.get("Time/Step", 0)),
            "step_tolerance": float(asked.get("Time/Tolerance", 0))}


def rows_of_beats(record):
    """Returns a row for each case with seconds of local Newton methods, and for each beat of a heart
    by operator splitting, from whose activation times the others' times differ."""
    rows, asked = [], record.get("parameters") or {}
    threshold = asked.get("Operator/Slice threshold", "")
    heart = re.search(r"heart_(\w+)\.msh$", os.path.basename(asked.get("Mesh/File", "")))
    for case in record.get("cases") or []:
        of, solve = case.get("parameters") or {}, (case.get("phases") or {}).get("solve")
        split = of.get("points_seconds") is None
        if split and not heart or not solve:
            continue
        simulated = 1e-3 * of["simulated_time"]
        tangents = asked.get("Time/Tangents", "own")
        rows.append({
            "case": case["name"], "kind": "beat", "completed": True,
            "library": "PETSc" if tangents.startswith("petsc") else "tessera",
            "operator": asked.get("Operator/Name", "unknown"), "number": "double",
            "backend": "cuda" if record["device"] else "host",
            "degree": case["problem"]["degree"], "dofs": case["problem"]["dofs"],
            "cells": case["problem"]["cells"], "seconds_median": solve,
            "parameters": {
                "heart": heart[1] if heart else case["name"],
                "way": asked.get("Time/Scheme") if split else way_of(asked), **setting(asked),
                **({"tangents": tangents} if tangents != "own" else {}),
                **({"processes": of["processes"]} if "processes" in of else {}),
                **({"threshold": int(threshold)} if threshold.isdigit() else {}),
                "simulated": simulated, "steps": of["steps"],
                "iterations": case["results"]["iterations"], "times_real": simulated / solve,
                "joules_per_second": of["joules"] and of["joules"] / simulated,
                "watts": of["joules"] and of["joules"] / solve,
                **({"assembly_of_steps": of["reaction_seconds"], "solve_seconds": of["solve_seconds"]}
                   if split else parts_of_beat(case, solve)),
                **{key: value for key, value in activation(case).items() if value is not None}}})
    return rows


def parts_of_beat(case, solve):
    """Returns the seconds and shares of the parts of implicit steps."""
    of = case["parameters"]
    assembly = sum(of[key] for key in ("points_seconds", "residual_seconds", "assembly_seconds"))
    products = of.get("product_seconds")  # of a peer they are not known
    known = {} if products is None else {
        "rest_of_solve_seconds": of["solve_seconds"] - products, "part_of_products": products / solve,
        "products_of_solve": products / of["solve_seconds"]}
    return {"newton": of["newton_iterations"],
            **{key: of.get(key) for key in (*PARTS, "assembly_seconds", "solve_seconds")
               if of.get(key) is not None},
            "rest_seconds": solve - assembly - of["solve_seconds"],
            "assembly_of_steps": assembly, "part_of_assembly": assembly / solve,
            "part_of_solve": of["solve_seconds"] / solve,
            **known,
            "assembly_of_newton": assembly / of["newton_iterations"],
            "iteration_seconds": of["solve_seconds"] / case["results"]["iterations"]}


def damage_of_beat(row):
    """Returns the first field that is not as the figure of beats needs it, or None."""
    if not isinstance(row.get("seconds_median"), (int, float)) or row["seconds_median"] <= 0:
        return "seconds_median"
    of = row["parameters"]
    if not all(isinstance(of.get(key), str) for key in ("heart", "way")) or \
            not all(isinstance(of.get(key, 0.), (int, float)) for key in (*PARTS, "simulated")):
        return "parameters"
    return None
