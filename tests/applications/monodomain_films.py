#!/usr/bin/python3
"""Lets prm/monodomain/spiral.prm turn on a coarse mesh, in one process and in two: one tip is there
after the second stimulus, in every file; films and maps of durations show what was computed.

usage: monodomain_films.py MONODOMAIN CASE
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

import divided
from programs import expect, finish, run, write
from run import ROOT, load_picture

picture = load_picture()
np = picture.np
SPIRAL = os.path.join(ROOT, "prm", "monodomain", "spiral.prm")
SETTINGS = ["Mesh/Initial refinement=6", "Time/End=760", "Output/Interval=20", "Checkpoint/At end=false"]
PLAIN = argparse.Namespace(field=None, deform=None, lines=None, keep=None)


def tips_of(series):
    """Returns {time: tips, as x, y and turn} of a series of files."""
    loaded = [(time, picture.load(file, PLAIN)) for time, file in series]
    return {time: picture.tips_between(before, now, -40).tolist()
            for (_, before), (time, now) in zip(loaded, loaded[1:])}


def check_film(folder, name, tips):
    """A film of the last four files has four pictures, and a file with the tips of three."""
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        head, *lines = file.read().split("<DataSet")
    write(folder, "last.pvd", "<DataSet".join([head, *lines[-4:]]))
    for end in (".gif", ".mp4"):
        film = os.path.join(folder, "last" + end)
        done = run([os.path.join(ROOT, "scripts", "picture"), os.path.join(folder, "last.pvd"), film,
                    "--film", "--tips", "-40", "--small"])
        if end == ".mp4" and not shutil.which("ffmpeg"):
            expect("ffmpeg" in done.stderr, f"no word of ffmpeg: {done.stderr}")
            print("There is no ffmpeg, so that .mp4 was skipped.")
            continue
        expect(done.returncode == 0, f"{film}: {done.stderr}")
        with open(film[:-4] + ".csv", encoding="utf-8") as file:
            rows = [[float(x) for x in row.split(",")] for row in file.read().split()[1:]]
        expect(np.allclose(rows, [[time, *tip] for time, (tip,) in list(tips.items())[-3:]], atol=1e-4),
               f"{film} has the tips {rows}")
        if end == ".gif":
            with picture.Image.open(film) as frames:
                expect(frames.n_frames == 4, f"{film} has {frames.n_frames} pictures")
        else:
            frames = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries",
                                     "stream=nb_read_frames", "-of", "csv=p=0", film],
                                    capture_output=True, text=True, check=True).stdout.strip()
            expect(frames == "4", f"{film} has {frames} pictures")


def check(folder, n):
    """Runs n processes; returns the tips, and the durations of action potentials."""
    divided.run(SPIRAL, SETTINGS, folder, n)
    tips = tips_of(picture.read_series(os.path.join(folder, "potential_p1_c0.pvd")))
    expect(len(tips) == 38 and not any(found for time, found in tips.items() if time < 560),
           f"{n} processes have tips before the second stimulus: {tips}")
    for time, found in tips.items():
        expect(time < 560 or len(found) == 1 and 26 < found[0][0] < 37 and 50 < found[0][1] < 60 and
               found[0][2] == 1, f"{n} processes have the tips {found} after {time} ms")
    check_film(folder, "potential_p1_c0.pvd", tips)
    end = "solution_p1_c0." + ("vtu" if n == 1 else "pvtu")
    png = os.path.join(folder, "durations.png")
    done = run([os.path.join(ROOT, "scripts", "picture"), os.path.join(folder, end), png, "--field",
                "action_potential_duration", "--isochrones", "10"])
    expect(done.returncode == 0 and os.path.getsize(png) > 1e4, f"no map of durations: {done.stderr}")
    return tips, divided.values_in(picture, os.path.join(folder, end), ["action_potential_duration"])


with tempfile.TemporaryDirectory() as temporary:
    one, durations = check(os.path.join(temporary, "one"), 1)
    shortest, longest = np.nanmin(durations[1]), np.nanmax(durations[1])
    expect(380 < shortest < 388 and longest < 500, f"durations from {shortest} to {longest} ms")
    if shutil.which("mpirun"):
        two, of_two = check(os.path.join(temporary, "two"), 2)
        expect(all(np.allclose(one[time], two[time]) for time in one), f"two processes have the tips {two}")
        expect(all(np.allclose(a, b, rtol=1e-5, equal_nan=True) for a, b in zip(durations, of_two)),
               "two processes have other durations")
finish()
