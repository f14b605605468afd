#!/usr/bin/python3
"""Files of openCARP become parameter files of monodomain: a slab of Niederer2011 has the activation
times of the same slab by hand, entries are what they should be, and wrong files get a sentence.

usage: from_opencarp.py MONODOMAIN
"""
import os
import shutil
import sys
import tempfile

from programs import expect, finish, options, prm, read_record, run, write
from run import ROOT, environment

MONODOMAIN = os.path.abspath(sys.argv[1])
SCRIPT = os.path.join(ROOT, "scripts", "from_opencarp")
POINTS = "Output/Trace points=0, 0, 0; 5, 0, 0; 5, 1.5, 1.5; 2.5, 1, 0.5"

SLAB = """# The slab of Niederer2011, shorter, with two ways to write a line
meshname = slab
simID      "a folder"     # a remark
tend = 400
tend = 20.                # counts
dt 50
num_imp_regions = 1
imp_region[0].im = tenTusscherPanfilov
imp_region[0].im_param = "flags=EPI"
num_gregions = 1
gregion[0].g_il = 0.17
gregion[0].g_it = 0.019
gregion[0].g_el = 0.62
gregion[0].g_et = 0.24
num_stim = 1
stim[0].elec.p1 = "1500 1500 1500"
stim[0].pulse.strength = 35.714
stim[0].ptcl.duration = 2
num_LATs = 1
lats[0].threshold = 0
bidomain = 0
theta = 0.50
"""
BY_HAND = (
    "Mesh/Dimension=3", "Mesh/Grid name=subdivided_hyper_rectangle", "Mesh/Initial refinement=0",
    "Mesh/Grid arguments=10, 3, 3 : 0, 0, 0 : 5, 1.5, 1.5 : true", "Finite element/Degrees=1",
    "Cell model/Model=ten_tusscher_panfilov", "Cell model/Variant=epi", "Time/End=20", "Time/Step=0.05",
    "Diffusion/Isotropic/Expression=0.019 * 0.24 / (0.019 + 0.24) / 1.4", "Time/Scheme=strang",
    "Diffusion/Anisotropic/Expression=(0.17 * 0.62 / (0.17 + 0.62) - 0.019 * 0.24 / (0.019 + 0.24)) / 1.4",
    "Time/Mass=lumped", "Stimuli/Stimulus 1/Shape=box", "Stimuli/Stimulus 1/From=0, 0, 0",
    "Stimuli/Stimulus 1/To=1.5, 1.5, 1.5", "Stimuli/Stimulus 1/Duration=2",
    "Stimuli/Stimulus 1/Strength=35.714", "Operator/Name=csr", "Solver/Relative tolerance=1e-8")

REGIONS = """meshname = two
num_phys_regions = 2
phys_region[0].ptype = 0
phys_region[0].num_IDs = 2
phys_region[0].ID = 1 2
phys_region[1].ptype = 1
num_gregions = 2
gregion[0].num_IDs = 0
gregion[1].num_IDs = 1
gregion[1].ID[0] = 2
gregion[1].g_mult = 0.5
num_imp_regions = 2
imp_region[0].im = tenTusscherPanfilov
imp_region[1].im = tenTusscherPanfilov
imp_region[1].im_param = "flags=ENDO, GKs*2,GNa-10%,Gto=0.1"
imp_region[1].num_IDs = 1
imp_region[1].ID = 2
stimulus[0].stimtype = 0
stimulus[0].strength = 60
stimulus[0].duration = 1
stimulus[0].start = 3
stimulus[0].x0 = 1000
stimulus[0].xd = 1000
stimulus[0].ctr_def = 1
stimulus[0].npls = 2
stimulus[0].bcl = 10
num_LATs = 2
lats[0].mode = 1
lats[1].method = 2
bidm_eqv_mono = 0
ode_fac = 2
"""
OF_REGIONS = (  # entries that the result has, with openCARP's defaults of g_il, g_it and g_in
    ("Isotropic", "Expression = 0.01357142857"), ("Material 1", "Expression = 0.006785714286"),
    ("Anisotropic", "Expression = 0.1107142857"), ("Cell model", "Variant = epi"),
    ("Region 1", "Materials = 2"), ("Region 1", "Parameters = g_Ks: 0.784, g_Na: 13.3542, g_to: 0.1"),
    ("Region 1", "Variant = endo"), ("Stimulus 1", "From = 0.5, -0.05, -0.05"), ("Stimulus 1", "To = 1.5, 0.05, 0.05"),
    ("Stimulus 1", "Start = 3"), ("Stimulus 2", "Start = 13"), ("Stimulus 2", "Strength = 60"),
    ("Time", "Step = 0.005"), ("Time", "End = 100"), ("Time", "Mass = lumped"), ("Time", "Reaction steps = 2"),
    ("Output", "Repolarisation threshold = -10"), ("Output", "Interval = 3"))
SHEET = """meshname = sheet
imp_region[0].im = AlievPanfilov
imp_region[0].im_param = "mu1*0.5,K/2"
num_stim = 1
stim[0].elec.geom_type = 1
stim[0].elec.p0 = 1000, 0, 60
stim[0].pulse.strength = 60
stim[0].ptcl.duration = 2
stim[0].ptcl.npls = 5
stim[0].ptcl.bcl = 20
gregion[0].g_in = 0.01
gregion[0].g_en = 0.04
mass_lumping = 0
"""
OF_SHEET = (
    ("Isotropic", "Expression = 0.005714285714"), ("Transverse", "Expression = 0.006845938375"),
    ("Anisotropic", "Expression = 0.09150545325"), ("Fibre", "Rule = file"), ("Time", "Mass = consistent"),
    ("Cell model", "Parameters = alpha: 0.15, b: 0.15, mu_1: 0.1, c: 4"), ("Stimulus 1", "Period = 20"),
    ("Stimulus 1", "Centre = 1, 0"), ("Stimulus 1", "Radius = 0.08"))

WRONG = (  # a line that is added to SLAB, part of the sentence
    ("garbage", "'garbage' is no line"), ("= 5", "is no line"), ('simID = "a', "is no line"),
    ("tende = 5", "'tende' is no parameter"), ("bidomain = 1", "no potential between cells; legal is 0"),
    ("parab_solve 2", "Crank and Nicolson"), ("imp_region[0].im = OHara", "'OHara' is not known"),
    ("imp_region[0].im_param = flags=EPI", "needs quotes"), ('imp_region[0].im_param = "flags=X"', "The flags are X"),
    ('imp_region[0].im_param = "GNa"', "The change 'GNa'"), ('imp_region[0].im_param = "G_Na*2"', "with GNa, GCaL"),
    ('imp_region[0].plugins = "EP"', "has no counterpart"), ("imp_region[0].im_sv_init = a.sv", "state of their text"),
    ("stim[0].elec.vtx_file = a", "no sets of nodes"), ("stim[0].crct.type = 1", "transmembrane currents"),
    ("stim[1].pulse.strength = 1", "one too many; num_stim is 1"), ("stim[0].elec.geom_type = 3", "spheres and blocks"),
    ("stim[0].ptcl.duration = -2", "'-2'; legal are numbers above 0"), ("stim[0].ptcl.duration = x", "'x'; legal"),
    ("stim[0].ptcl.duration = 0.1", "10.0% of their charge"), ("stimulus[0].strength = 1", "one of both"),
    ("stim[0].ptcl.npls = 1.5", "whole numbers"), ("dt = 0", "'0'; legal are numbers above 0"),
    ("gregion[0].g_it = 0", "legal are numbers above 0"), ("gregion[0].ID[0] = 1", "one too many"),
    ("gregion[0].num_IDs = 1\ngregion[0].ID = 2", "The region 1 of the mesh belongs to no gregion"),
    ("num_gregions = 2", "belongs to gregion[0] and gregion[1]"), ("meshname = none", "There is no 'none.elem'"),
    ("num_phys_regions = 1\nphys_region[0].ptype = 5", "Tissue alone"), ("meshname = cut", "not as openCARP's"),
    ("num_phys_regions = 1\nphys_region[0].num_IDs = 1\nphys_region[0].ID = 2", "Tissue alone"),
    ("meshname = bath", "bath.lon:2: An element without a fibre"), ("meshname = lines", "the elements Ln"),
    ("meshname = bare", "There is no file of fibres"))


def mesh(folder, name, n, region=lambda i: 1, fibre="1\n" + "1 0 0\n"):
    """Writes cubes of 500 um as openCARP has them; fibres are a head and a line for each."""
    nx, ny, nz = n
    at = lambda i, j, k: (k * (ny + 1) + j) * (nx + 1) + i
    points = [f"{500 * i} {500 * j} {500 * k}" for k in range(nz + 1) for j in range(ny + 1) for i in range(nx + 1)]
    ring = ((0, 0), (1, 0), (1, 1), (0, 1))
    cells = ["Hx " + " ".join(str(at(i + a, j + b, k + c)) for c in (0, 1) for a, b in (ring if c == 0 else (
        ring[0], ring[3], ring[2], ring[1]))) + f" {region(i)}" for k in range(nz) for j in range(ny) for i in range(nx)]
    write(folder, name + ".pts", "\n".join([str(len(points)), *points]) + "\n")
    write(folder, name + ".elem", "\n".join([str(len(cells)), *cells]) + "\n")
    head, line = fibre.split("\n")[:2]
    write(folder, name + ".lon", f"{head}\n" + f"{line}\n" * len(cells))


def translate(folder, text, *more, script=SCRIPT):
    """Returns the result of the script for a text, and the .prm or None."""
    write(folder, "case.par", text)
    path = os.path.join(folder, "case.prm")
    if os.path.exists(path):
        os.remove(path)
    done = run([script, "case.par", *more], cwd=folder)
    if not os.path.exists(path):
        return done, None
    with open(path, encoding="utf-8") as file:
        return done, file.read()


def has(text, section, entry):
    """Returns true if an entry stands in a section, or in one within it."""
    key, value = entry.split(" = ")
    within = text.split(f"subsection {section}\n")[1:]
    return any(line.split("#")[0].split("=")[0].split() == ["set", *key.split()] and
               line.split("#")[0].partition("=")[2].strip() == value
               for part in within for line in part.split("end\n")[0].splitlines() if "=" in line)


def times(folder, path, name):
    """Returns the activation times at the points."""
    output = os.path.join(folder, name)
    done = run([MONODOMAIN, path, "-o", output, *options((POINTS, "Output/Interval=0", "Output/VTU=false"))],
               env=environment(), cwd=os.path.dirname(ROOT))
    expect(done.returncode == 0, f"{name}: {done.returncode}, {done.stderr}")
    return [q["value"] for q in read_record(output)["cases"][0]["results"]["quantities"]
            if q["name"].startswith("activation time at")] if done.returncode == 0 else []


def check_entries(folder, text, entries, notes):
    done, result = translate(folder, text)
    expect(done.returncode == 0, f"{text[:20]}: {done.stderr}")
    for section, entry in entries if result else ():
        expect(has(result, section, entry), f"no '{entry}' in {section} of\n{result}")
    for note in notes:
        expect(note in done.stderr, f"no '{note}' in {done.stderr}")
    done = run([MONODOMAIN, "case.prm", "--validate"], cwd=folder, env=environment())
    expect(done.returncode == 0 and "VALID" in done.stdout, f"{text[:20]}: {done.stdout}{done.stderr}")


def check_own_model(folder):
    """A text of openCARP beside ours keeps its names."""
    tree = os.path.join(folder, "tree")
    models = os.path.join(tree, "applications", "monodomain", "cell_models")
    shutil.copytree(os.path.join(ROOT, "scripts"), os.path.join(tree, "scripts"))
    os.makedirs(models)
    write(models, "mine.model", "V; .external(Vm);\nV_init = -80;\ng = 2; .param();\ndiff_V = -g * V;\n")
    for change, value in (('im_param = "g*3"', 6), ("name = a", 2)):
        done, result = translate(folder, SLAB + f"imp_region[0].im_param = \"\"\nimp_region[0].im = Mine\n"
                                 f"imp_region[0].{change}\n", script=os.path.join(tree, "scripts", "from_opencarp"))
        expect(result and has(result, "Cell model", f"Parameters = g: {value}"), f"{change}: {done.stderr}{result}")


with tempfile.TemporaryDirectory() as temporary:
    mesh(temporary, "slab", (10, 3, 3))
    mesh(temporary, "two", (4, 1, 1), lambda i: 1 + (i > 1))
    mesh(temporary, "bath", (4, 1, 1), fibre="1\n0 0 0")
    mesh(temporary, "bare", (4, 1, 1))
    os.remove(os.path.join(temporary, "bare.lon"))
    mesh(temporary, "cut", (4, 1, 1))
    write(temporary, "cut.elem", "4\nHx 0 1\n")
    mesh(temporary, "lines", (4, 1, 1))
    write(temporary, "lines.elem", "1\nLn 0 1 1\n")
    write(temporary, "sheet.pts", "4\n0 0 0\n1000 0 0\n1000 1000 0\n0 1000 0\n")
    write(temporary, "sheet.elem", "2\nTr 0 1 2\nTr 0 2 3 0\n")
    write(temporary, "sheet.lon", "2\n" + "0.6 0.8 0 -0.8 0.6 0\n" * 2)

    done, result = translate(temporary, SLAB)
    expect(done.returncode == 0 and done.stdout == "case.prm\n", f"the slab: {done.stdout}{done.stderr}")
    for words in ("simID (3)", "square here", "halves of a reaction", "state that cell_models/"):
        expect(words in done.stderr and words.split()[0] in (result or ""), f"no '{words}' in {done.stderr}")
    expect("openCARP's defaults: " in (result or "") and "gregion[0].g_mult" in (result or ""), f"no defaults: {result}")
    found = times(temporary, os.path.join(temporary, "case.prm"), "translated")
    by_hand = times(temporary, write(temporary, "hand.prm", prm(*BY_HAND)), "by hand")
    expect(len(found) == len(by_hand) == 4 and all(abs(a - b) < 1e-6 * b for a, b in zip(found, by_hand)),
           f"activation after {found} instead of {by_hand} ms")
    expect(max(found, default=0) > 5, f"the wave is too early: {found}")

    check_entries(temporary, REGIONS, OF_REGIONS, ("lats[1]; there is one threshold", "nodes between regions"))
    check_entries(temporary, SHEET, OF_SHEET, ("tau_plateau = 1000",))
    check_own_model(temporary)

    for line, sentence in WRONG:
        done, result = translate(temporary, SLAB + line + "\n")
        expect(done.returncode == 2 and result is None and done.stdout == "" and sentence in done.stderr and
               done.stderr.startswith("error: ") and done.stderr.count("\n") == 1, f"{line}: {done}")
    for text in ("", "# nothing\n"):
        done, result = translate(temporary, text)
        expect(done.returncode == 2 and "The file has no parameters." in done.stderr, f"an empty file: {done}")
    done, result = translate(temporary, SLAB.replace("meshname", "# meshname"))
    expect(done.returncode == 2 and "-s meshname=NAME" in done.stderr, f"no mesh: {done}")
    done, result = translate(temporary, SLAB.replace("meshname", "# meshname"), "-s", "meshname=slab", "-s", "tend=7")
    expect(result and has(result, "Time", "End = 7"), f"-s: {done}")
    done = run([SCRIPT, "case.par", "-s", "meshname=slab"], cwd=temporary)
    expect(done.returncode == 2 and "The file exists" in done.stderr, f"a result that exists: {done}")
    done = run([SCRIPT, "none.par"], cwd=temporary)
    expect(done.returncode == 2 and "none.par: No such file" in done.stderr, f"no file: {done}")
finish()
