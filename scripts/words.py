"""Finds openings of comments, and words in comments, messages and pages, that the project refuses.
CONTRIBUTING.md says what to write instead; prose.py prints the places."""

import io
import re
import subprocess
import tokenize
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

OPENING = re.compile(r"(What|Whether|Of|How)\b")

# Maps each refused word to its replacement.
WORDS = {
    r"behind": "after, past",
    r"distances?": "pitch, stride",
    r"sentences?": "message",
    r"folders?": "directory",
    r"rooms?": "space, capacity",
    r"(?:the|a|an|its|their|each|whose) begin": "start",
    r"told": "passed, reports, is passed",
    r"drivers? for tests": "fake driver",
    r"worlds?": "fixture",
    r"faces?": "entry points",
    r"hand(?:s|ed|ing)? (?:out|on)": "returns, passes",
    r"noted": "is recorded",
    r"deeds?": "function, step",
}
WORD = re.compile(r"(?<![\w/`-])(?:" + "|".join(f"({word})" for word in WORDS) + r")(?![\w/`(-])", re.IGNORECASE)
MEANT = list(WORDS.values())

# Matches comments, #include lines, strings and characters of C. Names in #include lines are no text.
C_TOKEN = re.compile(
    r"""(?P<comment>/\*.*?\*/|//(?:[^\n]|\\\n)*)
      |(?P<include>(?<![^\n])[ \t]*\#[ \t]*include[^\n]*)
      |(?P<text>"(?:[^"\\\n]|\\.)*")
      |'(?:[^'\\\n]|\\.)*'""",
    re.X | re.S,
)
# Files that are not checked: records of runs, programs in LLVM IR and SPIR-V assembly, this script,
# which has the list of words, and charts.py, which has rows of records.
NOT_OURS = re.compile(r"docs/results/.*\.txt|test/.*\.(ll|spvasm)|scripts/(words|charts)\.py")
C_FILE = re.compile(r".*\.(c|h|cpp|hpp|cl|inc|def)")
SCRIPT = re.compile(r".*(\.sh|\.cmake|CMakeLists\.txt|Makefile|/run)")


def c_texts(text):
    """Yields C's comments and strings: whether each is a comment, its offset, and its text."""
    for match in C_TOKEN.finditer(text):
        if match["comment"]:
            yield True, match.start(), match["comment"]
        elif match["text"]:
            yield False, match.start(), match["text"]


def python_texts(text, has_messages):
    """Yields the same for Python. A string that stands alone is a comment. Others count with has_messages."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    before = None
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        at = starts[token.start[0] - 1] + token.start[1]
        if token.type == tokenize.COMMENT:
            yield True, at, token.string
        elif token.type == tokenize.STRING:
            alone = before in (None, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
            if alone or has_messages:
                yield alone, at, re.sub(r"\{[^{}]*\}", lambda m: " " * len(m[0]), token.string)
        if token.type not in (tokenize.NL, tokenize.COMMENT):
            before = token.type


def script_texts(text):
    """Yields the comments of a shell script, CMake or Make. Adjacent lines are one comment."""
    for match in re.finditer(r"(?:^[ \t]*#(?!!)[^\n]*\n)+", text, re.MULTILINE):
        yield True, match.start(), match[0]


def page_texts(text):
    """Yields a page's text without code, not as a comment, because its paragraphs may begin with any word."""
    bare = re.sub(r"^```.*?^```|`[^`]*`|\]\([^)]*\)", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.M | re.S)
    yield False, 0, bare


def texts(path, text):
    name = path.name
    if name.endswith(".md"):
        return page_texts(text)
    if C_FILE.fullmatch(name):
        return c_texts(text)
    if name.endswith(".py"):
        return python_texts(text, not path.is_relative_to(ROOT / "test"))
    return script_texts(text)


def faults(path):
    """Yields the places of a file to write anew, as "LINE: message"."""
    text = path.read_text(encoding="utf-8")
    for is_comment, start, part in texts(path, text):
        opening = OPENING.match(part.lstrip("/*#<!\"'rRuf \t\n")) if is_comment else None
        if opening:
            yield f'{text.count(chr(10), 0, start) + 1}: a comment begins with "{opening[0]}"'
        # Replaces line ends and comment signs by blanks of the same length, so that offsets stay.
        flat = re.sub(r"\n[ \t]*(?:\*|#|//)?", lambda m: " " * len(m[0]), part)
        for match in WORD.finditer(flat):
            if match[0].lower() in ("face", "faces") and "cube" in flat:
                continue
            meant = MEANT[match.lastindex - 1]
            word = re.sub(r"\s+", " ", match[0])
            yield f'{text.count(chr(10), 0, start + match.start()) + 1}: "{word}": {meant}?'


def ours():
    """Yields the project's files whose text is checked."""
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in names.splitlines():
        is_read = name.endswith((".md", ".py")) or C_FILE.fullmatch(name) or SCRIPT.fullmatch(name)
        if is_read and not NOT_OURS.fullmatch(name):
            yield ROOT / name
