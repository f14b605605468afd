"""Rows of spmv_benchmark: maps formats to the families of Wong, Kuhl and Darve (2015), finds the
fastest rows of each matrix, and has the content of their figures and tables."""
import collections
import copy
import fnmatch
import re

from .records import value


class Missing(Exception):
    """Says what the rows lack, as the end of a sentence."""


# points: {matrix: y}; errors: {matrix: of y}; look: colour, marker, filled or not
Series = collections.namedtuple("Series", "label look points errors", defaults=({},))
# level: a horizontal line, or None; log: a logarithmic axis if values are far apart
Panel = collections.namedtuple("Panel", "title axis series level log", defaults=(None, False))
Chart = collections.namedtuple("Chart", "head about panels")
# points: [(x, y)]
Cloud = collections.namedtuple("Cloud", "head about axes panels")
# parts: [(heading, columns, rows of cells)]
Table = collections.namedtuple("Table", "title parts")

# formats: patterns of names, of algorithms for other libraries; reordered: true if x
# and y are in the order of the sorted rows; exact: true if values are stored unchanged;
# look: colour, marker, and whether it is filled
Family = collections.namedtuple("Family", "name library formats look reordered exact",
                                defaults=(False, True))

FAMILIES = (
    Family("cuSPARSE, compressed rows", "cuSPARSE", ("csr*",), ("#000000", "o", False)),
    Family("cuSPARSE, sliced ELLPACK", "cuSPARSE", ("sell*",), ("#000000", "s", False)),
    Family("cuSPARSE, coordinates", "cuSPARSE", ("coo*",), ("#000000", "D", False)),
    Family("cuSPARSE, blocks", "cuSPARSE", ("bsr*",), ("#000000", "^", False)),
    Family("Trilinos, compressed rows", "Trilinos", ("*",), ("#661100", "o", False)),
    Family("blocks of entries", "tessera", ("*_blocks_?",), ("#DDCC77", "h", True)),
    Family("compressed rows", "tessera", ("csr",), ("#009E73", "o", True)),
    Family("compressed rows, merged", "tessera", ("csr_merge",), ("#117733", "D", True)),
    Family("segmented scans (MGPU)", "tessera", ("csr_mgpu",), ("#882255", "X", True)),
    Family("coordinates", "tessera", ("coo",), ("#8C6D31", "P", True)),
    Family("ELLPACK, ELLR-T", "tessera", ("ell", "ellr_t"), ("#CC79A7", "^", True)),
    Family("hybrid", "tessera", ("hybrid",), ("#999933", "v", True)),
    Family("sliced ELLPACK", "tessera", ("sliced_ell*", "sell_c_sigma"),
           ("#56B4E9", "s", True)),
    Family("ELL-WARP K1", "tessera", ("ell_warp_k1",), ("#E69F00", "P", True)),
    Family("pJDS, K1r, K1rs", "tessera", ("pjds", "ell_warp_k1r", "ell_warp_k1rs"),
           ("#E69F00", "*", True), True),
    Family("ELL-WARP K2", "tessera", ("ell_warp_k2",), ("#D55E00", "X", True)),
    Family("K2r, K2rs", "tessera", ("ell_warp_k2r", "ell_warp_k2rs"),
           ("#D55E00", "*", True), True),
    Family("packed columns, float values", "tessera", ("sell_packed_float*",),
           ("#332288", "d", False), False, False),
    Family("packed columns", "tessera", ("sell_packed*",), ("#332288", "d", True)),
    Family("short columns, float values", "tessera", ("sell_short_float*",),
           ("#44AA99", "d", False), False, False),
    Family("short columns", "tessera", ("sell_short*",), ("#44AA99", "d", True)))


# These endings mark formats that exist for comparisons alone.
ROW_MAJOR, REMAPPED = "_row_major", "_remap"


def family_of(row):
    """Returns the family of a row, or None, also for rows that serve comparisons alone."""
    if value(row, "read_only") == 0:
        return None
    library = value(row, "library")
    name = row["operator"] if library == "tessera" else str(value(row, "algorithm"))
    for family in FAMILIES:
        if family.library == library and any(fnmatch.fnmatchcase(name, pattern)
                                             for pattern in family.formats):
            return family
    return None


def effective(row):
    """Returns the bandwidth in GB/s with the paper's count: 20 bytes per entry in double,
    12 in float."""
    return 1e-9 * row["paper_bytes"] / row["seconds_median"]


def fastest(rows, condition=lambda row: True):
    """Returns {matrix: the fastest row}."""
    found = {}
    for row in filter(condition, rows):
        case = row["case"]
        if case not in found or row["seconds_median"] < found[case]["seconds_median"]:
            found[case] = row
    return found


def peer(row):
    return value(row, "library") != "tessera"


def of_kind(row, reordered=False, exact=True):
    """Returns true if the row's format is of that kind, and not of another library."""
    family = family_of(row)
    return family is not None and not peer(row) and (family.reordered, family.exact) == \
        (reordered, exact)


def how_often(count):
    return {None: "products one after the other, as many as fill a sample",
            1: "one product a sample"}.get(count, f"{count} products one after the other")


NUMERIC = re.compile(r"(-?[\d,.]+( \(\d+\))?|∞|)$")


def markdown(table, source, notes):
    """Returns the text of a file."""
    lines = [f"# {table.title}", ""]
    for heading, columns, rows in table.parts:
        lines += [f"## {heading}", ""] if heading else []
        lines.append("| " + " | ".join(columns) + " |")
        numeric = [all(NUMERIC.match(row[place]) for row in rows) for place in range(len(columns))]
        lines.append("|" + "".join("--:|" if n else "---|" for n in numeric))
        lines += ["| " + " | ".join(row) + " |" for row in rows] + [""]
    lines += [f"- {note[0].upper()}{note[1:]}." for note in notes] + [""] * bool(notes)
    return "\n".join([*lines, source, ""])


class Products:
    """The products of one machine, a device if there is one, and the products of its host.

    counts: the numbers of products per sample; None means as many as fill a sample.
    count: the number for results that the paper gives for one product: 1 if it is there.
    first: the names of a paper's matrices, which stand before all others.
    """

    def __init__(self, rows, matrices, first=()):
        self.first = first
        self.matrices = {matrix["name"]: matrix for matrix in matrices}
        self.notes = []
        rows = [row for row in rows if row["kind"] == "application"]
        rank = collections.Counter((row["backend"], row["machine"]) for row in rows)
        if not rank and not self.matrices:
            raise Missing("there are no products of matrices")
        first = max(sorted(rank), default=(None, None),
                    key=lambda key: (key[0] == "cuda", rank[key]))
        self.backend, self.machine = first
        self.take([row for row in rows if (row["backend"], row["machine"]) == first])
        self.every_host = [row for row in rows if row["backend"] == "host"]
        self.host = self.every_host if self.backend == "cuda" else []
        others = len(rows) - len(self.rows) - len(self.host)
        if others:
            self.notes.append(f"{others} rows of other machines than {self.machine} are "
                              "left out")
        if self.host:
            self.notes.append("rows of the host serve for the time of reordering and for "
                              "tables of hosts alone")
        unknown = sorted({row["operator"] for row in self.rows if family_of(row) is None and
                          value(row, "read_only") != 0 and
                          not row["operator"].endswith((ROW_MAJOR, REMAPPED))})
        if unknown:
            self.notes.append(f"{', '.join(unknown)} stand in no figure but those that compare "
                              "two formats")

    def take(self, rows):
        self.rows = rows
        self.numbers = [n for n in ("double", "float")
                        if any(row["number"] == n for row in self.rows)]
        self.counts = sorted({value(row, "applications") for row in self.rows},
                             key=lambda count: count or 0)
        self.count = 1 if 1 in self.counts else next(iter(self.counts), 1)
        self.names = self.ordered(dict.fromkeys(row["case"] for row in self.rows))

    def ordered(self, names):
        """Returns the names with the paper's first, in its order."""
        names = list(names)
        return [n for n in self.first if n in names] + [n for n in names if n not in self.first]

    def stand_ins(self):
        """Returns words that end the source of a table whose matrices are not the paper's own."""
        made = [name for name, matrix in self.matrices.items()
                if name in self.first and matrix.get("source") == "suite"]
        return "; matrices of the paper are stand-ins" if made else ""

    def of(self, number, count="any"):
        """Returns the rows of a number type with `count` products, by default
        `self.count`."""
        count = self.count if count == "any" else count
        return [row for row in self.rows
                if row["number"] == number and value(row, "applications") == count]

    def best(self, number, operator, count="any", read_only=True, **parameters):
        """Returns {matrix: the fastest row} of a format, with x loaded through the
        read-only cache or not."""
        return fastest(self.of(number, count), lambda row: (
            row["operator"] == operator and not peer(row) and
            (value(row, "read_only") != 0) == read_only and
            all(value(row, key) == wanted for key, wanted in parameters.items())))

    def cusparse(self, number):
        """Returns {matrix: the fastest row} of cuSPARSE's compressed rows, as equation 14
        requires."""
        return fastest(self.of(number), lambda row: value(row, "library") == "cuSPARSE" and
                       str(value(row, "algorithm")).startswith("csr"))

    def on_hosts(self):
        """Returns the products of each host, one host after the other."""
        found = []
        for machine in sorted({row["machine"] for row in self.every_host},
                              key=lambda name: (len(name), name)):
            of_one = copy.copy(self)
            of_one.backend, of_one.machine, of_one.host = "host", machine, []
            of_one.take([row for row in self.every_host if row["machine"] == machine])
            found.append(of_one)
        return found

    def reordering(self, row):
        """Returns {backend: seconds} for bringing values of compressed rows to the places
        of the row's format."""
        found = {}
        for other in (row, *self.host):
            if other["backend"] not in found and all(
                    value(other, key) == value(row, key)
                    for key in ("case", "operator", "number", "threshold")):
                seconds = value(other, "reorder_seconds")
                if isinstance(seconds, (int, float)) and seconds > 0:
                    found[other["backend"]] = seconds
        return found

    def swept(self, operator, key, number):
        """Returns true if the rows of a format have the parameter."""
        return any(row["operator"] == operator and value(row, key) is not None
                   for row in self.rows if row["number"] == number and not peer(row))

    def say(self, note):
        if note not in self.notes:
            self.notes.append(note)

    def notes_of(self, make):
        """Returns make(self), and the notes that it adds."""
        before, self.notes = self.notes, []
        try:
            return make(self), self.notes
        finally:
            self.notes = before
