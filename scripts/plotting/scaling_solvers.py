"""Multigrid and other methods of conjugate gradients on N GPUs, by the model of scaling_model.py.

A method changes the sums of an iteration and the bytes that its vectors move; `t`, `here` and
`share` come from that model:

    more bytes   (bytes of the method - vector_bytes) here / memory_bandwidth
    pipelined    max(0, sums - share t(here)): one sum, which travels beside the product
    s-step       sums / steps: one sum in `steps` iterations. The s + 1 vectors r, A r, ..., A^s r
                 are made by s products; with P = R + P B and A P the same, Gram's sums, x and r,
                 7 s + 5 vectors are read or written in s iterations, and the diagonal in float

Multigrid is one V-cycle as the preconditioner of an iteration with two sums. Its levels have
n_l = n / 2^(d l) unknowns as long as these are more than `coarsest`; level l has N_l parts:

    gathered     N_l = N for more than `gathered` unknowns; every process has all smaller levels
    fewer        N_l = the largest power of two up to N and n_l / least_part, at least 1

    level        cycle_work t(n_l / N_l): two smoothings, a residual and what else passes over it
    products     CYCLE_PRODUCTS (2 launch_seconds + import + export), if N_l > 1, hidden as in an
                 iteration; and the same once for the product of the iteration
    transfers    2 messages between levels l - 1 and l, if N_(l-1) > 1: of the surface of a part if
                 N_l = N_(l-1), of all n_l / N_l values of a part if N_l is less
    gathered     the first level that every process has: one more sum, and 8 n_l bytes of it
    coarsest     launch_seconds

Messages and sums of one level wait for the level before. Cycles compute and send doubles.
"""
import math

from plotting.scaling_model import surface

CYCLE_PRODUCTS = 4  # as doc/multigrid.md counts them
METHODS = ("single_reduction", "pipelined", "s-step")
WAYS = ("gathered", "fewer")
CYCLE_PARTS = ("work", "small levels", "messages", "sums")


def bytes_of(method, constant):
    """Returns the bytes an unknown that vectors move in an iteration."""
    s = constant["steps"]
    return {"single_reduction": constant["vector_bytes"], "pipelined": constant["pipelined_bytes"],
            "s-step": 8 * (7 * s + 5) / s + 4}[method]


def method_seconds(model, method, n, n_parts):
    """Returns the seconds of an iteration by a method."""
    c = model.constant
    seconds = model.iteration(n, n_parts, 0)
    here = n if n_parts == 1 else c["imbalance"] * n / n_parts
    sums = {"single_reduction": seconds["sums"], "s-step": seconds["sums"] / c["steps"],
            "pipelined": max(0, seconds["sums"] - model.share * model.alone(here))}[method]
    more = (bytes_of(method, c) - c["vector_bytes"]) * here / c["memory_bandwidth"]
    return sum(seconds.values()) - seconds["sums"] + sums + more


def levels(n, dim, coarsest):
    """Returns the unknowns of all levels but the coarsest one."""
    found = [n]
    while found[-1] / 2 ** dim > coarsest:
        found.append(found[-1] / 2 ** dim)
    return found


def parts_of(n, n_parts, way, constant):
    """Returns on how many parts a level is."""
    if way == "gathered":
        return n_parts if n > constant["gathered"] else 1
    most = min(n_parts, max(1, n / constant["least_part"]))
    return 2 ** math.floor(math.log2(most))


def transfers(model, n, n_parts, finer_parts):
    """Returns the seconds of restriction and prolongation between a level and the finer one."""
    if finer_parts == 1:
        return 0
    if n_parts == finer_parts:
        return 2 * model.message(surface(n, n_parts, model.dim), n_parts, 0.5)
    return 2 * model.message(n / n_parts, finer_parts, 1)


def cycle(model, n, n_parts, way, ideal):
    """Returns the seconds of an iteration with a cycle by CYCLE_PARTS."""
    c = model.constant
    arithmetic, messages, sums = c["launch_seconds"], 0, 2 * model.sums(n_parts)
    before, gathered = 1, n_parts == 1
    for level, m in enumerate(levels(n, model.dim, c["coarsest"])):
        now = n_parts if level == 0 else parts_of(m, n_parts, way, c)
        of_level = model.iteration(m, now, 0)
        arithmetic += (c["cycle_work"] + (level == 0)) * (of_level["work"] +
                                                          of_level["short kernels"])
        messages += (CYCLE_PRODUCTS + (level == 0)) * sum(
            of_level[part] for part in ("boundary cells", "import", "export"))
        if way == "gathered" and now == 1 and not gathered:
            gathered = True
            sums += model.sums(n_parts) + \
                8 * m / c["host_bandwidth" if model.hosts(n_parts) > 1 else "bandwidth"]
        elif level > 0:
            messages += transfers(model, m, now, before)
        before = now
    return dict(zip(CYCLE_PARTS, (ideal, arithmetic - ideal, messages, sums)))


def of_problem(model, grows, n, n_parts, way):
    """Returns the seconds of an iteration with a cycle by CYCLE_PARTS. `n` are the unknowns of the
    whole problem if it grows "strong", and of a part if it grows "weak"."""
    alone = sum(cycle(model, n, 1, way, 0).values())
    return cycle(model, n, n_parts, way, alone / n_parts) if grows == "strong" else \
        cycle(model, n * n_parts, n_parts, way, alone)
