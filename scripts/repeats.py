"""Counts messages and statements that the plugins repeat. usage: scripts/repeats.py [--list]

messages     string literals of at least 25 letters that occur more than once in plugins/, pi/ and ur/;
             adjacent literals count as one
statements   per cent of the CUDA plugin's statements that the Level Zero plugin has, too, after both
             drivers' names were replaced by one. A statement is a run of at least 4 tokens up to ; or {.
             Directives, heads of loops, and heads of the functions that plugins/objects/driver.h
             requires of every driver do not count
same files   the same per cent for files of the CUDA plugin with the name of a file of the Level Zero plugin

Fails if a number is over its limit in LIMITS. --list prints the repetitions.
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
    """Yields the tokens of a file as pairs of a kind and a text."""
    text = path.read_text(encoding="utf-8").replace("\\\n", "  ")
    for match in TOKEN.finditer(text):
        if match.lastgroup != "space":
            yield match.lastgroup, match.group()


def messages(paths):
    """Returns the files of each message that occurs more than once."""
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
    """Returns whether a run of tokens is the head of a loop, or of a function like driver_queue_open."""
    words = run[: run.index("(")] if "(" in run else []
    return run[0] == "for" or (len(words) > 1 and words[-1].startswith("driver_") and "=" not in words
                               and words[0] != "return")


def statements(directory):
    """Yields the statements of a directory's source files in order, with "driver" for the drivers' names."""
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
