// What the command lines of the examples have in common: numbers, and how a wrong line ends.
#ifndef SPECPI_EXAMPLES_COMMAND_LINE_HPP
#define SPECPI_EXAMPLES_COMMAND_LINE_HPP

#include <cerrno>
#include <cstdio>
#include <cstdlib>

struct command_line {
  const char *program;
  const char *usage;

  /* Ends the program with 2, after the usage. */
  [[noreturn]] void refuse() const {
    std::fputs(usage, stderr);
    std::exit(2);
  }
  /* --help. */
  [[noreturn]] void help() const {
    std::fputs(usage, stdout);
    std::exit(0);
  }
  /* The number of an option, from 1 to max. */
  template <class Number>
  Number number(const char *option, const char *text, const Number &max) const {
    char *end;
    errno = 0;
    const long read = std::strtol(text, &end, 10);
    if (*end || end == text || errno || read < 1 || read > static_cast<long>(max)) {
      std::fprintf(stderr, "%s: --%s %s: a number from 1 to %ld is needed\n", program, option, text,
                   static_cast<long>(max));
      refuse();
    }
    return static_cast<Number>(read);
  }
};

#endif
