"""Numbers of speed in pages: each stands beside a record, or the page says that it is not recorded.

A section is the text below a heading. Where its sentences or tables have numbers with units of speed,
"times as fast" or "% faster", it quotes or names a record, links a figure that is drawn from one, or has
the words "not recorded"; these words count for the sections below it, too. On pages that repeat numbers
of others a link to the other page is enough. A record or a figure counts for the paragraph or table that
names it and for those beside it, and a link to another page for its own paragraph. A row of a table whose text has
such a number also passes if the row has a link or a record. A page without any recorded number says
so once, before its first section: "No figure of this page is recorded", or "No other figure ..." where
some are. There each page that measures names the card or the processor of its figures.
"""
import os
import re

RATE = r"[GMT] ?(?:DoF|cells|unknowns|B|FLOP)s?/s"
TIME = rf"(?<![\w^⁻−,.])\d[\d.,]* (?:{RATE}|%s)(?![\w/²])|"
RATIO = (r"times (?:as (?:fast|slow|long)|faster|slower|the (?:speed|time|rate))|"
         r"billion \w+ (?:per|a) second|% (?:faster|slower|(?:less|more) time)")
SPEED, WORK = (re.compile(TIME % seconds + RATIO) for seconds in ("[µum]?s", "[µu]s"))
OF_TABLE = re.compile(rf"{RATE}|\[[µm]?s\]|\b(?:[µum]s|microseconds|milliseconds|seconds|per second)\b|"
                      r"times as (?:fast|long)|% of (?:its|the) (?:byte )?model")
MARK = re.compile(r"\bnot\s+recorded\b", re.I)
WHOLE = re.compile(r"\bNo\s+(other\s+)?figure\s+of\s+this\s+page\s+is\s+recorded\b")
RECORD = re.compile(r"<!-- record |\w\.json(?:\.gz)?\b|\]\((?:\.\./)*(?:\w+/)*(?:figures|records)\b")
LINK = re.compile(r"\.md#|README\.md\)|benchmarking\w*\.md")
OF_ROW = re.compile(r"\]\([^)]*(?:#|\.md)|" + RECORD.pattern)
MEASURES = re.compile(r"(?:benchmarking\w*|finite_elements_on_a_gpu|multigrid|scaling|waves|README)\.md")
CARD = re.compile(r"\b(?:H100|H200|EPYC|Xeon)\b")
TABLE = re.compile(r"(<!-- record [^>]*?-->\n)?((?:^\|[^\n]*\n?)+)", re.MULTILINE)
# Milliseconds and seconds of these pages are times of a heart, or of what a user waits for.
OTHER_TIMES = ("waves.md", "recipes.md", "trial.md", "meshes.md", "add_a_form.md", "parameters.md",
               "reference.md", "library.md", "monodomain/README.md")


def sections(text):
    """Returns (level, title, text) of the parts of a page; the first part has the message."""
    parts = re.split(r"^(#{2,} .*)\n", text, flags=re.MULTILINE)
    found = [(1, parts[0].splitlines()[0].strip("# ") if parts[0].strip() else "", parts[0])]
    return found + [(len(title.split()[0]), title.strip("# "), part)
                    for title, part in zip(parts[1::2], parts[2::2])]


def spoken(text):
    """Returns the sentences: no tables, comments, commands and links."""
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    lines = [line for line in text.splitlines() if not line.startswith(("|", "    ", "#"))]
    return words(" ".join(lines))


def words(text):
    """Returns a text without code and without the places of links."""
    return re.sub(r"`[^`]*`|\]\([^)]*\)", "", text)


def far_from_record(text, speed):
    """Returns the first speed in the sentences of a section that is far from a record, or nothing."""
    parts = re.split(r"\n\s*\n", text)
    for k, part in enumerate(parts):
        found = speed.search(spoken(part))
        if found and not RECORD.search("\n".join(parts[max(0, k - 1):k + 2])) and \
                not LINK.search(part):
            return found
    return None


def beside(text, table):
    """Returns the paragraphs before and after a table."""
    before = " ".join(text[:table.start()].strip().split("\n\n")[-1].split())
    return before, before + text[table.end():].strip().split("\n\n")[0]


def bare_row(text, speed):
    """Returns the first speed in the rows of tables that quote no record and stand beside none, where
    the row has neither a link nor a record, or nothing."""
    rows = [row for table in TABLE.finditer(text) for row in table[2].splitlines()
            if not (table[1] or RECORD.search(beside(text, table)[1]) or OF_ROW.search(row))]
    return next(filter(None, (speed.search(words(row)) for row in rows)), None)


def bare_table(text, far=False):
    """Returns the title of the first table of speeds that quotes no record, or nothing; with `far`,
    of the first one that stands beside no paragraph which names one."""
    for match in TABLE.finditer(text):
        rows = match[2].splitlines()
        numbers = sum(len(re.findall(r"\| *−?[\d.,]+(?= *\|)", row)) for row in rows)
        before, around = beside(text, match)
        if far and (RECORD.search(around) or LINK.search(around)):
            continue
        if not match[1] and numbers > 3 and OF_TABLE.search(rows[0] + match[2][:400] + before):
            return rows[0]
    return ""


def without_record(text, path):
    """Returns what is wrong with the numbers of speed of a page."""
    problems, marked, any_speed = [], {}, False
    name, speed = os.path.basename(path), WORK if path.endswith(OTHER_TIMES) else SPEED
    for level, title, part in sections(text):
        marked = {of: mark for of, mark in marked.items() if of < level}
        mark = bool(MARK.search(part))
        found, table = speed.search(spoken(part)), bare_table(part)
        any_speed = any_speed or bool(found or table or "<!-- record" in part and level > 1)
        whole = WHOLE.search(part)
        if whole and level == 1:
            if "<!-- record" in text and not whole[1]:
                problems.append("no figure is recorded, it says, and it quotes a record")
            mark = True
        if RECORD.search(part) or not MEASURES.match(name) and LINK.search(part):
            found, table = far_from_record(part, speed), bare_table(part, far=True)
        found = found or bare_row(part, speed)
        if not (mark or any(marked.values())):
            if found:
                problems.append(f"\"{title}\" has \"{found[0]}\" without a record")
            if table:
                problems.append(f"\"{title}\" has a table without a record: {table}")
        marked[level] = mark and (level > 1 or bool(WHOLE.search(part)))
    if any_speed and MEASURES.match(name) and not CARD.search(sections(text)[0][2]):
        problems.append("the first lines name no card or processor")
    return problems


def pages_without_record(root):
    """Returns {path: what is wrong} of README.md and the pages of doc and applications, except
    pages of figures."""
    found = {}
    walked = [each for name in ("doc", "applications") for each in os.walk(os.path.join(root, name))]
    for folder, _, files in [*walked, (root, [], {"README.md"} & set(os.listdir(root)))]:
        if os.path.basename(folder) in ("figures", "records", "one_product"):
            continue
        for path in (os.path.join(folder, name) for name in sorted(files) if name.endswith(".md")):
            with open(path, encoding="utf-8") as file:
                problems = without_record(file.read(), path)
            if problems:
                found[path] = problems
    return found
