// Reads the command lines of the examples, and ends the program after a wrong one.
#ifndef SPECPI_EXAMPLES_COMMAND_LINE_HPP
#define SPECPI_EXAMPLES_COMMAND_LINE_HPP

#include <cerrno>
#include <cstdio>
#include <cstdlib>

struct command_line {
  const char *program;
  const char *usage;

  /* Ends the program with status 2, after the reason was printed. */
  [[noreturn]] void refuse() const {
    std::fprintf(stderr, "%s: %s --help lists the options\n", program, program);
    std::exit(2);
  }
  /* Refuses an argument that belongs to no option. */
  [[noreturn]] void refuse_word(const char *word) const {
    std::fprintf(stderr, "%s: there is no place for '%s'\n", program, word);
    refuse();
  }
  /* Prints the text of --help and ends the program. */
  [[noreturn]] void help() const {
    std::fputs(usage, stdout);
    std::exit(0);
  }
  /* Reads the number of an option, from 1 to max. */
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
