"""Makes the wheel's long description from a page of docs/, for scikit-build-core.

Links to files become the files' paths, because such links lead nowhere on an index of packages."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def _as_text(match, page):
    words, target = match[1], match[2]
    if re.match(r"[a-z]+:", target):
        return match[0]
    file = target.split("#", 1)[0]
    if not file:
        return words
    path = (page.parent / file).resolve().relative_to(ROOT).as_posix()
    return path if words.strip("`") == Path(file).name else f"{words} ({path})"


def describe(page):
    """Returns the text of a page, with paths in place of links to files."""
    page = ROOT / page
    text = page.read_text(encoding="utf-8")
    return re.sub(r"(?<!!)\[([^][]*)\]\(([^()\s]+)\)", lambda match: _as_text(match, page), text)


def dynamic_metadata(settings, _project):
    """Returns the field of the project's metadata, for scikit-build-core."""
    return {"readme": {"content-type": "text/markdown", "text": describe(settings["page"])}}
