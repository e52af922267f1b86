"""Finds text and code that stands twice in the plugins. usage: scripts/repeats.py [--list]

messages    string literals of 25 letters and more, literals that follow each other joined, which stand more
             than once in plugins/, pi/ and ur/
statements   of the CUDA plugin, in per cent, those that stand again in the Level Zero plugin when both drivers
             have the same name: runs of 4 tokens and more up to ; or {, without directives, heads of
             loops, and heads of what plugins/objects/driver.h has every driver define
same files   the same, of the CUDA plugin's files whose name a file of the Level Zero plugin has

Fails if there is more than LIMITS say. --list prints what it found.
"""
import collections
import pathlib
import re
import sys

LIMITS = {"messages": 7, "statements": 8.1, "same files": 9.4}

TOKEN = re.compile(
    r"""(?P<space>\s+|/\*.*?\*/|//[^\n]*)
      |(?P<directive>(?<![^\n])[ \t]*\#(?:[^\n]|\\\n)*)
      |(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
      |(?P<word>[A-Za-z_]\w*|\.?[0-9][\w.]*|->|\+\+|--|<<=?|>>=?|[-+*/%&|^=!<>]=|&&|\|\||.)""",
    re.X | re.S,
)
DRIVER = re.compile(r"level_zero|LEVEL_ZERO|Level Zero|LevelZero|cuda|CUDA|Cuda"
                    r"|(?<![A-Za-z0-9])(?:ze[sx]?|ZE[SX]?|cu|CU)(?=[A-Z_])")


def tokens(path):
    """The tokens of a file: pairs of a kind and a text."""
    text = path.read_text(encoding="utf-8").replace("\\\n", "  ")
    for match in TOKEN.finditer(text):
        if match.lastgroup != "space":
            yield match.lastgroup, match.group()


def messages(paths):
    """The places of each message."""
    places = collections.defaultdict(list)
    for path in paths:
        joined = ""
        for kind, text in [*tokens(path), ("end", "")]:
            if kind == "text" and text[0] == '"':
                joined += text[1:-1]
            elif kind == "word" and text.startswith("PRI"):
                joined += "%"
            elif joined:
                if len(joined) >= 25:
                    places[joined].append(path)
                joined = ""
    return {sentence: where for sentence, where in places.items() if len(where) > 1}


def is_required(run):
    """Returns whether a run of tokens is the head of a loop, or of a driver's verb (driver_queue_open)."""
    words = run[: run.index("(")] if "(" in run else []
    return run[0] == "for" or (len(words) > 1 and words[-1].startswith("driver_") and "=" not in words
                               and words[0] != "return")


def statements(directory):
    """The statements of the source files of a directory, in order, in the words of no driver."""
    for path in sorted(directory.glob("*.c")):
        run, depth = [], 0
        for kind, text in tokens(path):
            if kind == "directive":
                continue
            depth += (text == "(") - (text == ")")
            # A semicolon in parentheses belongs to the head of a loop.
            if text in ("}", "{") or (text == ";" and depth == 0):
                if len(run) >= 4 and text != "}" and not is_required(run):
                    yield path, DRIVER.sub("driver", " ".join(run)) + " " + text
                run = []
            else:
                run.append(text)


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    wants_list = sys.argv[1:] == ["--list"]
    twice = messages(sorted(path for directory in ("plugins", "pi", "ur") for path in (root / directory).rglob("*.[ch]")))
    others = list(statements(root / "plugins/level_zero"))
    other = {statement for _, statement in others}
    names = {path.name for path, _ in others}
    own = list(statements(root / "plugins/cuda"))
    again = [(path, statement) for path, statement in own if statement in other]

    def share(is_counted):
        return 100 * sum(is_counted(path) for path, _ in again) / max(1, sum(is_counted(path) for path, _ in own))

    if wants_list:
        for sentence, where in sorted(twice.items()):
            print(f"{len(where)} times: {sentence}\n   ", *sorted({str(path.relative_to(root)) for path in where}))
        for path, statement in again:
            print(f"{path.relative_to(root)}: {statement}")
    failed = False
    values = {
        "messages": len(twice),
        "statements": share(lambda path: True),
        "same files": share(lambda path: path.name in names),
    }
    for name, value in values.items():
        print(f"{name}: {value:.3g}, limit {LIMITS[name]}")
        if value > LIMITS[name]:
            print(f"scripts/repeats.py: too many {name}: write them once; --list shows them", file=sys.stderr)
            failed = True
    return failed


if __name__ == "__main__":
    sys.exit(main())
