"""Phases of the cases of an application as rows, which tables of pages quote."""
from .beats import activation

# What rows of the phase "solve" have of steps in time: entries of the case and of the file, and
# the activated part of the nodes, without which a wave may be none.
OF_STEPS = ("steps", "node_steps_per_second", "reaction_seconds", "stages_seconds", "solve_seconds",
            "table_error")
OF_FILE = {"Cell model/Model": "model", "Time/Mass": "mass", "Time/Diffusion": "diffusion",
           "Time/Rates": "rates"}


def rows_of_phases(record):
    """Returns a row for each phase of each case, and one for all together. Rates count degrees of
    freedom; the solve also has its iterations and steps, and all has the memory."""
    rows, asked = [], record.get("parameters") or {}
    for case in record.get("cases") or []:
        phases = {name: seconds for name, seconds in case["phases"].items() if seconds}
        problem, results = case["problem"], case["results"]
        of_steps = {key: case["parameters"][key] for key in OF_STEPS if key in case["parameters"]}
        processes = case["parameters"].get("processes", 1)
        if (activated := activation(case)["activated"]) is not None:
            of_steps["activated"] = activated
        of_steps.update({key: asked[entry] for entry, key in OF_FILE.items() if entry in asked})
        for name, seconds in (*phases.items(), ("all", sum(phases.values()))):
            rows.append({
                "case": case["name"], "kind": "phase", "library": "tessera",
                "completed": bool(results["converged"]),
                "operator": problem.get("chosen") or asked["Operator/Name"],
                "backend": "cuda" if record["device"] else "host",
                "number": asked["Operator/Number"], "degree": problem["degree"],
                "dofs": problem["dofs"], "cells": problem["cells"], "seconds_median": seconds,
                "gdofs_per_s": 1e-9 * problem["dofs"] / seconds,
                "parameters": {"phase": name, **({"processes": processes} if processes > 1 else {}),
                               **({"sigma": 0} if asked.get(
                    "Operator/Slice window") == "0" else {}),
                               **({"entries": "single"} if asked.get("Operator/Entries") == "single" else {}),
                               "preconditioner": case.get("parameters", {}).get(
                                   "preconditioner", asked["Solver/Preconditioner"]),
                               **({"iterations": results["iterations"], **of_steps}
                                  if name == "solve" else {}),
                               **({"L2_error": results.get("L2_error"),
                                   **{key: of for key, of in case["parameters"].items()
                                      if key.endswith("_peak_bytes")}} if name == "all" else {})}})
    return rows
