#!/usr/bin/python3
"""The core names nothing of the libraries and programs above it, and fem nothing of a program.

usage: core_names.py ROOT LAYER...

LAYERs are the folders of the core in source and include/tessera. No identifier and no
text there is a name that a source of the study or of the side of deal.II registers, the
name of an application, or has deal.II's name in it. No longer identifier and no longer
text has one of these names that are made of several words. No identifier and no text of fem, outside of fem/mesh with
the words of mesh files, has a word of one application. Comments and #include lines do not
count; lint.layers reads the latter.
"""
import re
import sys

import common

root, layers = sys.argv[1], sys.argv[2:]
# Where a name means something else: name -> (paths, reason). Each has to be used.
EXCEPTIONS = {
    "elasticity": (r"/forms/", "the form, after which the application is named"),
    "poisson": (r"/space/stiffness\.h$", "the ratio of a material"),
}
SUFFIXES = (".h", ".cuh", ".cc", ".cu", ".inc", ".def")
ABOVE = ("source/study/", "source/fem/", "include/tessera/study/", "include/tessera/fem/",
         "applications/")
REGISTERED = re.compile(r'(?:(?:Descriptor|LevelMaker)\s*\w*|\breturn)\s*\{\s*"(\w+)"'
                        r'|\bdescribe\w*\(\s*"(\w+)"')
KEYWORDS = {"template"}
FEM = re.compile(r"(?:source|include/tessera)/fem/(?!mesh/)")
WORDS = "spring|contact|stress|traction|membrane|tissue|heart"
OF_APPLICATIONS = re.compile(rf"((?<![A-Za-z])(?:{WORDS})|{WORDS.title()})s?(?![a-z])")
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|^\s*#\s*include[^\n]*|"(?:\\.|[^"\\\n])*"|\w+',
                   re.DOTALL | re.MULTILINE)


def names_above():
    """Returns {name: what it is}."""
    names = {"dealii": "deal.II's namespace"}
    for name in common.files(root, SUFFIXES):
        if name.startswith("applications/") and name.endswith("/main.cc"):
            names[name.split("/")[1]] = "an application"
        if name.startswith(ABOVE) and "Registration<" in (text := common.text(root, name)):
            for match in REGISTERED.finditer(text):
                names[match[1] or match[2]] = "registered by " + name
    return {name: what for name, what in names.items() if name not in KEYWORDS}


def named(token, names):
    """Returns the names that a token of C++ has."""
    if not token.startswith('"'):
        inside = [name for name in names if "_" in name and f"_{name}_" in f"_{token}_"]
        return [token] if token in names else inside or re.findall(r"(?i)deal_?ii", token)
    if token[1:-1] in names:
        return [token[1:-1]]
    return [word for word in re.findall(r"\w+", token) if "_" in word and word in names]


def tokens(text):
    """Returns the tokens that count."""
    return (match for match in TOKEN.finditer(text)
            if not match[0].lstrip().startswith(("//", "/*", "#")))


names = names_above()
problems = []
unused = set(EXCEPTIONS) & set(names)
n_checked = 0
for name in common.files(root, SUFFIXES):
    if FEM.match(name):
        n_checked += 1
        text = common.text(root, name)
        for match in tokens(text):
            if word := OF_APPLICATIONS.search(match[0]):
                line = text.count("\n", 0, match.start()) + 1
                problems.append(f"{name}:{line} names {word[0]}, a word of an application")
    if not name.startswith(tuple(f"{where}/{layer}/" for where in ("source", "include/tessera")
                                 for layer in layers)):
        continue
    n_checked += 1
    text = common.text(root, name)
    for match in tokens(text):
        for found in named(match[0], names):
            paths, _ = EXCEPTIONS.get(found, ("$^", ""))
            if re.search(paths, name):
                unused.discard(found)
            else:
                line = text.count("\n", 0, match.start()) + 1
                problems.append(f"{name}:{line} names {found}, {names.get(found, names['dealii'])}")
if len(names) < 2:
    problems.append("no name was found that is registered above the core")
problems += [f"the exception {name} is not needed any more" for name in sorted(unused)]
common.finish(problems, n_checked, "files")
