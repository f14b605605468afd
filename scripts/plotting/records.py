"""Reads records and their rows in the form of doc/record.schema.json, also compressed
(.json.gz), as doc/records and papers have them."""
import gzip
import json
import re

from .beats import damage_of_beat, rows_of_beats
from .quantities import add_gflops
from .time_lines import damage_of_time_line
from .waves import damage_of_wave, rows_of_waves

NEEDED = {"kind": str, "operator": str, "library": str, "backend": str, "number": str,
          "degree": (int, type(None)), "dofs": int, "completed": bool, "parameters": dict}
NUMBERS = ("cells", "seconds_median", "seconds_spread", "cg_iterations_per_s", "gflops",
           "compulsory_bytes", "padding")
STATISTICS = ("shortest_row", "longest_row", "mean_row", "padding_ell", "padding_sliced_ell",
              "padding_ell_warp_k1")
SAME_SIZE = 1.2  # most ratio of free degrees of freedom on meshes of one size


class BadInput(Exception):
    """Says in one sentence what is wrong with the input."""


def machine(record, backend):
    """Returns the name of the machine on which the rows of `backend` ran."""
    if backend == "cuda":
        return (record["device"] or {}).get("name", "a device")
    host = record["host"]
    name = re.sub(r"\((R|TM|C)\)|\bCPU\b|@.*|\bProcessor\b", " ", host.get("cpu") or "a host")
    threads = host.get("threads")
    plural = "" if threads == 1 else "s"
    return " ".join(name.split()) + (f", {threads} thread{plural}" if threads else "")


def refuse(constant):
    raise ValueError(f"{constant} is no number")


def damage(row):
    """Returns the first field that is not as the figures need it, or None."""
    if not isinstance(row, dict):
        return "kind"
    for key, kind in NEEDED.items():
        if key not in row or not isinstance(row[key], kind):
            return key
    if row["kind"] == "solve":
        return damage_of_solve(row)
    if row["kind"] == "beat":
        return damage_of_beat(row)
    if row["kind"] == "time_line":
        return damage_of_time_line(row)
    if row["kind"] == "wave":
        return damage_of_wave(row)
    if row["degree"] is None and row["completed"]:
        if not isinstance(row.get("case"), str):
            return "case"
        for key in ("paper_bytes", "seconds_median"):
            if not isinstance(row.get(key), (int, float)) or not row[key] >= 0:
                return key
        if row["seconds_median"] == 0:
            return "seconds_median"
        if not isinstance(row["parameters"].get("applications"), (int, type(None))):
            return "parameters"
    if row["degree"] is not None and row["degree"] < 1:
        return "degree"
    if row["number"] not in ("double", "float"):
        return "number"
    for key in NUMBERS:
        if not isinstance(row.get(key), (int, float, type(None))):
            return key
    if row["kind"] == "application" and "mesh" in row["parameters"]:
        wrong = damage_of_product_on_mesh(row)
        if wrong:
            return wrong
    for key in ("counters", "work"):
        numbers = row.get(key) or {}
        if not isinstance(numbers, dict) or not all(isinstance(v, (int, float, type(None)))
                                                    for v in numbers.values()):
            return key
    return None


def damage_of_product_on_mesh(row):
    """Returns the first field that is not as the figures of meshes need it, or None."""
    for key, kind in (("mesh", str), ("cell_order", (str, type(None)))):
        if not isinstance(row["parameters"].get(key), kind):
            return key
    if not isinstance(row.get("conflict"), (str, type(None))):
        return "conflict"
    if not row["completed"]:
        return None
    for key in ("cells", "seconds_median"):
        if row.get(key) is None or row[key] <= 0:
            return key
    for key in ("stored_bytes", "gflops", "compulsory_bytes"):
        number = row.get(key)
        if number is not None and not (isinstance(number, (int, float)) and number >= 0):
            return key
    return None


def damage_of_solve(row):
    """Returns the first field that is not as the figures of solves need it, or None."""
    solve = row.get("solve")
    if not row["completed"]:
        return None
    if not isinstance(row.get("case"), str):
        return "case"
    if not isinstance(solve, dict) or not isinstance(solve.get("history"), list):
        return "solve"
    for key, kind in (("preconditioner", str), ("method", str), ("converged", bool),
                      ("t10", (int, float, type(None))),
                      ("H1_error", (int, float, type(None))),
                      ("iteration_seconds", (int, float, type(None)))):
        if not isinstance(solve.get(key), kind):
            return key
    if solve.get("H1_error") is not None and not (
            solve["H1_error"] > 0 and row["degree"] and
            isinstance(solve.get("refinement"), str)):
        return "H1_error"
    return None if all(isinstance(point, list) and len(point) == 2
                       for point in solve["history"]) else "history"


def damage_of_matrix(matrix):
    """Returns the first field that is not as the matrix's picture needs it, or None."""
    if not isinstance(matrix, dict):
        return "name"
    for key, kind in (("name", str), ("rows", int), ("columns", int), ("nonzeros", int),
                      ("statistics", dict), ("row_lengths", list), ("picture", list)):
        if not isinstance(matrix.get(key), kind):
            return key
    for key in STATISTICS:
        if not isinstance(matrix["statistics"].get(key), (int, float)):
            return key
    for key in ("row_lengths", "picture"):
        if not all(isinstance(line, list) and all(isinstance(n, (int, float)) for n in line)
                   for line in matrix[key]):
            return key
    if any(len(line) != 2 for line in matrix["row_lengths"]):
        return "row_lengths"
    if any(len(line) != len(matrix["picture"]) for line in matrix["picture"]):
        return "picture"
    return None


def matrices(record):
    """Returns the matrices of a record; older records have none."""
    return record.get("matrices", [])


def rows_of_cases(record):
    """Returns the solves of an application's cases as rows, for the figures of histories and
    of errors."""
    rows, parameters = [], record.get("parameters") or {}
    for case in record.get("cases") or []:
        problem, results = case.get("problem") or {}, case.get("results") or {}
        history = [[k, value] for k, value in results.get("history") or [] if value]
        if len(history) < 2:
            continue
        uniform = (parameters.get("Mesh/Refinement", "uniform") == "uniform" or
                   float(parameters.get("Mesh/Refine fraction", 0)) == 1)
        rows.append({
            "case": f"{problem.get('cell_type')}, degree {problem.get('degree')}",
            "kind": "solve", "library": "tessera", "completed": True, "parameters": {},
            "operator": problem.get("chosen") or parameters.get("Operator/Name", "unknown"),
            "backend": "cuda" if record["device"] else "host",
            "number": parameters.get("Operator/Number", "double"),
            "degree": problem.get("degree"), "dofs": problem.get("dofs"),
            "solve": {
                "preconditioner": case.get("parameters", {}).get("preconditioner")
                                  or parameters.get("Solver/Preconditioner", "unknown"),
                "method": case.get("parameters", {}).get("method", "classical"),
                "converged": bool(results.get("converged")), "t10": None,
                "iteration_seconds": None,
                "H1_error": results.get("H1_error"),
                "refinement": "uniform" if uniform else "adaptive",
                "history": [[k, value / history[0][1]] for k, value in history]}})
    return rows


def read(path):
    """Returns (record, rows) of a file. Every row gets its machine and its record's copy
    bandwidth. Rows of matrices have no degree."""
    try:
        with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
            record = json.load(file, parse_constant=refuse)
    except (OSError, EOFError) as error:
        reason = getattr(error, "strerror", None) or "it is not whole"
        raise BadInput(f"{path} cannot be read: {reason}.") from None
    except ValueError as error:
        raise BadInput(f"{path} is no record: it is not JSON, {error}.") from None
    if not isinstance(record, dict) or record.get("schema") != 1:
        raise BadInput(f"{path} is no record: it has no \"schema\": 1.")
    for key, kind in (("rows", list), ("host", dict), ("device", (dict, type(None)))):
        if not isinstance(record.get(key, 0), kind):
            raise BadInput(f"{path} is no record: \"{key}\" is missing or of another kind.")
    if not isinstance(matrices(record), list):
        raise BadInput(f"{path} is no record: \"matrices\" is of another kind.")
    for number, matrix in enumerate(matrices(record), 1):
        wrong = damage_of_matrix(matrix)
        if wrong:
            raise BadInput(f"{path} is no record: \"{wrong}\" of matrix {number} is missing "
                           "or of another kind.")
    record["rows"] += rows_of_cases(record) + (rows_of_beats(record) or rows_of_waves(record))
    for number, row in enumerate(record["rows"], 1):
        wrong = damage(row)
        if wrong:
            raise BadInput(f"{path} is no record: \"{wrong}\" of row {number} is missing or "
                           "of another kind.")
        tangent = re.fullmatch(r"tangent_(\w+)\.matrix", row.get("case") or "")
        if tangent:  # of doc/papers/ell_warp/heart
            row["parameters"]["heart"] = tangent[1]
        row["machine"] = machine(record, row["backend"])
        row["threads"] = row["parameters"].get("threads", record["host"].get("threads"))
        row["copy_bandwidth"] = ((record["device"] or {}).get("copy_bandwidth")
                                 if row["backend"] == "cuda" else None)
    add_gflops(record["rows"])
    return record, record["rows"]


def value(row, key):
    """Returns a field of the row, of its parameters, its solve or its counters. Cell matrices are written without
    conflicts, whatever conflict handling the record has for their product. Entries that
    are gathered have a route and no conflict handling; figures show either as the
    conflict handling, which `gather` was in older records."""
    if key == "conflict" and row["kind"] == "assembly" and row["operator"].startswith("local_"):
        return None
    if key == "conflict" and row.get("route") == "gather":
        return row["route"]
    if key == "cell_type":
        return row["parameters"].get(key, "quadrilateral")
    if key == "library":  # its own spelling
        return {"cusparse": "cuSPARSE", "trilinos": "Trilinos"}.get(row[key].lower(), row[key])
    for part in (row, row["parameters"], row.get("solve") or {}, row.get("counters") or {}):
        if key in part:
            return part[key]
    return None


def name_sizes(rows):
    """Gives each row "size", which is equal for rows with nearly equal numbers of
    unknowns."""
    first = 0
    for row in sorted(rows, key=lambda row: row["dofs"]):
        if row["dofs"] > SAME_SIZE * first:
            first = row["dofs"]
        row["size"] = first


def provenance(records):
    """Returns the dates and versions of the records."""
    days = sorted({str(record.get("timestamp"))[:10] for record in records})
    versions = sorted({record["git"][:7] + ("+" if record.get("dirty") else "")
                       for record in records if record.get("git")})
    return ", ".join([" to ".join(dict.fromkeys((days[0], days[-1]))), *versions])
