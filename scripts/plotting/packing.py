"""Keeps of records what figures and tables read."""
import gzip
import json
import os

from .phases import rows_of_phases
from .records import BadInput, NEEDED, read

DROPPED = ("stored_bytes", "memory_bytes", "setup_seconds", "fraction_of_copy", "bandwidth",
           "seconds_min", "samples", "repeatable", "machine", "copy_bandwidth")


def rounded(item):
    """Returns the item with numbers of five digits."""
    if isinstance(item, float):
        return float(f"{item:.5g}")
    if isinstance(item, dict):
        return {key: rounded(of) for key, of in item.items()}
    return [rounded(of) for of in item] if isinstance(item, list) else item


def pack(paths, target, phases=False):
    """Writes the rows of records of one program and commit, with the head of the first one and the
    first device, to the file `target`; with `phases` these are the seconds of the phases of an
    application's cases."""
    records = [read(path)[0] for path in paths]
    first = records[0]
    for path, record in zip(paths, records):
        if record["dirty"] or not record["git"]:
            raise BadInput(f"{path} was not made from a commit.")
        if (record["git"], record["program"]) != (first["git"], first["program"]):
            raise BadInput(f"{path} is of another program or commit than {paths[0]}.")
    rows, names, matrices = [], set(), []
    for record in records:
        of_heart = [row for row in record["rows"] if row["kind"] in ("beat", "wave")]
        for row in rows_of_phases(record) if phases else of_heart or record["rows"]:
            kept = {key: of for key, of in row.items() if key in NEEDED or
                    (of not in (None, {}, []) and key not in DROPPED)}
            if row["kind"] == "solve" and row.get("setup_seconds"):
                kept["setup_seconds"] = row["setup_seconds"]
            if row["backend"] == "host" or phases:
                kept["parameters"] = {**row["parameters"], "threads": record["host"]["threads"]}
            if "mesh" in row["parameters"] and row.get("stored_bytes"):
                kept["stored_bytes"] = row["stored_bytes"]  # figures of meshes read it
            if "work" in kept:
                kept["work"] = {key: of for key, of in kept["work"].items()
                                if key == "predicted_seconds"}
            rows.append(kept)
        matrices += [matrix for matrix in record["matrices"] if matrix["name"] not in names]
        names.update(matrix["name"] for matrix in record["matrices"])
    device = next((record["device"] for record in records if record["device"]), None)
    text = json.dumps(rounded({
        **{key: first[key] for key in ("schema", "program", "version", "git", "dirty",
                                       "timestamp", "host")}, "device": device,
        "arguments": [record["arguments"] for record in records], "rows": rows,
        "matrices": [{**matrix, "picture": []} for matrix in matrices]}), separators=(",", ":"))
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "wb") as file:
        file.write(gzip.compress(text.encode(), 9, mtime=0))
    print(f"{target}: {os.path.getsize(target)} bytes")
