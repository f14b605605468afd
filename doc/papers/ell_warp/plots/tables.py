"""The tables of Wong, Kuhl and Darve (2015) in Markdown: the paper's numbers, and beside
them those of the records. Each function returns a Table, or raises Missing."""
import math

from plotting.products import (Missing, Table, effective, family_of, fastest, how_often, of_kind,
                               peer)
from plotting.records import value

from . import printed

K1, K2, MGPU = "ell_warp_k1", "ell_warp_k2", "csr_mgpu"
BLANK = ""


def about(products):
    return f"{products.machine}, {how_often(products.count)}"


def listed_matrices(products):
    """Table 2: matrices. An entry has 20 bytes in double: a value, a column and an entry of
    x."""
    columns = ["matrix", "nonzeros, paper", "here", "rows, paper", "here", "MB",
               "shortest row, paper", "here", "longest row, paper", "here", "mean row"]
    rows = []
    for name in products.ordered(products.matrices):
        matrix = products.matrices[name]
        said = matrix["statistics"]
        paper = [f"{n:,}" for n in printed.ENTRIES.get(name, ())] or [BLANK] * 4
        rows.append([f"`{name}`", paper[0], f"{matrix['nonzeros']:,}", paper[1],
                     f"{matrix['rows']:,}", f"{20e-6 * matrix['nonzeros']:.2f}", paper[2],
                     f"{said['shortest_row']:,.0f}", paper[3], f"{said['longest_row']:,.0f}",
                     f"{said['mean_row']:.1f}"])
    if not rows:
        raise Missing("no record has matrices")
    return Table("Table 2: matrices", [(None, columns, rows)])


class Columns:
    """Columns of a table of matrices: the paper's, which are in double, and ours."""

    def __init__(self, number):
        self.number, self.titles, self.cells = number, [], []

    def add_paper(self, title, found):
        if self.number == "double":
            self.titles.append(f"{title}, paper")
            self.cells.append(found)

    def add(self, title, found):
        self.titles.append(f"{title}, here")
        self.cells.append(found)

    def part(self, names):
        """Returns the part with those matrices for which we have a number."""
        here = [cell for title, cell in zip(self.titles, self.cells) if title.endswith("here")]
        return self.number, ["matrix", *self.titles], [
            [f"`{name}`", *(cell.get(name, BLANK) for cell in self.cells)]
            for name in names if any(name in cell for cell in here)]


def best_parameters(title, *swept, one=False):
    """Tables 3 and 7 to 9. swept: (title, operator, parameter, {products: the paper's});
    one: true if only one product counts."""
    def add(products, columns, title, operator, key, paper):
        if not products.swept(operator, key, columns.number):
            products.say(f"{title} is left out: no row of {operator} has the parameter {key}")
            return
        for count, found in paper.items():
            if count == 1 or not one:
                columns.add_paper(f"{title} [{count}]", {c: str(n) for c, n in found.items()})
        for count in [products.count] if one else products.counts:
            best = products.best(columns.number, operator, count)
            columns.add(f"{title} [{'many' if count is None else count}]",
                        {case: str(value(row, key)) for case, row in best.items()
                         if value(row, key) is not None})

    def table(products):
        parts = []
        for number in products.numbers:
            columns = Columns(number)
            for of_one in swept:
                add(products, columns, *of_one)
            if columns.cells:
                parts.append(columns.part(products.names))
        if not parts:
            raise Missing(" and ".join(f"no row of {operator} has the parameter {key}"
                                       for _, operator, key, _ in swept))
        if None in products.counts:
            products.say("[many]: products one after the other, as many as fill a sample")
        return Table(title, parts)
    return table


def paid(products, number, operator, backend, reference):
    """Returns {matrix: products after which a format has paid off against the reference's,
    by equation 14}, if its values are brought to their places on that backend."""
    found = {}
    for case, row in products.best(number, operator).items():
        seconds = products.reordering(row).get(backend)
        if seconds and case in reference:
            gain = reference[case]["seconds_median"] - row["seconds_median"]
            found[case] = str(math.ceil(seconds / gain)) if gain > 0 else "∞"
    return found


def paid_in_paper(place):
    return {case: "∞" if n[place] is None else str(n[place])
            for case, n in printed.BREAK_EVEN.items()}


def break_even(products):
    """Table 4: products after which a format has paid off."""
    parts = []
    for number in products.numbers:
        reference, columns = products.cusparse(number), Columns(number)
        for place, (name, operator, backend) in enumerate(
                (("K1, device", K1, "cuda"), ("K1, host", K1, "host"),
                 ("K2, device", K2, "cuda"), ("K2, host", K2, "host"))):
            found = paid(products, number, operator, backend, reference)
            if found:
                columns.add_paper(name, paid_in_paper(place))
                columns.add(name, found)
            else:
                products.say(f"{name} is left out: it needs reorder_seconds of rows there and "
                             "times of cuSPARSE's compressed rows")
        if columns.cells:
            parts.append(columns.part(products.names))
    if not parts:
        raise Missing("it needs rows of K1 or K2 with reorder_seconds, and cuSPARSE's")
    return Table("Table 4: products after which new values in K1 or K2 have cost less than with "
                 f"cuSPARSE's compressed rows ({about(products)})", parts)


def break_even_on_hosts(products):
    """Table 4 with products on the host; the paper's are those of its device."""
    parts, hosts = [], products.on_hosts()
    for number in ("double", "float"):
        columns = Columns(number)
        for place, name, operator in ((1, "K1", K1), (3, "K2", K2)):
            for host in hosts:
                found = paid(host, number, operator, "host", host.best(number, "csr"))
                if found:
                    title = f"{name}, host"
                    if f"{title}, paper" not in columns.titles:
                        columns.add_paper(title, paid_in_paper(place))
                    columns.add(f"{name}, {host.machine}", found)
        if columns.cells:
            names = dict.fromkeys(name for host in hosts for name in host.names)
            parts.append(columns.part(products.ordered(names)))
    if not parts:
        raise Missing("it needs rows of a host, of K1 or K2 with reorder_seconds and of csr")
    return Table("Table 4 on hosts: products after which new values in K1 or K2 have cost less "
                 f"than in compressed rows ({how_often(hosts[0].count)})", parts)


def mean_ratio(first, second):
    both = [case for case in first if case in second]
    if not both:
        return BLANK
    logs = [math.log(second[case]["seconds_median"] / first[case]["seconds_median"])
            for case in both]
    return f"{math.exp(sum(logs) / len(logs)):.3f} ({len(both)})"


def variations(products):
    """Table 5: the variations and what they bring."""
    said = (("", "slices of a warp of rows sorted by length, column by column"),
            ("r", "x and y stand in the order of the sorted rows, and columns are numbered so"),
            ("rs", "and the entries of a row are sorted by column again"))
    columns = ["kernel", "what it is"]
    rows = [[f"KX{suffix}", what] for suffix, what in said]
    for number in products.numbers:
        for title, operator in (("K1", K1), ("K2", K2)):
            base = products.best(number, operator)
            cells = [mean_ratio(base, products.best(number, operator + suffix))
                     for suffix, _ in said]
            if any(cells[1:]):
                columns.append(f"time over {title}, {number} (matrices)")
                for row, cell in zip(rows, cells):
                    row.append(cell)
    if len(columns) == 2:
        raise Missing("no matrix has rows of K1 and K1r, or of K2 and K2r")
    return Table("Table 5: what the variations are, and the geometric mean of their times over "
                 f"those of KX ({about(products)})", [(None, columns, rows)])


def less(rows, reference, key):
    """Returns by how many per cent a field of the rows is less."""
    return {case: f"{100 * (1 - rows[case][key] / reference[case][key]):.2f}" for case in rows
            if case in reference and rows[case].get(key) and reference[case].get(key)}


def sorting(products):
    """Table 6: what sorting brings. K1 without sorting is sliced ELLPACK, slices of 32."""
    parts = []
    for number in products.numbers:
        columns = Columns(number)
        for read_only, title in ((True, "less time"), (False, "less time, plain loads of x")):
            rows = products.best(number, K1, read_only=read_only)
            unsorted = products.best(number, "sliced_ell", read_only=read_only, C=32)
            times = less(rows, unsorted, "seconds_median")
            if not times:
                products.say(f"\"{title}\" is left out: no matrix has rows of K1 and of "
                             f"sliced_ell with C = 32 and read_only = {int(read_only)}")
                continue
            for place, name, cells in ((0, "fewer places", less(rows, unsorted, "padding")),
                                       (1 if read_only else 2, title, times)):
                if cells and (read_only or place):
                    columns.add_paper(name, {case: f"{n[place]:.2f}" for case, n in
                                             printed.SORTING.items()})
                    columns.add(name, cells)
        if columns.cells:
            parts.append(columns.part(products.names))
    if not parts:
        raise Missing("no matrix has rows of ell_warp_k1 and of sliced_ell with C = 32")
    return Table(f"Table 6: what sorting brings to K1, per cent ({about(products)})", parts)


def shape(row):
    """Returns the name of a format with the parameters that were chosen."""
    keys = [key for key in ("threshold", "T", "sigma", "values_per_thread", "block", "algorithm")
            if value(row, key) is not None]
    name = row["operator"] if not peer(row) else value(row, "library")
    return f"`{name}`" + "".join(f", {key} {value(row, key)}" for key in keys)


def champions(products):
    """Not in the paper: our fastest formats, with vectors as they are and reordered, and
    the fastest of other libraries."""
    columns = ["matrix", "fastest format", "µs", "effective GB/s", "vectors reordered", "µs",
               "of other libraries", "µs", "times as fast"]
    parts = []
    for number in products.numbers:
        rows = products.of(number)
        kinds = (fastest(rows, of_kind),
                 fastest(rows, lambda row: of_kind(row, reordered=True)), fastest(rows, peer))
        lines = []
        for case in products.names:
            given, reordered, other = (kind.get(case) for kind in kinds)
            times = [f"{1e6 * row['seconds_median']:.2f}" if row else BLANK
                     for row in (given, reordered, other)]
            ours = [row["seconds_median"] for row in (given, reordered) if row]
            if not ours:
                continue
            lines.append([
                f"`{case}`", shape(given) if given else BLANK, times[0],
                f"{effective(given):.0f}" if given else BLANK,
                shape(reordered) if reordered else BLANK, times[1],
                shape(other) if other else BLANK, times[2],
                f"{other['seconds_median'] / min(ours):.2f}" if other else BLANK])
        if lines:
            parts.append((number, columns, lines))
    if not parts:
        raise Missing("no row is of a known format")
    return Table(f"The fastest formats ({about(products)})", parts)


TABLES = {
    "wong_table_2": (listed_matrices, "matrices"),
    "wong_table_3": (best_parameters(
        "Table 3: best parameters of one product",
        ("MGPU values a thread", MGPU, "values_per_thread", printed.VALUES_PER_THREAD),
        ("K1 block", K1, "block", printed.K1_BLOCK),
        ("K2 threshold", K2, "threshold", printed.K2_THRESHOLD),
        ("K2 block", K2, "block", printed.K2_BLOCK), one=True), "best parameters"),
    "wong_table_4": (break_even, "products after which reordering has paid"),
    "wong_table_4_host": (break_even_on_hosts, "the same with products on the host"),
    "wong_table_5": (variations, "variations of K1 and K2"),
    "wong_table_6": (sorting, "what sorting brings"),
    "wong_table_7": (best_parameters(
        "Table 7: best values a thread of MGPU",
        ("values a thread", MGPU, "values_per_thread", printed.VALUES_PER_THREAD)),
        "best values a thread of MGPU"),
    "wong_table_8": (best_parameters(
        "Table 8: best threads a block of K1", ("block", K1, "block", printed.K1_BLOCK)),
        "best threads a block of K1"),
    "wong_table_9": (best_parameters(
        "Table 9: best threshold and threads a block of K2",
        ("threshold", K2, "threshold", printed.K2_THRESHOLD),
        ("block", K2, "block", printed.K2_BLOCK)),
        "best threshold and threads a block of K2"),
    "wong_table_fastest": (champions, "the fastest format of each matrix")}
