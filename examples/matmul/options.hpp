// The command line of matmul.
#ifndef SPECPI_EXAMPLES_MATMUL_OPTIONS_HPP
#define SPECPI_EXAMPLES_MATMUL_OPTIONS_HPP

#include <string>

struct options {
  int size = 1024;    /* rows of a matrix */
  int block = 0;      /* rows of a block; 0: as many as suit the device */
  int rounds = 11;    /* number of measurements of each form */
  std::string device; /* a selector, "host", or "": the environment's selector */
};

/* Reads the command line. Ends the program after --help and after invalid options. */
options read_options(int count, char **words);

#endif
