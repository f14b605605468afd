#!/usr/bin/python3
"""Folders of papers are whole, and scripts/paper runs, draws and refuses as it says.

usage: papers.py ROOT
"""
import json
import os
import re
import shlex
import shutil
import sys
import tempfile

import common
import made_up_record as made_up

root = sys.argv[1]
sys.path.insert(0, os.path.join(root, "scripts"))
from plotting.folders import Folder, papers  # noqa: E402

commands = common.Commands(root)
hold = commands.hold


def check_folder(folder):
    """Files of commands exist, and every parameter file, record and figure is used."""
    page = common.text(folder.path, "README.md")
    texts = [step["command"] for step in folder.steps.values()]
    names = [os.path.relpath(os.path.join(here, name), folder.path)
             for here, _, files in os.walk(folder.path) for name in files]
    programs = [name for name in names if os.path.dirname(name) == "" and "." not in name]
    in_programs = "".join(common.text(folder.path, name) for name in programs)
    hold(folder.about and folder.steps, f"{folder.name} has no line about it, or no step")
    for name, step in folder.steps.items():
        words = shlex.split(step["command"])
        hold("--backend" not in words and "-o" not in words,
             f"{folder.name}, {name}: scripts/paper adds --backend and -o")
        hold(os.path.exists(os.path.join(root, words[0])) or
             os.path.isdir(os.path.join(root, "applications", words[0])),
             f"{folder.name}, {name}: there is no program {words[0]}")
        for word in words:
            hold("{" in word or not word.endswith((".prm", ".json")) or
                 os.path.exists(os.path.join(root, word)),
                 f"{folder.name}, {name}: there is no {word}")
    for name in programs:
        hold(any(f"{folder.name}/{name} " in text for text in texts), f"no step runs {name}")
    for name in names:
        path = os.path.join("doc/papers", folder.name, name)
        if name.endswith(".prm"):
            hold(any(path in text for text in texts) or
                 f'"{os.path.basename(name)}"' in in_programs, f"no step uses {path}")
    for item in folder.figures:
        for name in item.records:
            hold(name in folder.made_by, f"{folder.name}: no step makes {name}, which is drawn")
    if folder.contents:
        problems = not_placed(page, folder.contents, folder.steps)
        hold(not problems, f"{folder.name}: {'; '.join(problems)}")
    else:
        hold("README.md#everything-in-the-paper" in page, f"{folder.name} does not link the table "
             "of its paper's contents")
    for name in folder.undrawn:
        hold(f"figures/{name}" in page, f"{folder.name}: the page does not show {name}")
    for name in set(re.findall(r"\]\((figures/[^)#]+)\)", page)):
        hold(name in names, f"{folder.name}: the page shows {name}, which is not there")


PLACE = re.compile(r"\]\(\S|--only \w")
# Why something is not remade: no hardware, lost or not public, or not measured by the paper.
REASON = re.compile(r"^not remade: .*\b(?:no (?:counter|card|machine)|lost|not public|"
                    r"measures? (?:it|them) nowhere)\b")
ITEM = re.compile(r"(figure|table|algorithm|listing)s? (\d+(?:(?:, | and | to )\d+)*)", re.I)
TITLE = "## Everything in the paper\n"


def items_of(text):
    """Returns (kind, number) of all that a text such as "figures 1, 3 to 5 and 8" names."""
    found = set()
    for kind, numbers in ITEM.findall(text):
        for first, last in re.findall(r"(\d+)(?: to (\d+))?", numbers):
            found |= {(kind.lower(), n) for n in range(int(first), int(last or first) + 1)}
    return found


def not_placed(page, contents, steps):
    """Returns what is wrong with the table of a page that says where the contents of a paper are:
    every row links a place, names a step, or says why it is not remade."""
    if TITLE not in page:
        return ["there is no table with everything in the paper"]
    rows = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in
            re.findall(r"^\|.*", page.split(TITLE)[1].split("\n## ")[0], re.MULTILINE)[2:]]
    asked = {(kind[:-1], n) for kind, last in contents.items() for n in range(1, last + 1)}
    found = set().union(*(items_of(row[0]) for row in rows if not row[0].startswith("conclusion")))
    problems = [f"{kind} {n} has no row" for kind, n in sorted(asked - found)]
    problems += [f"the paper has no {kind} {n}" for kind, n in sorted(found - asked)]
    if not any(row[0].startswith("conclusion") for row in rows):
        problems.append("no row is a conclusion")
    for row in rows:
        step = re.search(r"--only (\w+)", row[-1])
        placed = REASON if row[-1].startswith("not remade") else PLACE
        if len(row) != 2 or not placed.search(row[1]):
            problems.append(f"\"{row[0]}\" has neither a place nor a reason")
        elif step and step[1] not in steps:
            problems.append(f"\"{row[0]}\" names {step[1]}, which is no step")
    return problems


def check_not_placed():
    """A table that lacks something, or has a row without a place, is found."""
    page = (f"# A\n\n{TITLE}\n| in the paper | here |\n|---|---|\n| figures 1, 2 to 4 | [a](a.md) |\n"
            "| Table 1, a | not remade: its mesh is lost |\n| conclusion: b | `paper a --only b` |\n\n## C\n")
    contents = {"figures": 4, "tables": 1}
    hold(not not_placed(page, contents, ["b"]), f"a whole table: {not_placed(page, contents, ['b'])}")
    for wrong, why in ((page.replace("2 to 4", "2 and 4"), "figure 3 has no row"),
                       (page.replace("2 to 4", "2 to 5"), "the paper has no figure 5"),
                       (page.replace("conclusion: ", ""), "no row is a conclusion"),
                       (page.replace("[a](a.md)", "page a"), '"figures 1, 2 to 4" has neither'),
                       (page.replace("its mesh is lost", "nobody has it"), '"Table 1, a" has neither'),
                       (page.replace("only b", "only c"), "names c, which is no step"),
                       (page.replace(TITLE, ""), "there is no table")):
        hold(any(why in said for said in not_placed(wrong, contents, ["b"])), f"not found: {why}")


# A program that writes its arguments and a record with the rows of the test, or fails.
STAND_IN = """#!/usr/bin/python3
import json, os, shutil, sys
arguments = sys.argv[1:]
if "--fail" in arguments:
    print("error: It failed.", file=sys.stderr)
    sys.exit(5)
folder = arguments[arguments.index("-o") + 1]
os.makedirs(folder, exist_ok=True)
with open(os.path.join(folder, "arguments"), "w", encoding="utf-8") as file:
    file.write(" ".join(arguments))
shutil.copy(os.path.join(os.path.dirname(__file__), "..", "record.json"), folder)
print("a line of the program")
"""
RUNS = {"about": "a made-up paper",
        "steps": {"device": {"backend": "cuda", "command": "program --size 8 {output}/of",
                             "small": "--size 1", "counted": "--once"},
                  "host": {"backend": "host", "command": "program"}},
        "records": {"all.json.gz": ["device", "host"]},
        "figures": [{"records": ["all.json.gz"], "plot": "--figures 18", "folder": "deep"}]}
# The definitions of its figures.
PLOTS = """from plotting.figures import Figure, Panel
FIGURES = (Figure("fig18_product_bandwidth", "a made-up figure", {"kind": "application"},
                  ("operator",), (Panel("transfer"),)),)
"""


class Tree:
    """A copy of what scripts/paper needs, with a made-up paper and programs."""

    def __init__(self, folder):
        self.folder, self.output = folder, os.path.join(folder, "out/papers/made_up")
        shutil.copytree(os.path.join(root, "scripts"), os.path.join(folder, "scripts"))
        self.paper = os.path.join(folder, "doc/papers/made_up")
        os.makedirs(os.path.join(self.paper, "records"))
        os.makedirs(os.path.join(folder, "build/applications"))
        self.program = self.write("build/applications/program", STAND_IN)
        os.chmod(self.program, 0o755)
        # Without a device nvidia-smi fails, with one it prints a number.
        self.smi = self.write("bin/nvidia-smi", "#!/bin/bash\nexit 1\n")
        self.profile = self.write("scripts/profile", "#!/bin/bash\nshift 2\nexec \"$@\"\n")
        for path in (self.smi, self.profile):
            os.chmod(path, 0o755)
        rows = [made_up.row("application", operator, degree=p) for p in made_up.DEGREES
                for operator in ("csr", "ell", "local_matrices")]
        self.record = made_up.record(rows)
        self.record.update(git="1" * 40, program="program")
        self.write("build/record.json", json.dumps(self.record))
        self.write("doc/papers/made_up/README.md", "# Made up\n")
        self.write("doc/runs.json", "{}")
        self.write("doc/papers/made_up/plots.py", PLOTS)
        self.runs(RUNS)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def runs(self, said):
        self.write("doc/papers/made_up/runs.json", said if isinstance(said, str) else json.dumps(said))

    def expect(self, code, *words, stdout="", stderr=""):
        bin_folder = os.path.join(self.folder, "bin")
        return commands.expect(code, [
            "env", "-u", "CUDA_VISIBLE_DEVICES", f"PATH={bin_folder}:{os.environ['PATH']}",
            os.path.join(self.folder, "scripts", words[0]), *words[1:]], stdout, stderr)

    def arguments(self, step):
        path = os.path.join(self.output, step, "arguments")
        return common.text("", path) if os.path.exists(path) else ""


def check_refusals(tree):
    tree.expect(0, "paper", stdout="made_up\n    a made-up paper\n")
    tree.expect(0, "paper", "made_up", "--list", stdout="step device, device:\n    program --size 8")
    tree.expect(2, "paper", "--draw", stderr="which paper? There are made_up.")
    tree.expect(2, "paper", "none", stderr="there is no paper \"none\"; there are made_up.")
    tree.expect(2, "paper", "made_up", "--only", "none", stderr="no step \"none\"; there are device, host")
    tree.expect(2, "paper", "made_up", "--draw", "--list", stderr="not allowed with")
    for said, why in (("{", "is not JSON"), ("[]", "is no object"), ({"step": {}}, "unknown"),
                      ({"steps": {"a": {"command": "program"}}}, "a has no \"backend\""),
                      ({"steps": {"a": {"command": "program", "backend": "gpu"}}},
                       "legal are cuda and host"),
                      ({"records": {"a.json.gz": ["none"]}}, "which is no step"),
                      ({"figures": [{"records": [], "plots": ""}]}, "unknown")):
        tree.runs(said)
        tree.expect(1, "paper", "made_up", "--list", stderr=why)
    tree.runs(RUNS)
    # Without a device nothing runs, except steps of the host.
    _, said = tree.expect(6, "paper", "made_up",
                          stderr="there is no device, which these steps need: device. ")
    hold("--only runs host" in said and not os.path.exists(tree.output), f"no device: {said}")
    tree.expect(0, "paper", "made_up", "--only", "host", stdout="$ program --backend host",
                stderr="not drawn: --figures 18: there is no record of device.")
    hold(not os.path.exists(os.path.join(tree.output, "device")), "a step of the device ran")
    tree.expect(1, "paper", "made_up", "--pack", stderr="needs records of device, which are not in")
    tree.expect(1, "paper", "made_up", "--only", "host", "--build", "none",
                stderr="/none; scripts/build program makes it.")
    tree.runs({"steps": {"a": {"command": "program --fail", "backend": "host"}}})
    tree.expect(5, "paper", "made_up", stderr="paper: error: It failed.")
    tree.expect(1, "paper", "made_up", "--draw", stderr="made_up has no figures: no record of it ships.")
    tree.expect(1, "paper", "made_up", "--pack", stderr="made_up keeps no records.")
    tree.runs(RUNS)


def check_runs(tree):
    shutil.rmtree(tree.output)
    tree.expect(0, "paper", "made_up", "--quick", stdout="figures/deep/fig18_product_bandwidth.png")
    hold(tree.arguments("device") == f"--size 8 {tree.output}/of --size 1 --backend host -o "
         f"{tree.output}/device", f"small: {tree.arguments('device')}")
    hold(" --validate " in " " + tree.arguments("host"), f"host: {tree.arguments('host')}")
    hold(not os.path.exists(tree.output + "/device_counted"), "a trial was profiled")
    tree.write("bin/nvidia-smi", "#!/bin/bash\necho 0\n")
    tree.expect(0, "paper", "made_up", stdout="figures/deep/fig18_product_bandwidth.png")
    hold(tree.arguments("device").endswith(f"/of --backend cuda -o {tree.output}/device"),
         f"device: {tree.arguments('device')}")
    hold("--once --backend cuda" in tree.arguments("device_counted"), "the profiled run")

    # What was measured ships, is drawn, and is used.
    tree.expect(0, "paper", "made_up", "--pack", stdout="records/all.json.gz")
    tree.expect(0, "figures", "--check", stdout="as the records say")
    figure = os.path.join(tree.paper, "figures/deep/fig18_product_bandwidth.png")
    os.remove(figure)
    tree.expect(1, "figures", "--check", stdout="fig18_product_bandwidth.png is not there")
    tree.expect(0, "paper", "made_up", "--draw", "-o", tree.folder + "/elsewhere", stdout="deep/fig18")
    hold(not os.path.exists(figure), "--draw -o drew into the folder")
    shutil.copy(os.path.join(root, "doc/figures/plate.png"), figure)
    tree.expect(1, "figures", "--check", stdout="fig18_product_bandwidth.png is not what its records draw")
    tree.expect(0, "paper", "made_up", "--draw", stdout="deep/fig18")
    record = os.path.join(tree.paper, "records")
    os.rename(record + "/all.json.gz", record + "/none")
    tree.expect(1, "figures", "--check", stdout="made_up/records/all.json.gz waits for a run.\nnothing draws ")
    os.rename(record + "/none", record + "/all.json.gz")
    tree.runs({**RUNS, "records": {**RUNS["records"], "next.json.gz": ["none"]}, "steps": {
        **RUNS["steps"], "none": {"command": "program", "backend": "host"}}, "figures": [
            *RUNS["figures"], {"records": ["next.json.gz"], "plot": "--figures 5"}]})
    table = "<!-- record next.json.gz\nrow: \n-->\n| a | p=1 |\n|---|--:|\n| b | 7 |\n"
    page = tree.write("doc/papers/made_up/README.md", "# Made up, H100\n\n" + table)
    tree.expect(0, "figures", "--check", stdout="next.json.gz waits for a run.\nFigures and pages are")
    tree.expect(0, "paper", "made_up", "--pack", stderr="not packed: next.json.gz needs records of none")
    hold("| b | 7 |" in common.text("", page), "a table lost its number")
    tree.runs(RUNS)
    tree.write("doc/papers/made_up/README.md", "# Made up\n")
    tree.write("doc/papers/made_up/figures/other.png", "")
    tree.expect(1, "figures", "--check", stdout="nothing draws doc/papers/made_up/figures/other.png")
    tree.runs({**RUNS, "undrawn": {"other.png": "a reason", "none.png": "a reason"}})
    tree.expect(1, "figures", "--check", stdout="made_up/figures/none.png is not there\n")
    tree.runs({**RUNS, "undrawn": {"other.png": "a reason"}})
    shutil.copy(record + "/all.json.gz", record + "/more.json.gz")
    printed, _ = tree.expect(1, "figures", "--check", stdout="more.json.gz is not used")
    hold("no step makes doc/papers/made_up/records/more.json.gz" in printed, printed)
    os.remove(record + "/more.json.gz")
    tree.expect(0, "figures", "--check", stdout="as the records say")
    tree.record["dirty"] = True
    tree.write("out/papers/made_up/host/record.json", json.dumps(tree.record))
    tree.expect(1, "paper", "made_up", "--pack", stderr="was not made from a commit")


check_not_placed()
for paper in papers(root):
    check_folder(Folder(os.path.join(root, "doc", "papers", paper)))
found = [name for name in os.listdir(os.path.join(root, "doc", "papers"))
         if os.path.isdir(os.path.join(root, "doc", "papers", name))]
hold(sorted(found) == papers(root), f"folders without runs.json: {set(found) - set(papers(root))}")
with tempfile.TemporaryDirectory() as temporary:
    made = Tree(os.path.realpath(temporary))
    try:
        check_refusals(made)
        if common.has_matplotlib():
            check_runs(made)
    except OSError as error:  # what a command should have made
        commands.problems.append(f"{error.filename}: {error.strerror}")
common.finish(commands.problems, commands.n_checks, "checks")
