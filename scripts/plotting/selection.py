"""Selects the rows of the records that make the curves of a figure."""
import collections

from .figures import SET
from .quantities import QUANTITIES, intensity
from .records import value

# The rows of a figure agree in these, unless its curves differ by them. The values are
# preferred if several give as many points. A roofline has one machine.
COMMON = {"cell_type": ("quadrilateral",), "size": (), "numbering": ("batch_interleaved",),
          "cell_order": ("mesh",), "tile": ("0x1",), "preconditioner": ("none", "jacobi"),
          "carveout": (None,)}
# Rows without these match any value: other libraries have no numbering.
ANY_GOES = ("numbering", "cell_order", "tile", "preconditioner")

# machine: (backend, name); values: of the figure's `curves`
Curve = collections.namedtuple("Curve", "machine library values")
Candidate = collections.namedtuple("Candidate", "panel curve row y")  # curve None: divisor
# points: {(panel, number): {curve: {degree: (x, y)}}}; common: {key: value}; divisors:
# names of machines; notes: the ends of sentences about the figure
Selection = collections.namedtuple("Selection", "points common divisors notes")


def matches(row, where):
    return all(value(row, key) is not None if wanted is SET else
               value(row, key) in wanted if isinstance(wanted, tuple) else
               value(row, key) == wanted for key, wanted in where.items())


def listed(words, last="and"):
    words = [str(word) for word in words]
    return f" {last} ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def described(key, wanted):
    if wanted is SET:
        return f"a value of {key}"
    if isinstance(wanted, tuple):
        return f"{key} {listed([w for w in wanted if w is not None], 'or')}"
    return f"{key} {wanted}"


def why_not(rows, where, quantity):
    """Returns what the first condition of `where` that no row meets asks for."""
    held = []
    for key, wanted in where.items():
        rows = [row for row in rows if matches(row, {key: wanted})]
        held.append(described(key, wanted))
        if not rows:
            return f"no row has {listed(held)}"
    return f"no row with {listed(held)} has {quantity.needs}"


def candidates(figure, rows):
    """Returns all rows that the figure could take."""
    result = []
    for number, panel in enumerate(figure.panels):
        where = {**figure.where, **panel.where}
        for row in rows:
            y = QUANTITIES[panel.y].of(row)
            if y is None or row["number"] not in figure.numbers:
                continue
            if matches(row, where):
                result.append(Candidate(
                    number, Curve((row["backend"], row["machine"]), value(row, "library"),
                                  tuple(value(row, key) for key in figure.curves)), row, y))
            if isinstance(panel.over, dict) and matches(row, {**where, **panel.over}):
                result.append(Candidate(number, None, row, y))
    return result


def covered(figure, found):
    """Returns the points that exist, without those whose divisor is missing."""
    places = {(c.panel, c.row["number"], c.curve, c.row["degree"]) for c in found}
    return {(panel, number, curve, degree) for panel, number, curve, degree in places
            if curve and (not isinstance(figure.panels[panel].over, dict) or
                          (panel, number, None, degree) in places)}


def roofed(found):
    """Returns the machines whose copy bandwidth is known."""
    return tuple(sorted({c.row["machine"] for c in found if c.row["copy_bandwidth"]}))


def agree(figure, found, notes):
    """Keeps rows with one value of each key of COMMON: the value that gives most points."""
    common = {}
    for key, preferred in (COMMON if figure.x != "intensity" else
                           {"machine": roofed(found), **COMMON}).items():
        if key in figure.curves:
            continue
        values = {value(c.row, key) for c in found}
        if key in ANY_GOES:
            values.discard(None)
        if not values:
            continue
        kept = {v: [c for c in found if value(c.row, key) == v or
                    (key in ANY_GOES and value(c.row, key) is None)] for v in values}

        def rank(v, key=key, preferred=preferred, kept=kept):
            like = -preferred.index(v) if v in preferred else -len(preferred)
            points = len(covered(figure, kept[v]))
            second = v if key == "size" else len(kept[v])
            return (like, points) if key in ("cell_type", "machine") else (points, like, second)

        best = max(sorted(values, key=str), key=rank)
        lost = {c.curve for c in found} - {c.curve for c in kept[best]} - {None}
        if lost:
            notes.append(f"left out {len(lost)} curve{'s' if len(lost) > 1 else ''} whose {key} "
                         f"is not {best}")
        common[key], found = best, kept[best]
    return common, found


def missing(figure, rows, found):
    """Returns the values asked for that no row has."""
    result = []
    asked = {}
    for panel in figure.panels:
        for key, wanted in {**figure.where, **panel.where}.items():
            if isinstance(wanted, tuple) and key in (*figure.curves, "backend", "library"):
                asked[key] = wanted
    for key, wanted in asked.items():
        absent = [w for w in wanted if w is not None and
                  not any(value(c.row, key) == w for c in found)]
        if absent:
            result.append(f"{key} {listed(absent, 'or')}")
    absent = [number for number in figure.numbers
              if not any(c.row["number"] == number for c in found)]
    if absent:
        result.append(f"number {listed(absent, 'or')}")
    for number, panel in enumerate(figure.panels):
        if not any(c.panel == number for c in found):
            result.append(QUANTITIES[panel.y].needs)
    return result


def divide(panel, curves, divisor):
    """Returns {curve: {degree: (x, y divided by the degree's divisor)}}."""
    if panel.over is None:
        return curves
    if panel.over == "best":
        divisor = {degree: (0, max(points[degree][1] for points in curves.values()
                                   if degree in points))
                   for points in curves.values() for degree in points}
    divided = {curve: {degree: (x, y / divisor[degree][1])
                       for degree, (x, y) in points.items() if degree in divisor}
               for curve, points in curves.items()}
    return {curve: points for curve, points in divided.items() if points}


def select(figure, rows):
    """Returns the Selection, or a sentence that says why there is none."""
    found = candidates(figure, rows)
    first = figure.panels[0]
    if not any(c.curve for c in found):
        return why_not([row for row in rows if row["number"] in figure.numbers] or rows,
                       {**figure.where, "number": figure.numbers, **first.where},
                       QUANTITIES[first.y])
    divided = isinstance(first.over, dict)
    over = {**figure.where, **first.where, **first.over} if divided else {}
    if divided and all(c.curve for c in found):
        return f"nothing to divide by, {why_not(rows, over, QUANTITIES[first.y])}"
    notes = []
    absent = missing(figure, rows, found)
    if absent:
        notes.append(f"drawn without {'; '.join(absent)}")
    common, found = agree(figure, found, notes)
    points, fastest = {}, {}
    for c in found:
        if c.curve is None:
            key = (c.panel, c.row["number"], c.row["degree"])
            fastest[key] = max(fastest.get(key, (0, "")), (c.y, c.row["machine"]))
        place = points.setdefault((c.panel, c.row["number"]), {}).setdefault(c.curve, {})
        x = c.row["degree"] if figure.x != "intensity" else \
            intensity(c.row, first.y == "executed_flops")
        if c.row["degree"] not in place or place[c.row["degree"]][1] < c.y:
            place[c.row["degree"]] = (x, c.y)
    for place, curves in list(points.items()):
        divisor = curves.pop(None, {})
        points[place] = divide(figure.panels[place[0]], curves, divisor)
        if not points[place]:
            del points[place]
    if not points:
        return (f"no other row has the size and degree of one with "
                f"{listed([described(*item) for item in over.items()])}")
    divisors = sorted({machine for _, machine in fastest.values()})
    return Selection(points, common, divisors, notes)
