#!/usr/bin/python3
"""scripts/fit_formats finds the constants behind made-up times, prints choices for
matrices that were left out of the fit, and refuses records of older programs.

usage: fit_formats.py ROOT
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

from made_up_record import row

KERNELS = {"ellpack": ("ell", {}), "sorted_short_slices_many": ("sell_short_k2", {"sigma": 0, "threshold": 128}),
           "csr_mgpu": ("csr_mgpu", {})}
HELD = {"ellpack": (6, 9), "sorted_short_slices_many": (6, 8), "csr_mgpu": (7, 8)}
SHARED = {"cached_byte": 5e-14, "stored_byte": 2e-13, "gathered_byte": 1e-13, "far_byte": 3e-13}
MADE_OF = {"ellpack": (3e-6, 8e-7, 1.5e-7, 5e-8, 3e-13),
           "sorted_short_slices_many": (3.5e-6, 9e-7, 8e-8, 6e-8, 4e-13),
           "csr_mgpu": (4e-6, 7e-7, 2e-7, 7e-9, 6e-13)}


def seconds(kernel, number, work):
    """Evaluates the formula of product_model.h."""
    launch, start, step, entry, request = MADE_OF[kernel]
    total = work["stored"] + work["vectors"]
    share, share_of_vectors = (1 / (1 + (50e6 / b) ** 4) for b in (total, work["vectors"]))
    far = max(work["gathered"] - work["vectors"], 0) * share_of_vectors
    byte = (1 - share) * SHARED["cached_byte"] + share * SHARED["stored_byte"]
    places = 132 * 4 * HELD[kernel][number == "float"]
    return launch + total * byte + work["gathered"] * SHARED["gathered_byte"] + \
        far * SHARED["far_byte"] + work["requests"] * request + \
        (work["starts"] * start + work["steps"] * step) / places + work["longest"] * entry


def made_up_rows():
    choose = random.Random(1)
    result = []
    for matrix in range(20):
        for number in ("double", "float"):
            for kernel, (operator, parameters) in KERNELS.items():
                size = 10 ** choose.uniform(4, 7.5)
                steps = size * choose.uniform(0.01, 0.2)
                work = {"stored": 12 * size, "vectors": size * choose.uniform(1, 10),
                        "requests": size * choose.uniform(0.1, 5),
                        "gathered": size * choose.uniform(0.5, 8), "starts": steps / choose.uniform(2, 60),
                        "steps": steps, "longest": choose.uniform(1, 100),
                        "padded": 12 * size}
                work["entries"] = 2000 * work["starts"] # many per lane
                made = row("application", operator, case=f"matrix_{matrix}", number=number, work=work)
                made["counters"] = {"occupancy": HELD[kernel][number == "float"] / 16}
                made["parameters"] = parameters
                made["seconds_median"] = seconds(kernel, number, work)
                result.append(made)
    return result


def main():
    root = sys.argv[1]
    with open(os.path.join(root, "applications/spmv_benchmark/prediction/product_costs.h"),
              encoding="utf-8") as file:
        header = file.read()
    with tempfile.TemporaryDirectory() as folder:
        record, costs = os.path.join(folder, "record.json"), os.path.join(folder, "costs.h")

        def run(rows):
            with open(record, "w", encoding="utf-8") as file:
                json.dump({"rows": rows}, file)
            with open(costs, "w", encoding="utf-8") as file:
                file.write(header)
            return subprocess.run([os.path.join(root, "scripts/fit_formats"), record, "--header",
                                   costs], capture_output=True, text=True, check=False)

        rows = made_up_rows()
        done = run(rows)
        assert done.returncode == 0, done.stderr
        assert "within 10 % of the best: in sample 40 of 40, each matrix left out 40 of 40" in \
            done.stdout, done.stdout
        with open(costs, encoding="utf-8") as file:
            text = file.read()
        for kernel, values in MADE_OF.items():
            found = re.search(rf" {kernel} += {{(.*)}}; // fitted", text)[1].split(", ")
            for value, of in zip(found, values):
                assert abs(float(value) / of - 1) < 0.1, (kernel, found, values)
        for name, value in SHARED.items():
            found = float(re.search(rf" {name} += (.*); // fitted", text)[1])
            assert abs(found / value - 1) < 0.1, (name, found, value)
        for name in ("ellpack", "csr_mgpu", "short_slices_many"):
            kernel = name.replace("short_", "sorted_short_")
            assert re.search(rf" blocks_of_{name} += {{{HELD[kernel][0]}, {HELD[kernel][1]}}};",
                             text), (name, text)

        # Times that are pure noise cannot be predicted.
        for number, made in enumerate(rows):
            made["seconds_median"] = 1e-5 * (1 + number * 7919 % 40)
        noise = run(rows)
        assert "each matrix left out 40 of 40" not in noise.stdout, noise.stdout

        # Each line of the list is read, and each of its formats can be chosen.
        with open(os.path.join(root, "source/operators/format_candidates.def"), encoding="utf-8") as file:
            lines = [line for line in file if line.startswith("TESSERA_CANDIDATE")]
        assert len(lines) == 11, lines
        for line in lines:
            in_double, _, name, threads, threshold = line[len("TESSERA_CANDIDATE("):-2].split(", ")
            parameters = ({"sigma": 0, "threshold": int(threshold)} if threshold != "0" else
                          {"T": "staged" if threads == "staged_rows" else int(threads)}
                          if name == '"csr"' else {})
            operator = name.strip('"') + ("_k2" if threshold != "0" else "")
            number = "double" if in_double == "true" else "float"
            alone = run([{**made, "operator": operator, "parameters": parameters}
                         for made in made_up_rows()
                         if made["operator"] == "ell" and made["number"] == number])
            assert alone.returncode == 0, (line, alone.stderr)

        # Formats that are not candidates are not chosen, and there must be a candidate.
        for made in made_up_rows():
            if made["operator"] == "ell":
                rows.append({**made, "operator": "ell_warp_k1", "seconds_median": 1e-9,
                             "parameters": {"T": 1, "sigma": 0}})
        quicker = run(rows)
        assert quicker.returncode == 0 and "chosen ell_warp_k1" not in quicker.stdout, \
            quicker.stdout + quicker.stderr
        alone = run([made for made in rows if made["operator"] == "ell_warp_k1"])
        assert alone.returncode != 0 and "has none of the formats" in alone.stderr, alone.stderr

        del rows[0]["work"]["starts"]
        older = run(rows)
        assert older.returncode != 0 and "lacks starts" in older.stderr, older.stderr
    print("scripts/fit_formats finds what times are made of")


if __name__ == "__main__":
    main()
