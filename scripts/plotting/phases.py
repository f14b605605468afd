"""Phases of the cases of an application as rows, which tables of pages quote."""


def rows_of_phases(record):
    """Returns a row for each phase of each case, and one for all of them together. The rate is
    that of the degrees of freedom; the solve has its iterations, and all has the memory."""
    rows, asked = [], record.get("parameters") or {}
    for case in record.get("cases") or []:
        phases = {name: seconds for name, seconds in case["phases"].items() if seconds}
        problem, results = case["problem"], case["results"]
        for name, seconds in (*phases.items(), ("all", sum(phases.values()))):
            rows.append({
                "case": case["name"], "kind": "phase", "library": "tessera",
                "completed": bool(results["converged"]),
                "operator": problem.get("chosen") or asked["Operator/Name"],
                "backend": "cuda" if record["device"] else "host",
                "number": asked["Operator/Number"], "degree": problem["degree"],
                "dofs": problem["dofs"], "cells": problem["cells"], "seconds_median": seconds,
                "gdofs_per_s": 1e-9 * problem["dofs"] / seconds,
                "parameters": {"phase": name,
                               "preconditioner": case.get("parameters", {}).get(
                                   "preconditioner", asked["Solver/Preconditioner"]),
                               **({"iterations": results["iterations"]}
                                  if name == "solve" else {}),
                               **({"L2_error": results.get("L2_error"),
                                   **{key: of for key, of in case["parameters"].items()
                                      if key.endswith("_peak_bytes")}} if name == "all" else {})}})
    return rows
