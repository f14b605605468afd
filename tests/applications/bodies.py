#!/usr/bin/python3
"""Makes twenty parts as surfaces of triangles and meshes each with elements of three
sizes. Every mesh must have cells of positive volume, and together they must have the volume
that the surface encloses to 0.5 %, in a given time of a core.

usage: bodies.py PROGRAM [--all | NAME...] [--table]
Without names it meshes a few parts with two sizes. --table prints the results as the table
of a page.
"""
import math
import os
import re
import resource
import subprocess
import sys
import tempfile

MOST_SECONDS = 240  # of a core; a busy machine may take ten times as long
# Edges of the elements as parts of the diagonal of the bounding box.
SIZES = (6, 12, 20)
FEW = ("bolt", "keyed gear", "bracket", "hollow sphere")


def circle(radius, n, x=0.0, y=0.0):
    return tuple((x + radius * math.cos(2 * math.pi * i / n),
                  y + radius * math.sin(2 * math.pi * i / n)) for i in range(n))


def rounded(corners):
    """Returns a polygon of corners (x, y, radius), each with an arc of that radius."""
    ring = []
    for i, (x, y, radius) in enumerate(corners):
        towards = []
        for other in (corners[i - 1], corners[(i + 1) % len(corners)]):
            length = math.dist(other[:2], (x, y))
            towards.append(((other[0] - x) / length, (other[1] - y) / length))
        (a, b), (c, d) = towards
        half = math.acos(a * c + b * d) / 2
        if radius == 0:
            ring.append((x, y))
            continue
        along = radius / math.tan(half)
        to_centre = radius / math.sin(half) / math.hypot(a + c, b + d)
        centre = (x + (a + c) * to_centre, y + (b + d) * to_centre)
        start = math.atan2(y + b * along - centre[1], x + a * along - centre[0])
        end = math.atan2(y + d * along - centre[1], x + c * along - centre[0])
        turn = (end - start + math.pi) % (2 * math.pi) - math.pi
        n = max(2, math.ceil(abs(turn) / math.radians(15)))
        ring += [(centre[0] + radius * math.cos(start + turn * k / n),
                  centre[1] + radius * math.sin(start + turn * k / n)) for k in range(n + 1)]
    return tuple(ring)


def rectangle(x, y, width, depth, radius=0.0):
    return rounded([(x, y, radius), (x + width, y, radius), (x + width, y + depth, radius),
                    (x, y + depth, radius)])


def area(ring):
    return sum(p[0] * q[1] - q[0] * p[1] for p, q in zip(ring, ring[1:] + ring[:1])) / 2


def inside(point, ring):
    x, y = point
    return sum((p[1] > y) != (q[1] > y) and
               x < p[0] + (y - p[1]) / (q[1] - p[1]) * (q[0] - p[0])
               for p, q in zip(ring, ring[1:] + ring[:1])) % 2 == 1


def turn(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def cross(a, b, c, d):
    return (turn(a, b, c) > 0) != (turn(a, b, d) > 0) and \
        (turn(c, d, a) > 0) != (turn(c, d, b) > 0)


def triangulate(outer, holes):
    """Cuts ears off a polygon, whose holes are joined with it by bridges."""
    ring = list(outer if area(outer) > 0 else outer[::-1])
    for hole in sorted(holes, key=lambda h: -max(h)[0]):
        hole = list(hole if area(hole) < 0 else hole[::-1])
        edges = [(p, q) for r in [ring] + [list(h) for h in holes]
                 for p, q in zip(r, r[1:] + r[:1])]
        first = hole.index(max(hole))
        start = hole[first]
        for k in sorted(range(len(ring)), key=lambda k: math.dist(ring[k], start)):
            if not any(start not in e and ring[k] not in e and cross(start, ring[k], *e)
                       for e in edges) and turn(ring[k - 1], ring[k], start) > -1e-12 or \
                    not any(start not in e and ring[k] not in e and
                            cross(start, ring[k], *e) for e in edges) and \
                    turn(ring[k], ring[(k + 1) % len(ring)], start) > 1e-12:
                ring = ring[:k + 1] + hole[first:] + hole[:first + 1] + ring[k:]
                break
    triangles = []
    while len(ring) > 3:
        best = None
        for k in range(len(ring)):
            a, b, c = ring[k - 1], ring[k], ring[(k + 1) % len(ring)]
            height = turn(a, b, c) / max(math.dist(a, b), math.dist(b, c), math.dist(c, a))
            if height > 1e-9 and (best is None or height > best[0] * 1.5) and \
                    not any(p not in (a, b, c) and turn(a, b, p) >= 0 and
                            turn(b, c, p) >= 0 and turn(c, a, p) >= 0 for p in ring):
                best = (height, k)
        k = best[1]
        triangles.append((ring[k - 1], ring[k], ring[(k + 1) % len(ring)]))
        del ring[k]
    return triangles + [tuple(ring)]


class Surface:
    def __init__(self):
        self.triangles = []

    def add(self, *points):
        if len(set(points)) == 3:
            self.triangles.append(points)

    def wall(self, ring, low, high, outwards):
        for p, q in zip(ring, ring[1:] + ring[:1]):
            a, b, c, d = (*p, low), (*q, low), (*q, high), (*p, high)
            for t in ((a, b, c), (a, c, d)):
                self.add(*(t if outwards else t[::-1]))

    def cap(self, rings, z, up):
        """Covers what is between rings that do not touch."""
        depth = {r: sum(inside(r[0], s) for s in rings if s != r) for r in rings}
        for outer in (r for r in rings if depth[r] % 2 == 0):
            holes = [r for r in rings if depth[r] == depth[outer] + 1 and inside(r[0], outer)]
            for t in triangulate(outer, holes):
                t = [(*p, z) for p in t]
                self.add(*(t if up else t[::-1]))


def stack(layers, steps=1):
    """Piles up layers (height, rings), each what is between its rings. Rings of two
    layers are the same or do not touch."""
    surface, z = Surface(), 0.0
    below = ()
    for height, rings in list(layers) + [(0.0, ())]:
        rings = tuple(r if area(r) > 0 else r[::-1] for r in rings)
        changed = [r for r in below + rings if (r in below) != (r in rings)]
        for up, of_side in ((True, below), (False, rings)):
            # What is there on this side of the plane alone.
            depth = {r: sum(inside(r[0], s) for s in changed if s != r) for r in changed}
            for outer in (r for r in changed if depth[r] % 2 == 0):
                group = [outer] + [r for r in changed
                                   if depth[r] == depth[outer] + 1 and inside(r[0], outer)]
                p = triangulate(outer, group[1:])[0]
                middle = tuple(sum(x) / 3 for x in zip(*p))
                if sum(inside(middle, s) for s in of_side) % 2 == 1:
                    surface.cap(group, z, up)
        for ring in rings:
            outwards = sum(inside(ring[0], s) for s in rings if s != ring) % 2 == 0
            for k in range(steps):
                surface.wall(ring, z + height * k / steps, z + height * (k + 1) / steps,
                             outwards)
        below, z = rings, z + height
    return surface.triangles


def revolve(profile, n):
    """Turns a polygon of points (r, z) around the axis; a point may lie on it."""
    surface = Surface()
    ring = profile if area(profile) > 0 else profile[::-1]
    unit = circle(1.0, n)

    def point(p, i):
        return (p[0] * unit[i % n][0], p[0] * unit[i % n][1], p[1])

    for p, q in zip(ring, ring[1:] + ring[:1]):
        if p[0] == 0 and q[0] == 0:
            continue
        for i in range(n):
            a, b, c, d = point(p, i), point(p, i + 1), point(q, i + 1), point(q, i)
            surface.add(a, b, c)
            surface.add(a, c, d)
    return surface.triangles


def move(triangles, function):
    return [tuple(function(*p) for p in t) for t in triangles]


def gear(n_teeth, root, tip):
    ring = []
    for i in range(n_teeth):
        for radius, part in ((root, 0.0), (root, 0.3), (tip, 0.45), (tip, 0.75)):
            angle = 2 * math.pi * (i + part) / n_teeth
            ring.append((radius * math.cos(angle), radius * math.sin(angle)))
    return tuple(ring)


def twisted(angle):
    return lambda x, y, z: (x * math.cos(angle * z) - y * math.sin(angle * z),
                            x * math.sin(angle * z) + y * math.cos(angle * z), z)


def bent(radius):
    return lambda x, y, z: ((radius + x) * math.cos(z / radius) - radius, y,
                            (radius + x) * math.sin(z / radius))


def sphere(radius, n):
    return [(radius * math.sin(math.pi * k / n) if 0 < k < n else 0.0,
             -radius * math.cos(math.pi * k / n)) for k in range(n + 1)]


def keyed_bore():
    bore = [p for p in circle(4.0, 40) if p[0] < 3.7]
    k = max(range(len(bore)), key=lambda i: math.dist(bore[i], bore[i - 1]))
    return tuple(bore[:k] + [(5.5, bore[k - 1][1]), (5.5, bore[k][1])] + bore[k:])


def parts():
    hexagon = circle(8.0, 6)
    posts = [circle(3.0, 20, x, y) for x in (-20.0, 20.0) for y in (-10.0, 10.0)]
    drills = [circle(1.2, 16, x, y) for x in (-20.0, 20.0) for y in (-10.0, 10.0)]
    tray, pocket = rectangle(-30, -18, 60, 36, 5), rectangle(-28.5, -16.5, 57, 33, 3.5)
    holes = [circle(2.5, 18, 24 * math.cos(a * math.pi / 4), 24 * math.sin(a * math.pi / 4))
             for a in range(8)]
    lightening = [circle(4.0, 24, 15 * math.cos(a * math.pi / 3),
                         15 * math.sin(a * math.pi / 3)) for a in range(6)]
    grooves = [(0, 0), (5, 0), (5, 6)]
    for k in range(8):
        grooves += [(5, 8 + 3 * k), (3.8, 8.8 + 3 * k), (3.8, 9.4 + 3 * k), (5, 10.2 + 3 * k)]
    return {
        "rod": lambda: revolve(((0, 0), (1, 0), (1, 20), (0, 20)), 64),
        "stepped shaft": lambda: revolve(rounded([
            (0, 0, 0), (10, 0, 1), (10, 20, 1), (6, 20, 2), (6, 50, 0.5), (4, 50, 1),
            (4, 70, 0.8), (0, 70, 0)]), 48),
        "bolt": lambda: stack([(5, (hexagon,)), (30, (circle(5.0, 36),))]),
        "grooved bolt": lambda: revolve(tuple(grooves + [(5, 34), (9, 34), (9, 40), (0, 40)]), 40),
        "nut": lambda: stack([(6, (hexagon, circle(5.0, 36)))]),
        "washer": lambda: stack([(0.5, (circle(10.0, 60), circle(5.0, 60)))]),
        "keyed gear": lambda: stack([(6, (gear(12, 10.0, 13.0), keyed_bore()))]),
        "gear with hub": lambda: stack([
            (4, (circle(8.0, 40), circle(4.0, 30))),
            (5, (gear(24, 22.0, 25.0), circle(4.0, 30), *lightening)),
            (4, (circle(8.0, 40), circle(4.0, 30)))]),
        "helical gear": lambda: move(stack([(10, (gear(16, 12.0, 15.0), circle(5.0, 36)))], 12),
                             twisted(0.04)),
        "bracket": lambda: move(stack([(30, (rounded([
            (0, 0, 0), (40, 0, 2), (40, 5, 2), (5, 5, 6), (5, 40, 2), (0, 40, 2)]),))]),
                        lambda x, y, z: (x, -z, y)),
        "plate with holes": lambda: stack([(4, (rectangle(-30, -20, 60, 40, 6),
                                        *[circle(3.0, 24, x, y) for x in (-22.0, 22.0)
                                          for y in (-12.0, 12.0)], circle(9.0, 48)))]),
        "channel": lambda: stack([(80, (rounded([
            (0, 0, 3), (30, 0, 3), (30, 20, 0), (29, 20, 0), (29, 1, 2), (1, 1, 2),
            (1, 20, 0), (0, 20, 0)]),))]),
        "thin box": lambda: stack([(1, (rectangle(-20, -15, 40, 30, 4),)),
                           (20, (rectangle(-20, -15, 40, 30, 4),
                                 rectangle(-19, -14, 38, 28, 3)))]),
        "box with posts": lambda: stack([(2, (tray,)), (8, (tray, pocket, *posts)),
                                 (6, (tray, pocket, *posts, *drills)), (4, (tray, pocket))]),
        "flanged pipe": lambda: stack([(5, (circle(30.0, 60), circle(12.0, 48), *holes)),
                               (50, (circle(15.0, 48), circle(12.0, 48))),
                               (5, (circle(30.0, 60), circle(12.0, 48), *holes))]),
        "pulley": lambda: revolve(rounded([
            (5, 0, 0.5), (12, 0, 1), (12, 6, 2), (26, 6, 2), (26, 0, 1), (32, 0, 1),
            (32, 4, 1), (27, 8, 2), (32, 12, 1), (32, 16, 1), (26, 16, 1), (26, 10, 2),
            (12, 10, 2), (12, 16, 1), (5, 16, 0.5)]), 72),
        "bent tube": lambda: move(stack([(60, (circle(6.0, 36), circle(5.0, 36)))], 30), bent(25.0)),
        "cup": lambda: revolve(rounded([
            (0, 0, 0), (15, 0, 5), (18, 40, 0.4), (17, 40, 0.4), (14, 1, 4), (0, 1, 0)]), 60),
        "hollow sphere": lambda: revolve(tuple(sphere(10.0, 18)), 36) +
                         [t[::-1] for t in revolve(tuple(sphere(8.0, 15)), 30)],
        "heat sink": lambda: stack([(4, (rectangle(0, 0, 50, 40),)),
                            (20, tuple(rectangle(2 + 6 * k, 1, 1.2, 38) for k in range(8)))]),
    }


def volume(triangles):
    total = 0.0
    for a, b, c in triangles:
        total += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                  a[2] * (b[0] * c[1] - b[1] * c[0])) / 6
    return total


def write(triangles, path):
    with open(path, "w", encoding="utf-8") as out:
        out.write("solid part\n")
        for triangle in triangles:
            out.write("facet normal 0 0 0\nouter loop\n")
            for point in triangle:
                # -0.0 and 0.0 are one number, and rounding makes equal points equal.
                out.write("vertex %.7g %.7g %.7g\n" % tuple(round(x, 9) + 0.0 for x in point))
            out.write("endloop\nendfacet\n")
        out.write("endsolid part\n")


def seconds_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def mesh(program, folder, path, size):
    """Returns how a run ended, its seconds of a core and what it printed."""
    prm = os.path.join(folder, "part.prm")
    with open(prm, "w", encoding="utf-8") as out:
        out.write(f"subsection Mesh\n  set Type = file\n  set File = {path}\n"
                  f"  set Element size = {size}\n  set Initial refinement = 0\n"
                  f"  set Meshing time = {10 * MOST_SECONDS}\nend\n")
    begin = seconds_of_children()
    try:
        run = subprocess.run([program, prm, "--mesh-only", "--output",
                              os.path.join(folder, "out")], capture_output=True, text=True,
                             timeout=11 * MOST_SECONDS, check=False)
    except subprocess.TimeoutExpired as error:
        return -1, seconds_of_children() - begin, str(error)
    return run.returncode, seconds_of_children() - begin, run.stdout + run.stderr


def main():
    arguments = sys.argv[1:]
    table = "--table" in arguments
    program = arguments[0]
    made = parts()
    names = [a for a in arguments[1:] if a in made]
    if "--all" in arguments:
        names = list(made)
    names = names or list(FEW)
    failures = 0
    if table:
        print("| part | triangles | size | cells | volume off by | worst quality | surface | time |")
        print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            triangles = made[name]()
            path = os.path.join(folder, name.replace(" ", "_") + ".stl")
            write(triangles, path)
            points = [p for t in triangles for p in t]
            diagonal = math.dist(*[[f(p[d] for p in points) for d in range(3)]
                                   for f in (min, max)])
            for part in SIZES if "--all" in arguments else SIZES[:2]:
                size = float("%.3g" % (diagonal / part))
                code, seconds, text = mesh(program, folder, path, size)
                found = re.search(r"^Volume +([0-9.e+-]+)", text, re.MULTILINE)
                worst = re.search(r"quality ([0-9.e+-]+) \(1", text)
                cells = re.search(r"^Cells +([0-9 ]+) of", text, re.MULTILINE)
                row = f"| {name} | {len(triangles)} | {size:g} "
                if code != 0 or not (found and worst and cells):
                    failures += 1
                    print(row + "| " + text.strip().split("\n")[-1], flush=True)
                    continue
                off = float(found[1]) / volume(triangles) - 1
                good = abs(off) < 0.0051 and float(worst[1]) > 0 and seconds < MOST_SECONDS
                failures += not good
                print(row + f"| {cells[1]} | {100 * off:+.2f} % | {worst[1]} | "
                      f"{'kept' if ' kept' in text else 'anew'} | {seconds:.0f} s |" +
                      ("" if good else " FAILED"), flush=True)
    print(f"{failures} failures" if failures else "all meshed", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
