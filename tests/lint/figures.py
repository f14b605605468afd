#!/usr/bin/python3
"""Figures and tables of the pages follow from the records beside them, and numbers that do not
are found.

usage: figures.py ROOT
"""
import gzip
import json
import os
import subprocess
import sys
import tempfile

import common
import made_up_record as made_up

root = sys.argv[1]
sys.path.insert(0, os.path.join(root, "scripts"))
from plotting.folders import folders  # noqa: E402
from plotting.prose import pages_without_record, without_record  # noqa: E402
from plotting.quotes import quoted, three_digits  # noqa: E402
from plotting.records import BadInput  # noqa: E402

commands = common.Commands(root)
hold = commands.hold

PAGE = """<!-- record made_up.json.gz
where: kind=cg; operator=csr
row: coefficient=
row: coefficient=point | value: seconds_median micro
row: coefficient=point | over: coefficient=
row: coefficient=point | value: gdofs_per_s percent | over: coefficient=
row: coefficient=point or cell | value: products milli
row: coefficient= | error: coefficient=point; kind=cg
row: -
-->
| what | p=1 | p=2 | said |
|---|--:|--:|---|
| uniform | {0} | {1} | yes |
| varied | 240 | | no |
| ratio | 0.500 | | |
| per cent | 50.0 | | |
| a quantity | 4166667 | | |
| an error | +100.0 | {2} | |
| text | 7 | | |

A sentence, and a table | that quotes nothing:

| p=1 |
|---|
| 5 |

<!-- record made_up.json.gz made_up.json.gz
where: kind=cg; degree=2
row: operator=csr | value: gdofs_per_s milli
-->
| 1 thread | 2 threads |
|--:|--:|
| | 7246 |

<!-- record made_up.json.gz
where: kind=application
column: -
column: degree=1 | value: seconds_median micro
column: operator=csr | value: bandwidth giga
column: operator=csr | value: gdofs_per_s | difference: kind=cg; degree=2
column: -
row: operator=csr
row: operator=csr | difference: kind=cg; degree=1; coefficient=
row: operator=ell or csr | value: dofs mega
row: -
-->
| operator | time, µs | GB/s | more, GDoF/s | said |
|---|--:|--:|--:|---|
| `csr` | {3} | {4} | {5} | yes |
| the same | {3} | {4} | {6} | |
| either | 4.00 | 4.00 | 4.00 | 5 |
| text | 6 | 7 | 8 | |
"""


def check_quotes():
    for number, text in ((1.5, "1.50"), (0.0512, "0.0512"), (123.4, "123"), (4, "4.00"),
                         (98.06, "98.1"), (12345., "12345"), (0.5, "0.500"), (99.96, "100"),
                         (5.12e-5, "0.0000512"), (9.999e-6, "0.0000100"), (2e-12, "0.00000000000200")):
        hold(three_digits(number) == text, f"{number} is written {three_digits(number)}")
    row = made_up.row("cg", "csr")
    product = made_up.row("application", "csr")
    rows = [product, row, {**row, "degree": 2, "gdofs_per_s": 7.246},
            {**row, "seconds_median": 2 * row["seconds_median"], "gdofs_per_s": 1e-3},
            {**row, "seconds_median": 240e-6, "gdofs_per_s": row["gdofs_per_s"] / 2,
             "parameters": {**row["parameters"], "coefficient": "point"}}]
    with tempfile.TemporaryDirectory() as folder:
        with gzip.open(os.path.join(folder, "made_up.json.gz"), "wt") as file:
            file.write(json.dumps(made_up.record(rows)))
        of_product = [three_digits(1e6 * product["seconds_median"]),
                      three_digits(1e-9 * product["compulsory_bytes"] / product["seconds_median"]),
                      *(f"{product['gdofs_per_s'] - less:+.2f}".replace("-", "−")
                        for less in (7.246, row["gdofs_per_s"]))]
        error = f"{100 * (7.246 / (row['gdofs_per_s'] / 2) - 1):+.1f}".replace("-", "−")
        right = PAGE.format(three_digits(row["gdofs_per_s"]), "7.25", error, *of_product)
        names = set()
        hold(quoted(right, folder, names) == right,
             f"a page that is right became {quoted(right, folder, names)}")
        hold(names == {os.path.join(folder, "made_up.json.gz")}, f"records {names}")
        hold(quoted(PAGE.format(*"123456", ""), folder, names) == quoted(right, folder, names),
             "wrong numbers are set right")
        for wrong, why in ((right.replace("row: -\n", ""), "6 times row"),
                           (right.replace("column: -\n", ""), "3 times column: for 5 columns"),
                           (right.replace("giga", "giga | over: degree=2"), "for rows alone"),
                           (right.replace("row: -", "line: -"), "none of where, row and column"),
                           (right.replace("| over:", "| under:"), "none of value, over"),
                           (right.replace("kind=cg", "kind"), "KEY=VALUE"),
                           (right.replace("made_up.json", "missing.json"), "cannot be read")):
            try:
                quoted(wrong, folder, names)
                hold(False, f"no error says that {why}")
            except BadInput as problem:
                hold(why in str(problem), f"'{problem}' does not say that {why}")


def check_prose():
    """Numbers of speed without a record are found, on pages that measure and on others."""
    page = """# A page of an H200

A product takes 12.5 µs, 3 times as fast as before (not recorded). Commands and code do not count:

    program --wait "5 µs" `7 ms`

## One

The same in 4 GDoF/s, of `made_up.json.gz`; 3 of 5 cells, 10⁻⁹ s² and the paper's 29 columns say nothing.

### Below

| microseconds | p=1 | p=2 |
|---|--:|--:|
| one | 1.0 | 2.0 |
| two | 3.0 | 4.0 |

Not recorded.

## Two

| entries | p=1 | p=2 |
|---|--:|--:|
| one | 1.0 | 2.0 |
| two | 3.0 | 4.0 |
"""
    whole = page.replace("(not recorded)", "").replace("Not recorded.", "") \
        .replace("A product", "No figure of this page is recorded. A product")
    near = "# A H100\n\n## B\n\nA look at [it](figures/a.png).\n\nIt is 7 % faster.\n"
    row = "# A H100\n\n## B\n\n| it says | holds |\n|---|---|\n| yes | it takes 3 µs{} |\n"
    for text in (page, whole, near, "# No speed\n\nA page.\n", row.format(", [here](#b)"),
                 row.format(" (`a.json`)"), row.format("") + "\nNot recorded.\n"):
        said = without_record(text, "benchmarking.md")
        hold(not said, f"a page that is right: {said}")
    said = without_record("# Status\n\n## Open\n\n3 µs ([table](scaling.md#two)).\n", "status.md")
    hold(not said, f"a page with a link: {said}")
    with tempfile.TemporaryDirectory() as folder:
        for name in ("README.md", "CHANGELOG.md", "doc/a.md", "doc/figures/a.md",
                     "applications/a/README.md", "applications/monodomain/README.md"):
            os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write("# A H100\n\nA step takes 3 ms.\n")
        names = sorted(os.path.relpath(path, folder) for path in pages_without_record(folder))
        hold(names == ["README.md", "applications/a/README.md", "doc/a.md"], f"pages: {names}")
    for wrong, why in ((page.replace("(not recorded)", ""), '"A page of an H200" has "12.5 µs"'),
                       (page.replace("`made_up.json.gz`", "a"), '"One" has "4 GDoF/s"'),
                       (page.replace("Not recorded.", ""), '"Below" has a table'),
                       (page.replace("entries", "seconds"), '"Two" has a table'),
                       (page.replace("an H200", "a card"), "name no card"),
                       (whole + "<!-- record a.json.gz\n", "quotes a record"),
                       ("# A H100\n\n## B\n\n3 µs ([table](scaling.md#two)).\n", '"B" has "3 µs"'),
                       (near.replace("\n\nIt", "\n\nA third.\n\nIt"), '"B" has "% faster"'),
                       (row.format(", [there](https://a.b)"), '"B" has "3 µs"'),
                       (near.replace("[it](figures/a.png)", "it"), '"B" has "% faster"'),
                       (near.replace("It is 7 % faster.", "A third.\n\n| µs | p=1 | p=2 |\n|---|--:|--:|\n"
                                     "| a | 1 | 2 |\n| b | 3 | 4 |\n"), '"B" has a table')):
        said = without_record(wrong, "benchmarking.md")
        hold(len(said) == 1 and why in said[0], f"{said} instead of: {why}")


def check_packed():
    """Records that ship are small and of commits."""
    has_git = subprocess.run(["git", "-C", root, "rev-parse", "HEAD"],
                             capture_output=True).returncode == 0
    shallow = has_git and subprocess.run(
        ["git", "-C", root, "rev-parse", "--is-shallow-repository"], capture_output=True,
        text=True).stdout.strip() == "true"
    for folder in folders(root):
        with open(os.path.join(folder.path, "README.md" if folder.steps else "records/README.md"),
                  encoding="utf-8") as file:
            page = file.read()
        for name in folder.shipped():
            check_record(folder.shipped_path(name), page, has_git and not shallow)
    commands.expect(1, ["scripts/figures", "--pack", os.path.join(root, "missing.json"),
                        "--name", "none"], stderr="cannot be read")
    commands.expect(1, ["scripts/figures", "--pack", "none.json"], stderr="--pack needs --name")


def check_record(path, page, knows_commits):
    """A record is small, of a commit or of a page, and a page says what it is."""
    name = os.path.basename(path)
    hold(f"`{name}`" in page, f"the page beside {path} does not say what it is")
    if name.endswith(".json"):
        with open(path, encoding="utf-8") as file:
            return hold(json.load(file).get("source"), f"{name} has no source")
    hold(os.path.getsize(path) < 1 << 20, f"{name} has more than 1 MiB")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        record = json.load(file)
    hold(record["git"] and not record["dirty"], f"{name} is not of a commit")
    if knows_commits:
        hold(subprocess.run(["git", "-C", root, "cat-file", "-e", record["git"] + "^{commit}"],
                            capture_output=True).returncode == 0,
             f"git has no commit {record['git']}, of which {name} is")


def check_threads():
    """The speed by threads needs runs with several; records may be compressed."""
    rows = [made_up.row("cg", "csr", backend="host")]
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for n in (1, 4):
            paths.append(os.path.join(folder, f"host_{n}.json.gz"))
            with gzip.open(paths[-1], "wt") as file:
                file.write(json.dumps({**made_up.record(rows, n), "device": None}))
        command = ["scripts/plot", "--figures", "host_scaling", "-o", folder]
        commands.expect(1, [*command, paths[0]], stderr="several numbers of threads")
        commands.expect(0, [*command, *paths], stdout="host_scaling.png")
        with open(paths[1], "r+b") as packed:
            packed.truncate(50)
        commands.expect(1, [*command, paths[1]], stderr="it is not whole")


check_quotes()
check_prose()
check_packed()
if common.has_matplotlib():
    check_threads()
    commands.expect(0, ["scripts/figures", "--check"], stdout="as the records say")
common.finish(commands.problems, commands.n_checks, "checks")
