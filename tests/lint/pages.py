#!/usr/bin/python3
"""Pages name what exists: files and headings that they link, and files and tests between
backticks or in commands.

usage: pages.py ROOT [BUILD]

A path has to exist in the tree; the end of one, such as space/space.h, is enough. A word
<group>.<name>, whose group is one of tests, has to be a test of the folder BUILD; without BUILD
tests are not checked. In doc/status.md every such word is a test. `*` stands for any characters;
paths with `<`, `...` or NAME in capitals stand for others and are not checked. CHANGELOG.md tells
of the past: only its links are checked.
"""
import fnmatch
import itertools
import os
import re
import sys

import common

SOURCES = (".h", ".cuh", ".cc", ".cu", ".inc", ".def")
LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"(?:^|\n\n)((?:    .*(?:\n|$)|\n)+)")
SPAN = re.compile(r"`([^`]+)`")
TEST = re.compile(r"[a-z]\w*(?:\.[\w*]+)+")
PLACEHOLDER = re.compile(r"(^|/)NAME\b")
NO_TEST = re.compile(r"\.(c[cu]|cuh|h|md|prm|py|json|gz|def|\w*[0-9]*sh|npz|vt[uk]|pvd|geo|step|stl|inp|"
                     r"mtx|matrix|csv|png|bib|pts|elem|lon|txt|list|cmake|allow|budget|so)$")


def anchors(text):
    """Returns the names by which headings of a page are linked."""
    found = set()
    for heading in re.findall(r"^#+ (.*)$", FENCE.sub("", text), re.MULTILINE):
        heading = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        name = re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")
        copies = (f"{name}-{k}" for k in itertools.count(1))
        found.add(name if name not in found else next(c for c in copies if c not in found))
    return found


def tests_of(folder):
    """Returns the names of the tests of a build folder."""
    path = os.path.join(folder, "CTestTestfile.cmake")
    text = common.text("", path) if os.path.exists(path) else ""
    names = set(re.findall(r'^add_test\((?:\[=*\[)?"?([^\s"\]]+)', text, re.MULTILINE))
    for below in re.findall(r'^subdirs\("([^"]+)"\)', text, re.MULTILINE):
        names |= tests_of(os.path.join(folder, below))
    return names


def words_of(text):
    """Returns the words of a page that stand between backticks or in indented blocks."""
    text = FENCE.sub("", text)
    spans = SPAN.findall(BLOCK.sub("\n\n", text))
    return [word.rstrip(",;:") for piece in spans + BLOCK.findall(text) for word in piece.split()]


root, tests = sys.argv[1], tests_of(sys.argv[2]) if len(sys.argv) > 2 else None
names = common.files(root)
known = set(names)
for name in names:
    while os.path.dirname(name):
        name = os.path.dirname(name)
        known.add(name)
tops = {name.split("/")[0] for name in known if "/" in name}
ends = {"/".join(parts[k:]) for parts in (name.split("/") for name in names)
        for k in range(len(parts))}
groups = {name.split(".")[0] for name in tests or ()}


def exists(pattern, among):
    """Returns whether a name with `*` and `{a,b}` is among others, with all that it stands for."""
    choices = re.search(r"\{([^{}]*)\}", pattern)
    if choices:
        return all(exists(pattern[:choices.start()] + choice + pattern[choices.end():], among)
                   for choice in choices.group(1).split(","))
    return pattern in among or "*" in pattern and bool(fnmatch.filter(among, pattern))


def check(page, word):
    """Returns what is wrong with a word, or nothing."""
    path = re.sub(r"^\./|/$", "", word)
    if not re.fullmatch(r"[\w.*{},/+-]+", path) or "..." in path or PLACEHOLDER.search(path):
        return ""
    beside = os.path.normpath(os.path.join(os.path.dirname(page), path))
    if "/" in path and path.split("/")[0] in tops or path.endswith(SOURCES) and path not in SOURCES:
        if exists(path, known) or exists(beside, known) or exists(path, ends):
            return ""
        return f"there is no {word}"
    if tests and TEST.fullmatch(word) and not NO_TEST.search(word) and (
            page == "doc/status.md" or word.split(".")[0] in groups):
        if not any(fnmatch.fnmatch(test, word) for test in tests):
            return f"there is no test {word}"
    return ""


problems = []
pages = [name for name in names if name.endswith(".md")]
for page in pages:
    text = common.text(root, page)
    for link in LINK.findall(FENCE.sub("", text)):
        target, _, anchor = link.partition("#")
        if re.match(r"\w+:", target):
            continue
        path = os.path.normpath(os.path.join(os.path.dirname(page), target)) if target else page
        if path not in known:
            problems.append(f"{page}: the link {link} leads nowhere")
        elif anchor and anchor not in anchors(common.text(root, path)):
            problems.append(f"{page}: the link {link} leads to no heading")
    if page != "CHANGELOG.md":
        problems += sorted({f"{page}: {why}" for why in (check(page, word) for word in words_of(text))
                            if why})
common.finish(problems, len(pages), "pages")
