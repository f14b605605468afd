"""Figures and tables of the model of N GPUs (scaling_model.py): how much of their time they
work, and what they lose the rest to."""
from plotting.scaling_model import (DIMENSION, PARTS, efficiency, largest_loss, near,
                                    processes)
from plotting.scaling_solvers import CYCLE_PARTS, METHODS, WAYS, method_seconds, of_problem

COUNTS = tuple(2 ** k for k in range(11))
SHOWN = (8, 64, 1024)
OF_METHODS, OF_CYCLES = (4, 64, 1024), (64, 1024)
COLORS = ("#0072B2", "#56B4E9", "#8C6D31", "#E69F00", "#D55E00", "#CC79A7")
PLURAL = {"quadrilateral": "quadrilaterals", "hexahedron": "hexahedra"}
# By name: how unknowns grow with GPUs, and their number.
PROBLEMS = {"16 M, strong": ("strong", 16e6), "1 G, strong": ("strong", 1e9),
            "16 M a GPU, weak": ("weak", 16e6)}
FIGURES = {"scaling_model": "a model of 1 to 1024 GPUs: efficiency of an iteration",
           "scaling_losses": "a model of 8, 64 and 1024 GPUs: what an iteration loses time to",
           "scaling_tables": "the numbers of this model, as tables"}
NEEDS = "records with constants of a model, and iterations and products of matrix_free are needed"


def iteration(model, problem, n_parts):
    way, n = PROBLEMS[problem]
    return getattr(model, way)(n, n_parts)


def percent(ratio):
    return f"{100 * ratio:.0f} %" if ratio > 0.095 else f"{100 * ratio:.1f} %"


def table(columns, rows):
    head, *lines = [f"| {' | '.join(row)} |\n" for row in (columns, *rows)]
    return head + "|---" + "|--:" * (len(columns) - 1) + "|\n" + "".join(lines)


def of_constants(record):
    """Returns the constants of a model with where they come from."""
    scales = {"s": (1e6, " us"), "byte/s": (1e-9, " GB/s"), "": (1, "")}
    return table(("constant", "value", "where it comes from"),
                 [(f"`{name}`", f"{scales[of['unit']][0] * of['value']:g}{scales[of['unit']][1]}",
                   ("measured: " if of["measured"] else "assumed: ") + of["about"])
                  for name, of in record["model"].items()])


def of_measured(found):
    """Returns the measured times of several GPUs beside the model's."""
    rows = []
    for (cell_type, degree), model in found.items():
        for row in model.several:
            n, seconds = row["dofs"], row["seconds_median"]
            modelled = sum(model.strong(n, processes(row)).values())
            rows.append((f"{PLURAL[cell_type]}, p = {degree}, {1e-6 * n:.3g} M",
                         str(processes(row)), f"{1e6 * seconds:.0f} us",
                         f"{1e6 * modelled:.0f} us", f"{100 * (modelled / seconds - 1):+.0f} %"))
    return table(("iteration", "GPUs", "measured", "model", "model over measured"), rows)


def of_efficiency(found, degree):
    """Returns the efficiency of one degree, and to what most is lost."""
    rows = []
    for problem in PROBLEMS:
        for (cell_type, p), model in found.items():
            if p == degree:
                times = [iteration(model, problem, n) for n in SHOWN]
                rows.append((f"{problem}, {PLURAL[cell_type]}", *map(largest_loss, times),
                             *(percent(efficiency(seconds)) for seconds in times)))
    return table((f"efficiency, p = {degree}", *(f"largest loss of {n}" for n in SHOWN),
                  *(f"{n} GPUs" for n in SHOWN)), rows)


def of_losses(found, problem, cell_type):
    rows = [(f"{n}, p = {degree}", *(f"{1e6 * seconds[part]:.1f}" for part in PARTS),
             percent(efficiency(seconds)))
            for n in SHOWN for (cells, degree), model in found.items() if cells == cell_type
            for seconds in [iteration(model, problem, n)]]
    return table(("GPUs", *PARTS, "efficiency"), rows)


def cases(found, degree):
    """Returns the name, way to grow, number of unknowns and model of each case of a degree."""
    return [(f"{problem}, {PLURAL[cell_type]}", *PROBLEMS[problem], model) for problem in PROBLEMS
            for (cell_type, p), model in found.items() if p == degree]


def of_methods(found, degree):
    """Returns how many times as fast methods with fewer visible sums are."""
    rows = []
    for name, way, n, model in cases(found, degree):
        row = [name]
        for n_parts in OF_METHODS:
            first, *others = (method_seconds(model, method, n * (n_parts if way == "weak" else 1),
                                             n_parts) for method in METHODS)
            row += [f"{first / seconds:.2f}" for seconds in others]
        rows.append(row)
    return table((f"times as fast as `single_reduction`, p = {degree}",
                  *(f"{method}, {n} GPUs" for n in OF_METHODS for method in METHODS[1:])), rows)


def of_cycles(found, degree):
    """Returns the efficiency of iterations with a cycle, and how many others take as long."""
    rows = []
    for name, grows, n, model in cases(found, degree):
        times = {(m, way): of_problem(model, grows, n, m, way) for m in OF_CYCLES for way in WAYS}
        last = times[OF_CYCLES[-1], "gathered"]
        rows.append((name, max(CYCLE_PARTS[1:], key=lambda part: last[part]),
                     *(percent(efficiency(seconds)) for seconds in times.values()),
                     *(f"{sum(of_problem(model, grows, n, m, 'gathered').values()) / one:.1f}"
                       for m in (1, *OF_CYCLES)
                       for one in [method_seconds(model, METHODS[0],
                                                  n * (m if grows == "weak" else 1), m)])))
    return table((f"an iteration with a cycle, p = {degree}", f"largest loss of {OF_CYCLES[-1]}",
                  *(f"{m} GPUs, {way}" for m in OF_CYCLES for way in WAYS),
                  *(f"iterations, {m} GPU{'s' * (m > 1)}" for m in (1, *OF_CYCLES))), rows)


def markdown(found, source):
    """Returns all tables of the model as a page."""
    parts = ["# The model of N GPUs\n\n"
             "Microseconds of an iteration, by what they go to; \"work\" is the time of one GPU over "
             "N (strong) or that of one GPU (weak), and \"short kernels\" what kernels of a small "
             "part take longer. The formulas are in `scripts/plotting/scaling_model.py`.\n",
             "## Beside two GPUs\n\n" + of_measured(found)]
    parts += [f"## Efficiency, degree {degree}\n\n" + of_efficiency(found, degree)
              for degree in sorted({degree for _, degree in found})]
    parts += [f"## {problem}, {PLURAL[cell_type]}\n\n" + of_losses(found, problem, cell_type)
              for problem in PROBLEMS for cell_type in DIMENSION
              if any(cells == cell_type for cells, _ in found)]
    parts += [f"## {title}, degree {degree}\n\n" + of(found, degree)
              for title, of in (("Methods", of_methods), ("Multigrid", of_cycles))
              for degree in sorted({degree for _, degree in found})]
    return "\n".join(parts) + f"\n{source}\n"


def draw(name, found, path, source):
    """Draws a figure of FIGURES: a column for each problem, a line for each type of cells."""
    from plotting.solver_figures import MARKERS, plt
    kinds = [cell_type for cell_type in DIMENSION if any(key[0] == cell_type for key in found)]
    figure, axes = plt.subplots(len(kinds), len(PROBLEMS), squeeze=False, sharey=True,
                                figsize=(4.4 * len(PROBLEMS), 3.2 * len(kinds)))
    for line, cell_type in zip(axes, kinds):
        mine = {degree: model for (cells, degree), model in found.items() if cells == cell_type}
        for axis, problem in zip(line, PROBLEMS):
            (draw_efficiency if name == "scaling_model" else draw_losses)(
                axis, mine, problem, MARKERS)
            axis.set_title(f"{problem}, {PLURAL[cell_type]}", fontsize=8)
            axis.grid(alpha=0.3, axis="y")
        line[0].set_ylabel("efficiency" if name == "scaling_model" else "part of the time")
    handles = {label: handle for axis in figure.axes
               for handle, label in zip(*axis.get_legend_handles_labels())}
    figure.legend(handles.values(), handles.keys(), loc="lower center", fontsize=7,
                  ncol=len(handles), frameon=False)
    figure.tight_layout(rect=(0, 0.05, 1, 1))
    figure.text(0.995, 0.005, source, ha="right", va="bottom", fontsize=6, color="#666666")
    figure.savefig(path, dpi=120)
    plt.close(figure)


def draw_efficiency(axis, mine, problem, markers):
    way, n = PROBLEMS[problem]
    for degree, model in mine.items():
        color, marker = COLORS[(0, 3, 5, 4)[degree - 1]], markers[degree - 1]
        axis.plot(COUNTS, [efficiency(iteration(model, problem, m)) for m in COUNTS],
                  color=color, linewidth=1.4, marker=marker, markersize=4,
                  label=f"p = {degree}, model")
        for row in model.several:
            if near(row["dofs"], n if way == "strong" else n * processes(row)):
                ideal = model.alone(n) / (processes(row) if way == "strong" else 1)
                axis.plot([processes(row)], [ideal / row["seconds_median"]], color=color,
                          marker=marker, markersize=9, fillstyle="none", linestyle="none",
                          label=f"p = {degree}, measured")
    axis.axvline(next(iter(mine.values())).constant["gpus_per_host"], color="#666666",
                 linewidth=0.8, linestyle=":", label="a host")
    axis.set_xscale("log", base=2)
    axis.set_xticks(COUNTS[::2], COUNTS[::2])
    axis.set_ylim(0, 1.05)
    axis.set_xlabel("GPUs")


def draw_losses(axis, mine, problem, _):
    bars = [(n, degree, iteration(model, problem, n)) for n in SHOWN
            for degree, model in mine.items()]
    places = [k + 0.8 * SHOWN.index(n) for k, (n, _, _) in enumerate(bars)]
    bottom = [0.] * len(bars)
    for part, color in zip(PARTS, COLORS):
        heights = [seconds[part] / sum(seconds.values()) for _, _, seconds in bars]
        axis.bar(places, heights, bottom=bottom, color=color, label=part)
        bottom = [low + height for low, height in zip(bottom, heights)]
    axis.set_xticks(places, [f"p={degree}" for _, degree, _ in bars], fontsize=6)
    for n in SHOWN:
        mine_here = [place for place, bar in zip(places, bars) if bar[0] == n]
        axis.text(sum(mine_here) / len(mine_here), 1.02, f"{n} GPUs", ha="center", fontsize=7)
    axis.set_ylim(0, 1.12)

