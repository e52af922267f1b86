"""Checks that random lambdas as kernels compute the same on the host device and on another one.

usage: captures.py [--sycl-rt=DIR] SPECPI_CC DIRECTORY COUNT SEED COMPILER...

A program of COUNT kernels is compiled with each of the host's compilers and run on both devices.
With a SYCL runtime the other device is the runtime's. There a launch may refuse a kernel if g++ is the
host's compiler, but no kernel may have another value.
The kernels use constants and variables of the functions around them in the ways in which compilers
differ about what a lambda captures: as values, bounds, arguments of templates, in lambdas inside
and in lambdas that they capture. Another SEED is another program.
"""
import random
import subprocess
import sys

HEAD = """
#include <sycl/sycl.hpp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
using number = long long;
constexpr sycl::specialization_id<int> factor(3);
struct pair { short first; double second; };
enum kind : unsigned char { one = 1, five = 5 };
template <number N> struct fixed { static constexpr number value = N; };
template <class T> constexpr const T &same(const T &value) { return value; }
// Not known to compilers.
volatile int unknown = 2;
"""

MAIN = """
int main(int count, char **arguments) {
#ifdef SYCL_IMPLEMENTATION_ONEAPI
  sycl::queue q;
#else
  const bool on_host = count > 1 && std::strcmp(arguments[1], "host") == 0;
  sycl::queue q(on_host ? sycl::device(static_cast<specpi_device>(nullptr))
                        : sycl::device::get_devices().front());
  if (q.get_device().is_host() != on_host)
    return 2;
#endif
  number *p = sycl::malloc_shared<number>(1, q);
"""

# type, values, whether a value may be a template argument
SCALARS = [
    ("int", "0x7 13 100", True),
    ("char", "'a' 3", True),
    ("bool", "true false", True),
    ("unsigned short", "65000 9", True),
    ("number", "1234567890123 -4", True),
    ("kind", "one five", True),
    ("float", "1.5F 0.25F", False),
    ("double", "2.5 -8.0", False),
]


class Variable:
    def __init__(self, name, text, constant, integer, shape):
        self.name, self.text = name, text
        self.constant, self.integer, self.shape = constant, integer, shape


class Kernel:
    def __init__(self, source, number):
        self.source, self.number, self.lines = source, number, []
        self.variables, self.names = [], 0

    def pick(self, *choices):
        return self.source.choice(choices)

    def name(self, start):
        self.names += 1
        return f"{start}{self.names}"

    def variable(self, template):
        """A local variable, as text that declares it."""
        kind, values, integer = self.source.choice(SCALARS)
        value = self.source.choice(values.split())
        how = self.pick("", "const ", "const ", "constexpr ", "unknown")
        name, shape = self.name("v"), self.pick("one", "one", "one", "array", "pair", "reference")
        constant = how in ("const ", "constexpr ") and kind not in ("float", "double")
        constant = constant or how == "constexpr "
        word = "const " if how == "unknown" else how
        if template and shape == "one" and self.source.random() < 0.3:
            kind, value = "T", f"T({value})"
            integer, constant = False, False
        if shape == "one":
            initial = f"static_cast<{kind}>(unknown)" if how == "unknown" else value
            text = f"{word}{kind} {name} = {initial};"
        elif shape == "array":
            size = self.source.randint(1, 4)
            text = f"{word}{kind} {name}[{size}] = {{{value}}};"
        elif shape == "pair":
            text = f"{word}pair {name} = {{{self.source.randint(0, 99)}, 0.5}};"
        else:
            text = f"{kind} {name}_ = {value}; {self.pick('', 'const ')}{kind} &{name} = {name}_;"
            constant = False
        self.variables.append(Variable(name, text, constant, integer, shape))
        return text

    def plain(self, variable):
        """An expression that has the variable's value."""
        if variable.shape == "array":
            return self.pick(f"{variable.name}[0]", f"{variable.name}[r & 0]", f"*{variable.name}")
        if variable.shape == "pair":
            return self.pick(f"{variable.name}.first", f"{variable.name}.second")
        if variable.shape == "lambda":
            return f"{variable.name}({self.source.randint(0, 9)})"
        return self.pick(
            variable.name, variable.name, f"same({variable.name})", f"(r, {variable.name})",
            f"(r != 77 ? {variable.name} : {variable.name})"
        )

    def use(self, variable, depth, generic=False):
        """Returns statements that change r depending on the variable."""
        if generic and variable.constant:
            # In a generic lambda GCC treats any use of a constant as its value, but clang captures it.
            return f"r += number(sizeof({variable.name}));"
        ways = ["value", "value", "size", "reference", "inner", "nested"]
        if variable.constant and variable.integer and variable.shape == "one":
            ways += ["bound", "array", "template", "if", "static", "case"]
        way = self.source.choice(ways)
        name, value = variable.name, self.plain(variable)
        if way == "value":
            return f"r = r * 3 + number({value});"
        if way == "size":
            return f"r += number(sizeof({name}));" if variable.shape != "lambda" else ";"
        if way == "reference" and variable.shape == "lambda":
            return f"{{ const auto &w = {name}; r += w(2); }}"
        if way == "reference":
            return f"{{ const auto &w = {name}; r += number(sizeof w); static_cast<void>(w); }}"
        if way in ("inner", "nested") and depth < 2:
            capture = self.pick("=", "&")
            generic = self.pick("", "number x", "auto x")
            of = self.use(variable, depth + 1, generic == "auto x")
            call = f"{{ auto l = [{capture}]({generic}) {{ number r = 1; {of} return r; }}; r += l({'3' if generic else ''}); }}"
            return call
        if way == "bound":
            return f"for (number i = 0; i < number({name}) && i < 20; i++) r += i;"
        if way == "array":
            return f"{{ char c[({name} & 7) + 1] = {{}}; r += number(sizeof c) + c[0]; }}"
        if way == "template":
            return f"r += fixed<number({name})>::value;"
        if way == "if":
            return f"if constexpr ({name} != 9) r += 5; else r += number({name});"
        if way == "static":
            return f"{{ static constexpr number s = number({name}); r += s; }}"
        if way == "case":
            return f"switch (r) {{ case number({name}): r = 2; break; default: r++; }}"
        return f"r = r * 3 + number({value});"

    def lambda_variable(self, template):
        """A lambda that the kernel may capture."""
        body = " ".join(self.use(variable, 1) for variable in self.some(3))
        name = self.name("f")
        text = f"const auto {name} = [=](number r) {{ {body} return r; }};"
        self.variables.append(Variable(name, text, False, False, "lambda"))
        return text

    def some(self, most):
        return self.source.sample(self.variables, min(len(self.variables), self.source.randint(0, most)))

    def captures(self, used, members):
        """Returns the text between the brackets of the kernel."""
        explicit = []
        for variable in self.some(3):
            if variable.shape in ("one", "pair", "array") and variable not in used and self.source.random() < 0.5:
                explicit.append(variable.name)
            elif variable.shape == "one":
                # In the kernel's body the name means the copy.
                explicit.append(f"{variable.name} = {variable.name}")
                variable.constant = False
        for _ in range(self.source.randint(0, 2)):
            name = self.name("i")
            names = [variable.name for variable in self.variables if variable.shape == "one"]
            value = self.source.choice(["5", "'x'", "2.5", "true", *names])
            explicit.append(f"{name} = {value}")
            used.append(Variable(name, "", False, False, "one"))
        if members:
            explicit.append("*this")
        self.source.shuffle(explicit)
        start = "="
        # After = a plain name is not allowed in the list; init-captures and *this are.
        return ", ".join([start] + [capture for capture in explicit if "=" in capture or capture == "*this"])

    def make(self):
        template, members = self.pick(True, False, False), self.pick(True, False, False, False)
        outside = [self.variable(template) for _ in range(self.source.randint(1, 6))]
        if self.source.random() < 0.4:
            outside.append(self.lambda_variable(template))
        inside = [self.variable(template) for _ in range(self.source.randint(0, 2))]
        if self.source.random() < 0.3:
            inside.append(self.lambda_variable(template))
        used = self.some(6)
        text = self.captures(used, members)
        statements = [self.use(variable, 0) for variable in used]
        if members:
            statements.append("r += m + number(w);")
        self.source.shuffle(statements)
        body = " ".join(statements)
        kernel = (
            f"h.single_task<class k{self.number}>([{text}](sycl::kernel_handler s) {{ number r = 1; "
            f"{body} p[0] = r * s.get_specialization_constant<factor>(); }});"
        )
        group = f"q.submit([&](sycl::handler &h) {{ {' '.join(inside)} {kernel} }});"
        for _ in range(self.source.randint(0, 2)):
            group = f"[&] {{ {group} }}();"
        if self.source.random() < 0.2:
            group = group.replace("q.submit([&](sycl::handler &h)", "q.submit([&](auto &h)").replace(
                "h.single_task<", "h.template single_task<"
            )
        code = "\n  ".join(outside + [group])
        start = f"void run{self.number}(sycl::queue &q, number *p)"
        call = f"run{self.number}{'<int>' if template and not members else ''}(q, p)"
        head = "template <class T> " if template else ""
        if members:
            arguments = "<float>" if template else ""
            call = f"in{self.number}{arguments}{{}}.{call}"
            return (
                f"{head}struct in{self.number} {{ char m = 4; double w = 2; {start} const {{\n  {code}\n}} }};",
                call,
            )
        return f"{head}{start} {{\n  {code}\n}}", call


def make_program(count, seed):
    source = random.Random(seed)
    kernels = [Kernel(source, i).make() for i in range(count)]
    calls = "".join(
        f"  *p = 0; try {{ {call}; q.wait_and_throw(); std::printf(\"{i} %lld\\n\", *p); }}"
        f" catch (const sycl::exception &) {{ std::puts(\"{i} refused\"); }}\n"
        for i, (_, call) in enumerate(kernels)
    )
    return HEAD + "\n".join(text for text, _ in kernels) + MAIN + calls + "}\n"


def compile_program(specpi_cc, path, compiler, way):
    program = f"{path.removesuffix('.cpp')}-{compiler.split('/')[-1]}{'' if way == '--sycl=own' else '-rt'}"
    command = [specpi_cc, "--emit=program", "--target=spir64", "-O0", "-DSPECPI_CAPTURES_AT_LAUNCH", "-o", program, way]
    subprocess.run(command + [f"--host-compiler={compiler}", path, "--", "-w"], check=True)
    return program


def run_program(*words):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()


def compare(of, count, expected, given):
    """Exits with the differences, if any; returns the number of refused kernels."""
    refused = [line for line in given if line.endswith(" refused")]
    wrong = [both for both in zip(expected, given) if both[0] != both[1] and both[1] not in refused]
    if wrong or len(expected) != count or len(given) != count:
        sys.exit(f"{of}: kernel and value on the host device, on the device: {wrong}")
    print(f"{of}: {count - len(refused)} of {count} kernels are the same on both devices, others are refused")
    return len(refused)


def main():
    way = sys.argv.pop(1) if sys.argv[1].startswith("--sycl-rt=") else "--sycl=own"
    specpi_cc, directory, count, seed, *compilers = sys.argv[1:]
    path = f"{directory}/captures.cpp"
    with open(path, "w", encoding="utf-8") as file:
        file.write(make_program(int(count), int(seed)))
    for compiler in compilers:
        expected = run_program(compile_program(specpi_cc, path, compiler, "--sycl=own"), "host")
        given = run_program(compile_program(specpi_cc, path, compiler, way))
        refused = compare(f"{path}, {compiler}, seed {seed}", int(count), expected, given)
        if refused > (0 if way == "--sycl=own" or "clang" in compiler else int(count) // 4):
            sys.exit(f"{compiler}: {refused} kernels are refused")


if __name__ == "__main__":
    main()
