"""Dots: a line for each name and, in it, a mark for each series of numbers."""


def draw_dots(axes, names, series, ranges=None):
    """Draws the names from the top; `series` is {label: {name: number}}. With `ranges`,
    {label: {name: (low, high)}}, series are below each other in a line, each with its range."""
    from .drawing import COLORS, MARKERS
    for k, (label, numbers) in enumerate(series.items()):
        shift = 0.25 * (k - (len(series) - 1) / 2) if ranges else 0.
        places = {name: place + shift for place, name in enumerate(names) if name in numbers}
        look = {"color": COLORS[k % len(COLORS)], "zorder": 3}
        if ranges:
            axes.hlines(places.values(), *zip(*(ranges[label][name] for name in places)), linewidth=1.4, **look)
        axes.plot([numbers[name] for name in places], list(places.values()), linestyle="none",
                  marker=MARKERS[k % len(MARKERS)], markersize=5 if ranges else 6.5, label=label, **look)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.grid(True, which="major", axis="x", linewidth=0.4, color="#cccccc")
    for place in range(len(names)):
        axes.axhline(place + 0.5 if ranges else place, linewidth=0.4, color="#cccccc")
    axes.set_axisbelow(True)
