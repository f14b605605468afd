"""Makes the content of the figures of Wong, Kuhl and Darve (2015) from rows of
spmv_benchmark. Each function returns a Chart, or raises Missing."""
import math

from plotting.products import (Chart, Cloud, FAMILIES, Missing, Panel, REMAPPED, ROW_MAJOR, Series,
                               effective, family_of, fastest, how_often, of_kind, peer)
from plotting.records import value

from .printed import MATRICES

# The formats of figures 12 and 17; all others are in the table of the fastest formats.
OF_PAPER = ("cuSPARSE, compressed rows", "compressed rows", "hybrid", "segmented scans (MGPU)",
            "ELL-WARP K1", "ELL-WARP K2")
BASE, OTHER = ("#0072B2", "o"), ("#D55E00", "s")
TITLES = {"ell_warp_k1": "K1", "ell_warp_k1r": "K1r", "ell_warp_k1rs": "K1rs",
          "ell_warp_k2": "K2", "ell_warp_k2r": "K2r", "ell_warp_k2rs": "K2rs"}


def title(operator):
    for ending, words in ((ROW_MAJOR, ", row by row"), (REMAPPED, ", y in the first order")):
        if operator.endswith(ending):
            return title(operator[:-len(ending)]) + words
    return TITLES.get(operator, operator)


def about(products, count="any"):
    count = products.count if count == "any" else count
    return f"{products.machine}; {how_often(count)}"


def panels_by_number(products, panels):
    """Returns the panels of panels(number) that have points."""
    return [panel for number in products.numbers for panel in panels(number)
            if any(series.points for series in panel.series)]


def row_lengths(products):
    """Figure 4: row lengths of the paper's matrices."""
    found = {name: products.matrices[name] for name in MATRICES if name in products.matrices}
    if not found:
        raise Missing("no record has a matrix of the paper's table 2")
    return found


def bandwidths(products, count):
    """The paper's formats on its matrices, or on all where there is none of these."""
    if not products.rows:
        raise Missing("there are no products of matrices")

    def panels(number):
        rows = products.of(number, count)
        rows = [row for row in rows if row["case"] in MATRICES] or rows
        return [Panel(number, "effective GB/s", [
            Series(family.name, family.look,
                   {case: effective(row) for case, row in
                    fastest(rows, lambda row, f=family: family_of(row) == f).items()})
            for family in FAMILIES if family.name in OF_PAPER])]
    return Chart("Effective bandwidth of products, the fastest variant of each format",
                 about(products, count), panels_by_number(products, panels))


def bandwidth(products):
    """Figure 12: effective bandwidth of one product."""
    if products.count != 1:
        products.say(f"no row has 1 application, drawn of {how_often(products.count)}")
    return bandwidths(products, products.count)


def bandwidth_1200(products):
    """Figure 17: effective bandwidth of 1200 products."""
    if 1200 not in products.counts:
        raise Missing("no row has 1200 applications")
    return bandwidths(products, 1200)


def over_peers(products):
    """Not in the paper: our fastest format over the fastest of other libraries."""
    kinds = (("vectors in the order given", BASE, False, True),
             ("vectors in the order of the sorted rows", OTHER, True, True),
             ("values in float", ("#332288", "d"), False, False))

    def panels(number):
        rows = products.of(number)
        peers = fastest(rows, peer)
        series = []
        for label, look, reordered, exact in kinds:
            own = fastest(rows, lambda row, r=reordered, e=exact: of_kind(row, r, e))
            series.append(Series(label, (*look, exact), {
                case: peers[case]["seconds_median"] / row["seconds_median"]
                for case, row in own.items() if case in peers}))
        return [Panel(number, "times as fast as the best\nof other libraries", series, 1)]
    chart = Chart("The fastest format over the fastest of other libraries", about(products),
                  panels_by_number(products, panels))
    if not chart.panels:
        raise Missing("no row is of another library")
    return chart


def reordering(products):
    """Figure 13: the time of reordering over the time of a product."""
    def panels(number):
        series = []
        for name, color in (("ell_warp_k1", BASE[0]), ("ell_warp_k2", OTHER[0])):
            best = products.best(number, name)
            for backend, marker in (("cuda", "o"), ("host", "s")):
                points = {case: products.reordering(row)[backend] / row["seconds_median"]
                          for case, row in best.items() if backend in products.reordering(row)}
                where = "device" if backend == "cuda" else "host"
                series.append(Series(f"{TITLES[name]}, on the {where}",
                                     (color, marker, backend == "cuda"), points))
        return [Panel(number, "time of reordering\nover time of a product", series,
                      log=True)]
    chart = Chart("New values brought to their places, in products", about(products),
                  panels_by_number(products, panels))
    if not chart.panels:
        raise Missing("no row of K1 or K2 has reorder_seconds")
    if products.backend == "cuda" and not any(
            s.points for panel in chart.panels for s in panel.series if "host" in s.label):
        products.say("drawn without the host, which has no rows of K1 or K2")
    return chart


def best_in_shapes(products, number, base, other, read_only):
    """Returns {matrix: the fastest row} of a format, in the shapes that another one was measured in."""
    def shape(row):
        return value(row, "block"), value(row, "threshold")
    rows = products.of(number)
    shapes = {shape(row) for row in rows if row["operator"] == other}
    return fastest(rows, lambda row: (row["operator"] == base and not peer(row) and shape(row) in shapes
                                      and (value(row, "read_only") != 0) == read_only))


def compared(products, base, other):
    """Compares times of two formats, and draws their ratio with the errors of both."""
    base_title, other_title = title(base), title(other)

    def panels(number):
        times, ratios = [], []
        for read_only in (True, False):
            first = best_in_shapes(products, number, base, other, read_only)
            second = products.best(number, other, read_only=read_only)
            both = [case for case in first if case in second]
            words = "" if read_only else ", plain loads of x"
            for title, look, rows in ((base_title, BASE, first), (other_title, OTHER, second)):
                times.append(Series(title + words, (*look, read_only), {
                    case: 1e6 * rows[case]["seconds_median"] for case in both}))
            ratio = {case: second[case]["seconds_median"] / first[case]["seconds_median"]
                     for case in both}
            errors = {case: ratio[case] * math.hypot(*(
                (rows[case].get("seconds_spread") or 0) / rows[case]["seconds_median"]
                for rows in (first, second))) for case in both}
            ratios.append(Series(f"{other_title} over {base_title}{words}",
                                 ("#000000", "D", read_only), ratio, errors))
        return [Panel(number, "time of a product, µs", times, log=True),
                Panel(None, f"{other_title} over {base_title}", ratios, 1)]
    chart = Chart(f"{base_title} and {other_title}", about(products),
                  panels_by_number(products, panels))
    if not chart.panels:
        raise Missing(f"no matrix has rows of {base} and {other}")
    return chart


def row_major(products):
    """Figure 14: storage row by row; of ELLPACK if a record has no such rows of K1."""
    for base in ("ell_warp_k1", "ell"):
        if any(row["operator"] == base + ROW_MAJOR for row in products.rows):
            return compared(products, base, base + ROW_MAJOR)
    raise Missing("no row has an operator stored row by row "
                  "(ell_warp_k1_row_major or ell_row_major)")


def comparison(base, other):
    return lambda products: compared(products, base, other)


def predicted(row):
    """Returns the predicted seconds, or None."""
    return (row.get("work") or {}).get("predicted_seconds")


def choice_times(products):
    """Predicted and measured times; the paper asks for predictions in section 9."""
    panels = []
    for number in products.numbers:
        rows = [row for row in products.of(number) if predicted(row) and not peer(row)]
        series = [Series(family.name, family.look,
                         [(1e6 * row["seconds_median"], 1e6 * predicted(row))
                          for row in rows if family_of(row) == family]) for family in FAMILIES]
        if rows:
            panels.append(Panel(number, "predicted, µs", [s for s in series if s.points]))
    if not panels:
        raise Missing("no row has predicted_seconds")
    return Cloud("Times predicted before anything is measured", about(products),
                 "measured, µs", panels)


def choice_distance(products):
    """The time of the format chosen before measuring, over the fastest of the sweep."""
    def panels(number):
        rows = [row for row in products.of(number) if not peer(row)]
        best = fastest(rows, lambda row: getattr(family_of(row), "exact", False))
        chosen = [row for row in rows if value(row, "chosen") == 1 and row["case"] in best]
        return [Panel(number, "time of the choice over\nthe fastest of the sweep", [
            Series(family.name, family.look,
                   {case: row["seconds_median"] / best[case]["seconds_median"]
                    for case, row in
                    fastest(chosen, lambda row, f=family: family_of(row) == f).items()})
            for family in FAMILIES], 1)]
    chart = Chart("The choice before anything is measured", about(products),
                  panels_by_number(products, panels))
    if not chart.panels:
        raise Missing("no row is marked as chosen")
    return chart


FIGURES = {
    "wong_fig04_row_lengths": (row_lengths, "lengths of rows"),
    "wong_fig12_bandwidth": (bandwidth, "effective bandwidth of formats, one product"),
    "wong_fig13_reordering": (reordering, "time of reordering over time of a product"),
    "wong_fig14_row_major": (row_major, "entries stored column by column and row by row"),
    "wong_fig17_bandwidth_1200": (bandwidth_1200, "effective bandwidth, 1200 products"),
    "wong_fig18_k1r": (comparison("ell_warp_k1", "ell_warp_k1r"), "K1 and K1r"),
    "wong_fig19_k2r": (comparison("ell_warp_k2", "ell_warp_k2r"), "K2 and K2r"),
    "wong_fig20_remap": (comparison("ell_warp_k1r", "ell_warp_k1r" + REMAPPED),
                         "K1r, and K1r with y written in the first order"),
    "wong_fig21_k1rs": (comparison("ell_warp_k1r", "ell_warp_k1rs"), "K1r and K1rs"),
    "wong_fig22_k2rs": (comparison("ell_warp_k2r", "ell_warp_k2rs"), "K2r and K2rs"),
    "wong_over_peers": (over_peers, "the fastest format over other libraries"),
    "wong_choice_times": (choice_times, "predicted and measured times"),
    "wong_choice_distance": (choice_distance, "the choice over the fastest of the sweep")}
