"""Time lines: when the parts of a product begin and end in each of several processes, from the
rows that bench_scaling with Study/Time line writes."""

# Parts by the beginning of their parameters, *_begin and *_end: with their words and colours.
PARTS = {"pack": ("pack and unpack", "#CC79A7"),
         "interior": ("while values travel", "#0072B2"),
         "unpack": ("pack and unpack", "#CC79A7"),
         "boundary": ("after they have arrived", "#56B4E9"),
         "pack_export": ("pack and unpack", "#CC79A7"),
         "rest": ("while values travel", "#0072B2"),
         "add": ("pack and unpack", "#CC79A7"),
         "import": ("ghosts under way to be read", "#D55E00"),
         "export": ("sums under way to their owners", "#E69F00")}
MESSAGES = ("import", "export")
FIGURES = {"time_line": "when the parts of a product begin and end in each process; rows of "
                        "bench_scaling with Study/Time line"}


def damage_of_time_line(row):
    """Returns the first field that is not as the figure needs it, or None."""
    of = row["parameters"]
    if not isinstance(of.get("process"), int):
        return "process"
    for part in PARTS:
        begin, end = (of.get(f"{part}_{side}") for side in ("begin", "end"))
        if not all(isinstance(number, (int, float)) for number in (begin, end)) or begin > end:
            return part + "_begin"
    return None


def spans(row, part):
    """Returns begin and end of a part in microseconds."""
    return tuple(1e6 * row["parameters"][f"{part}_{side}"] for side in ("begin", "end"))


def hidden(rows, message, beside):
    """Returns the part of the time under way of the longest message, `import` or `export`, that
    is beside the part `beside` of its process."""
    row = max(rows, key=lambda row: spans(row, message)[1] - spans(row, message)[0])
    (first, last), (begin, end) = spans(row, message), spans(row, beside)
    return max(0., min(last, end) - max(first, begin)) / max(last - first, 1e-30)


def lines(rows):
    """Returns {case and operator: rows by process}."""
    found = {}
    for row in sorted(rows, key=lambda row: row["parameters"]["process"]):
        found.setdefault((row["case"], row["dofs"], row["operator"]), []).append(row)
    return found


def draw(rows, path, source):
    """Draws a panel for each product, with two lanes for each process."""
    from .drawing import plt
    found = lines(rows)
    n_lanes = sum(2 * len(mine) + 2 for mine in found.values())
    figure, axes = plt.subplots(len(found), 1, squeeze=False,
                                figsize=(10.5, 1 + 0.33 * n_lanes))
    for axis, ((case, dofs, operator), mine) in zip(axes.flat, found.items()):
        for place, row in enumerate(mine):
            for part, (label, color) in PARTS.items():
                begin, end = spans(row, part)
                axis.barh(2 * place + (part in MESSAGES), end - begin, left=begin, color=color,
                          label=label, height=0.8)
        axis.set_yticks(range(2 * len(mine)),
                        [f"{row['parameters']['process']}, {lane}" for row in mine
                         for lane in ("cells or rows", "messages")], fontsize=7)
        axis.invert_yaxis()
        axis.grid(alpha=0.3, axis="x")
        axis.tick_params(axis="x", labelsize=7)
        axis.set_title(f"{operator}, {case}, {1e-6 * dofs:.3g} M unknowns: "
                       f"{100 * hidden(mine, 'import', 'interior'):.0f} % of the longest import and "
                       f"{100 * hidden(mine, 'export', 'rest'):.0f} % of the longest export are "
                       "beside work that needs neither", fontsize=8)
        axis.set_xlabel("microseconds", fontsize=7)
    handles = {label: handle for axis in figure.axes
               for handle, label in zip(*axis.get_legend_handles_labels())}
    figure.legend(handles.values(), handles.keys(), loc="lower center", fontsize=7,
                  ncol=len(handles), frameon=False, bbox_to_anchor=(0.5, 0.01))
    figure.tight_layout(rect=(0, 0.4 / figure.get_size_inches()[1], 1, 1))
    figure.text(0.995, 0.003, f"{rows[0]['machine']}, {source}", ha="right", va="bottom",
                fontsize=6, color="#666666")
    figure.savefig(path, dpi=120)
    plt.close(figure)
