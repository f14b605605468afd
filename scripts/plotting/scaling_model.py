"""A model of an iteration of conjugate gradients on N GPUs, fed by times of one and two.

A problem has n unknowns in d dimensions on cells of degree p. The processor grid q has N parts,
with sides as equal as powers of two allow. Then, for the largest part,

    here      imbalance * n / N                             unknowns, n on one GPU
    surface   sum_i min(2, q_i - 1) prod_{j != i} n^(1/d) / q_j    unknowns that are shared:
              2 d here^((d-1)/d) for many parts, n^((d-1)/d) for two
    boundary  surface / p^(d-1) of here / p^d cells
    t(m)      an iteration of m unknowns on one GPU: lines between the measured times, and
              between the smallest one and short_seconds at m = 0
    interior  share * t(here) * (1 - boundary cells / cells), where `share` is the share
              of the product in the iteration
    packing   2 launch_seconds: a message is packed and unpacked by a kernel each
    message   exchange_seconds / 2 - packing + 8 * surface / bandwidth; where parts are on
              several hosts, host_latency is added, and half of the surface goes by host_bandwidth
    sums      log2(N) sum_seconds, and host_latency more for every step between hosts

    iteration = t(here) + 2 launch_seconds + 2 (packing + max(0, message - interior / 2)) + sums

t(here) has vectors, interior and boundary cells; these are three kernels instead of one, so that
two launches come on top. The first message is the import, which travels while one half of the
interior cells is worked on, the second one the export, beside the other half. One GPU takes t(n).
"""
import math

from plotting.records import BadInput, SAME_SIZE

DIMENSION = {"quadrilateral": 2, "hexahedron": 3}
PARTS = ("work", "short kernels", "boundary cells", "import", "export", "sums")
UNIFORM = (None, "uniform")
CONSTANTS = ("exchange_seconds", "sum_seconds", "bandwidth", "launch_seconds", "short_seconds",
             "gpus_per_host", "host_latency", "host_bandwidth", "imbalance", "memory_bandwidth",
             "vector_bytes", "pipelined_bytes", "steps", "cycle_work", "coarsest", "gathered",
             "least_part")


def constants(records, assumed):
    """Returns the constants of the records as {name: value}, with those that are assumed
    instead, KEY=VALUE; an empty dictionary if no record has constants."""
    found = {}
    for of_record in filter(None, (record.get("model") for record in records)):
        for name in CONSTANTS:
            of = of_record.get(name) if isinstance(of_record, dict) else None
            if not isinstance(of, dict) or not isinstance(of.get("value"), (int, float)):
                raise BadInput(f"the constant \"{name}\" of a model has no value.")
            found[name] = of["value"]
    for text in assumed:
        name, _, number = text.partition("=")
        if name not in CONSTANTS:
            raise BadInput(f"--assume was given \"{text}\"; legal are {', '.join(CONSTANTS)}.")
        if not found:
            raise BadInput("--assume is for records that have constants of a model.")
        try:
            found[name] = float(number)
        except ValueError:
            raise BadInput(f"--assume was given \"{text}\"; it takes KEY=VALUE.") from None
        if not 0 < found[name] < math.inf:
            raise BadInput(f"--assume was given \"{text}\"; the value must be positive.")
    return found


def grid(n_parts, dim):
    """Returns the numbers of parts by direction, for a power of two."""
    result = [1] * dim
    while math.prod(result) < n_parts:
        result[result.index(min(result))] *= 2
    return result


def surface(n, n_parts, dim):
    """Returns the unknowns that a part among others shares with them."""
    q = grid(n_parts, dim)
    sides = [n ** (1 / dim) / q_i for q_i in q]
    return sum(min(2, q_i - 1) * math.prod(sides) / side for q_i, side in zip(q, sides))


def processes(row):
    return row["parameters"].get("processes", 1)


def near(n, m):
    """True for numbers of unknowns that meshes of one size have."""
    return max(n / m, m / n) <= SAME_SIZE


def of_model(row):
    """True for rows that the model knows: matrix_free in double with one coefficient."""
    return (row["backend"] == "cuda" and row["operator"] == "matrix_free" and
            row["library"] == "tessera" and row["number"] == "double" and
            row["degree"] is not None and row.get("seconds_median") and
            row["parameters"].get("coefficient") in UNIFORM and
            row["parameters"].get("cell_type", "quadrilateral") in DIMENSION)


class Model:
    """The model of one type of cells and degree. `rows` are records' rows of iterations and
    products, `constant` what `constants` returns."""

    def __init__(self, rows, cell_type, degree, constant):
        mine = [row for row in rows if of_model(row) and row["degree"] == degree and
                row["parameters"].get("cell_type", "quadrilateral") == cell_type]
        self.constant, self.dim, self.degree = constant, DIMENSION[cell_type], degree
        self.several = [row for row in mine if row["kind"] == "cg" and processes(row) > 1]
        alone = [row for row in mine if row["kind"] == "cg" and processes(row) == 1]
        # Times of the machine that has several GPUs come before others of that size.
        alone.sort(key=lambda row: "processes" not in row["parameters"])
        self.times = []
        for row in alone:
            n = row["dofs"]
            if not any(near(n, m) for m, _ in self.times):
                self.times.append((n, row["seconds_median"]))
        self.times.sort()
        # The largest product and the iteration of the same record have the same unknowns.
        shares = [(row["dofs"], row["seconds_median"] / other["seconds_median"])
                  for row in mine if row["kind"] == "application" and processes(row) == 1
                  for other in alone if other["dofs"] == row["dofs"] and
                  ("processes" in other["parameters"]) == ("processes" in row["parameters"])]
        self.share = max(shares, default=(0, None))[1]

    def complete(self):
        return bool(self.times) and self.share is not None

    def alone(self, n):
        """Returns the seconds of an iteration on one GPU."""
        points = [(0, self.constant["short_seconds"]), *self.times]
        k = next((k for k in range(1, len(points)) if n <= points[k][0]), len(points) - 1)
        (n0, t0), (n1, t1) = points[k - 1], points[k]
        return t0 + (t1 - t0) * (n - n0) / (n1 - n0)

    def iteration(self, n, n_parts, ideal):
        """Returns the seconds of an iteration by PARTS. `ideal` would be lost by none."""
        if n_parts == 1:
            return dict(zip(PARTS, (self.alone(n), 0, 0, 0, 0, 0)))
        c, d, p = self.constant, self.dim, self.degree
        here = c["imbalance"] * n / n_parts
        shared = surface(n, n_parts, d)
        whole = self.alone(here)
        of_boundary = min(1, shared / p ** (d - 1) / (here / p ** d))
        interior = self.share * whole * (1 - of_boundary)
        packing = 2 * c["launch_seconds"]
        seen = packing + max(0, self.message(shared, n_parts, 0.5) - packing - interior / 2)
        return dict(zip(PARTS, (ideal, whole - ideal, 2 * c["launch_seconds"], seen, seen,
                                self.sums(n_parts))))

    def hosts(self, n_parts):
        return n_parts / min(n_parts, self.constant["gpus_per_host"])

    def message(self, values, n_parts, abroad):
        """Returns the seconds of a message with its packing. Where parts are on several hosts, the
        share `abroad` of its values goes between them."""
        c = self.constant
        seconds, several = c["exchange_seconds"] / 2, self.hosts(n_parts) > 1
        return seconds + max(8 * values / c["bandwidth"],
                             several * 8 * abroad * values / c["host_bandwidth"]) + \
            several * c["host_latency"]

    def sums(self, n_parts):
        """Returns the seconds of a sum over all parts."""
        return (math.log2(n_parts) * self.constant["sum_seconds"] +
                math.log2(self.hosts(n_parts)) * self.constant["host_latency"])

    def strong(self, n, n_parts):
        return self.iteration(n, n_parts, self.alone(n) / n_parts)

    def weak(self, n_of_one, n_parts):
        return self.iteration(n_of_one * n_parts, n_parts, self.alone(n_of_one))


def efficiency(seconds):
    """Returns the part of the time that is not lost."""
    return seconds["work"] / sum(seconds.values())


def largest_loss(seconds):
    return max(PARTS[1:], key=lambda part: seconds[part])


def models(rows, constant):
    """Returns {(cell type, degree): model} of those that have all times."""
    if not constant:
        return {}
    found = {(cell_type, degree): Model(rows, cell_type, degree, constant)
             for cell_type in DIMENSION for degree in range(1, 5)}
    return {key: model for key, model in found.items() if model.complete()}
