"""Folders with records and figures: doc, and doc/papers/<paper> for each paper.

Such a folder has records/, figures/ and runs.json. The folder of a paper also has README.md, which
is its page, and prm/<application>/ with its parameter files. plots.py or plots/ defines figures of one
paper alone for scripts/plot, by some of these names:

    FIGURES   a tuple of figures of rows of operators by degree (figures.py)
    CHARTS    by name: a function of Products (products.py) and what it makes
    MATRICES  names of the paper's matrices, which stand before all others in CHARTS
    MESHES    by name: a function of rows that were measured on meshes, a title, the axis, its scale, needs
    DRAWINGS  by name: a kind of rows, a function that draws them, and what it makes

runs.json has

    about    what the paper is, in a line
    steps    by name: `command`, as one types it in the root of the sources, without --backend and
             -o; `backend`, cuda or host; `small`, options that make a trial of it, --validate if
             it is missing; `counted`, options of a second run, under a profiler
    records  by name of a file in records/: the steps that make it, or STEP/PATTERN for records
             in the folders of a step that makes several; until a run has made the file, figures
             of it are not drawn and tables that quote it stay as they are
    phases   which of these records have the seconds of phases of an application as rows
    figures  a list: `records` and the options of scripts/plot, `plot`; `folder` below figures/
    undrawn  by name of a file in figures/: why no step draws it
    contents how many figures, tables, algorithms and listings the paper has: the page says of each
             where it is, below the heading "Everything in the paper"

{build} in a command is the folder of the programs, {output} the folder of all steps.
"""
import collections
import glob
import importlib
import json
import os
import shlex
import subprocess
import sys

from .records import BadInput

KEYS = {"about": str, "steps": dict, "records": dict, "figures": list, "undrawn": dict,
        "contents": dict, "phases": list}
OF_STEP = {"command": str, "backend": str, "small": str, "counted": str}
OF_FIGURES = {"records": list, "plot": str, "folder": str}
Figures = collections.namedtuple("Figures", "records options folder")


def checked(item, kinds, needed, what):
    """Returns a dictionary whose keys and values are of the kinds."""
    if not isinstance(item, dict):
        raise BadInput(f"{what} is no object.")
    for key, of in item.items():
        if key not in kinds or not isinstance(of, kinds[key]):
            raise BadInput(f"{what} has \"{key}\", which is unknown or of another kind; it takes "
                           f"{', '.join(kinds)}.")
    for key in needed:
        if key not in item:
            raise BadInput(f"{what} has no \"{key}\".")
    return item


class Folder:
    """What runs.json of a folder says."""

    def __init__(self, path):
        self.path, self.name = path, os.path.basename(path)
        self.records_folder = os.path.join(path, "records")
        self.figures_folder = os.path.join(path, "figures")
        file = os.path.join(path, "runs.json")
        try:
            with open(file, encoding="utf-8") as text:
                said = json.load(text)
        except OSError as error:
            raise BadInput(f"{file} cannot be read: {error.strerror}.") from None
        except ValueError as error:
            raise BadInput(f"{file} is not JSON, {error}.") from None
        said = checked(said, KEYS, (), file)
        self.about, self.undrawn = said.get("about", ""), said.get("undrawn", {})
        self.contents, self.phases = said.get("contents", {}), said.get("phases", [])
        self.steps = {name: checked(step, OF_STEP, ("command", "backend"), f"{file}: {name}")
                      for name, step in said.get("steps", {}).items()}
        for name, step in self.steps.items():
            if step["backend"] not in ("cuda", "host"):
                raise BadInput(f"{file}: {name} has the backend \"{step['backend']}\"; legal are "
                               "cuda and host.")
        self.made_by = said.get("records", {})
        for name, steps in self.made_by.items():
            for step in steps:
                if step.split("/")[0] not in self.steps:
                    raise BadInput(f"{file}: {name} is of \"{step}\", which is no step.")
        self.figures = []
        for item in said.get("figures", []):
            of = checked(item, OF_FIGURES, ("records", "plot"), f"{file}: figures")
            self.figures.append(Figures(of["records"], shlex.split(of["plot"]),
                                        os.path.normpath(os.path.join("figures",
                                                                      of.get("folder", "")))))

    def shipped(self):
        """Returns the names of the records that are in the folder."""
        names = os.listdir(self.records_folder) if os.path.isdir(self.records_folder) else ()
        return sorted(name for name in names if name.endswith((".json", ".json.gz")))

    def waiting(self):
        """Returns the names of the records that no run has made yet."""
        return [name for name in self.made_by if name not in self.shipped()]

    def shipped_path(self, name):
        return os.path.join(self.records_folder, name)

    def measured(self, name, output):
        """Returns (paths, steps): the records below `output` that make up a record, and the
        steps that have not made theirs."""
        paths, missing = [], []
        for step in self.made_by[name]:
            found = sorted(glob.glob(os.path.join(output, step, "record.json")))
            paths += found
            if not found:
                missing.append(step.split("/")[0])
        return paths, missing


def papers(root):
    """Returns the names of all papers; a copy of the scripts alone has none."""
    folder = os.path.join(root, "doc", "papers")
    if not os.path.isdir(folder):
        return []
    return sorted(name for name in os.listdir(folder)
                  if os.path.exists(os.path.join(folder, name, "runs.json")))


def plots(root):
    """Returns the modules of papers that define figures."""
    folder = os.path.join(root, "doc", "papers")
    if folder not in sys.path:
        sys.path.append(folder)
    return [importlib.import_module(name + ".plots") for name in papers(root)
            if glob.glob(os.path.join(folder, name, "plots*"))]


def folders(root):
    """Returns the folder doc and the folders of all papers."""
    return [Folder(os.path.join(root, "doc")),
            *(Folder(os.path.join(root, "doc", "papers", name)) for name in papers(root))]


def draw(folder, target, paths_of=None):
    """Draws the figures of a folder below `target`/figures and returns their paths. `paths_of`
    returns the paths for the name of a record, by default of what ships."""
    made = []
    for item in folder.figures:
        if paths_of is None and any(name in folder.waiting() for name in item.records):
            continue
        paths = [path for name in item.records
                 for path in (paths_of(name) if paths_of else [folder.shipped_path(name)])]
        plot = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "plot")
        run = subprocess.run([plot, *paths, *item.options, "-o", os.path.join(target, item.folder)],
                             capture_output=True, text=True)
        if run.returncode:
            raise BadInput(f"{folder.name}, {' '.join(item.options)}: {run.stderr.strip()}")
        made += run.stdout.splitlines()
    return made
