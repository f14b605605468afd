"""Quantities that are drawn: numbers of a row, or None if the row lacks what is needed."""
import collections


def number_bytes(row):
    return {"double": 8, "float": 4}[row["number"]]


def transfer(operator, degree, size):
    """Returns the bytes per degree of freedom that the paper counts for a product in
    equations 14 to 19, like source/study/measure/paper_models.h: x once per entry, 4-byte
    indices."""
    n = (degree + 1) ** 2
    if operator in ("csr", "ell"):
        return (2 * size + 4) * (degree + 2) ** 2 + size + (4 if operator == "csr" else 0)
    if operator == "local_matrices":
        return (size * n * n + (2 * size + 4) * n) / degree ** 2
    return None


def assembly_transfer(operator, degree, size):
    """Returns the bytes per cell of assembly, equations 15 and 16, like
    assembly_transfer of that header."""
    n = (degree + 1) ** 2
    if operator not in ("csr", "ell", "local_matrices"):
        return None
    return size * (8 + n * n + n) + 4 * n + (0 if operator == "local_matrices" else 4 * n * n)


def over_time(count):
    """Returns the quantity count(row) per second."""
    def quantity(row):
        amount, seconds = count(row), row.get("seconds_median")
        return amount / seconds if amount is not None and seconds else None
    return quantity


def counted(model, per):
    def count(row):
        if row["parameters"].get("cell_type", "quadrilateral") != "quadrilateral":
            return None
        each = model(row["operator"], row["degree"], number_bytes(row))
        return None if each is None else each * row[per]
    return over_time(count)


def components(row):
    flat = row["parameters"].get("cell_type", "quadrilateral") in ("triangle", "quadrilateral")
    return (2 if flat else 3) if row["parameters"].get("form") == "elasticity" else 1


def nonzeros(row):
    """Returns the entries of the matrix of a row of ELLPACK, by its compulsory bytes: a value and an
    index for each entry or block, x, y and four bytes for each unknown."""
    size = number_bytes(row)
    index = 4 if row["parameters"].get("entries") == "single" else 4 / components(row) ** 2
    return round((row["compulsory_bytes"] - (2 * size + 4) * row["dofs"]) / (size + index))


def add_gflops(rows):
    """Gives products without a count of operations their GFLOP/s: two for each entry of a matrix by
    rows, if there is a row of ELLPACK with the same matrix, and for elasticity by sum factorisation
    16 (p+1)^3 a component and 53 a point: 8 for the Jacobian, 13 for its inverse and the stiffness with
    weight, 12 for gradients, 8 for stresses, 12 to test them."""
    def matrix(row):
        return row.get("case"), row["dofs"], row["parameters"].get("mesh")
    products = [row for row in rows if row["kind"] == "application" and row["degree"] and
                row["completed"] and row.get("seconds_median")]
    found = {matrix(row): nonzeros(row) for row in products if row["operator"] == "ell" and
             row["library"] == "tessera" and row.get("compulsory_bytes")}
    for row in (row for row in products if row.get("gflops") is None):
        flops, k = None, row["degree"] + 1
        if row["operator"].startswith(("csr", "ell", "sell")) and matrix(row) in found:
            flops = 2 * found[matrix(row)]
        elif row["operator"] == "matrix_free" and components(row) == 2 and row.get("cells") and \
                row["parameters"].get("cell_type") == "quadrilateral":
            flops = (32 * k ** 3 + 53 * k ** 2) * row["cells"]
        if flops:
            row["gflops"] = 1e-9 * flops / row["seconds_median"]


def counter(name):
    return over_time(lambda row: (row.get("counters") or {}).get(name))


def executed(row):
    """Returns the flops that a profiler counted in a product, or None."""
    return (row.get("counters") or {}).get("flops")


def intensity(row, as_executed=False):
    """Returns the flops per compulsory byte."""
    if as_executed:
        flops = executed(row)
        return flops / row["compulsory_bytes"] if flops and row.get("compulsory_bytes") else None
    if not row.get("gflops") or not row.get("compulsory_bytes") or not row.get("seconds_median"):
        return None
    return row["gflops"] * 1e9 * row["seconds_median"] / row["compulsory_bytes"]


# of(row) in SI units; axis: label of the axis, whose unit is `scale`; needs: what a row
# must have
Quantity = collections.namedtuple("Quantity", "of scale axis needs")

def hits(cache):
    """Returns the part of the sectors asked of a cache that it has."""
    def of(row):
        counters = row.get("counters") or {}
        found, asked = counters.get(cache + "_hits"), counters.get(cache + "_sectors")
        return found / asked if asked and found is not None else None
    return of


QUANTITIES = {
    **{f"{cache}_hit_rate": Quantity(hits(cache), 1, f"hits of {cache.upper()}",
                                     f"counters.{cache}_sectors, which scripts/profile adds")
       for cache in ("l1", "l2")},
    "cells": Quantity(over_time(lambda row: row.get("cells")), 1e6,
                      "elements assembled, 10⁶/s", "cells and seconds_median"),
    "cg_iterations": Quantity(lambda row: row.get("cg_iterations_per_s"), 1,
                              "CG iterations, 1/s", "cg_iterations_per_s"),
    "cg_rate": Quantity(lambda row: row.get("gdofs_per_s") and 1e9 * row["gdofs_per_s"], 1e9,
                        "a CG iteration, GDoF/s", "gdofs_per_s"),
    "products": Quantity(over_time(lambda row: 1), 1, "products, 1/s", "seconds_median"),
    "instructions": Quantity(counter("instructions"), 1e9,
                             "instructions, 10⁹/s", "counters.instructions, which scripts/profile adds"),
    "floating_instructions": Quantity(counter("floating_instructions"), 1e9,
                                      "floating-point instructions, 10⁹/s",
                                      "counters.floating_instructions, which "
                                      "scripts/profile adds"),
    "bandwidth": Quantity(over_time(lambda row: row.get("compulsory_bytes")), 1e9,
                          "compulsory bytes, GB/s", "compulsory_bytes"),
    "transfer": Quantity(counted(transfer, "dofs"), 1e9,
                         "effective bandwidth, GB/s,\nby the paper's count", "seconds_median"),
    "assembly_transfer": Quantity(counted(assembly_transfer, "cells"), 1e9,
                                  "effective bandwidth, GB/s,\nby the paper's count",
                                  "cells and seconds_median"),
    "executed_flops": Quantity(lambda row: executed(row) / row["seconds_median"]
                               if intensity(row, True) else None, 1e12, "TFLOP/s, as executed",
                               "counters.flops, which scripts/profile adds, and compulsory_bytes"),
    "flops": Quantity(lambda row: row["gflops"] * 1e9 if intensity(row) else None, 1e12,
                      "TFLOP/s", "gflops and compulsory_bytes"),
}
