// The command line of convolution.
#ifndef SPECPI_EXAMPLES_CONVOLUTION_OPTIONS_HPP
#define SPECPI_EXAMPLES_CONVOLUTION_OPTIONS_HPP

#include <string>

struct options {
  unsigned width = 1024; /* pixels */
  unsigned height = 1024;
  unsigned rounds = 11; /* number of measurements of each form */
  std::string device;   /* a selector, "host", or "": the environment's selector */
  std::string picture;  /* the PNG file for the result; "": none */
};

/* Reads the command line. Ends the program after --help and after invalid options. */
options read_options(int count, char **words);

#endif
