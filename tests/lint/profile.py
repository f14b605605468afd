#!/usr/bin/python3
"""scripts/profile adds the numbers of a made-up ncu to the right rows and says what is
wrong. Its rows are enough for the figures of instructions.

usage: profile.py ROOT
"""
import csv
import json
import os
import sys
import tempfile

import common
import made_up_record as made_up

root = sys.argv[1]
commands = common.Commands(root)
expect, hold = commands.expect, commands.hold

# The columns that ncu 2025 always writes, and those that --nvtx adds.
COLUMNS = ("ID", "Process ID", "Process Name", "Host Name",
           "thread Domain:Push/Pop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg",
           "Id:Domain:Start/Stop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg",
           "Kernel Name", "Context", "Stream", "Block Size", "Grid Size", "Device", "CC")
FLOATING = {name: f"smsp__sass_thread_inst_executed_op_{name}_pred_on.sum"
            for name in ("dadd", "dmul", "dfma", "fadd", "fmul", "ffma")}
METRICS = {"dram__bytes_read.sum": "byte", "dram__bytes_write.sum": "byte",
           "gpu__time_duration.sum": "ns", "lts__t_bytes.sum": "byte",
           "sm__warps_active.avg.pct_of_peak_sustained_active": "%",
           **{f"{unit}__throughput.avg.pct_of_peak_sustained_{of}": "%" for unit, of in
              (("l1tex", "active"), ("lts", "elapsed"), ("sm", "elapsed"))},
           "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed": "%",
           **{f"{name}{end}.sum": "sector" for end in ("", "_lookup_hit") for name in
              ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld", "lts__t_sectors_op_read")},
           "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio": "inst",
           "smsp__average_warp_latency_per_inst_issued.ratio": "cycle",
           "smsp__inst_executed.sum": "inst",
           **{metric: "inst" for metric in FLOATING.values()},
           "smsp__thread_inst_executed_pred_on.sum": "inst"}

# A program that takes the options that scripts/profile gives, runs the command, and
# writes the table of a file beside it.
NCU = '''#!/usr/bin/python3
import os, shutil, subprocess, sys
alone = ("--nvtx", "--csv")
given, rest = {}, sys.argv[1:]
while rest[0].startswith("--"):
    name = rest.pop(0)
    given[name] = None if name in alone else rest.pop(0)
wanted = {"--clock-control": "none", "--profile-from-start": "off", "--page": "raw",
          "--print-units": "base", "--nvtx": None, "--csv": None}
assert {name: given.get(name, "-") for name in wanted} == wanted, given
assert set(given["--metrics"].split(",")) == set(METRICS), given["--metrics"]
code = subprocess.run(rest).returncode
shutil.copy(os.path.join(os.path.dirname(__file__), "table.csv"), given["--log-file"])
sys.exit(code)
'''


def nvtx(name):
    return f'13416  "<default domain>:{name}:none:none:none:none:none:none" ' if name else ""


def table(launches, units=None, leave_out=(), ending="==PROF== Disconnected from process 7\n"):
    """Returns a log of ncu with launches (range, {metric: text}); other metrics are 0."""
    units = {**METRICS, **(units or {})}
    metrics = [name for name in sorted(METRICS) if name not in leave_out]
    lines = [[*COLUMNS, *metrics], [""] * len(COLUMNS) + [units[name] for name in metrics]]
    for place, (name, values) in enumerate(launches):
        lines.append([str(place), "7", "bench_operators", "127.0.0.1", nvtx(name), "",
                      "void k<double, 4>(T1 *, int)", "1", "7", "(128, 1, 1)", "(31, 1, 1)",
                      "0", "9.0", *(values.get(metric, "0") for metric in metrics)])
    text = "==PROF== Connected to process 7 (/a/bench_operators)\n"
    for line in lines:
        text += ",".join('"' + field.replace('"', '""') + '"' for field in line) + "\n"
    assert list(csv.reader(text.splitlines()[1:])) == lines
    return text + ending


def launch(name, seconds, instructions, **more):
    """Returns a launch; `more` are metrics by the ends of their names."""
    values = {"gpu__time_duration.sum": f"{round(seconds * 1e9):,}",
              "smsp__thread_inst_executed_pred_on.sum": f"{instructions:,}"}
    for end, value in more.items():
        metric, = (name for name in METRICS if end in name)
        values[metric] = value
    return name, values


def close(a, b):
    return abs(a - b) <= 1e-12 * abs(b)


with tempfile.TemporaryDirectory() as folder:
    def write(name, text, mode=0o644):
        path = os.path.join(folder, name)
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def load(path):
        with open(path) as file:
            return json.load(file)

    def bare(kind, operator, **more):
        """Makes a row as the programs do."""
        return {**made_up.row(kind, operator, **more),
                "counters": None if kind == "cg" else {"registers": 40.}}

    def rows(**more):
        return [bare("application", "csr", **more), bare("cg", "csr", **more),
                bare("assembly", "ell", conflict="coloring", **more)]

    ncu = write("ncu", NCU.replace("METRICS", repr(list(METRICS))), 0o755)
    record = os.path.join(folder, "record.json")
    made = write("made.json", json.dumps(made_up.record(rows(repetitions=7))))
    command = ["bash", "-c", f"cp {made} {record}; echo 'Open {record}'"]

    def profile(code, *options, of=None, stdout="", stderr=""):
        """Whatever is wrong, the script says so in a sentence."""
        _, errors = expect(code, ["scripts/profile", "--ncu", ncu, *options, *(of or command)],
                           stdout=stdout, stderr=stderr)
        hold(not errors or (errors.startswith("profile: ") and errors.count("\n") == 1 and
                            errors.endswith(".\n")), f"scripts/profile says '{errors}'")

    good = [launch(None, 1, 5),
            launch("tessera row 0 application csr", 2e-6, 1000000, bytes_read="2,048",
                   bytes_write="1,024", lts__t_bytes="4096", warps_active="50.5", op_dfma="300",
                   op_dadd="20", op_dmul="1", global_op_ld_lookup="3", lts__throughput="80",
                   long_scoreboard="6", latency_per_inst="8"),
            launch("tessera row 2 assembly ell", 1e-6, 7, warps_active="25", op_ffma="4"),
            launch("tessera row 2 assembly ell", 3e-6, 8, warps_active="75", op_fadd="2")]
    write("table.csv", table(good))
    log = os.path.join(folder, "kept.csv")
    profile(0, "--log", log, stdout=f"2 rows of {record} have counters, of 3 launches.")
    hold(os.path.exists(log), "scripts/profile: the log was not kept")
    first, second, third = load(record)["rows"]
    said = first["counters"]
    hold(said["registers"] == 40 and said["instructions"] == 1000000 and
         said["floating_instructions"] == 321 and said["flops"] == 621 and
         said["dram_read_bytes"] == 2048 and said["dram_written_bytes"] == 1024 and
         said["l2_bytes"] == 4096 and close(said["achieved_occupancy"], 0.505) and
         close(said["profiled_seconds"], 2e-6) and said["profiled_launches"] == 1 and
         (said["l1_sectors"], said["l1_hits"], said["l2_hits"]) == (0, 3, 0) and
         close(said["l2_throughput"], 0.8) and said["dram_throughput"] == 0 and
         close(said["load_stalls"], 0.75) and "cycles_per_instruction" not in said,
         f"counters of the first row: {said}")
    hold(second["counters"] is None, "a row that was not looked at")
    said = third["counters"]
    hold(said["instructions"] == 15 and said["flops"] == 10 and said["ffma"] == 4 and
         said["profiled_launches"] == 2 and close(said["achieved_occupancy"], 0.625) and
         close(said["profiled_seconds"], 4e-6), f"counters over two launches: {said}")

    # The counters go into a record that was made without a profiler: it has other
    # times, another order of rows, and a row that the command did not make.
    other = rows(repetitions=1)[::-1] + rows(numbering="aligned")
    for row in other:
        row["seconds_median"] *= 3
    into = write("into.json", json.dumps(made_up.record(other)))
    profile(0, "--into", into, stdout=f"2 rows of {into} have counters, of 3 launches.")
    found = load(into)["rows"]
    hold([(row["counters"] or {}).get("profiled_launches") for row in found] ==
         [2, None, 1, None, None, None], f"rows of another record: {found}")
    hold([row["seconds_median"] for row in found] == [row["seconds_median"] for row in other],
         "the times of another record")
    one = write("one.json", json.dumps(made_up.record(rows()[:1])))
    profile(0, "--into", one, stdout="of 3 launches; 1 row is not there.")
    none = write("none.json", json.dumps(made_up.record([])))
    profile(1, "--into", none, stderr=f"no row of {record} is one of {none}.")

    # Metrics that a device does not count are left out; the table has the units.
    write("table.csv", table([launch("tessera row 2 assembly ell", 1e-6, 7, op_dadd="n/a",
                                     bytes_read="1.5", lts__t_bytes="n/a")],
                             units={"dram__bytes_read.sum": "Kbyte"}))
    profile(0)
    said = load(record)["rows"][2]["counters"]
    hold(said["dram_read_bytes"] == 1500 and "l2_bytes" not in said and "dadd" not in said and
         said["dmul"] == 0 and "flops" not in said, f"what is not counted: {said}")

    write("table.csv", table(good))
    profile(1, of=[*command[:2], command[2] + "; exit 5"],
            stderr="the command ended with the exit code 5.")
    hold("flops" in load(record)["rows"][0]["counters"], "a command that fails at its end")
    profile(1, of=["false"], stderr="the command wrote no record; its exit code is 1.")
    profile(1, of=["--into", made + ".missing", "true"], stderr="made.json.missing is no record")
    expect(1, ["scripts/profile", "--ncu", ncu], stderr="needs a command")
    expect(1, ["scripts/profile", "--ncu", ncu + ".missing", "true"], stderr="there is no")
    expect(0, ["scripts/profile", "--help"], stdout="warps in flight")
    for text, why in ((table(good, leave_out=("lts__t_bytes.sum",)),
                       "ncu's table has no column lts__t_bytes.sum."),
                      (table(good).replace("Push/Pop_Range", "a"), "no column of NVTX ranges"),
                      (table(good, units={"lts__t_bytes.sum": "furlong"}), "the unit \"furlong\""),
                      (table(good).replace('"1,000,000"', '"many"'), "as \"many\""),
                      (table(good)[:-200], "breaks off in the launch 3"),
                      (table(good[:1]), "no launch that ncu looked at is of a row"),
                      (table([]), "ncu looked at no launch."),
                      ("==ERROR== ERR_NVGPUCTRPERM: no permission.\n", "ERR_NVGPUCTRPERM"),
                      (table([launch("tessera row 0 assembly csr", 1, 1)]),
                       "is not the assembly of csr"),
                      (table([launch("tessera row 3 assembly csr", 1, 1)]), "the row 3 of")):
        write("table.csv", text)
        profile(1, stderr=why)

    # These rows make the figures of instructions, with panels of assembly and products.
    every = [bare(kind, operator, number=number, degree=p, **way,
                  strategy="local_reuse" if kind == "assembly" else None)
             for number in ("double", "float") for p in made_up.DEGREES
             for kind, operator, way in (
                 ("assembly", "csr", {"route": "gather"}),
                 ("assembly", "ell", {"conflict": "coloring"}),
                 ("assembly", "local_matrices", {}), ("application", "ell", {}))]
    write("made.json", json.dumps(made_up.record(every)))
    write("table.csv", table([launch(f"tessera row {n} {row['kind']} {row['operator']}", 1e-6,
                                     1000 + n, op_dfma="200")
                              for n, row in enumerate(every)]))
    pictures = ["scripts/plot", record, "--figures", "13,15,16", "-o", folder]
    if common.has_matplotlib():
        expect(0, command)
        expect(0, pictures, stderr="fig15_assembly_instructions is not drawn: no row with")
        expect(0, pictures, stderr="has counters.instructions, which scripts/profile adds.")
        profile(0)
        _, errors = expect(0, pictures, stdout="fig15_assembly_instructions.png")
        hold("counters" not in errors, errors)

common.finish(commands.problems, commands.n_checks, "checks")
