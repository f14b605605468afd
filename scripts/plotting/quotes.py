"""Tables of pages that quote a record. A comment before a table says what it has:

    <!-- record NAME.json.gz [NAME.json.gz]...
    where: kind=cg; number=double
    row: coefficient=
    row: coefficient=point
    -->
    | coefficient | p=1 | p=2 |
    |---|--:|--:|
    | uniform | 23.2 | 27.9 |
    | a number at every point | 21.1 | 25.4 |

NAME is a file of records/ beside the page, or a path from there. Each `row` belongs to one line of
the table, in order. A column with the title p=N is of degree N, "N threads" of so many threads of a
host, and Nk of a heart of so many nodes; other columns are text. Where titles cannot say it, a line
`column: CONDITIONS` for each column does, in order. Conditions are KEY=VALUE, with a field of a row
or an entry of its parameters; nothing behind = means rows without the key, and VALUE can be several
with "or" between them. Of several rows that are left, the fastest counts. A `row` can have more
after a bar: `value: KEY`, which is gdofs_per_s by default, or a name of QUANTITIES;
`percent`, `milli`, `micro`, `kilo`, `mega`, `giga` and `tera` scale it; `over: CONDITIONS` divides it by
the same value of the rows that these conditions change. `error: CONDITIONS` is by how many per cent
the value is larger than in the rows with these conditions alone. A `column` can have a value
for rows without one, and with `difference: CONDITIONS` has by how much this value exceeds the value of the
rows with these conditions alone, or with the `difference` of the row. Lines `row: -` and `column: -`
are text. A table whose record no run has made yet stays as it is.
"""
import json
import os
import re

from .quantities import QUANTITIES
from .records import BadInput, read, value

BLOCK = re.compile(r"<!-- record (\S[^\n]*)\n(.*?)-->\n((?:\|[^\n]*\n)+)", re.DOTALL)
SCALES = {"percent": 100., "milli": 1e3, "micro": 1e6, "kilo": 1e-3, "mega": 1e-6, "giga": 1e-9, "tera": 1e-12,
          "": 1.}


def conditions(text):
    found = {}
    for item in filter(None, (word.strip() for word in text.split(";"))):
        key, equals, wanted = item.partition("=")
        if not equals:
            raise BadInput(f"\"{item}\" is no condition; it takes KEY=VALUE.")
        found[key.strip()] = wanted.strip()
    return found


def holds(row, wanted):
    return all(str(value(row, key) if value(row, key) is not None else "") in what.split(" or ")
               for key, what in wanted.items())


def number_of(rows, wanted, key):
    """Returns the value of the fastest row, or None."""
    left = [row for row in rows if row["completed"] and holds(row, wanted)]
    best = min(left, key=lambda row: row["seconds_median"], default=None)
    if best is None:
        return None
    return QUANTITIES[key].of(best) if key in QUANTITIES else value(best, key)


def three_digits(number):
    """Returns the number with three digits."""
    text = f"{number:.3g}"
    if "e" in text:
        return f"{number:.{max(2 - int(text[text.index('e') + 1:]), 0)}f}"
    missing = 3 - len(text.replace(".", "").lstrip("0"))
    return text + ("." if "." not in text else "") + "0" * missing if missing > 0 else text


class Line:
    """One `row:` or `column:` of a comment."""

    def __init__(self, text, where):
        first, *more = [part.strip() for part in text.split("|")]
        self.wanted, self.key, self.scale = {**where, **conditions(first)}, None, 1.
        self.over = self.exact = self.less = None
        for part in more:
            name, _, what = part.partition(":")
            if name == "value":
                self.key, _, scale = what.strip().partition(" ")
                self.scale = SCALES[scale]
            elif name == "over":
                self.over = {**self.wanted, **conditions(what)}
            elif name == "error":
                self.exact = conditions(what)
            elif name == "difference":
                self.less = conditions(what)
            else:
                raise BadInput(f"\"{part}\" is none of value, over, error and difference.")

    def of(self, rows, column):
        """Returns the text of the number where the conditions of a column hold, too, or ""."""
        kind = self if self.key else column
        if self.exact is not None:
            found, exact = (number_of(rows, wanted, kind.key or "gdofs_per_s")
                            for wanted in ({**self.wanted, **column.wanted}, self.exact))
            return "" if None in (found, exact) else f"{100 * (found / exact - 1):+.1f}".replace("-", "−")
        found, divisor = (None if wanted is None else
                          number_of(rows, {**wanted, **column.wanted}, kind.key or "gdofs_per_s")
                          for wanted in (self.wanted, self.over))
        if found is None or (divisor is None and self.over is not None):
            return ""
        if kind.less is not None:
            less = number_of(rows, self.less or kind.less, kind.key)
            return "" if less is None else f"{found - less:+.2f}".replace("-", "−")
        if isinstance(found, int) and kind.scale == 1. and self.over is None:
            return str(found)
        return three_digits(found * kind.scale / (1. if self.over is None else divisor))


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def column_of(title):
    """Returns what the title says of a column, or None if it is text."""
    for key, pattern in (("degree", r"p=(\d)"), ("threads", r"(\d+) threads?"), ("heart", r"(\d+k)")):
        match = re.fullmatch(pattern, title)
        if match:
            return Line(f"{key}={match[1]}", {})
    return None


def renewed(table, lines, columns, rows):
    """Returns the table with the numbers of the rows."""
    title, rule, *body = table.splitlines()
    titles = cells(title)
    for what, asked, there in (("row", lines, body), ("column", columns or titles, titles)):
        if len(asked) != len(there):
            raise BadInput(f"{len(asked)} times {what}: for {len(there)} {what}s of a table.")
    columns = columns or [column_of(cell) for cell in titles]
    result = [title, rule]
    for text, line in zip(body, lines):
        here = cells(text)
        for place, column in enumerate(columns):
            if column is not None and line is not None:
                here[place] = line.of(rows, column)
        result.append("|" + "".join(f" {cell} |" if cell else " |" for cell in here))
    return "\n".join(result) + "\n"


def waits(path):
    """Returns whether runs.json beside the folder of a record names it, but no run has made it yet."""
    runs = os.path.join(os.path.dirname(path), os.pardir, "runs.json")
    if os.path.exists(path) or not os.path.exists(runs):
        return False
    with open(runs, encoding="utf-8") as file:
        return os.path.basename(path) in json.load(file).get("records", {})


def quoted(page, folder, used):
    """Returns the text of a page with the tables that its records in `folder` make. Adds the paths
    of these records to `used`."""
    def table(match):
        files, comment, old = match.groups()
        paths = [os.path.normpath(os.path.join(folder, name)) for name in files.split()]
        used.update(paths)
        waiting = any(waits(path) for path in paths)
        rows = [] if waiting else [row for path in paths for row in read(path)[1]]
        where, lines, columns = {}, [], []
        for text in filter(None, (text.strip() for text in comment.splitlines())):
            key, _, what = text.partition(":")
            if key == "where":
                where = conditions(what)
            elif key == "row":
                lines.append(None if what.strip() == "-" else Line(what, where))
            elif key == "column":
                columns.append(None if what.strip() == "-" else Line(what, {}))
                if columns[-1] and columns[-1].over is not None:
                    raise BadInput(f"\"{text}\" is divided, which is for rows alone.")
            else:
                raise BadInput(f"\"{text}\" is none of where, row and column.")
        new = renewed(old, lines, columns, rows)  # also finds lines that do not fit the table
        return match.group(0) if waiting else match.group(0)[:-len(old)] + new
    return BLOCK.sub(table, page)


def pages(*roots):
    """Returns {path: (text, text by the records)} of pages below `roots` that quote records, and the
    paths of these records."""
    found, used = {}, set()
    for folder, _, files in (walked for root in roots for walked in os.walk(root)):
        for name in sorted(name for name in files if name.endswith(".md")):
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as file:
                text = file.read()
            if "<!-- record " in text:
                try:
                    found[path] = (text, quoted(text, os.path.join(folder, "records"), used))
                except BadInput as problem:
                    raise BadInput(f"{path}: {problem}") from None
    return found, used


def write_pages(*roots):
    """Writes the numbers of records into the pages below `roots` that quote them."""
    for path, (_, text) in pages(*roots)[0].items():
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
