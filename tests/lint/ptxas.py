"""Reads what ptxas reports for each kernel (nvcc --resource-usage)."""
import glob
import os
import re
import subprocess

ENTRY = re.compile(r"Compiling entry function '(\S+)' for '(\w+)'")
PROPERTIES = re.compile(r"Function properties for (\S+)")
STACK = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
USED = re.compile(r"Used (\d+) registers(.*)")
SHARED = re.compile(r"(\d+) bytes smem")


def parse(text):
    """Returns one dictionary per kernel and architecture."""
    kernels, current, subject = [], None, None
    for line in text.splitlines():
        if match := ENTRY.search(line):
            current = {"symbol": match[1], "architecture": match[2], "stack": 0,
                       "spill": 0, "registers": 0, "shared": 0}
            subject = match[1]
            kernels.append(current)
        elif match := PROPERTIES.search(line):
            subject = match[1]
        elif (match := STACK.search(line)) and current:
            # Functions that were not inlined count for the kernel before them.
            current["stack"] = max(current["stack"], int(match[1]))
            current["spill"] += int(match[2]) + int(match[3])
        elif (match := USED.search(line)) and current and subject == current["symbol"]:
            current["registers"] = int(match[1])
            if shared := SHARED.search(match[2]):
                current["shared"] = int(shared[1])
    return kernels


def logs(build):
    """Returns what nvcc reported for each file below `build`."""
    return sorted(glob.glob(os.path.join(build, "**/*.cu.o.ptxas"), recursive=True))


def read(build):
    """Returns (kernels of all logs below `build`, number of logs), with demangled names."""
    names_of_logs = logs(build)
    kernels = []
    for name in names_of_logs:
        with open(name) as file:
            here = parse(file.read())
        for kernel in here:
            kernel["file"] = os.path.basename(name)[:-len(".o.ptxas")]
        kernels += here
    if kernels:
        names = subprocess.run(["c++filt"], input="\n".join(k["symbol"] for k in kernels),
                               capture_output=True, text=True, check=True).stdout
        for kernel, name in zip(kernels, names.splitlines()):
            kernel["name"] = short(name)
    return kernels, len(names_of_logs)


def short(name):
    """Shortens a name to `tessera::f<2, double>(View)` without return type, namespaces and
    arguments."""
    name = name.replace("(anonymous namespace)::", "")
    depth = 0
    for at, letter in enumerate(name):
        depth += {"<": 1, ">": -1}.get(letter, 0)
        if letter == "(" and depth == 0 and at > 0:
            name = name[:at]
            break
    name = re.sub(r"^void ", "", name)
    name = re.sub(r"\(([\w:]+)\)(\d+)", r"\1(\2)", name)
    return re.sub(r"\b(?:tessera|internal|kernels)::", "", name)
