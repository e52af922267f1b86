// The command line of matmul.
#ifndef SPECPI_EXAMPLES_MATMUL_OPTIONS_HPP
#define SPECPI_EXAMPLES_MATMUL_OPTIONS_HPP

#include <string>

struct options {
  int size = 1024;    /* rows of a matrix */
  int block = 0;      /* rows of a block; 0: what suits the device */
  int rounds = 11;    /* how often each form is measured */
  std::string device; /* a selector, "host", or "": what the environment says */
};

/* Reads the command line. On --help, and on what it cannot read, it ends the program. */
options read_options(int count, char **words);

#endif
