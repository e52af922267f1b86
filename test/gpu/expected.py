"""Computes the text of expected.txt: the CPU device's results for the kernels of functions.cl.

usage: expected.py SPECPI LIBRARY CASES [EXPECTED]

Prints a line for each case of CASES; with EXPECTED compares with that file as gpu-ptx compares.
"""
import json
import subprocess
import sys


def results(specpi, library, path):
    with open(path) as file:
        lines = [line.split() for line in file if not line.startswith("#")]
    for kernel, size, group, kind, count_in, count_out, memory, tolerance in lines:
        command = [specpi, "launch", library, kernel, "--global", size, "--local", group, "--json"]
        command += ["--arg", f"{kind}[{count_in}]=iota", "--arg", f"{kind}[{count_out}]=zero"]
        if memory != "0":
            command += ["--arg", f"local:{memory}"]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        numbers = json.loads(printed.splitlines()[-1])["args"][1]
        digits = 17 if kind == "f64" else 10  # enough for all bits
        yield kernel, [float(number) for number in numbers], float(tolerance), digits


def near(got, expected, tolerance):
    same = got == expected or (got != got and expected != expected)
    return same or abs(got - expected) <= tolerance * max(1, abs(expected))


def main(specpi, library, cases, expected=None):
    made = list(results(specpi, library, cases))
    if expected is None:
        for kernel, numbers, _, digits in made:
            print(kernel, *(f"{number:.{digits}g}" for number in numbers))
        return
    with open(expected) as file:
        lines = [line.split() for line in file]
    assert [line[0] for line in lines] == [result[0] for result in made], "the cases are the same"
    for line, (kernel, numbers, tolerance, _) in zip(lines, made):
        assert len(line) == 1 + len(numbers), f"{kernel}: so many numbers"
        for i, (got, text) in enumerate(zip(numbers, line[1:])):
            assert near(got, float(text), tolerance), f"{kernel}: number {i} is {got}, not {text}"
    print(f"{len(made)} kernels give what is expected")


if __name__ == "__main__":
    main(*sys.argv[1:])
