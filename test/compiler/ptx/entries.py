"""Checks that all entries of one PTX text are in another one, word for word.

usage: entries.py WITHOUT WITH

Standard output has the names of the entries that only the second one has.
"""
import re
import sys


def entries(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return {
        # Labels have the number of their function in the text, which differs between the texts.
        name: re.sub(r"\$L__BB\d+_", "$L__BB_", body)
        for name, body in re.findall(r"\.visible \.entry (\w+)\((.*?)\n}\n", text, re.S)
    }


first, second = map(entries, sys.argv[1:])
assert first, "there are entries"
for name, body in first.items():
    assert second.get(name) == body, f"the entry {name} is another one"
print("\n".join(sorted(set(second) - set(first))))
