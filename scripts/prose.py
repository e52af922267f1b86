#!/usr/bin/env python3
"""Checks Markdown pages for too long lines and broken links, and pages, comments and messages for
words that words.py refuses.

prose.py [--fix] [FILE...]: --fix wraps paragraphs again that have a too long line. Tables and lines
without a blank cannot be wrapped."""

import os
import re
import sys
import textwrap
from pathlib import Path

import words

WIDTH = 100
ROOT = Path(__file__).resolve().parent.parent
AS_IT_IS = re.compile(r"\s*(\||#|!\[|<|>|\[[^]]+\]:|$)|    ")
ITEM = re.compile(r"( *)([-*]|\d+\.) ")
LINK = re.compile(r"\[[^]]*\]\(([^)\s]+)\)")


def blocks(lines):
    """Yields a page's paragraphs and items as lists of lines, and all other lines as texts."""
    block, inside_code = [], False
    for line in lines:
        fence = line.lstrip().startswith("```")
        starts_item = ITEM.match(line)
        # Indented text after a paragraph or an item continues it.
        alone = fence or inside_code or AS_IT_IS.match(line if not block else line.lstrip() or line)
        if block and (alone or starts_item or not line.strip()):
            yield block
            block = []
        if alone:
            yield line
        else:
            block.append(line)
        inside_code ^= fence
    if block:
        yield block


def filled(block):
    """Returns a paragraph or item, wrapped to the width.

    Short code is not divided, and no wrapped line looks like the start of an item.
    """
    item = ITEM.match(block[0])
    first = item.group(0) if item else block[0][: len(block[0]) - len(block[0].lstrip())]
    text = " ".join(line.strip() for line in block)[len(first.strip()) :].strip()
    code = r"`[^`]+`"
    text = re.sub(code, lambda m: m[0].replace(" ", "\0") if len(m[0]) <= 60 else m[0], text)
    text = re.sub(r" (?=([-+*#>|]|\d+\.)( |$))", "\0", text)
    lines = textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=" " * len(first),
                          break_long_words=False, break_on_hyphens=False)  # fmt: skip
    return [line.replace("\0", " ") for line in lines]


def is_too_long(line):
    return len(line) > WIDTH and not line.startswith("|") and " " in line.strip()


def fix(path):
    out = []
    for block in blocks(path.read_text(encoding="utf-8").splitlines()):
        if isinstance(block, str):
            out.append(block)
        else:
            out += filled(block) if any(map(is_too_long, block)) else block
    path.write_text("\n".join(out) + "\n", encoding="utf-8")


def anchors(path):
    """Returns the anchors that GitHub gives to a page's headings."""
    titles = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def faults(path):
    text = path.read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), 1):
        if is_too_long(line):
            yield f"{number}: {len(line)} columns, {WIDTH} are allowed (scripts/prose.py --fix)"
    for link in LINK.finditer(text):
        name, _, anchor = link[1].partition("#")
        page = path.parent / name if name else path
        is_there = page.exists() and (not anchor or anchor in anchors(page))
        if not is_there and not re.match(r"\w+:", link[1]):
            yield f"{text.count(chr(10), 0, link.start()) + 1}: there is no {link[1]}"


def main(arguments):
    wants_fix = "--fix" in arguments
    paths = [Path(name).resolve() for name in arguments if name != "--fix"] or sorted(words.ours())
    count = 0
    for path in paths:
        is_page = path.suffix == ".md"
        if wants_fix and is_page:
            fix(path)
        for fault in [*(faults(path) if is_page else []), *words.faults(path)]:
            print(f"{os.path.relpath(path, ROOT)}:{fault}", file=sys.stderr)
            count += 1
    print(f"{len(paths)} files, {count} places to write anew")
    return count != 0 or not paths


sys.exit(main(sys.argv[1:]))
