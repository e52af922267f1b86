"""The table of docs/internals/conformance.md of the tests about constants.

rows.py SUITE PAGE: the table names each such test of pi-conformance once, and no other.
rows.py SUITE PAGE COLUMN=FILE...: and it says of each what came of it, a file of --outcomes for each
column. With --write as the last argument the table of the page is replaced.
"""
import itertools
import re
import subprocess
import sys

BEGIN = "### Tests and outcomes\n"
WORDS = {"passed": "passes", "built": "builds", "skipped": "skipped", "known": "differs"}


def tests_of(suite):
    """The names of the tests about constants, without the group."""
    listed = subprocess.run([suite, "--list"], check=True, capture_output=True, text=True).stdout
    return [name.split(".")[1] for name in listed.split() if name.startswith("constants.")]


def outcomes_of(file):
    """{test: word of the table} of a run's outcomes."""
    with open(file, encoding="utf-8") as lines:
        pairs = [line.split() for line in lines]
    return {name.split(".")[1]: WORDS.get(outcome, outcome) for name, outcome in pairs
            if name.startswith("constants.")}


def row_of(test):
    """The number of a test's row; those of no row come last."""
    match = re.match(r"row(\d\d)_", test)
    return int(match.group(1)) if match else 100


def table_of(tests, columns):
    """The lines of the table; columns are pairs of a head and the outcomes."""
    heads = ["row", "tests"] + [head for head, _ in columns]
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]

    def cells(test):
        return [outcomes.get(test, "?") for _, outcomes in columns]

    # Tests of a row with the same outcomes share one line, at the place of the first of them.
    for row, members in itertools.groupby(sorted(tests, key=row_of), key=row_of):
        groups = {}
        for test in sorted(members):
            groups.setdefault(tuple(cells(test)), []).append(test)
        for outcome, names in groups.items():
            number = "-" if row == 100 else str(row)
            text = ", ".join(f"`{name}`" for name in names)
            lines.append("| " + " | ".join([number, text, *outcome]) + " |")
    return lines


def split_page(page):
    """Returns the text before the page's table, its lines, and the text after it."""
    with open(page, encoding="utf-8") as file:
        lines = file.read().splitlines()
    begin = lines.index(BEGIN.strip())
    first = next(i for i in range(begin, len(lines)) if lines[i].startswith("|"))
    last = next(i for i in range(first, len(lines)) if not lines[i].startswith("|"))
    return lines[:first], lines[first:last], lines[last:]


def check_names(tests, table):
    """Each test once, and no other."""
    named = re.findall(r"`([a-z0-9_]+)`", "\n".join(table))
    wrong = [f"{name}: not in the table" for name in tests if name not in named]
    wrong += [f"{name}: not in the suite" for name in named if name not in tests]
    wrong += [f"{name}: more than once" for name in set(named) if named.count(name) > 1]
    return wrong


def main():
    arguments = sys.argv[1:]
    write = arguments[-1] == "--write"
    suite, page, *pairs = arguments[:-1] if write else arguments
    tests = tests_of(suite)
    before, table, behind = split_page(page)
    if not tests:
        sys.exit("the suite has no test about constants")
    if not pairs:
        wrong = check_names(tests, table)
        sys.exit("\n".join(wrong) if wrong else 0)
    columns = [(head, outcomes_of(file)) for head, file in (pair.split("=", 1) for pair in pairs)]
    made = table_of(tests, columns)
    if write:
        with open(page, "w", encoding="utf-8") as file:
            file.write("\n".join(before + made + behind) + "\n")
    elif made != table:
        wrong = [f"  {'page' if line in table else 'runs'}: {line}"
                 for line in table + made if (line in table) != (line in made)]
        sys.exit("the table is not what the runs say; rows.py --write makes it\n" + "\n".join(wrong))


main()
