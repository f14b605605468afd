#!/usr/bin/python3
"""No leftovers: notes to self, switched-off code, paths of one machine; and plain words.

usage: words.py ROOT
"""
import re
import sys

import common

# Words are in pieces, so that this file passes its own test.
BAD = {
    "a note to self": re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b"),
    "switched-off code": re.compile(r"^\s*#\s*if\s+" r"0\b"),
    "a path of one machine": re.compile(
        r"(?<![\w.$}/<>*])/(home/\w|root/|work/|Users/|mnt/|scratch/|workspace/)"),
}

# Phrases that point to a thing instead of naming it, in comments of public headers and of parameter
# files and in pages that no program writes, and how many are left: only fewer are legal.
COMPRESSED = {
    r"\bthose (of|that|which|who|in|on|with)\b": 0,
    r"(?<!so )\bthat of\b": 0,
    r"(?<![|#] )\bwhat [^.?!:;|`]{0,40}?\b(ha(s|ve)|needs?|knows?|lacks?|gives?|takes?)\b": 2,
    r"(?<!everything )(?<!nothing )\belse\b": 0,
    r"\bin vain\b|\b(is|are) said\b|\bbut for\b": 0,
    r"\bof (its|their) own\b": 4,
    r",( and)? of which\b|\b(a|the) \w+ of which\b": 0,
}
# The same in comments and texts of other sources.
IN_SOURCES = {r"(?<!so )\b(those|that) of\b": 0}
# Explanations of entries of parameter files that are no sentences, as the page of them has it.
IN_ENTRIES = {r"\| (of|by|for|in|at|from|to|with|on) [^|]*\|$": 6}
PAGE = re.compile(r"(?!doc/(reference|parameters)\.md|.*figures/).*\.md$")
# Comments of a parameter file; its test reads the others.
COMMENT = re.compile(r"^\s*#(?! test-)(.*)", re.MULTILINE)

root = sys.argv[1]
names = common.files(root)
LIMITS = {**COMPRESSED, **IN_SOURCES, **IN_ENTRIES}
problems, compressed = [], {pattern: [] for pattern in LIMITS}


def collect(patterns, name, prose):
    for pattern in patterns:
        compressed[pattern] += [f"{name}: {found[0]}" for found in re.finditer(pattern, prose, re.I)]


for name in names:
    text = common.text(root, name)
    prose = text if PAGE.match(name) else "\n".join(re.findall(r"//.*", text))
    if name.endswith(".prm"):
        collect(COMPRESSED, name, " ".join(" ".join(COMMENT.findall(text)).split()))
    elif PAGE.match(name) or name.startswith("include/"):
        prose = " ".join(re.sub(r"\n//+[!<]?", " ", prose).split())
        collect(COMPRESSED, name, prose)
    elif name.startswith(("source/", "applications/")) and not name.endswith(".md"):
        prose = re.sub(r'"\n+"', " ", "\n".join(re.findall(r'//.*|"(?:\\.|[^"\\\n])*"', text)))
        collect(IN_SOURCES, name, " ".join(re.sub(r"\n//+[!<]?", " ", prose).split()))
    for number, line in enumerate(text.splitlines(), 1):
        if name == "doc/parameters.md":
            collect(IN_ENTRIES, name, line)
        for what, pattern in BAD.items():
            if pattern.search(line):
                problems.append(f"{name}:{number}: {what}: {line.strip()[:80]}")
problems += [f"name the thing: {len(places)} places, at most {LIMITS[pattern]}, match "
             + "\n  ".join([pattern, *places])
             for pattern, places in compressed.items() if len(places) > LIMITS[pattern]]
common.finish(problems, len(names), "files")
