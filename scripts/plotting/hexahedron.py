#!/usr/bin/python3
"""Draws doc/figures/hexahedron.png and hexahedron_planes.png: how the threads of a block share hexahedra of degree 2.

usage: scripts/plotting/hexahedron.py FILE.png

The numbers come from TeamShape in include/tessera/space/hexahedron_team.cuh and PlaneShape in
source/kernels/plane_memory.cuh; a file whose name has "planes" in it gets the latter.
"""
import os
import sys
import tempfile

os.environ.setdefault("MPLCONFIGDIR", tempfile.gettempdir())
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.patches import Rectangle

N, LANES, THREADS = 3, 16, 160
MEMBERS = N * N
THREAD = (2, 1)  # the thread (i0, i1) that the pictures follow
OWN, OTHER = "#D55E00", "#BBBBBB"
WARPS = ("#56B4E9", "#C7E6F7")


def place(i0, i1, i2):
    """Returns where a node stands on the paper: direction 0 to the right, 1 to the back, 2 up."""
    return i0 + 0.55 * i1, i2 + 0.4 * i1


def lattice(axes, title, text, has):
    """Draws the nodes or points of a cell, and in another colour those that a thread has."""
    last = N - 1
    for a in range(N):
        for b in range(N):
            for line in ([(0, a, b), (last, a, b)], [(a, 0, b), (a, last, b)], [(a, b, 0), (a, b, last)]):
                axes.plot(*zip(*(place(*node) for node in line)), color="#DDDDDD", linewidth=0.8, zorder=1)
    for a in range(N):
        for b in range(N):
            for line in ([(0, a, b), (last, a, b)], [(a, 0, b), (a, last, b)], [(a, b, 0), (a, b, last)]):
                if has(*line[0]) and has(*line[1]):
                    axes.plot(*zip(*(place(*node) for node in line)), color=OWN, linewidth=3, zorder=2)
    for i1 in reversed(range(N)):
        for i0 in range(N):
            for i2 in range(N):
                own = has(i0, i1, i2)
                axes.plot(*place(i0, i1, i2), "o", color=OWN if own else OTHER, markersize=10 if own else 6,
                          zorder=3)
    axes.set_title(title, fontsize=11)
    axes.text(0.5, -0.12, text, transform=axes.transAxes, ha="center", va="top", fontsize=9)
    axes.set_aspect("equal")
    axes.axis("off")


def lattices(figure, grid, steps):
    """Draws a cell for each step, with the directions beside the first one."""
    for k, (title, text, has) in enumerate(steps):
        axes = figure.add_subplot(grid[0, k])
        lattice(axes, title, text, has)
        if k == 0:
            for direction, (x, y) in enumerate(((1.5, -0.3), (2.9, 0.25), (-0.3, 1.5))):
                axes.text(x, y, str(direction), ha="center", va="center", fontsize=9)


def block(axes):
    """Draws the threads of a block: a row for each member of a team, a column for each cell."""
    for thread in range(THREADS):
        member, lane = divmod(thread, LANES)
        idle = member >= MEMBERS
        axes.add_patch(Rectangle((lane, member), 1, 1, edgecolor="white",
                                 facecolor="#EEEEEE" if idle else WARPS[thread // 32 % 2]))
        axes.text(lane + 0.5, member + 0.5, str(thread), ha="center", va="center", fontsize=7,
                  color="#999999" if idle else "black")
    axes.add_patch(Rectangle((3, 0), 1, MEMBERS, fill=False, edgecolor=OWN, linewidth=2.5))
    for member in range(MEMBERS):
        axes.text(-0.2, member + 0.5, f"line ({member % N}, {member // N})", ha="right", va="center",
                  fontsize=8)
    axes.text(-0.2, MEMBERS + 0.5, "write nothing", ha="right", va="center", fontsize=8)
    for lane in range(LANES):
        axes.text(lane + 0.5, -0.35, str(lane), ha="center", va="center", fontsize=8)
    axes.text(-0.2, -0.35, "cell", ha="right", va="center", fontsize=8)
    axes.text(LANES + 0.3, 4.5, "a column is a team:\nthe threads of one cell\n\n"
              "two rows of a colour are a warp:\n32 neighbouring threads\nread 16 neighbouring cells", va="center",
              fontsize=9)
    axes.set_xlim(-3, LANES + 6)
    axes.set_ylim(MEMBERS + 1.1, -0.9)
    axes.axis("off")


def planes(file):
    """Draws a thread's row of lines, its plane of points, and the warps of a block."""
    figure = plt.figure(figsize=(10, 6))
    grid = figure.add_gridspec(2, 4, height_ratios=(1, 0.5), hspace=0.35, wspace=0.05)
    row = lambda i0, i1, i2: i1 == 1
    plane = lambda i0, i1, i2: i2 == 1
    steps = (("nodes of a cell", "a thread has a row of lines", row),
             ("first pass", "along its lines to u and\ndu/d$\\xi_2$ on all planes", row),
             ("second pass", "on its plane of points: sums\nover 0 and 1, the flux,\nand back", plane),
             ("third pass", "along its lines to r", row))
    lattices(figure, grid, steps)
    axes = figure.add_subplot(grid[1, :])
    for member in range(N):
        for lane in range(32):
            axes.add_patch(Rectangle((lane, member), 1, 1, edgecolor="white", facecolor=WARPS[member % 2]))
            axes.text(lane + 0.5, member + 0.5, str(32 * member + lane), ha="center", va="center", fontsize=6)
        axes.text(-0.2, member + 0.5, f"row {member}, plane {member}", ha="right", va="center", fontsize=8)
    axes.add_patch(Rectangle((3, 0), 1, N, fill=False, edgecolor=OWN, linewidth=2.5))
    for lane in range(32):
        axes.text(lane + 0.5, -0.35, str(lane), ha="center", va="center", fontsize=7)
    axes.text(-0.2, -0.35, "cell", ha="right", va="center", fontsize=8)
    axes.text(16, N + 0.6, "a column has the threads of one cell, a row is a warp: 32 threads, 32 cells",
              ha="center", va="center", fontsize=9)
    axes.set_xlim(-5, 33)
    axes.set_ylim(N + 1, -0.9)
    axes.axis("off")
    figure.savefig(file, dpi=110, bbox_inches="tight", metadata={"Software": None})


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if "planes" in os.path.basename(sys.argv[1]):
        planes(sys.argv[1])
        return
    figure = plt.figure(figsize=(10, 7.4))
    grid = figure.add_gridspec(2, 4, height_ratios=(1, 1.15), hspace=0.12, wspace=0.05)
    i0, i1 = THREAD
    nodes = lambda *node: node[:2] == (i0, i1)
    steps = (("nodes of a cell", "a thread has a line of nodes", nodes),
             ("sum over direction 2", "along its line,\nin registers", nodes),
             ("sum over direction 1", "along a line that the team\nleft in shared memory",
              lambda *node: (node[0], node[2]) == (i0, i1)),
             ("sum over direction 0", "along another one; now it has\na line of points",
              lambda *node: node[1:] == (i0, i1)))
    lattices(figure, grid, steps)
    block(figure.add_subplot(grid[1, :]))
    figure.savefig(sys.argv[1], dpi=110, bbox_inches="tight", metadata={"Software": None})


if __name__ == "__main__":
    main()
